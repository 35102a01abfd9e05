/** Deadlines as abort signals, and the decision whether an event is late and who may be the cause. */
import { setTimeout as wait } from 'node:timers/promises';
import { Inconclusive, Violation } from './outcomes.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Releases the timer. Call it when the deadline is no longer needed. */
  clear(): void;
}

/** How much time has passed so far that no deadline counts, in milliseconds. */
export type Uncounted = () => number;

/**
 * Returns a signal that aborts with `reason` after `ms`, or with Inconclusive as soon as `outer` aborts: with the reason
 * of `outer` if that is one.
 */
export function startDeadline(
  outer: AbortSignal,
  ms: number,
  reason: Error,
  uncounted?: Uncounted,
): Deadline {
  const controller = new AbortController();
  const interrupt = (): void =>
    controller.abort(
      outer.reason instanceof Inconclusive ? outer.reason : new Inconclusive('The run was interrupted.'),
    );
  const stop = afterCounted(ms, () => controller.abort(reason), uncounted);
  if (outer.aborted) interrupt();
  else outer.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    clear() {
      stop();
      outer.removeEventListener('abort', interrupt);
    },
  };
}

/** Calls `then` once `ms` have passed that count. @returns what to call to prevent it. */
function afterCounted(
  ms: number,
  then: () => void,
  uncounted: Uncounted = () => 0,
  unref = false,
): () => void {
  let timer: NodeJS.Timeout;
  const start = (left: number): void => {
    const before = uncounted();
    timer = setTimeout(() => {
      const more = uncounted() - before;
      if (more < 1) then();
      else start(more);
    }, left);
    if (unref) timer.unref();
  };
  start(ms);
  return () => clearTimeout(timer);
}

/** A signal that aborts after `ms`, or as soon as `outer` does. */
export function abortAfter(ms: number, outer: AbortSignal, uncounted?: Uncounted): AbortSignal {
  // Not AbortSignal.timeout(): within AbortSignal.any() it may be collected as garbage and never abort
  // (https://github.com/nodejs/node/issues/57736).
  const timeout = new AbortController();
  afterCounted(ms, () => timeout.abort(), uncounted, true);
  return AbortSignal.any([outer, timeout.signal]);
}

/** The grace period if the caller does not choose one. */
const defaultGraceMs = 2000;

/** Most events happen this soon, so probing the target earlier would only cost requests. */
const patienceMs = 100;

/** Each probe takes at least this long, and counts for exactly this long however slow it is. */
const probeMs = 50;

/** The number of controls in a grace period. What is waited for may itself take several requests. */
const controlCount = 3;

/** If the target does not answer the controls, it gets no more time than this many grace periods. */
const mostGraces = 15;

/** Requests that show whether the target is working while something is waited for. */
export interface Probes {
  /** Sends a request that the target answers immediately. */
  readonly probe: () => Promise<unknown>;
  /**
   * Sends a request that has to wait wherever the event may have to wait: for a connection, and for what evaluates a
   * filter. A target may serve each of them later than the requests on its open connections.
   */
  readonly control: (signal: AbortSignal) => Promise<unknown>;
}

/** How long an event may take. */
interface Grace {
  /** When it should happen, on the clock of `performance.now()`. */
  readonly by: number;
  /** How much later it may still happen: see {@link isInTime}. */
  readonly graceMs?: number | undefined;
}

/**
 * Whether `event` resolves by the time `by` or in the grace period after it.
 *
 * The grace period is not measured on the wall clock. It consists of probes: requests that the target answers one
 * after the other. Each probe counts for 50 ms, even if it takes longer. A pause of the target or of this machine
 * therefore never makes an event late; it only prolongs the wait. Nor does a queue: the grace period goes on until the
 * target has answered some controls, one after the other.
 *
 * Rejects if `event`, a probe or a control rejects.
 */
export async function isInTime(
  event: Promise<unknown>,
  { by, graceMs = defaultGraceMs, probe, control }: Grace & Probes,
): Promise<boolean> {
  const finished = new AbortController();
  const { signal } = finished;
  let controls = 0;
  const sendControls = async (): Promise<void> => {
    for (; controls < controlCount; controls += 1) await control(signal);
  };
  const happened = event.then(() => true);
  const happensWithin = (ms: number, ...others: Promise<unknown>[]): Promise<boolean> =>
    Promise.race([happened, Promise.all([wait(ms, undefined, { signal }), ...others]).then(() => false)]);
  try {
    if (await happensWithin(Math.max(0, by - performance.now()) + patienceMs)) return true;
    const broken = sendControls().then(() => new Promise<never>(() => {}));
    const isOver = (probedMs: number): boolean =>
      probedMs >= (controls < controlCount ? mostGraces : 1) * graceMs;
    let probedMs = 0;
    do {
      if (await Promise.race([happensWithin(probeMs, probe()), broken])) return true;
      probedMs += probeMs;
    } while (!isOver(probedMs));
    return false;
  } finally {
    finished.abort();
  }
}

/**
 * Whether a grace period that is over took more than twice as long as it counts for. A busy machine or network may then
 * have delayed the event.
 */
export const isSlow = ({ by, graceMs = defaultGraceMs }: Grace): boolean =>
  performance.now() - by > patienceMs + 2 * graceMs;

/**
 * Verifies what {@link isInTime} has waited for. If the grace period was slow, the runner repeats the check alone before
 * it reports the violation: see {@link isSlow}.
 *
 * @throws what `verify` throws.
 */
export function judgeInTime(grace: Grace, verify: () => void): void {
  const dependsOnTiming = isSlow(grace);
  try {
    verify();
  } catch (error) {
    throw dependsOnTiming && error instanceof Violation ? error.dependingOnTiming() : error;
  }
}
