/** Heartbeats (SERVICE 4.5, 4.7 rule 1, 6): they come in every period, and keep a feed open. */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { liveRequests, presents } from '../arbitraries/live.js';
import type { FeedMode } from '../model/feed.js';
import { withLiveFeed, type LiveFeed } from '../play/live-feed.js';
import { play, playNew } from '../play/player.js';
import { allSettledOrThrow } from '../play/settled.js';
import { equalTo, mustMatch } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type CheckContext, type Run } from '../check.js';
import { mustBeOpen, choosePeriods } from './shared/timing.js';
import { beatsOf, presentOf } from './shared/open-feeds.js';

const runs = { default: 6, thorough: 60 };

/** So many heartbeats must come in the time of twelve periods: all that is left to chance is the time of five. */
const beats = 7;
const periods = 12;

async function mustBeat(context: CheckContext, feed: LiveFeed, periodMs: number): Promise<void> {
  const first = beatsOf(feed);
  const areThere = (): boolean => beatsOf(feed) >= first + beats;
  await Promise.race([wait((beats + 1) * periodMs, undefined, { ref: false }), feed.until(areThere)]);
  // Something is late. Whether it is the target is judged anew, with looks at what else it does.
  const before = areThere() ? first : beatsOf(feed);
  await feed.mustMeetInTime('Heartbeats do not come in every period', {
    by: performance.now(),
    graceMs: periods * periodMs,
    expected: `${beats} more heartbeats, one every ${periodMs} ms`,
    isMet: () => beatsOf(feed) >= before + beats,
  });
  await mustBeOpen('A feed with a heartbeat ends', feed, context);
}

const write = async (database: DatabaseClient, id: string): Promise<void> => {
  await play(database, [{ id, writes: [{ kind: 'put', leaf: 0, body: {} }] }]);
};

/** Writes some documents in every period until the signal. */
async function keepWriting(database: DatabaseClient, periodMs: number, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    await write(database, `busy-${count}`);
    await wait(periodMs / 4);
  }
}

const beating = (modes: readonly FeedMode[]): Run =>
  forAll(
    fc.record({
      history: histories,
      request: liveRequests,
      mode: fc.constantFrom(...modes),
      present: presents,
      phase: fc.constantFrom('idle', 'after a row', 'while a filter rejects'),
    }),
    async (context, { history, request: { method, query }, mode, present, phase }) => {
      const { database } = await playNew(context, history);
      const since = await presentOf(context, database, present);
      const { heartbeatMs: heartbeat } = await choosePeriods(database);
      const filtered = phase === 'while a filter rejects';
      // The list of a POST is in its body, which has nothing to do with heartbeats.
      const filter = filtered ? { filter: '_doc_ids', doc_ids: ['nobody'] } : {};
      const request = {
        mode,
        method: filtered ? 'GET' : method,
        query: { ...query, ...filter, since, heartbeat },
      };
      await withLiveFeed(database, request, async (feed) => {
        if (phase === 'after a row' && mode !== 'longpoll') {
          await feed.waitUntilOpen();
          await write(database, 'live');
          await feed.isMetInTime(() => feed.rows.length > 0, { by: performance.now() });
        }
        const stop = new AbortController();
        await allSettledOrThrow([
          mustBeat(context, feed, heartbeat).finally(() => stop.abort()),
          ...(filtered ? [keepWriting(database, heartbeat, stop.signal)] : []),
        ]);
        for (const arrival of feed.arrivals) {
          if (arrival.kind !== 'strange') continue;
          throw new Violation('What is sent while there is nothing to report is no heartbeat', {
            path: `the ${mode} feed`,
            expected: 'empty lines, or events of type heartbeat',
            actual: arrival.text,
          });
        }
      });
    },
    { runs },
  );

const allModes = ['longpoll', 'continuous', 'eventsource'] as const;

