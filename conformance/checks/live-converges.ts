/** The promise that consumers live on: whoever applies rows as they come ends with the state of the database (SERVICE 4.7). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { stagedHistories } from '../arbitraries/histories.js';
import { liveRequests } from '../arbitraries/live.js';
import type { DatabaseState, History } from '../model/history.js';
import type { FeedMode } from '../model/feed.js';
import { winner } from '../model/revisions.js';
import { following, type LiveFeed, type LiveRequest } from '../play/live.js';
import { play } from '../play/player.js';
import { isInTime } from '../runner/time.js';
import { equalTo, mustMatch } from '../runner/verdict.js';
import type { DatabaseClient } from '../target/target.js';
import { check, forAll, type Check } from './check.js';

/** When a consumer breaks its connection: after so many rows, or after so many round trips. */
export type Cut = { readonly rows: number } | { readonly trips: number };

export const cuts: fc.Arbitrary<Cut> = fc.oneof(
  fc.record({ rows: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ trips: fc.nat({ max: 6 }) }),
);

/** How a consumer resumes where the mode has several ways. */
export const resuming = fc.constantFrom('since', 'event id');

/** What a consumer knows of a database: by document id. */
export type Known = ReadonlyMap<string, { readonly rev: unknown; readonly deleted: boolean }>;

export function knownOf(state: DatabaseState): Known {
  return new Map(
    [...state].map(([id, tree]) => {
      const { rev, deleted } = winner(tree)!;
      return [id, { rev, deleted }];
    }),
  );
}

export class Consumer {
  readonly known = new Map<string, { rev: unknown; deleted: boolean }>();
  readonly #database: DatabaseClient;
  readonly #request: LiveRequest;
  readonly #resuming: 'since' | 'event id';
  #since: unknown;
  #eventId = '';
  #feed: LiveFeed | undefined;
  #stopped = false;
  /** Told after each row. */
  onRow = (): void => {};

  constructor(database: DatabaseClient, request: LiveRequest, resuming: 'since' | 'event id') {
    this.#database = database;
    this.#request = request;
    this.#resuming = resuming;
  }

  /** Breaks off as planned, then stays as long as the target lets it, and comes again, until it is stopped. */
  async run(plan: readonly Cut[]): Promise<void> {
    const cuts = [...plan];
    while (!this.#stopped) {
      const cut = cuts.shift() ?? { rows: Infinity };
      await following(this.#database, this.#next(), async (feed) => {
        this.#feed = feed;
        let taken = 0;
        const take = (): boolean => {
          for (; taken < feed.arrivals.length; taken += 1) this.#apply(feed.arrivals[taken]!);
          return feed.rows.length >= ('rows' in cut ? cut.rows : Infinity);
        };
        const enough = feed.until(take);
        await ('trips' in cut ? Promise.race([enough, this.#trips(cut.trips)]) : enough);
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

  async #trips(count: number): Promise<void> {
    for (let trip = 0; trip < count; trip += 1) await this.#database.request({ path: '' });
  }
}

const writers = 3;

/**
 * Each writer has documents of its own, and plays one stage of them after the other.
 *
 * @param databases the same, as several nodes have it: the writers are divided among them.
 */
export async function write(
  databases: readonly DatabaseClient[],
  stages: readonly History[],
): Promise<DatabaseState> {
  const ids = [...new Set(stages.flat().map(({ id }) => id))];
  const states = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const mine = (id: string): boolean => ids.indexOf(id) % writers === writer;
      let state: DatabaseState = new Map();
      for (const stage of stages) {
        state = await play(
          databases[writer % databases.length]!,
          stage.filter(({ id }) => mine(id)),
          state,
        );
      }
      return state;
    }),
  );
  return new Map(states.flatMap((state) => [...state]));
}

const converges = (mode: FeedMode): Check =>
  check({
    rule: 'feed-live-converges',
    what: mode,
    waits: true,
    run: forAll(
      fc.record({
        stages: stagedHistories(3),
        request: liveRequests,
        patience: fc.constantFrom({}, { heartbeat: 20 }, { timeout: 100 }),
        cuts: fc.array(cuts, { maxLength: 4 }),
        resuming,
      }),
      async (context, { stages, request: { method, query }, patience, cuts, resuming }) => {
        const database = await context.createDatabase();
        const plain = { ...query, ...patience, style: undefined };
        const consumer = new Consumer(database, { mode, method, query: plain }, resuming);
        let expected: Known | undefined;
        const converged = new Promise<void>((resolve) => {
          consumer.onRow = () => {
            if (expected !== undefined && isDeepStrictEqual(consumer.known, expected)) resolve();
          };
        });
        const consuming = consumer.run(cuts);
        try {
          expected = knownOf(await Promise.race([write([database], stages), failure(consuming)]));
          const by = performance.now();
          consumer.onRow();
          await isInTime(Promise.race([converged, failure(consuming)]), {
            by,
            look: () => database.request({ path: '' }),
          });
        } finally {
          consumer.stop();
          await consuming.catch(() => {});
        }
        mustMatch(
          'A consumer does not end with the state of the database',
          Object.fromEntries(consumer.known),
          equalTo(Object.fromEntries(expected)),
          '$',
        );
      },
    ),
  });

/** Only ever rejects: a consumer ends when it is told to. */
export const failure = (consuming: Promise<void>): Promise<never> =>
  consuming.then(() => new Promise<never>(() => {}));

export const liveConvergesChecks: readonly Check[] = (
  ['normal', 'longpoll', 'continuous', 'eventsource'] as const
).map(converges);
