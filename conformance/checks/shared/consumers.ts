/** Consumers that apply rows as they come, and what they must know in the end, however their connections break (SERVICE 4.7). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { liveRequests } from '../../arbitraries/live.js';
import type { FeedMode, FeedRequest } from '../../model/feed.js';
import { everPasses, hasRow, type Filter } from '../../model/filters.js';
import { emptyState, type DatabaseState, type History } from '../../model/history.js';
import type { Ternary } from '../../model/ternary.js';
import { winner } from '../../model/revisions.js';
import { playConcurrently } from '../../play/concurrent-writers.js';
import { mustNotBeRefused, withFilter } from '../../play/filters.js';
import { withLiveFeed, pinging, type LiveFeed, type LiveRequest } from '../../play/live-feed.js';
import { isInTime } from '../../verdict/deadlines.js';
import { equalTo, mustMatch } from '../../verdict/matchers.js';
import { Violation } from '../../verdict/outcomes.js';
import type { DatabaseClient } from '../../client/client.js';

export const modes = ['normal', 'longpoll', 'continuous', 'eventsource'] as const;

/** When a consumer breaks its connection: after so many rows, or after so many round trips. */
type Cut = { readonly rows: number } | { readonly trips: number };

const cuts: fc.Arbitrary<Cut> = fc.oneof(
  fc.record({ rows: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ trips: fc.nat({ max: 6 }) }),
);

/** How a consumer follows the feed. */
export interface ConsumerPlan {
  readonly mode: FeedMode;
  readonly request: FeedRequest;
  readonly patience: { readonly heartbeat?: number; readonly timeout?: number };
  readonly cuts: readonly Cut[];
  /** How it resumes where the mode has several ways. */
  readonly resuming: 'since' | 'event id';
}

export const consumers = (...among: readonly FeedMode[]): fc.Arbitrary<ConsumerPlan> =>
  fc.record({
    mode: fc.constantFrom(...among),
    request: liveRequests,
    patience: fc.constantFrom<ConsumerPlan['patience']>({}, { heartbeat: 20 }, { timeout: 100 }),
    cuts: fc.array(cuts, { maxLength: 6 }),
    resuming: fc.constantFrom('since', 'event id'),
  });

/** What a consumer knows of a database: by document id. */
type Known = ReadonlyMap<string, { readonly rev: unknown; readonly deleted: boolean }>;

class Consumer {
  readonly known = new Map<string, { rev: unknown; deleted: boolean }>();
  readonly #database: DatabaseClient;
  readonly #request: LiveRequest;
  readonly #filter: Filter | undefined;
  readonly #resuming: ConsumerPlan['resuming'];
  #since: unknown;
  #eventId = '';
  #feed: LiveFeed | undefined;
  #stopped = false;
  /** Told after each row. */
  onRow = (): void => {};

  constructor(
    database: DatabaseClient,
    { mode, request, patience, resuming }: ConsumerPlan,
    filter: Filter | undefined,
  ) {
    const plain = { method: request.method, query: { ...request.query, ...patience, style: undefined } };
    this.#database = database;
    this.#request = { mode, ...(filter ? withFilter(plain, filter) : plain) };
    this.#filter = filter;
    this.#resuming = resuming;
  }