/** The feed stays open beyond its timeout, and still brings what comes then. */
async function mustOutlive(
  context: CheckContext,
  database: DatabaseClient,
  feed: LiveFeed,
  { id, timeout, isOver }: { id: string; timeout: number; isOver: () => boolean },
): Promise<void> {
  const what = 'A feed with a heartbeat ends with its timeout';
  await feed.isMetInTime(() => performance.now() - feed.sentAt > 2 * timeout && isOver(), {
    by: feed.sentAt + 2 * timeout,
    graceMs: timeout,
  });
  if (!(await mustBeOpen(what, feed, context))) return;
  await write(database, id);
  await feed.mustMeetInTime('A feed with a heartbeat does not bring a change after its timeout', {
    by: performance.now(),
    expected: `a row for "${id}"`,
    isMet: () => feed.rows.some((row) => row.id === id),
  });
  if (feed.request.mode !== 'longpoll') await mustBeOpen(what, feed, context);
}

const cases = fc.record({ history: histories, request: liveRequests, present: presents });

/** Fewer, since each mode has a check of its own. */
const runsByMode = { default: 2, thorough: 30 };

/** With a timeout that is over before the first heartbeat, and with one that is over after some. */
const overrides = (mode: (typeof allModes)[number]): Run =>
  forAll(
    cases,
    async (context, { history, request: { method, query }, present }) => {
      const { database } = await playNew(context, history);
      const { heartbeatMs: heartbeat } = await choosePeriods(database);
      for (const [id, share] of [
        ['first', 0.5],
        ['second', 3],
      ] as const) {
        const since = await presentOf(context, database, present);
        const timeout = Math.ceil(share * heartbeat);
        const request = { mode, method, query: { ...query, since, heartbeat, timeout } };
        await withLiveFeed(database, request, async (feed) => {
          const few = beatsOf(feed) + 3;
          await mustOutlive(context, database, feed, { id, timeout, isOver: () => beatsOf(feed) >= few });
        });
      }
    },
    { runs: runsByMode },
  );

/** Where `true` is no heartbeat, the timeout ends the feed. */
const accepts = (mode: (typeof allModes)[number]): Run =>
  forAll(
    cases,
    async (context, { history, request: { method, query }, present }) => {
      const { database } = await playNew(context, history);
      const since = await presentOf(context, database, present);
      const timeout = 100;
      const request = { mode, method, query: { ...query, since, heartbeat: true as const, timeout } };
      await withLiveFeed(database, request, async (feed) => {
        await feed.waitUntilOpen();
        mustMatch('heartbeat=true is refused', feed.response?.status ?? 200, equalTo(200), 'status');
        await mustOutlive(context, database, feed, { id: 'live', timeout, isOver: () => true });
      });
    },
    { runs: runsByMode },
  );

const defaultPeriodMs = 60_000;

/** A heartbeat comes by the end of the default period; one at the very start is no answer. */
async function mustBeatByDefault(context: CheckContext, mode: FeedMode): Promise<void> {
  const { database } = await playNew(context, []);
  await withLiveFeed(database, { mode, query: { heartbeat: true } }, (feed) =>
    feed.mustMeetInTime('heartbeat=true gives no heartbeat in its default period', {
      by: feed.sentAt + defaultPeriodMs,
      expected: `a heartbeat every ${defaultPeriodMs} ms`,
      isMet: () =>
        feed.arrivals.some(({ kind, at }) => kind === 'beat' && at - feed.sentAt > defaultPeriodMs / 2),
    }),
  );
}

export const heartbeatChecks: readonly Check[] = [
  check({ rule: 'heartbeat-lines', waits: true, run: beating(['longpoll', 'continuous']) }),

  ...allModes.map((mode) =>
    check({ rule: 'heartbeat-overrides', what: mode, waits: true, run: overrides(mode) }),
  ),

  ...allModes.map((mode) =>
    check({
      rule: 'heartbeat-true',
      what: mode,
      waits: true,
      async run(context) {
        await accepts(mode)(context);
        if (context.property.profile === 'thorough') await mustBeatByDefault(context, mode);
      },
    }),
  ),

  check({ rule: 'eventsource-heartbeat', waits: true, run: beating(['eventsource']) }),
];
