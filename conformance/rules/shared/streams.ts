/** Properties of both the continuous and the event source mode (SERVICE 4.7 modes 3 and 4). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  changedIds,
  type CheckDefinition,
  equalTo,
  existingContents,
  feedOf,
  type FeedQuery,
  forAll,
  type LiveFeed,
  liveRequests,
  manyChanges,
  must,
  mustMatch,
  mustRespond,
  play,
  playNew,
  putDocument,
  readFeed,
  replicated,
  requestFeed,
  type Row,
  stagedHistories,
  twice,
  withFilter,
  withLiveFeed,
  withLiveFeeds,
  withQuery,
} from '../../kit.js';
import { playConcurrently } from '../../play/concurrent-writers.js';
import { hasRows, mustSkipExisting, readChangedRows, sinceFor } from './live-changes.js';
import { liveCases, longTimeoutMs, mayRepeatRows, mustBeOpen } from './timing.js';
import { forSharedHistories } from './shared-histories.js';

export type StreamMode = 'continuous' | 'eventsource';

/** A heartbeat period that passes several times during the check. */
const shortMs = 20;

/** Parameters that keep the feed open longer than the check lasts; a target that has none of them gets none. */
const keepOpen = fc.constantFrom<{ query: FeedQuery }[]>(
  { query: {} },
  { query: { timeout: longTimeoutMs } },
  { query: { heartbeat: longTimeoutMs } },
  { query: { heartbeat: shortMs } },
);

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

/**
 * The feed first returns the existing changes, then stays open. The rows must arrive in time after the request was
 * sent; only time in which the target answers other requests counts.
 */
export const returnsExistingChanges = (mode: StreamMode): CheckDefinition => ({
  waits: 'changes',
  run: forSharedHistories(
    { request: liveRequests, skipped: fc.nat({ max: 3 }), keepOpen },
    async ({ database }, { request, skipped, keepOpen }, context) => {
      const { rows: all } = await readFeed(database, request);
      const since = skipped === 0 ? undefined : all[skipped - 1]?.seq;
      const expected = since === undefined ? all : all.slice(skipped);
      const live = { mode, ...withQuery(request, { ...keepOpen.query, since }) };
      await withLiveFeed(database, live, async (feed) => {
        await feed.mustMeetInTime('The feed does not return the existing changes immediately', {
          by: feed.sentAt,
          expected: `the rows of normal mode: ${JSON.stringify(idsOf(expected))}`,
          isMet: () => feed.rows.length >= expected.length && hasRows(feed, expected),
        });
        await mustBeOpen('The feed ends after the existing changes', feed, context);
        const allowed = idsOf(mayRepeatRows(context) ? all : expected);
        const extra = idsOf(feed.rows).find((id) => !allowed.includes(id));
        mustMatch(
          'The feed contains a row that normal mode does not return',
          extra,
          equalTo(undefined),
          'an id',
        );
      });
    },
  ),
});

const liveStages = 3;
const writers = 8;

/**
 * The feed returns a row for every document that is written while it is open, also repeatedly and after idle time, and
 * for no other. A row must arrive in time after its write was confirmed; only time in which the target answers other requests counts.
 */
