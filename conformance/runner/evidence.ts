/** Collects the latest exchanges of a scope as evidence of violations. */
import type { Exchange, SentExchange, TargetRequest } from '../client/client.js';
import type { TrafficObserver } from '../client/traffic-observer.js';
import type { Violation } from '../verdict/outcomes.js';

/** Number of finished exchanges that are kept. */
const maxExchanges = 100;

export class Evidence implements TrafficObserver {
  #finished: SentExchange[] = [];
  /** A missing response may be the violation, so unfinished exchanges count as well. */
  #unfinished = new Map<TargetRequest, SentExchange>();
  #omitted = 0;
  /** Whether the scope uses something that it shares with other checks. */
  #isShared = false;

  /** @param outer evidence of the enclosing scope, whose exchanges may have led to a violation in this one. */
  constructor(outer?: Evidence) {
    if (!outer) return;
    this.#finished = [...outer.#finished];
    this.#unfinished = new Map(outer.#unfinished);
    this.#omitted = outer.#omitted;
    this.#isShared = outer.#isShared;
  }

  /** Adds the exchanges that led to a shared result, which this scope uses. */
  include(shared: Evidence): void {
    this.#isShared = true;
    this.#finished = [...shared.#finished, ...this.#finished];
    this.#omitted += shared.#omitted;
    this.#limit();
  }

  onSent(exchange: SentExchange): void {
    if (!exchange.request.background) this.#unfinished.set(exchange.request, exchange);
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

  addTo(violation: Violation): void {
    const exchanges: SentExchange[] = [...this.#finished, ...this.#unfinished.values()];
    exchanges.sort((a, b) => a.sentAt - b.sentAt);
    violation.exchanges = exchanges.map((exchange) => exchange.record(exchanges[0]!.sentAt));
    violation.omitted = this.#omitted;
    violation.isShared = this.#isShared;
  }
}
