/** The event source mode: one row per event (SERVICE 4.7 mode 4, 6). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  changedIds,
  defineRule,
  equalTo,
  existingContents,
  type FeedQuery,
  forAll,
  type LiveFeed,
  liveHistories,
  type LiveRequest,
  liveRequests,
  must,
  mustMatch,
  play,
  playNew,
  putDocument,
  withFilter,
  withLiveFeed,
  withLiveFeeds,
  withQuery,
  inMode,
  withSeq,
} from '../../kit.js';
import { mustBeEvent, mustBeEventStream, mustHaveEventId } from '../shared/stream-parts.js';
import { requestsAfterEvent } from '../shared/resume.js';
import { endsAfterTimeoutWithFilter } from '../shared/filtered-timeout.js';
import { endsAfterTimeout } from '../shared/stream-timeout.js';
import {
  endsAfterLimit,
  returnsExistingChanges,
  returnsLiveChanges,
  returnsManyLiveChanges,
} from '../shared/streams.js';
import { sinceFor } from '../shared/live-changes.js';
import { choosePeriods, liveCases, mayRepeatRows } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

const mode = 'eventsource';

/** A `since` that the event id must override: it would return nothing, or everything. */
const overriddenSince = fc.constantFrom('now', 'now', 0, undefined);

/** Documents that are written while the stream is open. */
const liveIds = ['live-1', 'live-2'];

const receivedIds = (feed: LiveFeed): Set<string> => new Set(feed.rowArrivals.map(({ row }) => row.id));

/** Waits for the response headers, then for the wanted rows. Only time in which the target answers other requests counts. */
async function mustStreamRows(feed: LiveFeed, wanted: ReadonlySet<string>): Promise<void> {
  await feed.isMetInTime(() => feed.response !== undefined, { by: feed.sentAt });
  const { response } = feed;
  must(response !== undefined, 'The target does not respond to a request for an event stream', {
    path: '$status',
    expected: 200,
    actual: undefined,
  });
  const what = 'The target rejects a request for an event stream';
  await feed.mustBeAcceptedLike({ ...feed.request, mode: 'normal' }, what);
  mustBeEventStream(response);
  const isComplete = (): boolean => {
    const received = receivedIds(feed);
    return [...wanted].every((id) => received.has(id));
  };
  await feed.isMetInTime(isComplete);
  feed.arrivals.forEach(mustBeEvent);
  const missed = [...wanted].filter((id) => !receivedIds(feed).has(id));
  mustMatch('The event stream has no event for a change', missed, equalTo([]), 'ids without an event');
}

export const eventsourceStream = defineRule('eventsource-stream', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  inTraffic: {
    part: {
      judged:
        'Everything in the stream is an event or a comment, each message has one row, and each row is in a message.',
      rest: unseen.end,
    },
    feed: inMode('eventsource', ({ arrival, feed }) => {
      mustBeEventStream(feed.passed.passing);
      mustBeEvent(withSeq(arrival, feed));
    }),
  },
  checks: {
    'eventsource-stream': {
      waits: 'changes',
      run: forAll(
        fc.record({
          variation: fc.constantFrom<{ query: FeedQuery }[]>({ query: {} }, { query: { heartbeat: 20 } }),
          request: liveRequests,
          history: liveHistories,
        }),
        async (context, { history, request, variation: { query } }) => {
          const { database, state: before } = await playNew(context, history.before);
          await withLiveFeed(database, { mode, ...withQuery(request, query) }, async (feed) => {
            await mustStreamRows(feed, new Set(before.keys()));
            const after = await play(database, history.during, before);
            await mustStreamRows(feed, changedIds(before, after));
          });
        },
        { cases: liveCases },
      ),
    },

    // A server may write something of another mode where a stream ends.
    'eventsource-stream/end': {
      waits: 'period',
      run: forAll(
        fc.record({
          ending: fc.constantFrom('limit', 'timeout', 'timeout'),
          isIdle: fc.boolean(),
          request: liveRequests,
          history: existingContents.filter(({ length }) => length > 0),
        }),
        async (context, { ending, isIdle, request, history }) => {
          const { database, state } = await playNew(context, history);
          const { timeoutMs } = await choosePeriods(database);
          const since = isIdle ? await sinceFor(context, database, 'last_seq') : undefined;
          const query = { since, timeout: timeoutMs, limit: ending === 'limit' ? 1 : undefined };
          await withLiveFeed(database, { mode, ...withQuery(request, query) }, async (feed) => {
            if (isIdle && ending === 'limit' && (await feed.waitUntilOpen())) {
              await putDocument(database, 'live-1', state);
            }
            // Other rules judge whether and when it ends.
            await feed.isMetInTime(() => feed.endedAt !== undefined, { graceMs: 3 * timeoutMs });
            feed.mustBeAccepted();
            feed.arrivals.forEach(mustBeEvent);
          });
        },
        { cases: { default: 6, thorough: 30 } },
      ),
    },
  },
});

