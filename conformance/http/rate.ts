/**
 * Sends no more requests than the target, or a gateway before it, accepts. The service document shows no limit (SERVICE
 * 8), so a refusal because of one is no result: it says that the run must be slower.
 *
 * The rate falls after a refusal and rises again while there is none, like that of TCP. Requests have an even distance,
 * since many gateways count in intervals of milliseconds.
 */

import type { LearnedLimit } from '../engine/second-chances.js';

/** How a target says that it does not handle a request now. */
export interface Refusal {
  /** Such as `POST /{db}/_bulk_docs`. */
  readonly operation: string;
  readonly status: number;
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt: number;
  /** Such as `nginx/1.22.1`. */
  readonly server: string | undefined;
  /** The value of the header Retry-After. */
  readonly retryAfter: string | undefined;
}

/** The statuses of a gateway that limits, and of a server that has too much to do. */
export const isRefusal = (status: number): boolean => status === 429 || status === 503;

/** The time over which answers are counted, in milliseconds. */
const windowMs = 1_000;

/** A change of the rate shows in refusals only after this time, in milliseconds. */
const settleMs = 250;

/** Requests per second. */
const slowest = 0.5;
/** What is tried at least after the first refusal, since only few requests may have been sent so far. */
const firstGuess = 20;

/** After a refusal, the rate falls to this part of itself, or of what was answered. */
const fall = { ofRate: 0.7, ofAnswers: 0.9 };
/** Of so few refusals, the rate falls less. */
const few = { share: 0.05, fall: 0.9 };

/**
 * By what factor the rate rises in a second: quickly far below the last refusal, or long after it. It does not rise above
 * a multiple of what was answered.
 */
const rise = { far: 1.5, near: 1.05, isFar: 0.8, longMs: 5_000, ofAnswers: 1.25 };

/** Refusals have another cause than the rate if they come below this part of a rate that was accepted. */
const certain = 1 / 2;
/** A smaller number of answers in a second shows no rate. */
const fewAnswers = 5;
/** A limit, once it is reached, refuses this part of the requests of a run that does not know it yet. */
const muchRefused = 0.5;

/** The timer is this exact, in milliseconds. */
const tickMs = 1;

interface Waiting {
  readonly start: () => void;
}

export class Rate {
  readonly #most: number;
  /** Requests per second. */
  #now: number;
  /** The rate at the last refusal. */
  #refusedAt = Infinity;
  #nextAt = -Infinity;
  #changedAt = -Infinity;
  #lastRefusal = -Infinity;
  #raisedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  readonly #queue = new Set<Waiting>();
  /** When answers and refusals of the last second came. */
  readonly #answers = new LastSecond();
  readonly #refusals = new LastSecond();
  readonly #startedAt = performance.now();
  /** The most answers in a second since much was refused. */
  #best = 0;
  #isUnsteady = false;
  /** The operations that were refused. */
  readonly #refused = new Set<string>();
  #last: Refusal | undefined;
  #holds = 0;
  #heldSince = 0;
  #heldMs = 0;
  /** Answers while requests waited. */
  #answeredWhileHeld = 0;
  /** When the first refusal came after the last answer. */
  #refusedSince: number | undefined;

  /** @param most requests per second that the user allows. */
  constructor(most = Infinity) {
    this.#most = most;
    this.#now = most;
  }

  /** How long requests have waited because of the limit, in milliseconds. It is no time of the target. */
  get heldMs(): number {
    return this.#heldMs + (this.#holds > 0 ? performance.now() - this.#heldSince : 0);
  }

  /** How long the target has answered nothing but refusals, in milliseconds. */
  get refusedMs(): number {
    return this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince;
  }

  /** Whether refusals come as from a limit. Otherwise they come whatever the rate is. */
  get isLimit(): boolean {
    return !this.#isUnsteady;
  }

