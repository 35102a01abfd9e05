/** Requests that must return the same rows, and a consumer that resumes (SERVICE 4.5, 4.6, 4.7). */
import fc from 'fast-check';
import { defaultFeedQuery } from '../../../openapi/generated/feed-parameters.js';
import {
  allSettledOrThrow,
  defineRule,
  emptyState,
  equalTo,
  type FeedQuery,
  type FeedRequest,
  forAll,
  type History,
  liveRequests,
  must,
  mustMatch,
  play,
  readFeed,
  readWinners,
  requests,
  stagedHistories,
  Violation,
  winner,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import { mustMarkDeletions } from '../shared/live-consumers.js';
import { hasRows } from '../shared/live-changes.js';
import { mustHaveSameRows } from '../shared/row-assertions.js';
import { mayRepeatRows } from '../shared/timing.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';

const limits = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 });

/** One request of a consumer. */
interface Read {
  readonly limit?: number;
  /** How many seqs it goes back: 0 resumes from the last received seq. */
  readonly back: number;
  /** The number of rows that it applies before it stops; undefined for all. */
  readonly applied?: number;
}

const reads: fc.Arbitrary<Read> = fc.record({
  limit: limits,
  back: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 6 }) }),
  applied: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
});

const stages = 3;

const openModes = ['longpoll', 'continuous', 'eventsource'] as const;

/** A deletion in the last stage, so that the consumer resumes before it. */
const lastDeletion: History = [
  {
    id: 'deleted-last',
    writes: [{ kind: 'replicate', parent: 0, hashDigits: [0, 0], deleted: true, body: {} }],
  },
];

/** Some of the parameters with their default values (SERVICE 4.5). */
const defaults: fc.Arbitrary<FeedRequest> = fc.record({
  query: fc.subarray(Object.entries(defaultFeedQuery)).map((some): FeedQuery => Object.fromEntries(some)),
});

/** Requests without parameters, to which the check can add any. */
const bareRequests: fc.Arbitrary<FeedRequest> = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const),
  query: fc.constant({}),
});

export const feedDefaults = defineRule('feed-defaults', {
  rung: 'parameters',
  notInTraffic: unseen.twoRequests,
  checks: {
    'feed-defaults': forSharedHistories(
      { request: fc.oneof(bareRequests, requests()), defaults },
      async ({ database }, { request, defaults }) => {
        const without = await readFeed(database, request);
        // Defaults are only added for parameters that the request does not have.
        const { rows } = await readFeed(database, {
          ...request,
          query: { ...defaults.query, ...request.query },
        });
        mustHaveSameRows('A parameter with its default value changes the rows', rows, without.rows);
      },
    ),
  },
});

export const feedPostSame = defineRule('feed-post-same', {
  rung: 'feed',
  uses: { method: 'POST' },
  otherRungs: {
    'feed-post-same/modes': 'modes',
  },
  notInTraffic: unseen.twoRequests,
  checks: {
    'feed-post-same': forSharedHistories(
      { request: requests(), limit: limits },
      async ({ database }, { request: { query }, limit }, context) => {
        const get = await readFeed(database, { query: { ...query, limit } });
        const post = await readFeed(database, { method: 'POST', query: { ...query, limit } });
        const what = 'POST does not return the same rows as GET';
        if (get.rows.length !== limit) mustHaveSameRows(what, post.rows, get.rows);
        // The order may differ between requests, and so may the rows within a limit.
        must(post.rows.length === get.rows.length, what, {
          path: '$.results',
          expected: `${get.rows.length} rows`,
          actual: post.ids,
        });
        if (mayRepeatRows(context)) return;
        mustMatch('POST has another pending than GET', post.pending, equalTo(get.pending), '$.pending');
        const whole = { method: 'POST' as const, query: { ...query, descending: undefined } };
        const { lastSeq } = await readFeed(database, whole);
        const { ids } = await readFeed(database, { query: { since: lastSeq } });
        mustMatch('The last_seq of POST is not that of the whole feed', ids, equalTo([]), '$.results');
      },
    ),

    'feed-post-same/modes': {
      waits: 'changes',
      run: forSharedHistories(
        // With a parameter that changes the rows, since a target may ignore those of POST.
        { request: liveRequests.map((request) => withQuery(request, { style: 'all_docs' })) },
        async ({ database }, { request: { query } }, context) => {
          const { rows } = await readFeed(database, { query });
          if (rows.length === 0) return;
          await allSettledOrThrow(
            openModes
              .filter((feed) => context.target.feed.supports({ query: { feed } }))
              .map((mode) =>
                withLiveFeed(database, { mode, method: 'POST', query }, (feed) =>
                  feed.mustMeetInTime(
                    `The ${mode} feed by POST does not return the rows of GET immediately`,
                    {
                      by: feed.sentAt,
                      expected: `rows for ${JSON.stringify(rows.map(({ id }) => id))}`,
                      isMet: () => hasRows(feed, rows),
                    },
                  ),
                ),
              ),
          );
        },
        { cases: { default: 3, thorough: 30 } },
      ),
    },
  },
});

