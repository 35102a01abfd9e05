/** Waiting, in a way that leaves nothing behind. */
import type { Database } from '../store/database.js';

/** The longest that a timer of Node can run. */
const longest = 2 ** 31 - 1;

/** A period that can begin anew. */
export class Countdown {
  readonly #ms: number;
  #start = performance.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  restart(): void {
    this.#start = performance.now();
  }

  /** In milliseconds; 0 when it is over. */
  get left(): number {
    return Math.max(0, this.#start + this.#ms - performance.now());
  }
}

/**
 * Resolves when the database changes or is closed, when one of the signals is aborted, or after `ms`. It may resolve
 * a moment early: look at what there is. Something that has happened before the call is not noticed.
 */
export function waitForChange(
  database: Database,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(ms), longest));
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

/** Whether a promise is settled within `ms`, or a moment less. */
export async function settlesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const settled = promise.then(
    () => true,
    () => true,
  );
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(Math.ceil(ms), longest));
  });
  const result = await Promise.race([settled, over]);
  clearTimeout(timer);
  return result;
}
