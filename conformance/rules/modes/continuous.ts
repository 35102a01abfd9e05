/** The continuous mode: one row per line, as long as the feed is open (SERVICE 4.7 mode 3). */
import fc from 'fast-check';
import {
  changedIds,
  type CheckDefinition,
  defineRule,
  emptyState,
  existingContents,
  type FeedQuery,
  forAll,
  type LiveFeed,
  liveHistories,
  liveRequests,
  must,
  newDocument,
  play,
  playNew,
  unreachedLimit,
  withLiveFeed,
  withQuery,
  inMode,
  type JudgedFeed,
  wasSilentFor,
  withSeq,
} from '../../kit.js';
import { mustBeLine, mustEndWithCrLf } from '../shared/stream-parts.js';
import { endsAfterTimeoutWithFilter } from '../shared/filtered-timeout.js';
import { endsAfterTimeout } from '../shared/stream-timeout.js';
import {
  endsAfterLimit,
  filteredPages,
  returnsExistingChanges,
  returnsLiveChanges,
  returnsManyLiveChanges,
  wakesManyFeeds,
} from '../shared/streams.js';
import { liveCases } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

const mode = 'continuous';

/** Feeds with heartbeats between the rows, and feeds that end. */
const variations = fc.constantFrom<{ query: FeedQuery }[]>(
  { query: {} },
  { query: { heartbeat: 20 } },
  { query: { limit: 1 } },
  { query: { limit: 4 } },
);

/**
 * A property of the lines of a feed, for existing and new changes. Waits up to half a second of probes for each part of
 * the feed. Whether all rows arrive is left to other rules.
 */
const forEveryFeed = (verify: (feed: LiveFeed) => void): CheckDefinition => ({
  waits: 'changes',
  run: forAll(
    fc.record({ variation: variations, request: liveRequests, history: liveHistories }),
    async (context, { history, request, variation: { query } }) => {
      const { database, state: before } = await playNew(context, history.before);
      await withLiveFeed(database, { mode, ...withQuery(request, query) }, async (feed) => {
        const waitFor = (isMet: () => boolean): Promise<boolean> => feed.isMetInTime(isMet, { graceMs: 500 });
        const waitForRows = (wanted: Iterable<string>): Promise<boolean> =>
          waitFor(() => {
            const received = new Set(feed.rowArrivals.map(({ row }) => row.id));
            return [...wanted].every((id) => received.has(id));
          });
        await waitForRows(before.keys());
        feed.mustBeAccepted();
        // Without a row, a feed shows nothing.
        const after = await play(database, [...history.during, newDocument('always')], before);
        await waitForRows(changedIds(emptyState, after));
        if (query.heartbeat !== undefined) await waitFor(() => feed.heartbeats > 0);
        if (query.limit !== undefined && query.limit <= after.size) await waitFor(() => false);
        verify(feed);
      });
    },
    { cases: liveCases },
  ),
});

function mustConsistOfLines({ arrivals }: LiveFeed): void {
  let end: unknown;
  for (const arrival of arrivals) {
    mustBeLine(arrival, end);
    if (arrival.kind === 'end') end = { last_seq: arrival.lastSeq };
  }
}

const mustEnd = (hasEnd: boolean, actual: unknown): void =>
  must(hasEnd, 'A feed with limit does not end with an object that has last_seq', {
    path: 'the last line',
    expected: '{"last_seq": ...}',
    actual,
  });

function mustEndWithLastSeq({ arrivals }: LiveFeed): void {
  const last = arrivals.findLast(({ kind }) => kind !== 'heartbeat');
  mustEnd(last?.kind === 'end', last?.kind === 'row' ? last.row.value : undefined);
}

/** Whether the limit or the timeout has ended a feed with a limit. A server that stops may end it in any way. */
function hasReachedItsEnd(feed: JudgedFeed): boolean {
  const { limit, timeout, heartbeat } = feed.parameters;
  if (limit === undefined) return false;
  if (feed.count >= limit) return true;
  return timeout !== undefined && heartbeat === undefined && wasSilentFor(timeout, feed);
}

