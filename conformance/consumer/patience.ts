/** Waits for a consumer as long as it makes progress, and then for a grace period. */
import { EventEmitter, once } from 'node:events';
import { isInTime, isSlow } from '../engine/deadlines.js';
import type { Front } from './front.js';

/** The wait of a consumer before an attempt is at most this many times as long as its longest wait before. */
const growth = 2.5;

/**
 * A consumer that waits for no response may still be starting, or may wait for a random time before its next attempt. It
 * has at least this many grace periods.
 */
const idleGraces = 6;

/** A refused attempt may lead to a login in the next one. A consumer that learns nothing from so many learns nothing more. */
const mostAttempts = 3;

/** A connection is dead after this number of the periods in which the server must send something. */
const patientPeriods = 3;

/** After this time without progress, a wait is likely to take seconds, and needs no processor. In milliseconds. */
const restMs = 1000;

/** How long the machine must show that it works before a consumer counts as stuck, in milliseconds: see `isInTime`. */
const confirmMs = 1000;

export interface PatienceOptions {
  readonly front: Front;
  /** Time without progress after which a consumer is not going to learn more, in milliseconds. */
  readonly graceMs: number;
  /** Whether the scenario keeps connections open and sends nothing. */
  readonly isSilent: boolean;
  readonly signal: AbortSignal;
  readonly hasEnded: () => boolean;
  /** Sends a request. */
  readonly probe: () => Promise<unknown>;
  /** Starts a process that sends a request. */
  readonly control: (aborted: AbortSignal) => Promise<unknown>;
  /** Called when a wait goes on without progress. Returns what to call when it ends, or when there is progress. */
  readonly rest: () => () => void;
}

export class Patience {
  readonly #options: PatienceOptions;
  readonly #progress = new EventEmitter<{ made: [] }>();
  /** Documents whose rows reached the consumer in this wait. It makes no progress by reading them again. */
  readonly #seen = new Set<string>();
  /** Whether the machine was so busy that the last wait may have ended too early. */
  isSlow = false;
  /** The longest time that a consumer may wait before an attempt, in milliseconds. Default: its waits may grow. */
  mostWaitMs: number | undefined;
  /** How long the last wait went on without progress, in milliseconds. */
  waitedMs = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  noteProgress(): void {
    this.#progress.emit('made');
  }

  noteRow(id: string): void {
    if (!this.#seen.has(id)) this.noteProgress();
    this.#seen.add(id);
  }

  /** @returns false if there is no more progress */
  async waitUntil(isDone: () => boolean): Promise<boolean> {
    const { signal, hasEnded, probe, control } = this.#options;
    let progressAt = performance.now();
    this.#seen.clear();
    for (;;) {
      if (isDone()) return true;
      signal.throwIfAborted();
      if (hasEnded()) return false;
      const grace = { by: this.#patientUntil(progressAt), graceMs: confirmMs };
      const over = new AbortController();
      const next = once(this.#progress, 'made', { signal: AbortSignal.any([signal, over.signal]) });
      next.catch(() => {});
      const wake = this.#restSoon();
      const isInProgress = await isInTime(next, { ...grace, probe, control }).finally(() => {
        over.abort();
        wake();
      });
      if (isInProgress) progressAt = performance.now();
      // The consumer may have sent a request meanwhile that gives it more time.
      else if (performance.now() > this.#patientUntil(progressAt)) {
        this.isSlow = isSlow(grace);
        this.waitedMs = performance.now() - progressAt;
        return isDone();
      }
    }
  }

  /** @returns what to call when there is progress */
  #restSoon(): () => void {
    let wake = (): void => {};
    const timer = setTimeout(() => (wake = this.#options.rest()), restMs);
    return () => {
      clearTimeout(timer);
      wake();
    };
  }

  /** When a consumer counts as stuck, on the clock of `performance.now()`. */
  #patientUntil(progressAt: number): number {
    const { front, graceMs, isSilent } = this.#options;
    const silenceMs = isSilent ? patientPeriods * front.allowedSilenceMs : 0;
    const { waitsUntil } = front;
    const attempts = front.attemptsSince(progressAt);
    // A consumer learns nothing while the server is away, however often it tries.
    const vain = attempts.filter((at) => at <= waitsUntil);
    const real = attempts.slice(vain.length, vain.length + mostAttempts);
    const idleMs = front.openRequests === 0 ? idleGraces * graceMs : 0;
    const waitMs = this.mostWaitMs ?? Math.max(growth * front.longestPauseMs, idleMs);
    const nextMs = real.length < mostAttempts ? waitMs : 0;
    return Math.max(
      progressAt + silenceMs + graceMs,
      waitsUntil + graceMs,
      Math.max(progressAt, ...vain, ...real) + Math.max(nextMs, graceMs),
    );
  }
}