  /** Breaks off as planned, then stays as long as the target lets it, and comes again, until it is stopped. */
  async run(plan: readonly Cut[]): Promise<void> {
    const cuts = [...plan];
    while (!this.#stopped) {
      const cut = cuts.shift() ?? { rows: Infinity };
      await withLiveFeed(this.#database, this.#next(), async (feed) => {
        this.#feed = feed;
        let taken = 0;
        const take = (): boolean => {
          if (isRefused(feed)) return true;
          for (; taken < feed.arrivals.length; taken += 1) this.#apply(feed.arrivals[taken]!);
          return feed.rows.length >= ('rows' in cut ? cut.rows : Infinity);
        };
        const enough = feed.until(take);
        await ('trips' in cut ? Promise.race([enough, this.#trips(cut.trips)]) : enough);
        this.#mustBeTakenBack(feed);
        if (feed.response && this.#filter) mustNotBeRefused(feed.response, this.#filter);
        feed.mustBeAccepted();
      });
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#feed?.close();
  }

  #next(): LiveRequest {
    const { query, headers } = this.#request;
    const byEvent = this.#eventId !== '' && this.#resuming === 'event id';
    return {
      ...this.#request,
      query: { ...query, since: this.#since },
      ...(byEvent && { headers: { ...headers, 'Last-Event-ID': this.#eventId } }),
    };
  }

  #apply(arrival: LiveFeed['arrivals'][number]): void {
    if (arrival.kind === 'end') this.#since = arrival.lastSeq;
    if (arrival.kind !== 'row') return;
    const { id, seq, revs, value } = arrival.row;
    this.known.set(id, { rev: revs[0], deleted: value.deleted === true });
    this.#since = seq;
    this.#eventId = arrival.eventId;
    this.onRow();
  }

  /** A feed that begins but does not go on from what it gave leaves its consumer behind for ever (SERVICE 4.5: `since`). */
  #mustBeTakenBack({ response: opened }: LiveFeed): void {
    if (this.#since === undefined || opened?.status !== 400) return;
    throw new Violation('A feed refuses the sequence that it gave', {
      path: '$status',
      expected: 200,
      actual: opened.status,
    });
  }

  async #trips(count: number): Promise<void> {
    for (let trip = 0; trip < count; trip += 1) await this.#database.request({ path: '' });
  }
}

const isRefused = ({ response: opened }: LiveFeed): boolean => (opened?.status ?? 200) !== 200;

const writers = 3;

/** Goes to another node for each feed: `order` says to which, and all over again. */
function roaming(nodes: readonly DatabaseClient[], order: readonly number[]): DatabaseClient {
  let feeds = 0;
  const current = (): DatabaseClient => nodes[order[feeds % order.length]! % nodes.length]!;
  return {
    ...nodes[0]!,
    request: (ask) => current().request(ask),
    open(ask) {
      feeds += 1;
      return current().open(ask);
    },
  };
}

/** Whether whoever follows the feed must know the winner of the document, or nothing of it. */
function isToBeKnown(id: string, state: DatabaseState, filter: Filter | undefined): Ternary {
  const tree = state.get(id);
  if (!tree || !filter) return tree !== undefined;
  if (hasRow(filter, id, tree, 'main_only') === true) return true;
  // The row of what has passed before may have been seen.
  return everPasses(filter, id, tree) === false ? false : undefined;
}

export interface WritersAndConsumers {
  /** What the writers write, and what the database holds before. */
  readonly stages: readonly History[];
  readonly before?: DatabaseState;
  /** They are at work at the same time, and each for itself. */
  readonly consumers: readonly { readonly consumption: ConsumerPlan; readonly filter?: Filter }[];
  /** To which node a consumer goes with each connection, over and over. */
  readonly order?: readonly number[];
  /** How late the last row may be: see {@link isInTime}. */
  readonly graceMs?: number;
}

/**
 * Lets writers and consumers work at the same time until every consumer knows the winners of all documents that its
 * filter lets through, and nothing of those that it never let through.
 *
 * @param nodes the database as each node of the target has it; the writers are divided among them.
 * @throws Violation when a consumer does not come to that.
 */
export async function mustConverge(
  nodes: readonly DatabaseClient[],
  { stages, before = emptyState, consumers, order = [0], graceMs }: WritersAndConsumers,
): Promise<void> {
  let written: DatabaseState | undefined;
  const parties = consumers.map(({ consumption, filter }) => {
    const consumer = new Consumer(roaming(nodes, order), consumption, filter);
    const wanted = (state: DatabaseState): Known =>
      new Map(
        [...state]
          .filter(([id]) => isToBeKnown(id, state, filter) === true)
          .map(([id, tree]) => [id, { rev: winner(tree)!.rev, deleted: winner(tree)!.deleted }]),
      );
    const known = (state: DatabaseState): Known =>
      new Map([...consumer.known].filter(([id]) => isToBeKnown(id, state, filter) !== undefined));
    const converged = new Promise<void>((resolve) => {
      consumer.onRow = () => {
        if (written && isDeepStrictEqual(known(written), wanted(written))) resolve();
      };
    });
    const consuming = consumer.run(consumption.cuts);
    return { mode: consumption.mode, filter, consumer, wanted, known, converged, consuming };
  });
  /** Only ever rejects: consumers end when they are told to. */
  const failure = Promise.race(
    parties.map(({ consuming }) => consuming.then(() => new Promise<never>(() => {}))),
  );
  let inTime: boolean;
  try {
    const state = await Promise.race([playConcurrently(nodes, stages, { before, writers }), failure]);
    written = state;
    const by = performance.now();
    parties.forEach(({ consumer }) => consumer.onRow());
    const all = Promise.all(parties.map(({ converged }) => converged));
    inTime = await isInTime(Promise.race([all, failure]), { by, graceMs, look: pinging(nodes[0]!) });
  } finally {
    parties.forEach(({ consumer }) => consumer.stop());
    await Promise.allSettled(parties.map(({ consuming }) => consuming));
  }
  // Once there, it may still be shown something older again, and then what is current.
  if (inTime) return;
  for (const { mode, filter, wanted, known } of parties) {
    const through = filter ? ` through ${JSON.stringify(filter)}` : '';
    mustMatch(
      `A consumer of the ${mode} feed does not end with the state of the database${through}`,
      Object.fromEntries(known(written)),
      equalTo(Object.fromEntries(wanted(written))),
      '$',
    );
  }
}
