/** Collects what a scope does and learns, as evidence of violations. */
import type { Exchange, SentExchange, TargetRequest } from '../../http/client.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import type { Evidence } from '../../engine/evidence.js';
import { Finding } from '../../engine/finding.js';
import { type Blocked, OutOfTime, type Violation } from '../../engine/outcomes.js';
import { operationName } from '../../http/describe-response.js';
import { DatabaseLogs } from './database-log.js';
import { Lag } from './lag.js';

/** A request and the status of its response, if it has got one. */
interface Answer extends Pick<SentExchange, 'request' | 'record'> {
  readonly status?: number;
}

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

  readonly #outer: TargetEvidence | undefined;
  /** By operation and status, the first of each. */
  readonly #answers = new Map<string, Answer>();

  /**
   * @param longestLagMs how long a read may be behind an acknowledged write, in milliseconds
   * @param outer evidence of the enclosing scope, whose exchanges may have led to a violation in this one
   */
  constructor(longestLagMs: () => number, outer?: TargetEvidence) {
    this.#outer = outer;
    this.lag = new Lag(longestLagMs, outer?.lag);
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
    for (const [kind, answer] of shared.#answers) this.#addAnswer(kind, answer);
  }

  onSent(exchange: SentExchange): void {
    const { request } = exchange;
    if (request.background) return;
    this.#unfinished.set(request, exchange);
    this.#addAnswer(operationOf(exchange), { request, record: (from) => exchange.record(from) });
  }

  onRead({ request }: Exchange): void {
    if (!request.background) this.#lastRead = request;
  }

  onFinished(exchange: Exchange): void {
    this.#unfinished.delete(exchange.request);
    if (exchange.request.background) return;
    const { request, sentAt, record, status } = exchange;
    this.#addAnswer(`${operationOf(exchange)} ${status}`, { request, status, record });
    // Without the body, of which a record keeps only the beginning.
    this.#finished.push({ request, sentAt, record });
    this.#limit();
  }

  #limit(): void {
    const surplus = this.#finished.length - maxExchanges;
    if (surplus > 0) this.#omitted += this.#finished.splice(0, surplus).length;
  }

  /** What was sent in this scope, in those within it and in what it shares: the first of each status to each operation. */
  get answers(): readonly Answer[] {
    return [...this.#answers.values()];
  }

  #addAnswer(kind: string, answer: Answer): void {
    if (!this.#answers.has(kind)) this.#answers.set(kind, answer);
    if (this.#outer) this.#outer.#addAnswer(kind, answer);
  }

  /** The violation with what shows it. */
  findingOf(violation: Violation): Finding {
    const exchanges = this.#inOrder();
    const from = exchanges[0]?.sentAt ?? 0;
    const violating = this.#indexOfShown(violation, exchanges);
    const exchange = exchanges[violating];
    const indexOf = (request: object | undefined): number => indexIn(exchanges, request);
    return new Finding(
      violation,
      {
        exchanges: exchanges.map((one) => one.record(from)),
        ...(exchange && { violating }),
        ...(this.#omitted > 0 && { omitted: this.#omitted }),
        ...(exchange && this.log.describe(exchange.request, { indexOf, from })),
      },
      { isShared: this.#isShared, mayBeLag: this.lag.isPossible },
    );
  }

  explain(error: Blocked | OutOfTime): void {
    if (error instanceof OutOfTime) this.#explainTime(error);
    else {
      const exchanges = this.#inOrder();
      error.shownBy ??= exchanges[this.#indexOfShown(error, exchanges)]?.record();
    }
  }

  /** The request that has been open for longest. A target that has answered later ones has not been busy. */
  #explainTime(error: OutOfTime): void {
    const [open] = [...this.#unfinished.values()].sort((a, b) => a.sentAt - b.sentAt);
    if (!open || error.shownBy) return;
    error.shownBy = open.record();
    const { method = 'GET', path } = open.request;
    if (this.#finished.some(({ sentAt }) => sentAt > open.sentAt))
      error.remedy = `find out why ${operationName(method, path)} stayed open while the target answered other requests: --explain shows it`;
  }

  #inOrder(): SentExchange[] {
    return [...this.#finished, ...this.#unfinished.values()].sort((a, b) => a.sentAt - b.sentAt);
  }

  /** The exchange that the verdict names, or the one that the check has read last; otherwise the last one. */
  #indexOfShown({ exchange }: Pick<Violation, 'exchange'>, exchanges: readonly SentExchange[]): number {
    const found = [exchange?.request, this.#lastRead].map((request) => indexIn(exchanges, request));
    return found.find((index) => index >= 0) ?? exchanges.length - 1;
  }
}

const indexIn = (exchanges: readonly SentExchange[], request: object | undefined): number =>
  exchanges.findIndex((exchange) => exchange.request === request);

const operationOf = ({ request: { method = 'GET', path } }: SentExchange): string =>
  operationName(method, path);