export const returnsLiveChanges = (mode: StreamMode): CheckDefinition => ({
  waits: 'changes',
  run: forAll(
    fc.record({
      inputs: twice(
        fc.record({
          // Often with heartbeats, since a server can lose what changes after one.
          keepOpen: fc.oneof(keepOpen, fc.constant({ query: { heartbeat: shortMs } })),
          request: liveRequests,
        }),
      ),
      /** Whether the documents of a stage are written concurrently. */
      concurrently: fc.boolean(),
      /** The number of round trips before each stage if no feed sends heartbeats. */
      idle: fc.constantFrom(0, 2, 4),
      history: stagedHistories(liveStages),
    }),
    async (context, { history, inputs, concurrently, idle }) => {
      const [existing, ...stages] = history;
      const { database, state: played } = await playNew(context, replicated(existing!));
      // A feed that starts too early returns this document, since no later write changes it.
      const state = await putDocument(database, 'existing', played);
      const sinces = [
        await sinceFor(context, database, 'now'),
        await sinceFor(context, database, 'last_seq'),
      ];
      const lives = inputs.map(({ request, keepOpen }, index) => ({
        mode,
        ...withQuery(request, { ...keepOpen.query, since: sinces[index] }),
      }));
      await withLiveFeeds(database, lives, async (opened) => {
        const areOpen = await Promise.all(opened.map((feed) => feed.waitUntilOpen()));
        const feeds = opened.filter((_, index) => areOpen[index]);
        const beating = feeds.filter(({ request }) => request.query?.heartbeat === shortMs);
        let before = state;
        for (const stage of stages) {
          await Promise.all(
            beating.map((feed) => {
              const enough = feed.heartbeats + 1;
              return feed.isMetInTime(() => feed.heartbeats >= enough, { graceMs: 10 * shortMs });
            }),
          );
          for (let trip = 0; beating.length === 0 && trip < idle; trip += 1)
            await database.request({ path: '' });
          const after = concurrently
            ? await playConcurrently([database], stage, { before, writers })
            : await play(database, stage, before);
          const by = performance.now();
          await allSettledOrThrow(
            feeds.map(async (feed) => {
              const expected = await readChangedRows(database, feed.request, before, after);
              await feed.mustMeetInTime('The feed does not return a change that is made while it is open', {
                by,
                expected: `rows for ${JSON.stringify(idsOf(expected))}`,
                isMet: () => hasRows(feed, expected),
              });
            }),
          );
          before = after;
        }
        for (const feed of feeds) {
          await mustBeOpen('The feed ends without a reason', feed, context);
          mustSkipExisting(feed, changedIds(state, before), context);
        }
      });
    },
    { cases: { ...liveCases, default: 5 } },
  ),
});

/** An open feed returns all of many documents that are written in one request, more than a server may read at once. */
export const returnsManyLiveChanges = (mode: StreamMode): CheckDefinition => ({
  waits: 'changes',
  run: async (context) => {
    const { database, state } = await playNew(context, []);
    const since = await sinceFor(context, database, 'last_seq');
    await withLiveFeed(database, { mode, query: { since } }, async (feed) => {
      if (!(await feed.waitUntilOpen())) return;
      const after = await play(database, manyChanges, state);
      const received = (): number => new Set(feed.rowArrivals.map(({ row }) => row.id)).size;
      const isMet = (): boolean => received() >= after.size;
      // So many rows may take long, as long as more of them arrive.
      for (let before = -1; received() > before && !isMet();) {
        before = received();
        await feed.isMetInTime(isMet);
      }
      await feed.mustMeetInTime('The feed does not return all of many changes that are made at once', {
        expected: `rows for ${after.size} documents`,
        isMet,
      });
    });
  },
});

/** More than a server wakes at once. */
const manyFeeds = 30;

/** Each of many feeds that are open for a database returns a change. */
export const wakesManyFeeds = (mode: StreamMode): CheckDefinition => ({
  waits: 'changes',
  run: async (context) => {
    const { database, state } = await playNew(context, []);
    const since = await sinceFor(context, database, 'last_seq');
    const requests = Array.from({ length: manyFeeds }, () => ({ mode, query: { since } }));
    await withLiveFeeds(database, requests, async (feeds) => {
      await feeds.at(-1)!.waitUntilOpen();
      const judged = since === 'now' ? feeds.filter(({ response }) => response !== undefined) : feeds;
      await putDocument(database, 'new', state);
      const by = performance.now();
      await allSettledOrThrow(
        judged.map((feed) =>
          feed.mustMeetInTime('One of many feeds does not return a change that is made while it is open', {
            by,
            expected: 'a row for "new"',
            isMet: () => feed.rowArrivals.some(({ row }) => row.id === 'new'),
          }),
        ),
      );
    });
  },
});

/** Some limits end the feed at an existing row, others at a new one. */
const limitedFeeds = fc.record({
  hasFilter: fc.boolean(),
  limit: fc.noBias(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }))),
  history: existingContents,
});