  /** What the run has learned of a limit, if there is one. */
  get limit(): LearnedLimit | undefined {
    const { heldMs } = this;
    if (this.#refused.size === 0 || this.#isUnsteady || !this.#last) return undefined;
    const { status, server } = this.#last;
    return { status, server, heldMs, perSecond: (1000 * this.#answeredWhileHeld) / heldMs };
  }

  /**
   * Resolves when a request may be sent.
   *
   * @param signal makes it reject with the reason of the signal.
   */
  async turn(signal: AbortSignal): Promise<void> {
    if (this.#now === Infinity) return;
    const isFree = this.#queue.size === 0 && performance.now() >= this.#nextAt;
    if (isFree) this.#count();
    else await this.hold(() => this.#inTurn(signal));
  }

  /** Runs what lasts because of the limit. */
  async hold<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#holds === 0) this.#heldSince = performance.now();
    this.#holds += 1;
    try {
      return await wait();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#heldMs += performance.now() - this.#heldSince;
    }
  }

  /** A request was handled. */
  answered(): void {
    const now = performance.now();
    this.#refusedSince = undefined;
    this.#best = Math.max(this.#best, this.#answers.add(now));
    if (this.#holds > 0) this.#answeredWhileHeld += 1;
    // Without demand, nothing shows that more would be accepted.
    if (this.#queue.size > 0) this.#raise(now);
  }

  /** A request was not handled. @param isFirst whether the request was sent for the first time: it may be the cause. */
  refused(refusal: Refusal, isFirst: boolean): void {
    const now = performance.now();
    const { operation } = refusal;
    this.#last = refusal;
    this.#refused.add(operation);
    const refusals = this.#refusals.add(now);
    this.#lastRefusal = now;
    this.#refusedSince ??= now;
    if (!isFirst || refusal.sentAt < this.#changedAt + settleMs) return;
    const answers = this.#answers.count(now);
    const share = refusals / (refusals + answers);
    if (share >= muchRefused) {
      this.#best = answers;
      this.#isUnsteady = false;
    } else if (refusal.status !== 429 && this.#best > fewAnswers) {
      this.#isUnsteady ||= this.#now < certain * this.#best;
    }
    if (this.#isUnsteady) this.#reset();
    else this.#slowDown(now, share);
  }

  /** Requests for this operation are always refused, which shows no limit. */
  forget(operation: string): void {
    this.#refused.delete(operation);
    if (this.#refused.size === 0) this.#reset();
  }

  #reset(): void {
    this.#now = this.#most;
    this.#refusedAt = Infinity;
    this.#pump();
  }

  #slowDown(now: number, share: number): void {
    const seconds = Math.min(windowMs, Math.max(settleMs, now - this.#startedAt)) / 1000;
    const answered = fall.ofAnswers * (this.#answers.count(now) / seconds);
    const next =
      this.#now === Infinity
        ? Math.max(answered, firstGuess)
        : share < few.share
          ? few.fall * this.#now
          : Math.max(fall.ofRate * this.#now, Math.min(fall.ofAnswers * this.#now, answered));
    this.#refusedAt = this.#now;
    this.#changedAt = now;
    this.#raisedAt = now;
    this.#now = Math.min(this.#most, Math.max(slowest, next));
  }

  #raise(now: number): void {
    // A rate that is not used shows nothing.
    if (this.#now > rise.ofAnswers * this.#answers.count(now)) return;
    const isFar = this.#now < rise.isFar * this.#refusedAt || now - this.#lastRefusal > rise.longMs;
    const seconds = Math.min(1, (now - this.#raisedAt) / 1000);
    this.#raisedAt = now;
    this.#now = Math.min(this.#most, this.#now * (isFar ? rise.far : rise.near) ** seconds);
  }

  #inTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting = {
        start: (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(waiting);
      this.#pump();
    });
  }

  /** Starts the requests that wait, one after the other. */
  #pump(): void {
    if (this.#timer) return;
    for (const waiting of this.#queue) {
      const ms = this.#now === Infinity ? 0 : this.#nextAt - performance.now();
      if (ms > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#pump();
        }, ms);
        return;
      }
      this.#queue.delete(waiting);
      this.#count();
      waiting.start();
    }
  }

  #count(): void {
    const distanceMs = 1000 / this.#now;
    this.#nextAt = Math.max(this.#nextAt, performance.now() - tickMs) + distanceMs;
    // Whatever else this process does before the request leaves it must not bring the next one closer.
    setImmediate(() => {
      this.#nextAt = Math.max(this.#nextAt, performance.now() - 2 * tickMs + distanceMs);
    });
  }
}

/** How many times are kept that do not count any more. */
const mostPast = 1024;

/** Counts what has happened within a second. */
class LastSecond {
  #times: number[] = [];
  /** The first that counts. */
  #first = 0;

  /** @returns the count with this one. */
  add(now: number): number {
    this.#times.push(now);
    return this.count(now);
  }

  count(now: number): number {
    while (this.#times[this.#first]! < now - windowMs) this.#first += 1;
    if (this.#first > mostPast) {
      this.#times.splice(0, this.#first);
      this.#first = 0;
    }
    return this.#times.length - this.#first;
  }
}