export const eventsourceLive = defineRule('eventsource-live', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  notInTraffic: unseen.arrival,
  checks: {
    'eventsource-live': returnsLiveChanges(mode),

    'eventsource-live/many': returnsManyLiveChanges(mode),

    'eventsource-live/past': returnsExistingChanges(mode),
  },
});

export const eventsourceLastEventId = defineRule('eventsource-last-event-id', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  inTraffic: {
    part: { judged: 'Each event with a row has an id.', rest: unseen.order },
    feed: inMode('eventsource', ({ arrival, feed }) => {
      // A seq that was not computed makes no id.
      if (arrival.kind !== 'row' || feed.parameters.seqInterval !== undefined) return false;
      mustHaveEventId(arrival);
    }),
  },
  checks: {
    // The wanted rows must arrive in time after the last write was confirmed; only time in which the target answers
    // other requests counts.
    'eventsource-last-event-id': {
      waits: 'changes',
      run: forAll(
        fc.record({
          from: fc.constantFrom('start', 'end', 'deletion', 'live'),
          isFiltered: fc.boolean(),
          since: overriddenSince,
          position: fc.nat({ max: 150 }),
          request: liveRequests,
          history: existingContents.filter(({ length }) => length > 1),
        }),
        async (context, { history, request: unfiltered, position, from, since, isFiltered }) => {
          const { database, state } = await playNew(context, history);
          // A filter that all documents pass.
          const passing = [...state.keys(), ...liveIds, 'later'];
          const request = isFiltered ? withFilter(unfiltered, { kind: 'ids', ids: passing }) : unfiltered;
          let live = state;
          const events = await withLiveFeed(database, { mode, ...request }, async (feed) => {
            await feed.mustMeetInTime('The feed does not return the existing changes immediately', {
              by: feed.sentAt,
              expected: `rows for ${JSON.stringify([...state.keys()])}`,
              isMet: () => new Set(feed.rows.map(({ id }) => id)).size >= state.size,
            });
            for (const id of liveIds) {
              live = await putDocument(database, id, live);
              await feed.isMetInTime(() => feed.rows.some((row) => row.id === id));
            }
            return feed.rowArrivals;
          });
          const firstLive = events.findIndex(({ row }) => row.id === liveIds[0]);
          const deletion = events.findIndex(({ row }) => row.value.deleted === true);
          const ofEnd = Math.max(0, events.length - 1 - (position % 2));
          const index =
            from === 'deletion' && deletion >= 0
              ? deletion
              : from === 'live' && firstLive >= 0
                ? firstLive
                : from === 'end'
                  ? ofEnd
                  : position % events.length;
          events.forEach(mustHaveEventId);
          const { eventId } = events[index]!;
          const ids = events.map(({ row }) => row.id);
          const ways = Object.entries(requestsAfterEvent(request, eventId, since)).filter(([, way]) =>
            context.target.feed.supports(way),
          );
          const resuming = ways.map(([, way]): LiveRequest => ({ mode, ...way }));
          await withLiveFeeds(database, resuming, async (feeds) => {
            await allSettledOrThrow(feeds.map((feed) => feed.waitUntilOpen()));
            await putDocument(database, 'later', live);
            const wanted = [...ids.slice(index + 1), 'later'];
            for (const [place, feed] of feeds.entries()) {
              const [by] = ways[place]!;
              await feed.mustBeAcceptedLike({ mode, ...request }, `The target rejects ${by}`);
              const how = `Resuming after an event by ${by}`;
              await feed.mustMeetInTime(`${how} loses later changes`, {
                expected: `rows for ${JSON.stringify(wanted)} after ${eventId}`,
                isMet: () => {
                  const received = new Set(feed.rows.map(({ id }) => id));
                  return wanted.every((id) => received.has(id));
                },
              });
              if (mayRepeatRows(context)) continue;
              const repeated = feed.rows.find(({ id }) => ids.indexOf(id) >= 0 && ids.indexOf(id) <= index);
              const what = `${how} repeats that event or an earlier one`;
              mustMatch(what, repeated?.id, equalTo(undefined), 'an id');
            }
          });
        },
        { cases: liveCases },
      ),
    },
  },
});

export const eventsourceLimitTimeout = defineRule('eventsource-limit-timeout', {
  rung: 'modes',
  uses: { query: { feed: mode } },
  otherRungs: {
    'eventsource-limit-timeout/timeout-filtered': 'filters',
  },
  inTraffic: {
    how: 'in other modes',
    part: {
      judged:
        'No event stream has more rows than `limit`, and each ends, at the latest long after its timeout.',
      rest: unseen.end,
    },
  },
  checks: {
    'eventsource-limit-timeout/limit': endsAfterLimit(mode),

    'eventsource-limit-timeout/timeout': endsAfterTimeout(mode),

    'eventsource-limit-timeout/timeout-filtered': endsAfterTimeoutWithFilter(mode),
  },
});
