/** The event source mode (SERVICE 4.7 mode 4, 6): a row an event. */
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { liveHistories, liveRequests } from '../arbitraries/live.js';
import { changedIds } from '../model/history.js';
import { withLiveFeed } from '../play/live-feed.js';
import { play, playNew } from '../play/player.js';
import { equalTo, matching, mustMatch } from '../verdict/matchers.js';
import { Skip, Violation } from '../verdict/outcomes.js';
import { check, forAll, type Check } from '../check.js';
import { rowForm } from './feed-form.js';
import { mayRepeatRows } from './shared/timing.js';
import { limited, past, present, timed } from './shared/open-feeds.js';

const mode = 'eventsource';

/** A `since` that the id of an event must override: nothing would come, or everything. */
const overridden = fc.constantFrom('now', 'now', 0, undefined);

export const eventsourceChecks: readonly Check[] = [
  check({
    rule: 'eventsource-stream',
    waits: true,
    run: forAll(
      fc.record({ history: liveHistories, request: liveRequests, heartbeat: fc.constantFrom(undefined, 20) }),
      async (context, { history, request: { method, query }, heartbeat }) => {
        const { database, state: before } = await playNew(context, history.before);
        await withLiveFeed(database, { mode, method, query: { ...query, heartbeat } }, async (feed) => {
          const bring = async (wanted: ReadonlySet<string>): Promise<void> => {
            const seen = (id: string): boolean =>
              feed.arrivals.some((arrival) => arrival.kind === 'row' && arrival.row.id === id);
            await feed.isMetInTime(() => feed.response !== undefined, { by: feed.sentAt });
            mustMatch('An event stream is refused', feed.response?.status, equalTo(200), 'status');
            const type = feed.response?.headers.get('content-type')?.[0];
            const stream = matching(/^text\/event-stream\s*(;|$)/i, 'text/event-stream');
            mustMatch('The feed is no event stream', type, stream, 'Content-Type');
            await feed.isMetInTime(() => [...wanted].every(seen), { by: performance.now() });
            for (const arrival of feed.arrivals) {
              if (arrival.kind === 'strange') {
                throw new Violation('A message holds no row', {
                  path: 'the data of an event',
                  expected: 'a row in JSON',
                  actual: arrival.text,
                });
              }
              if (arrival.kind !== 'row') continue;
              mustMatch('A message holds no row', arrival.row.value, rowForm, arrival.row.path);
            }
            const missed = [...wanted].filter((id) => !seen(id));
            mustMatch('An event stream has no message for a change', missed, equalTo([]), 'ids without one');
          };
          await bring(new Set(before.keys()));
          const after = await play(database, history.during, before);
          await bring(changedIds(before, after));
        });
      },
    ),
  }),

  check({
    rule: 'eventsource-live',
    waits: true,
    run: present(mode),
  }),

  check({
    rule: 'eventsource-live',
    what: 'past',
    waits: true,
    run: past(mode),
  }),

  check({
    rule: 'eventsource-last-event-id',
    waits: true,
    run: forAll(
      fc.record({
        history: histories,
        request: liveRequests,
        position: fc.nat({ max: 150 }),
        fromEnd: fc.boolean(),
        since: overridden,
        by: fc.constantFrom('header', 'header', 'query'),
      }),
      async (context, { history, request: { method, query }, position, fromEnd, since, by }) => {
        const { database, state } = await playNew(context, history);
        if (state.size === 0) return;
        const events = await withLiveFeed(database, { mode, method, query }, async (feed) => {
          await feed.mustMeetInTime('The changes that are there already do not come at once', {
            by: feed.sentAt,
            expected: `rows for ${JSON.stringify([...state.keys()])}`,
            isMet: () => new Set(feed.rows.map(({ id }) => id)).size >= state.size,
          });
          return feed.arrivals.flatMap((arrival) => (arrival.kind === 'row' ? [arrival] : []));
        });
        const index = fromEnd ? Math.max(0, events.length - 1 - (position % 2)) : position % events.length;
        const { eventId } = events[index]!;
        if (eventId === '') throw new Skip('The events of the target have no ids.');
        const ids = events.map(({ row }) => row.id);
        const request = {
          mode,
          method,
          query: { ...query, since, ...(by === 'query' && { 'last-event-id': eventId }) },
          ...(by === 'header' && { headers: { 'Last-Event-ID': eventId } }),
        } as const;
        await withLiveFeed(database, request, async (feed) => {
          await feed.waitUntilOpen();
          await play(database, [{ id: 'later', writes: [{ kind: 'put', leaf: 0, body: {} }] }], state);
          const wanted = [...ids.slice(index + 1), 'later'];
          const missed = (): string[] => {
            const seen = new Set(feed.rows.map(({ id }) => id));
            return wanted.filter((id) => !seen.has(id));
          };
          await feed.mustMeetInTime('Resuming after an event loses what comes after it', {
            by: performance.now(),
            expected: `rows for ${JSON.stringify(wanted)} after ${eventId}`,
            isMet: () => missed().length === 0,
          });
          if (mayRepeatRows(context)) return;
          const repeated = feed.rows.find(({ id }) => ids.indexOf(id) >= 0 && ids.indexOf(id) <= index);
          mustMatch(
            'Resuming after an event repeats it, or one before',
            repeated?.id,
            equalTo(undefined),
            'an id',
          );
        });
      },
    ),
  }),

  check({
    rule: 'eventsource-limit-timeout',
    what: 'limit',
    waits: true,
    run: limited(mode, () => {}),
  }),

  check({
    rule: 'eventsource-limit-timeout',
    what: 'timeout',
    waits: true,
    run: timed(mode),
  }),
];
