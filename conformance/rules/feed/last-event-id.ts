/** The id of an event starts the feed after that event in the modes without events, too (SERVICE 4.5). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  type CheckDefinition,
  type DatabaseClient,
  defineRule,
  equalTo,
  type FeedRequest,
  type LiveRequest,
  liveRequests,
  mustMatch,
  readFeed,
  Skip,
  withLiveFeed,
} from '../../kit.js';
import { requestsAfterEvent, type EventNaming } from '../shared/resume.js';
import { mayRepeatRows } from '../shared/timing.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';

const modes = ['normal', 'longpoll', 'continuous'] as const;

/** Would return everything. Each case also tries `now`, which would return nothing. */
const overriddenSince = fc.constantFrom(0, undefined);

/** The events of an event stream, oldest first. */
function readEvents(
  database: DatabaseClient,
  request: FeedRequest,
  count: number,
): Promise<{ readonly eventId: string; readonly id: string }[]> {
  const live: LiveRequest = { mode: 'eventsource', ...request };
  return withLiveFeed(database, live, async (feed) => {
    await feed.isMetInTime(() => feed.rowArrivals.length >= count, { by: feed.sentAt });
    return feed.rowArrivals.map(({ eventId, row: { id } }) => ({ eventId, id }));
  });
}

const withoutIds = (): Skip =>
  new Skip('The target has no event stream with ids (see eventsource-last-event-id).');

/** The rows must arrive in time; only time in which the target answers other requests counts. */
const startsAfterEvent = (...ways: readonly EventNaming[]): CheckDefinition => ({
  waits: 'changes',
  run: forSharedHistories(
    { request: liveRequests, position: fc.nat({ max: 150 }), since: overriddenSince },
    async ({ database }, { request, position, since }, context) => {
      const hasEvents = context.target.feed.supports({ query: { feed: 'eventsource' } });
      if (!hasEvents) throw withoutIds();
      const { rows } = await readFeed(database, request);
      // Without a later row, a long poll would wait.
      if (rows.length < 2) return;
      const events = await readEvents(database, request, rows.length);
      if (events.length < 2 || events.some(({ eventId }) => eventId === '')) throw withoutIds();
      const index = position % (events.length - 1);
      const { eventId } = events[index]!;
      const ids = events.map(({ id }) => id);
      const [before, wanted] = [new Set(ids.slice(0, index + 1)), new Set(ids.slice(index + 1))];
      const sinces = ['now', since].filter((since) => context.target.feed.supports({ query: { since } }));
      const requests = sinces.flatMap((since) => {
        const named = requestsAfterEvent(request, eventId, since);
        return ways.map((way) => named[way]);
      });
      await allSettledOrThrow(
        requests.flatMap((named) =>
          modes.map((mode) =>
            withLiveFeed(database, { mode, ...named }, async (feed) => {
              await feed.mustMeetInTime(
                `The ${mode} feed does not start after the event that the request names`,
                {
                  by: feed.sentAt,
                  expected: `rows for ${JSON.stringify([...wanted])} after ${eventId}`,
                  isMet: () => {
                    const received = new Set(feed.rows.map(({ id }) => id));
                    return [...wanted].every((id) => received.has(id));
                  },
                },
              );
              if (mayRepeatRows(context)) return;
              const repeated = feed.rows.find(({ id }) => before.has(id));
              const what = `The ${mode} feed starts before the event that the request names`;
              mustMatch(what, repeated?.id, equalTo(undefined), 'an id');
            }),
          ),
        ),
      );
    },
    { cases: { default: 3, thorough: 30 } },
  ),
});

export const feedLastEventId = defineRule('feed-last-event-id', {
  rung: 'modes',
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-last-event-id': startsAfterEvent('header'),

    'feed-last-event-id/query': startsAfterEvent('last-event-id before since', 'last-event-id after since'),
  },
});
