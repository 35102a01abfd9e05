/** Keeps what a scope does to each database, as evidence of violations. */
import type { DocumentWrite, FeedRecord, RevisionTree } from '../../../reports/report.js';
import type { FollowedFeed, Recorder, TargetRequest } from '../../http/client.js';

/** What a check did to one database. */
interface DatabaseLog {
  readonly writes: { readonly request: object; readonly write: DocumentWrite }[];
  trees: () => RevisionTree[];
  readonly feeds: FollowedFeed[];
}

export class DatabaseLogs {
  /** By the path of the database. */
  readonly #logs: Map<string, DatabaseLog>;

  /** @param outer the logs of the enclosing scope. */
  constructor(outer?: DatabaseLogs) {
    this.#logs = new Map(outer ? outer.#logs : []);
  }

  /** Adds what led to a shared result. */
  include(shared: DatabaseLogs): void {
    for (const [path, log] of shared.#logs) this.#logs.set(path, { ...log, feeds: [] });
  }

  /** @param path of the database. */
  recorderFor(path: string): Recorder {
    const log = (): DatabaseLog => {
      const known = this.#logs.get(path) ?? { writes: [], trees: () => [], feeds: [] };
      this.#logs.set(path, known);
      return known;
    };
    return {
      wrote: ({ request }, writes) => void log().writes.push(...writes.map((write) => ({ request, write }))),
      holds: (trees) => void (log().trees = trees),
      follows: (feed) => void log().feeds.push(feed),
    };
  }

  /**
   * What was done to the database of the violating request.
   *
   * @param options.indexOf finds a request among the recorded exchanges, or returns a negative number.
   * @param options.from the start of all times in the record, on the clock of `performance.now()`.
   */
  describe(
    violating: TargetRequest,
    { indexOf, from }: { indexOf: (request: object) => number; from: number },
  ): { writes?: DocumentWrite[]; trees?: RevisionTree[]; feed?: FeedRecord } {
    const log = this.#logs.get(/^\/[^/?]+/.exec(violating.path)?.[0] ?? '');
    if (!log) return {};
    const writes = log.writes.map(({ request, write }) => {
      const index = indexOf(request);
      return index < 0 ? write : { ...write, exchange: index };
    });
    const trees = log.trees().filter(hasConflict);
    const feed = log.feeds.find(({ exchange }) => exchange?.request === violating);
    return {
      ...(writes.length > 0 && { writes }),
      ...(trees.length > 0 && { trees }),
      ...(feed && { feed: feed.record(from) }),
    };
  }
}

/** Without a conflict, the list of writes says the same. */
function hasConflict({ revisions }: RevisionTree): boolean {
  const parents = new Set(revisions.map(({ parent }) => parent));
  return revisions.filter(({ rev }) => !parents.has(rev)).length > 1;
}
