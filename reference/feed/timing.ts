/** Waiting with timeouts. All functions remove their timers and listeners. */
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

/**
 * Resolves when the database changes or closes, when a signal is aborted, or after `ms`. It may resolve slightly early,
 * so check the state afterwards. It ignores events before the call.
 */
export function waitForChange(
  database: Database,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(ms), maxDelayMs));
    database.events.once('change', wake).once('close', wake);
    for (const signal of signals) signal.addEventListener('abort', wake);

    function wake(): void {
      clearTimeout(timer);
      database.events.off('change', wake).off('close', wake);
      for (const signal of signals) signal.removeEventListener('abort', wake);
      resolve();
    }
  });
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
