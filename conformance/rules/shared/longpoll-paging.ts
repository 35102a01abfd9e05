/** `last_seq` and `pending` of long polls, for existing changes and for one that the target waits for (SERVICE 2.5). */
import fc from 'fast-check';
import {
  type CheckDefinition,
  type DatabaseClient,
  existingContents,
  type Feed,
  type FeedQuery,
  feedWith,
  forAll,
  type LiveRequest,
  liveRequests,
  must,
  mustMatch,
  newDocument,
  play,
  playNew,
  readFeed,
  type Run,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import { sinceFor } from './live-changes.js';
import { responseShape } from './row-assertions.js';
import { liveCases } from './timing.js';
import { mustHavePendingCount, mustHaveSeqOfLastRow, singleShard } from './page-assertions.js';

/**
 * The response to a long poll. It must end in time after its request or after the write that it waits for; only time in
 * which the target answers other requests counts.
 *
 * @param write writes what the target waits for. Without it, there are changes already.
 * @returns undefined if the write need not count as a change: the target may have evaluated `since=now` only after it.
 */
const readLongPoll = (
  database: DatabaseClient,
  request: LiveRequest,
  write?: () => Promise<unknown>,
): Promise<Feed | undefined> =>
  withLiveFeed(database, request, async (live) => {
    let by = live.sentAt;
    if (write) {
      if (!(await live.waitUntilOpen())) return undefined;
      await write();
      by = performance.now();
    }
    await live.mustEndInTime('The target does not answer a long poll although there are changes', { by });
    const end = live.arrivals.find((arrival) => arrival.kind === 'end');
    must(end !== undefined, 'The response to a long poll has no array of results', {
      path: '$.results',
      expected: 'an array',
      actual: live.arrivals.find((arrival) => arrival.kind === 'unrecognized')?.text,
    });
    const { rows, exchange } = live;
    return feedWith(rows, { lastSeq: end.lastSeq, pending: end.pending, exchange });
  });

/** What a long poll returns: changes that exist already, or the first of those that it waits for. */
type Returned = 'existing' | 'awaited';

/** A property of the responses to long polls: to one that has changes already, and to one that waits for them. */
const forEveryLongPoll = (
  verify: (feed: Feed, database: DatabaseClient, returned: Returned) => void | Promise<void>,
  { parameters = {}, later = ['later'] }: { parameters?: FeedQuery; later?: readonly string[] } = {},
): Run =>
  forAll(
    fc.record({
      limit: fc.constantFrom(undefined, 1, 1, 2, 2, 5),
      request: fc
        .tuple(fc.constantFrom({}, parameters), liveRequests)
        .map(([query, request]) => withQuery(request, query)),
      history: existingContents,
    }),
    async (context, { history, request, limit }) => {
      const { database, state } = await playNew(context, history, singleShard(context));
      const existing = withQuery({ mode: 'longpoll' as const, ...request }, { limit });
      if (state.size > 0) {
        const feed = await readLongPoll(database, existing);
        if (feed) await verify(feed, database, 'existing');
      }
      const since = await sinceFor(context, database, 'last_seq');
      // The service document does not define the meaning of `since` in a descending feed.
      const waiting = withQuery(existing, { since, descending: undefined });
      const documents = later.map((id) => newDocument(id));
      const feed = await readLongPoll(database, waiting, () => play(database, documents, state));
      if (feed) await verify(feed, database, 'awaited');
    },
    { cases: liveCases },
  );

/**
 * With several changes in one request, `limit` can end the long poll before the last of them. A target need not write them at
 * once, so the long poll may also end when it has written only some of them.
 */
const severalDocuments = ['later-1', 'later-2', 'later-3'];

export const feedShapeLongpoll: CheckDefinition = {
  uses: { query: { feed: 'longpoll' } },
  waits: 'changes',
  run: forEveryLongPoll(
    ({ rows, lastSeq, pending }) => {
      const response = { results: rows, last_seq: lastSeq, pending };
      mustMatch('The response to a long poll does not have the shape of a feed', response, responseShape);
    },
    { parameters: { seq_interval: 3 }, later: severalDocuments },
  ),
};

export const feedLastSeqLongpoll: CheckDefinition = {
  uses: { query: { feed: 'longpoll' } },
  waits: 'changes',
  run: forEveryLongPoll(mustHaveSeqOfLastRow, { later: severalDocuments }),
};

export const feedPendingLongpoll: CheckDefinition = {
  needs: ['single-copy'],
  uses: { query: { feed: 'longpoll' } },
  waits: 'changes',
  run: forEveryLongPoll(
    async (feed, database, returned) => {
      mustHavePendingCount(feed);
      const { ids, sent } = await readFeed(database, { query: { since: feed.lastSeq } });
      const pending = feed.pending as number;
      const isRight =
        returned === 'existing' ? [sent.length, ids.length].includes(pending) : pending <= sent.length;
      must(isRight, 'pending is not the number of rows that the next request returns', {
        path: '$.pending',
        expected: returned === 'existing' ? ids.length : `at most ${ids.length}`,
        actual: pending,
        exchange: feed.exchange,
      });
    },
    { later: severalDocuments },
  ),
};
