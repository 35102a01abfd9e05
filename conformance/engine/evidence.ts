/** Collects what a scope does and learns, as evidence of violations. */
import type { DocumentWrite, FeedRecord, RevisionTree } from '../../reports/report.js';
import type { Exchange, FollowedFeed, Recorder, SentExchange, TargetRequest } from '../http/client.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import { Finding } from '../verdict/finding.js';
import type { Violation } from '../verdict/outcomes.js';
import { Lag } from '../target/lag.js';

/** Number of finished exchanges that are kept. */
const maxExchanges = 100;

/** What a check did to one database. */
interface DatabaseLog {
  readonly writes: { readonly request: object; readonly write: DocumentWrite }[];
  trees: () => RevisionTree[];
  readonly feeds: FollowedFeed[];
}

export class Evidence implements TrafficObserver {
  readonly lag: Lag;
  #finished: SentExchange[] = [];
  /** A missing response may be the violation, so unfinished exchanges count as well. */
  #unfinished = new Map<TargetRequest, SentExchange>();
  #omitted = 0;
  /** The request whose response the check has read last. */
  #lastRead: object | undefined;
  /** By the path of the database. */
  readonly #databases: Map<string, DatabaseLog>;
  /** Whether the scope uses something that it shares with other checks. */
  #isShared = false;

  /** @param outer evidence of the enclosing scope, whose exchanges may have led to a violation in this one. */
  constructor(outer?: Evidence) {
    this.lag = new Lag(outer?.lag);
    this.#databases = new Map(outer ? outer.#databases : []);
    if (!outer) return;
    this.#finished = [...outer.#finished];
    this.#unfinished = new Map(outer.#unfinished);
    this.#omitted = outer.#omitted;
    this.#isShared = outer.#isShared;
  }

  /** Adds what led to a shared result, which this scope uses. */
  include(shared: Evidence): void {
    this.#isShared = true;
    this.lag.include(shared.lag);
    for (const [path, log] of shared.#databases) this.#databases.set(path, { ...log, feeds: [] });
    this.#finished = [...shared.#finished, ...this.#finished];
    this.#omitted += shared.#omitted;
    this.#limit();
  }

  /** @param path of the database. */
  recorderFor(path: string): Recorder {
    const log = (): DatabaseLog => {
      const known = this.#databases.get(path) ?? { writes: [], trees: () => [], feeds: [] };
      this.#databases.set(path, known);
      return known;
    };
    return {
      wrote: ({ request }, writes) => void log().writes.push(...writes.map((write) => ({ request, write }))),
      holds: (trees) => void (log().trees = trees),
      follows: (feed) => void log().feeds.push(feed),
    };
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
    const log = exchange && this.#logOf(exchange.request);
    return new Finding(
      violation,
      {
        exchanges: exchanges.map((one) => one.record(from)),
        ...(exchange && { violating }),
        ...(this.#omitted > 0 && { omitted: this.#omitted }),
        ...(log && describe(log, exchange.request, { indexOf, from })),
      },
      { isShared: this.#isShared, mayBeLag: this.lag.isPossible },
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

  #logOf({ path }: TargetRequest): DatabaseLog | undefined {
    return this.#databases.get(/^\/[^/?]+/.exec(path)?.[0] ?? '');
  }
}

function describe(
  { writes, trees, feeds }: DatabaseLog,
  violating: TargetRequest,
  { indexOf, from }: { indexOf: (request: object) => number; from: number },
): { writes?: DocumentWrite[]; trees?: RevisionTree[]; feed?: FeedRecord } {
  const recorded = writes.map(({ request, write }) => {
    const index = indexOf(request);
    return index < 0 ? write : { ...write, exchange: index };
  });
  const conflicting = trees().filter(hasConflict);
  const feed = feeds.find(({ exchange }) => exchange?.request === violating);
  return {
    ...(recorded.length > 0 && { writes: recorded }),
    ...(conflicting.length > 0 && { trees: conflicting }),
    ...(feed && { feed: feed.record(from) }),
  };
}

/** Without a conflict, the list of writes says the same. */
function hasConflict({ revisions }: RevisionTree): boolean {
  const parents = new Set(revisions.map(({ parent }) => parent));
  return revisions.filter(({ rev }) => !parents.has(rev)).length > 1;
}