/** Feeds with a filter that end before the last of the existing rows. */
export const filteredPages: typeof limitedFeeds = fc.record({
  hasFilter: fc.constant(true),
  limit: fc.integer({ min: 1, max: 3 }),
  history: fc.constant(manyChanges.slice(0, 6)),
});

interface LimitOptions {
  /** Checks how the feed ends. */
  readonly checkEnd?: (feed: LiveFeed) => void;
  readonly feeds?: typeof limitedFeeds;
  readonly cases?: typeof liveCases;
}

/**
 * A feed with `limit` returns that many existing or new rows, and ends. Each row and the end must arrive in time after
 * the event that causes it; only time in which the target answers other requests counts.
 */
export const endsAfterLimit = (
  mode: StreamMode,
  { checkEnd = () => {}, feeds = limitedFeeds, cases = liveCases }: LimitOptions = {},
): CheckDefinition => ({
  waits: 'changes',
  uses: { query: { feed: mode, limit: 1 } },
  run: forAll(
    fc.record({ skipped: fc.nat({ max: 2 }), keepOpen, request: liveRequests, feed: feeds }),
    async (context, { feed: { history, limit, hasFilter }, request: unfiltered, skipped, keepOpen }) => {
      const { database, state: existing } = await playNew(context, history);
      const { rows } = await readFeed(database, { method: unfiltered.method });
      // Repeated rows from before `since` also count towards the limit.
      const start = mayRepeatRows(context) ? 0 : Math.min(skipped, rows.length);
      const since = rows[start - 1]?.seq;
      const before = idsOf(rows.slice(start));
      // Missing rows are written while the feed is open, but only a few.
      const wanted = Math.min(limit, before.length + 3);
      const later = Array.from({ length: 3 }, (_, index) => `live-${before.length + index}`);
      // Every document passes, so that the filter must change nothing.
      const request = hasFilter
        ? withFilter({ ...unfiltered, method: 'POST' }, { kind: 'ids', ids: [...before, ...later] })
        : unfiltered;
      const live = { mode, ...withQuery(request, { ...keepOpen.query, since, limit: wanted }) };
      await withLiveFeed(database, live, async (feed) => {
        const tooFew = 'The feed ends before it has returned as many rows as limit allows';
        const returned = (): string[] => feed.rowArrivals.map(({ row }) => row.id);
        const mustReturn = (count: number, by: number): Promise<void> =>
          feed.mustMeetInTime(tooFew, {
            by,
            expected: `${count} of ${wanted} rows`,
            isMet: () => returned().length >= count,
          });
        const written = [...before];
        await mustReturn(Math.min(wanted, before.length), feed.sentAt);
        let state = existing;
        while (written.length < wanted) {
          await mustBeOpen(tooFew, feed, context);
          const id = `live-${written.length}`;
          state = await putDocument(database, id, state);
          written.push(id);
          await mustReturn(written.length, performance.now());
        }
        await feed.mustEndInTime('The feed does not end after as many rows as limit allows');
        must(returned().length === wanted, 'The feed does not return as many rows as limit allows', {
          ...feed.place,
          expected: `${wanted} rows`,
          actual: returned(),
        });
        checkEnd(feed);
        const last = feed.end?.lastSeq ?? feed.rows.at(-1)!.seq;
        const response = await requestFeed(database, { query: { since: last } });
        mustRespond(response, 200, 'The target rejects the last_seq of a feed with limit as since');
        const rest = feedOf(response);
        const missed = written.filter((id) => !rest.ids.includes(id) && !returned().includes(id));
        mustMatch('Resuming after a feed with limit loses changes', missed, equalTo([]), 'ids without a row');
        if (mayRepeatRows(context)) return;
        const repeated = rest.ids.filter((id) => returned().includes(id));
        mustMatch(
          'Resuming after a feed with limit repeats rows',
          repeated,
          equalTo([]),
          'ids of both feeds',
        );
      });
    },
    { cases },
  ),
});