export const continuousLines = defineRule('continuous-lines', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  inTraffic: {
    feed: inMode('continuous', ({ arrival, feed }) => mustBeLine(withSeq(arrival, feed), feed.end)),
  },
  checks: {
    'continuous-lines': forEveryFeed(mustConsistOfLines),
  },
});

export const continuousCrlf = defineRule('continuous-crlf', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  inTraffic: {
    feed: inMode('continuous', ({ arrival }) => {
      if (arrival.kind === 'row') return mustEndWithCrLf(arrival.ending, arrival.row.path);
      // CRLF separates lines, so the last one needs none.
      if (arrival.kind !== 'end' || arrival.ending === '') return false;
      mustEndWithCrLf(arrival.ending, 'the object with last_seq');
    }),
  },
  checks: {
    'continuous-crlf': forEveryFeed(({ rowArrivals, arrivals }) => {
      for (const { ending, row } of rowArrivals) mustEndWithCrLf(ending, row.path);
      const end = arrivals.find((arrival) => arrival.kind === 'end');
      // CRLF separates lines, so the last one needs none.
      if (!end || (end.ending === '' && end === arrivals.at(-1))) return;
      mustEndWithCrLf(end.ending, 'the object with last_seq');
    }),
  },
});

export const continuousBehind = defineRule('continuous-behind', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  notInTraffic: unseen.arrival,
  checks: {
    'continuous-behind': returnsExistingChanges(mode),
  },
});

export const continuousLive = defineRule('continuous-live', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  notInTraffic: unseen.arrival,
  checks: {
    'continuous-live': returnsLiveChanges(mode),

    'continuous-live/many': returnsManyLiveChanges(mode),

    'continuous-live/many-feeds': wakesManyFeeds(mode),
  },
});

export const continuousLimit = defineRule('continuous-limit', {
  rung: 'modes',
  uses: { query: { feed: mode, limit: unreachedLimit } },
  otherRungs: {
    'continuous-limit/filtered': 'filters',
  },
  inTraffic: {
    part: {
      judged:
        'No continuous feed has more rows than `limit`, and one that ends there or at its timeout has a `last_seq`.',
      rest: unseen.end,
    },
    feedEnd(feed) {
      if (feed.parameters.mode !== 'continuous' || !hasReachedItsEnd(feed)) return false;
      mustEnd(feed.end !== undefined, `the end of the response after ${feed.count} rows`);
    },
  },
  checks: {
    'continuous-limit': endsAfterLimit(mode, { checkEnd: mustEndWithLastSeq }),

    'continuous-limit/filtered': endsAfterLimit(mode, {
      checkEnd: mustEndWithLastSeq,
      feeds: filteredPages,
      cases: { default: 2, thorough: 20 },
    }),

    'continuous-limit/timeout': {
      waits: 'period',
      run: forAll(
        fc.record({
          timeout: fc.integer({ min: 0, max: 80 }),
          request: liveRequests,
          history: existingContents,
        }),
        async (context, { history, request, timeout }) => {
          const { database } = await playNew(context, history);
          const query = { timeout, limit: unreachedLimit };
          await withLiveFeed(database, { mode, ...withQuery(request, query) }, async (feed) => {
            await feed.isMetInTime(() => feed.endedAt !== undefined, { by: feed.sentAt + timeout });
            feed.mustBeAccepted();
            // Another rule is about when it ends.
            if (feed.endedAt !== undefined) mustEndWithLastSeq(feed);
          });
        },
        { cases: { default: 3, thorough: 30 } },
      ),
    },
  },
});

export const continuousTimeout = defineRule('continuous-timeout', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  otherRungs: {
    'continuous-timeout/filtered': 'filters',
  },
  inTraffic: {
    how: 'by periods',
    part: { judged: 'The feed ends, at the latest long after its timeout.', rest: unseen.precise },
  },
  checks: {
    'continuous-timeout': endsAfterTimeout(mode),

    'continuous-timeout/filtered': endsAfterTimeoutWithFilter(mode),
  },
});
