/** Deadlines as abort signals, and the decision whether an event is late and who may be the cause. */
import { setTimeout as wait } from 'node:timers/promises';
import { Inconclusive, Violation } from './outcomes.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Releases the timer. Call it when the deadline is no longer needed. */
  clear(): void;
}

/**
 * Returns a signal that aborts with `reason` after `ms`, or with Inconclusive as soon as `outer` aborts: with the reason
 * of `outer` if that is one.
 */
export function startDeadline(outer: AbortSignal, ms: number, reason: Error): Deadline {
  const controller = new AbortController();
  const interrupt = (): void =>
    controller.abort(
      outer.reason instanceof Inconclusive ? outer.reason : new Inconclusive('The run was interrupted.'),
    );
  const timer = setTimeout(() => controller.abort(reason), ms);
  if (outer.aborted) interrupt();
  else outer.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', interrupt);
    },
  };
}

/** The grace period if the caller does not choose one. */
const defaultGraceMs = 2000;

/** Most events happen this soon, so probing the target earlier would only cost requests. */
const patienceMs = 100;

/** Each probe takes at least this long, and counts for exactly this long however slow it is. */
const probeMs = 20;

/**
 * Whether `event` resolves by the time `by` (on the clock of `performance.now()`) or at most `graceMs` later.
 *
 * The grace period is not measured on the wall clock. It consists of probes: requests that the target answers one
 * after the other. Each probe counts for 20 ms, even if it takes longer. A pause of the target or of this machine
 * therefore never makes an event late; it only prolongs the wait.
 *
 * @param probe sends a request that the target answers immediately. If it rejects, or if `event` rejects, so does
 * this function.
 */
export async function isInTime(
  event: Promise<unknown>,
  { by, graceMs = defaultGraceMs, probe }: { by: number; graceMs?: number; probe: () => Promise<unknown> },
): Promise<boolean> {
  const finished = new AbortController();
  const { signal } = finished;
  const happened = event.then(() => true);
  const happensWithin = (ms: number, probing?: Promise<unknown>): Promise<boolean> =>
    Promise.race([happened, Promise.all([wait(ms, undefined, { signal }), probing]).then(() => false)]);
  try {
    if (await happensWithin(Math.max(0, by - performance.now()) + patienceMs)) return true;
    for (let probedMs = 0; probedMs < graceMs; probedMs += probeMs) {
      if (await happensWithin(probeMs, probe())) return true;
    }
    return false;
  } finally {
    finished.abort();
  }
}

/**
 * Verifies what {@link isInTime} has waited for. If the grace period took more than twice as long as it counts for, a
 * busy machine or network may have delayed the event: the runner then repeats the check alone before it reports the
 * violation.
 *
 * @throws what `verify` throws.
 */
export function judgeInTime(
  { by, graceMs = defaultGraceMs }: { by: number; graceMs?: number | undefined },
  verify: () => void,
): void {
  const isSlow = performance.now() - by > 2 * graceMs;
  try {
    verify();
  } catch (error) {
    throw isSlow && error instanceof Violation ? error.dependingOnTiming() : error;
  }
}
