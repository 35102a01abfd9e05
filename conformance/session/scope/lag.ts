/** Tells which reads a copy of the target may have answered that lags behind a write (SERVICE 4.7 rules 3 and 4). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange, HttpClient, SentExchange, TargetRequest } from '../../http/client.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import type { TargetInfo } from '../probe/target-info.js';

/**
 * How long a copy may lag behind an acknowledged write, in milliseconds. In clusters of CouchDB it takes less than 50,
 * and up to 1300 on a busy machine.
 */
const longestLagMs = 3000;

/** Where the feed is behind the writes, a read may be so many times as late as the latest that was seen. */
const lagFactor = 3;

/** How long a read may be behind an acknowledged write, in milliseconds. */
export function longestLag({ hasOneCopy, feedLag }: Pick<TargetInfo, 'hasOneCopy' | 'feedLag'>): number {
  return hasOneCopy ? lagFactor * feedLag.ms : longestLagMs;
}

/** Observes the requests of a scope. */
export class Lag implements TrafficObserver {
  /** When the last write was acknowledged, on the clock of `performance.now()`. */
  #writtenAt: number;
  readonly #longestMs: () => number;
  readonly #reading = new Set<TargetRequest>();
  #ended = new AbortController();
  /** How soon after a write a read of the scope began, in milliseconds. A read that was in progress began before. */
  #soonestMs = Infinity;

  /** @param longestMs see {@link longestLag}. A run may learn meanwhile that a feed is behind. */
  constructor(longestMs: () => number, outer?: Lag) {
    this.#longestMs = longestMs;
    this.#writtenAt = outer ? outer.#writtenAt : -Infinity;
  }

  /** Adds the writes that led to a shared result. */
  include(shared: Lag): void {
    this.#writtenAt = Math.max(this.#writtenAt, shared.#writtenAt);
  }

  onSent({ request, sentAt }: SentExchange): void {
    if (request.background || isWrite(request)) return;
    this.#reading.add(request);
    this.#soonestMs = Math.min(this.#soonestMs, sentAt - this.#writtenAt);
  }

  onFinished({ request }: Exchange): void {
    this.#reading.delete(request);
    if (!isWrite(request)) return;
    this.#writtenAt = performance.now();
    if (this.#reading.size > 0) this.#soonestMs = -Infinity;
  }

  /** Whether a read of the scope began soon after a write, or was in progress during one. */
  get isPossible(): boolean {
    return this.#longestMs() > 0 && this.#soonestMs < this.#longestMs();
  }

  /** The feed shows all writes. */
  end(): void {
    this.#writtenAt = -Infinity;
    this.#ended.abort();
    this.#ended = new AbortController();
  }

  /** Resolves when no copy lags behind the writes before. */
  async settled(signal: AbortSignal): Promise<void> {
    const ms = this.#writtenAt + this.#longestMs() - performance.now();
    const either = AbortSignal.any([signal, this.#ended.signal]);
    if (ms > 0) await wait(ms, undefined, { signal: either }).catch(() => signal.throwIfAborted());
  }

  /** A client whose reads wait until no copy lags behind the writes before them. */
  settle(client: HttpClient, signal: AbortSignal): HttpClient {
    const settled = async (request: TargetRequest): Promise<void> => {
      if (!request.background && !isWrite(request)) await this.settled(signal);
    };
    return {
      request: async (request) => {
        await settled(request);
        return client.request(request);
      },
      open: async (request) => {
        await settled(request);
        return client.open(request);
      },
    };
  }
}

const isWrite = ({ method = 'GET', path }: TargetRequest): boolean =>
  !['GET', 'HEAD'].includes(method) && !path.includes('/_changes');
