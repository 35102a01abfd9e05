/** How many requests a target gets in a second. */
import { setTimeout as wait } from 'node:timers/promises';

/** All requests of a run share one, so that it holds for the run as a whole. */
export class Rate {
  /** The number of requests in a second, which may change at any time. */
  perSecond: number;
  /** When the next request may be sent, on the clock of `performance.now()`. */
  #nextAt = -Infinity;

  constructor(perSecond = Infinity) {
    this.perSecond = perSecond;
  }

  /** Resolves when a request may be sent. Requests are sent in the order in which they have asked, evenly in time. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / this.perSecond;
    if (at > now) await wait(Math.ceil(at - now), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
