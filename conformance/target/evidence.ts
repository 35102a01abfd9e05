/** Collects what a scope does and learns, as evidence of violations. */
import type { Exchange, SentExchange, TargetRequest } from '../http/client.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import type { Evidence } from '../engine/evidence.js';
import { Finding } from '../engine/finding.js';
import type { Violation } from '../engine/outcomes.js';
import { DatabaseLogs } from './database-log.js';
import { Lag } from './lag.js';

/** Number of finished exchanges that are kept. */
const maxExchanges = 100;

export class TargetEvidence implements Evidence, TrafficObserver {
  readonly lag: Lag;
  readonly log: DatabaseLogs;
  #finished: SentExchange[] = [];
  /** A missing response may be the violation, so unfinished exchanges count as well. */
  #unfinished = new Map<TargetRequest, SentExchange>();
  #omitted = 0;
  /** The request whose response the check has read last. */
  #lastRead: object | undefined;
  /** Whether the scope uses something that it shares with other checks. */
  #isShared = false;

  readonly #hasOneCopy: boolean;

  /**
   * @param hasOneCopy whether a write is visible everywhere as soon as it is acknowledged
   * @param outer evidence of the enclosing scope, whose exchanges may have led to a violation in this one
   */
  constructor(hasOneCopy: boolean, outer?: TargetEvidence) {
    this.#hasOneCopy = hasOneCopy;
    this.lag = new Lag(outer?.lag);
    this.log = new DatabaseLogs(outer?.log);
    if (!outer) return;
    this.#finished = [...outer.#finished];
    this.#unfinished = new Map(outer.#unfinished);
    this.#omitted = outer.#omitted;
    this.#isShared = outer.#isShared;
  }

  /** Adds what led to a shared result, which this scope uses. */
  include(shared: TargetEvidence): void {
    this.#isShared = true;
    this.lag.include(shared.lag);
    this.log.include(shared.log);
    this.#finished = [...shared.#finished, ...this.#finished];
    this.#omitted += shared.#omitted;
    this.#limit();
  }

  onSent(exchange: SentExchange): void {
    if (!exchange.request.background) this.#unfinished.set(exchange.request, exchange);
  }

  onRead({ request }: Exchange): void {
    if (!request.background) this.#lastRead = request;
  }

  onFinished(exchange: Exchange): void {
    this.#unfinished.delete(exchange.request);
    if (exchange.request.background) return;
    const { request, sentAt, record } = exchange;
    // Without the body, of which a record keeps only the beginning.
    this.#finished.push({ request, sentAt, record });
    this.#limit();
  }

  #limit(): void {
    const surplus = this.#finished.length - maxExchanges;
    if (surplus > 0) this.#omitted += this.#finished.splice(0, surplus).length;
  }

  /** The violation with what shows it. */
  findingOf(violation: Violation): Finding {
    const exchanges: SentExchange[] = [...this.#finished, ...this.#unfinished.values()];
    exchanges.sort((a, b) => a.sentAt - b.sentAt);
    const from = exchanges[0]?.sentAt ?? 0;
    const indexOf = (request: object | undefined): number =>
      exchanges.findIndex((exchange) => exchange.request === request);
    const violating = this.#violating(violation, exchanges, indexOf);
    const exchange = exchanges[violating];
    return new Finding(
      violation,
      {
        exchanges: exchanges.map((one) => one.record(from)),
        ...(exchange && { violating }),
        ...(this.#omitted > 0 && { omitted: this.#omitted }),
        ...(exchange && this.log.describe(exchange.request, { indexOf, from })),
      },
      { isShared: this.#isShared, mayBeLag: !this.#hasOneCopy && this.lag.isPossible },
    );
  }

  /** The exchange that the violation names, or the one that the check has read last; otherwise the last one. */
  #violating(
    { exchange }: Violation,
    exchanges: readonly SentExchange[],
    indexOf: (request: object | undefined) => number,
  ): number {
    const found = [exchange?.request, this.#lastRead].map(indexOf).find((index) => index >= 0);
    return found ?? exchanges.length - 1;
  }
}
