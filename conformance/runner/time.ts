/** Time: the end of somebody's, as an abort signal, and what may be said to come too late. */
import { setTimeout as wait } from 'node:timers/promises';
import { Inconclusive } from './verdict.js';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** To be called when the time is no longer needed. */
  clear(): void;
}

/** A signal that aborts with `reason` after `ms`, or as interrupted when `outer` aborts before. */
export function limitTime(outer: AbortSignal, ms: number, reason: Error): TimeLimit {
  const time = new AbortController();
  const interrupt = (): void => time.abort(new Inconclusive('The run was interrupted.'));
  const timer = setTimeout(() => time.abort(reason), ms);
  if (outer.aborted) interrupt();
  else outer.addEventListener('abort', interrupt, { once: true });
  return {
    signal: time.signal,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', interrupt);
    },
  };
}

/** The shortest time that one look at the target takes, and all that it counts for however long it took. */
const lookMs = 20;

/** So many looks find the target working before anything counts as late: two seconds at the least. */
const looks = 100;

/**
 * Whether `event` comes in time: by `dueAt` (on the clock of `performance.now()`) or not much later.
 *
 * Late is only what is not there although the target was seen to work all the while: it has answered a hundred other
 * requests since, one after the other, over two seconds. A pause of the target or of this machine counts for one such
 * request at most, so it cannot make anything late; it only makes the wait longer.
 *
 * @param look asks the target something that it answers at once. Its rejection is the caller's, as that of `event` is.
 */
export async function isInTime(
  event: Promise<unknown>,
  dueAt: number,
  look: () => Promise<unknown>,
): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const came = event.then(() => true);
  const within = (ms: number, work?: Promise<unknown>): Promise<boolean> =>
    Promise.race([came, Promise.all([wait(ms, undefined, { signal }), work]).then(() => false)]);
  try {
    if (await within(Math.max(0, dueAt - performance.now()))) return true;
    for (let count = 0; count < looks; count += 1) if (await within(lookMs, look())) return true;
    return false;
  } finally {
    over.abort();
  }
}
