/**
 * Consumers that apply rows as they arrive and break their connections. In the end they must have the state of the
 * database (SERVICE 4.7).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type Arrival,
  Blocked,
  type DatabaseClient,
  type DatabaseState,
  type Difference,
  emptyState,
  equalTo,
  everPasses,
  type FeedMode,
  type FeedRequest,
  type Filter,
  filterName,
  hasRow,
  type History,
  type LiveFeed,
  type LiveRequest,
  liveRequests,
  must,
  mustFollowFilter,
  probesOf,
  readFeed,
  readWinners,
  type Row,
  winner,
  withFilter,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import type { Ternary } from '../../oracle/ternary.js';
import { playConcurrently } from '../../play/concurrent-writers.js';
import { isInTime, judgeInTime } from '../../engine/deadlines.js';

/** When a consumer breaks its connection: after this number of rows, or after this number of round trips. */
type Disconnection = { readonly rows: number } | { readonly trips: number };

const disconnections: fc.Arbitrary<Disconnection> = fc.oneof(
  // Often after one row, since a filter may leave few.
  fc.record({ rows: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })) }),
  fc.record({ trips: fc.nat({ max: 2 }) }),
);

/** How a consumer follows the feed. */
export interface ConsumerPlan {
  readonly mode: FeedMode;
  readonly request: FeedRequest;
  readonly waiting: { readonly heartbeat?: number; readonly timeout?: number };
  readonly disconnections: readonly Disconnection[];
  /** How it resumes an event source feed. Other modes always use `since`. */
  readonly resumeBy: 'since' | 'event id';
}

export const consumerPlans = (...modes: readonly FeedMode[]): fc.Arbitrary<ConsumerPlan> =>
  fc.record({
    mode: fc.constantFrom(...modes),
    request: liveRequests,
    waiting: fc.constantFrom<ConsumerPlan['waiting'][]>({}, { heartbeat: 20 }, { timeout: 100 }),
    disconnections: fc.array(disconnections, { minLength: 1, maxLength: 6 }),
    resumeBy: fc.constantFrom('since', 'event id'),
  });

/** The documents as a consumer sees them, by id. */
type View = ReadonlyMap<string, { readonly rev: unknown; readonly deleted: boolean }>;

/** Time between a response without rows and the next request, in milliseconds. */
const pauseMs = 50;

class Consumer {
  readonly view = new Map<string, { rev: unknown; deleted: boolean }>();
  /** Called after each row. */
  onRow = (): void => {};
  /** Whether the target has answered a request for the feed. */
  isAnswered = false;

  readonly #database: DatabaseClient;
  readonly #request: LiveRequest;
  readonly #filter: Filter | undefined;
  readonly #plan: ConsumerPlan;
  #since: unknown;
  #eventId = '';
  #feed: LiveFeed | undefined;
  #isStopped = false;

  constructor(database: DatabaseClient, plan: ConsumerPlan, filter: Filter | undefined) {
    const { mode, request, waiting } = plan;
    const unfiltered = withQuery(request, { ...waiting, style: undefined });
    this.#database = database;
    this.#request = { mode, ...(filter ? withFilter(unfiltered, filter) : unfiltered) };
    this.#filter = filter;
    this.#plan = plan;
  }

  /** The feed that it has followed last. */
  get exchange(): LiveFeed['exchange'] {
    return this.#feed?.exchange;
  }