export const feedPartialOrder = defineRule('feed-partial-order', {
  rung: 'parameters',
  notInTraffic: unseen.twoRequests,
  checks: {
    'feed-partial-order': forSharedHistories(
      { request: requests() },
      async ({ database }, { request }, context) => {
        const first = await readFeed(database, request);
        // Between them, a response with another number of rows.
        const { query } = context.target.feed.omitMissing({ query: { limit: 1 } });
        await readFeed(database, withQuery(request, query));
        for (const repetition of ['second', 'third']) {
          const { rows } = await readFeed(database, request);
          const what = `The ${repetition} response has other rows than the first, although nothing was written`;
          mustHaveSameRows(what, rows, first.rows);
        }
      },
    ),
  },
});

export const feedIdempotent = defineRule('feed-idempotent', {
  rung: 'parameters',
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-idempotent': forAll(
      fc.record({
        history: stagedHistories(stages),
        reads: fc.array(fc.array(reads, { minLength: 1, maxLength: 3 }), {
          minLength: stages,
          maxLength: stages,
        }),
        request: requests({ style: undefined, descending: undefined }),
        deletesLast: fc.boolean(),
      }),
      async (context, { history, reads, request, deletesLast }) => {
        const database = await context.createDatabase();
        const view = new Map<string, { rev: unknown; deleted: boolean }>();
        const received: unknown[] = [undefined];
        const consume = async ({ limit, back, applied }: Read): Promise<void> => {
          const since = received[Math.max(0, received.length - 1 - back)];
          const { query } = context.target.feed.omitMissing({ query: { since, limit } });
          const { rows, lastSeq } = await readFeed(database, withQuery(request, query));
          for (const { id, revs, value, seq } of rows.slice(0, applied)) {
            view.set(id, { rev: revs[0], deleted: value.deleted === true });
            received.push(seq);
          }
          if (applied === undefined) received.push(lastSeq);
        };

        let state = emptyState;
        const played = deletesLast
          ? [...history.slice(0, -1), [...history.at(-1)!, ...lastDeletion]]
          : history;
        for (const [stage, writes] of played.entries()) {
          state = await play(database, writes, state);
          for (const read of reads[stage]!) await consume(read);
        }
        await consume({ back: 0 });

        state = await readWinners(database, state);
        const expected = [...state].map(([id, tree]) => {
          const { rev, deleted } = winner(tree)!;
          return [id, { rev, deleted }] as const;
        });
        const difference = equalTo(Object.fromEntries(expected))(Object.fromEntries(view), '$');
        if (!difference) return;
        await mustMarkDeletions(database, state, difference);
        const what = 'A consumer that resumes from received seqs does not end with the state of the database';
        throw new Violation(what, difference);
      },
      { cases: { default: 6 } },
    ),
  },
});
