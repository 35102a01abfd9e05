/** Time: the end of somebody's, as an abort signal, and what may be said to come too late. */
import { setTimeout as wait } from 'node:timers/promises';
import { Inconclusive } from './outcomes.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when the time is no longer needed. */
  clear(): void;
}

/** A signal that aborts with `reason` after `ms`, or as interrupted when `outer` aborts before. */
export function startDeadline(outer: AbortSignal, ms: number, reason: Error): Deadline {
  const time = new AbortController();
  const interrupt = (): void => time.abort(new Inconclusive('The run was interrupted.'));
  const timer = setTimeout(() => time.abort(reason), ms);
  if (outer.aborted) interrupt();
  else outer.addEventListener('abort', interrupt);
  return {
    signal: time.signal,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', interrupt);
    },
  };
}

/** Most comes so soon that there is no need to look. */
const patienceMs = 100;

/** The shortest time that one look at the target takes, and all that it counts for however long it took. */
const lookMs = 20;

/**
 * Whether `event` comes in time: by `by` (on the clock of `performance.now()`) or at most `graceMs` later.
 *
 * Only time in which the target was seen to work counts against it: it answers other requests meanwhile, one after the
 * other, and each counts for 20 ms even if it took longer. So a pause of the target or of this machine cannot make
 * anything late; it makes the wait longer.
 *
 * @param look asks the target something that it answers at once. When it rejects, so does this, as with `event`.
 */
export async function isInTime(
  event: Promise<unknown>,
  { by, graceMs = 2000, look }: { by: number; graceMs?: number; look: () => Promise<unknown> },
): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const came = event.then(() => true);
  const within = (ms: number, work?: Promise<unknown>): Promise<boolean> =>
    Promise.race([came, Promise.all([wait(ms, undefined, { signal }), work]).then(() => false)]);
  try {
    if (await within(Math.max(0, by - performance.now()) + patienceMs)) return true;
    for (let seen = 0; seen < graceMs; seen += lookMs) if (await within(lookMs, look())) return true;
    return false;
  } finally {
    over.abort();
  }
}