  /** Reads the feed again and again until it is stopped. First breaks its connections as planned, later never. */
  async run(): Promise<void> {
    const disconnections = [...this.#plan.disconnections];
    while (!this.#isStopped) {
      const disconnection = disconnections.shift() ?? { rows: Infinity };
      let isIdle = false;
      await withLiveFeed(this.#database, this.#nextRequest(), async (feed) => {
        this.#feed = feed;
        let applied = 0;
        const hasEnough = (): boolean => {
          this.isAnswered ||= feed.response !== undefined;
          if (feed.isRefused) return true;
          for (; applied < feed.arrivals.length; applied += 1) this.#apply(feed.arrivals[applied]!);
          return feed.rows.length >= ('rows' in disconnection ? disconnection.rows : Infinity);
        };
        const enough = feed.until(hasEnough);
        await ('trips' in disconnection
          ? Promise.race([enough, this.#roundTrips(disconnection.trips)])
          : enough);
        this.#mustResume(feed);
        if (this.#filter) await mustFollowFilter(feed, this.#filter);
        feed.mustBeAccepted();
        isIdle = feed.endedAt !== undefined && feed.rows.length === 0;
      });
      // A target may answer each request for a waiting feed at once, although there is nothing to send.
      if (isIdle && this.#plan.mode !== 'normal') await wait(pauseMs);
    }
  }

  /** Sends a request that takes as long as those of the consumer: see {@link isInTime}. */
  control(signal: AbortSignal): Promise<unknown> {
    return probesOf(this.#database, this.#request).control(signal);
  }

  stop(): void {
    this.#isStopped = true;
    this.#feed?.close();
  }

  #nextRequest(): LiveRequest {
    const byEventId = this.#eventId !== '' && this.#plan.resumeBy === 'event id';
    return {
      ...withQuery(this.#request, { since: this.#since }),
      ...(byEventId && { headers: { ...this.#request.headers, 'Last-Event-ID': this.#eventId } }),
    };
  }

  #apply(arrival: Arrival): void {
    if (arrival.kind === 'end') this.#since = arrival.lastSeq;
    if (arrival.kind !== 'row') return;
    const { id, seq, revs, value } = arrival.row;
    this.view.set(id, { rev: revs[0], deleted: value.deleted === true });
    this.#since = seq;
    this.#eventId = arrival.eventId;
    this.onRow();
  }

  /** The target must accept a seq that it has returned (SERVICE 4.5: `since`). Otherwise a consumer can never resume. */
  #mustResume({ response }: LiveFeed): void {
    const isRejected = this.#since !== undefined && response?.status === 400;
    const difference = { path: '$status', expected: 200, actual: response?.status, exchange: response };
    must(!isRejected, 'The target rejects a seq that it has returned as since', difference);
  }

  async #roundTrips(count: number): Promise<void> {
    for (let trip = 0; trip < count; trip += 1) await this.#database.request({ path: '' });
  }
}

/** Sends each feed request to another node, in the given order and repeatedly. */
function switchingNodes(nodes: readonly DatabaseClient[], order: readonly number[]): DatabaseClient {
  let feeds = 0;
  const current = (): DatabaseClient => nodes[order[feeds % order.length]! % nodes.length]!;
  return {
    ...nodes[0]!,
    request: (request) => current().request(request),
    open(request) {
      feeds += 1;
      return current().open(request);
    },
  };
}

/** Whether a consumer must have the winning revision of the document (true) or must not have the document (false). */
function mustBeInView(id: string, state: DatabaseState, filter: Filter | undefined): Ternary {
  const tree = state.get(id);
  if (!tree || !filter) return tree !== undefined;
  if (hasRow(filter, id, tree, 'main_only') === true) return true;
  // A consumer may have received an earlier revision that passes the filter.
  return everPasses(filter, id, tree) === false ? false : undefined;
}

/**
 * Whether rows mark deleted documents is a matter of feed-deleted, not of the consumers that read them.
 *
 * @param difference how the view of a consumer differs from the state of the database.
 * @throws Blocked if it differs in that, and the rows of the database do so without a consumer.
 */
export async function mustMarkDeletions(
  database: DatabaseClient,
  state: DatabaseState,
  { path }: Difference,
): Promise<void> {
  if (!path.endsWith('.deleted')) return;
  const { rows } = await readFeed(database);
  const isMarked = (row: Row): boolean => row.value.deleted === true;
  if (rows.some((row) => state.has(row.id) && isMarked(row) !== winner(state.get(row.id)!)!.deleted))
    throw new Blocked('The rows of the feed do not say which documents are deleted (see feed-deleted).');
}

export interface WritersAndConsumers {
  /** The writes, in consecutive stages. Consumers must catch up with each stage before the next one is written. */
  readonly stages: readonly History[];
  /** The state of the database before the writes. */
  readonly before?: DatabaseState;
  /** They work concurrently and independently. */
  readonly consumers: readonly { readonly plan: ConsumerPlan; readonly filter?: Filter }[];
  /** The nodes that a consumer connects to, one after the other and repeatedly. */
  readonly order?: readonly number[];
  /** How late the last row of a stage may arrive: see {@link isInTime}. */
  readonly graceMs?: number;
}

/**
 * Runs writers and consumers concurrently. After each stage every consumer must get the winning revisions of all
 * documents that pass its filter, and none of the documents that never pass. This must happen in time after the last
 * write was confirmed; only time in which the target answers other requests counts.
 *
 * @param nodes the database as seen through each node; the writers are divided among them.
 * @throws Violation if a consumer does not reach that state.
 */
export async function mustConverge(
  nodes: readonly DatabaseClient[],
  { stages, before = emptyState, consumers, order = [0], graceMs }: WritersAndConsumers,
): Promise<void> {
  /** The state after all writes, or undefined while writers work. */
  let written: DatabaseState | undefined;
  const following = consumers.map(({ plan, filter }) => {
    const consumer = new Consumer(switchingNodes(nodes, order), plan, filter);
    const expectedView = (state: DatabaseState): View =>
      new Map(
        [...state]
          .filter(([id]) => mustBeInView(id, state, filter) === true)
          .map(([id, tree]) => [id, { rev: winner(tree)!.rev, deleted: winner(tree)!.deleted }]),
      );
    const actualView = (state: DatabaseState): View =>
      new Map([...consumer.view].filter(([id]) => mustBeInView(id, state, filter) !== undefined));
    const hasConverged = (): boolean =>
      written !== undefined && isDeepStrictEqual(actualView(written), expectedView(written));
    const converge = (): Promise<void> =>
      new Promise((resolve) => {
        consumer.onRow = () => hasConverged() && resolve();
        consumer.onRow();
      });
    return { mode: plan.mode, filter, consumer, expectedView, actualView, converge, running: consumer.run() };
  });
  // Consumers run until they are stopped, so this promise can only reject.
  const failure = Promise.race(
    following.map(({ running }) => running.then(() => new Promise<never>(() => {}))),
  );
  // At least two, so that their writes interleave, and one for each node.
  const writers = Math.max(2, nodes.length);
  let state = before;
  let by = 0;
  let inTime = true;
  try {
    for (const stage of stages) {
      if (!inTime) break;
      written = undefined;
      state = await Promise.race([playConcurrently(nodes, stage, { before: state, writers }), failure]);
      by = performance.now();
      state = await readWinners(nodes[0]!, state);
      written = state;
      const all = Promise.all(following.map(({ converge }) => converge()));
      // A consumer that has converged may receive older rows again, followed by the current ones, so it is not
      // compared again.
      inTime = await isInTime(Promise.race([all, failure]), {
        by,
        graceMs,
        probe: probesOf(nodes[0]!, {}).probe,
        control: (signal) => Promise.all(following.map(({ consumer }) => consumer.control(signal))),
      });
    }
    // A consumer with nothing to receive converges before the target has answered it, perhaps with a refusal.
    const waiting = following.filter(({ consumer }) => !consumer.isAnswered);
    const answered = Promise.all(waiting.map(({ consumer }) => consumer.control(AbortSignal.any([]))));
    await Promise.race([answered, failure]);
  } finally {
    following.forEach(({ consumer }) => consumer.stop());
    await Promise.allSettled(following.map(({ running }) => running));
  }
  if (inTime) return;
  for (const { mode, filter, consumer, actualView, expectedView } of following) {
    const filtered = filter ? ` with the filter ${filterName(filter)}` : '';
    const isAsExpected = equalTo(Object.fromEntries(expectedView(state)));
    const difference = isAsExpected(Object.fromEntries(actualView(state)), '$');
    if (difference) await mustMarkDeletions(nodes[0]!, state, difference);
    const cause = consumer.view.size === 0 ? ': it has received no row' : '';
    const what = `A consumer of the ${mode} feed${filtered} does not end with the state of the database${cause}`;
    judgeInTime({ by, graceMs }, () =>
      must(difference === undefined, what, { ...difference, exchange: consumer.exchange }),
    );
  }
}
