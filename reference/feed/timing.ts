/** Waiting with timeouts. */
import type { Database } from '../store/database.js';

/** Maximum delay of a timer in Node. */
const maxDelayMs = 2 ** 31 - 1;

/** A timeout that can be restarted. */
export class Countdown {
  readonly #ms: number;
  #start = performance.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  restart(): void {
    this.#start = performance.now();
  }

  /** Remaining time in milliseconds; 0 after the end. */
  get left(): number {
    return Math.max(0, this.#start + this.#ms - performance.now());
  }
}

/** Number of feeds that are woken in one round of the event loop. */
const feedsPerRound = 16;

/**
 * Wakes feeds in several rounds, so that requests proceed. A feed sends all changes until its turn in one chunk. The first
 * round is that of the change itself, so the rows of a few feeds leave with the response to the write.
 */
const waking = new Set<() => void>();

function wakeSome(): void {
  let count = 0;
  for (const wake of waking) {
    if (count++ === feedsPerRound) return void setImmediate(wakeSome);
    waking.delete(wake);
    wake();
  }
}

/**
 * Wakes one feed when the database changes or closes, or when the server stops. It listens from the first wait until it
 * is closed: with thousands of feeds, adding and removing listeners for each change takes most of the time.
 */
export class Alarm {
  readonly #database: Database;
  readonly #stopping: AbortSignal;
  #isListening = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(database: Database, stopping: AbortSignal) {
    this.#database = database;
    this.#stopping = stopping;
  }

  /** Whether there is nothing left to wait for. */
  get isOver(): boolean {
    return this.#isClosed || this.#stopping.aborted || this.#database.closed;
  }

  /** Resolves when it is woken, or after `ms`. It may resolve slightly early, so check the state afterwards. */
  async wait(ms: number): Promise<void> {
    this.#listen();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.min(Math.ceil(ms), maxDelayMs));
    });
    clearTimeout(timer);
  }

  /** Wakes the feed, and removes the listeners. Call it when the client has disconnected. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    if (!this.#isListening) return;
    this.#database.events.off('change', this.#ring).off('close', this.#ring);
    this.#stopping.removeEventListener('abort', this.#ring);
  }

  readonly #ring = () => {
    if (!this.#wake) return;
    if (waking.size === 0) queueMicrotask(wakeSome);
    waking.add(this.#wake);
    this.#wake = undefined;
  };

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#database.events.on('change', this.#ring).on('close', this.#ring);
    this.#stopping.addEventListener('abort', this.#ring);
  }
}

/** Waits up to `ms` milliseconds and returns whether the promise has settled. */
export async function settlesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const settled = promise.then(
    () => true,
    () => true,
  );
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(Math.ceil(ms), maxDelayMs));
  });
  const result = await Promise.race([settled, over]);
  clearTimeout(timer);
  return result;
}
