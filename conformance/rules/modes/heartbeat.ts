/** Heartbeats: the target sends one in every period, and they keep a feed open (SERVICE 4.5, 4.7 rule 1, 6). */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  allSettledOrThrow,
  type CheckContext,
  type CheckDefinition,
  type DatabaseClient,
  defaultPeriodMs,
  defineRule,
  endsInARow,
  existingContents,
  type FeedMode,
  forAll,
  Inconclusive,
  type LiveFeed,
  type LiveRequest,
  liveRequests,
  type JudgedFeed,
  must,
  mustRespond,
  playNew,
  putDocument,
  rejectingDesign,
  type Run,
  starts,
  unreachedLimit,
  wasSilentFor,
  withLiveFeed,
  withQuery,
  withRejectingFilters,
  waitingModes,
} from '../../kit.js';
import { sinceFor } from '../shared/live-changes.js';
import {
  mustKeepHeartbeatPeriod,
  mustHaveNoEarlyHeartbeat,
  mustSendHeartbeatWithin,
  watch,
} from '../shared/measured-periods.js';
import { isRefused } from '../shared/filtered-timeout.js';
import { choosePeriods, modesOf, mustBeOpen, shortDefault, shortDefaultMs } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

const cases = fc.record({ start: starts, request: liveRequests, history: existingContents });

/** Writes some documents in every period until the signal aborts. */
async function keepWriting(database: DatabaseClient, periodMs: number, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    await putDocument(database, `busy-${count}`);
    await wait(periodMs / 4);
  }
}

function mustContainOnlyHeartbeats({ arrivals, place }: LiveFeed): void {
  const unrecognized = arrivals.find((arrival) => arrival.kind === 'unrecognized');
  must(unrecognized === undefined, 'The target sends something other than a heartbeat on an idle feed', {
    ...place,
    expected: 'empty lines, or events of type heartbeat',
    actual: unrecognized?.text,
  });
}

/** What happens on a feed before and while its heartbeats are measured. */
type Phase = 'idle' | 'after a row' | 'while a filter rejects';

/** What stalls the machine for a moment leaves most of a period that is this many times as long. */
const patience = 4;

/**
 * Each case measures each mode in each phase at the same time, and a filter of each kind. A phase has a database of its
 * own. If stalls of the machine leave a phase undecided, its periods are measured again and are longer.
 */
const sendsHeartbeats = (modes: readonly FeedMode[]): CheckDefinition => ({
  optional: ['functions'],
  waits: 'period',
  run: forAll(
    cases,
    async (context, { history, request, start }) => {
      const present = modesOf(context, modes);
      const measure = async (phase: Phase, factor = 1): Promise<void> => {
        const isFiltered = phase === 'while a filter rejects';
        const hasFunctions = context.target.has('functions');
        const design = isFiltered ? rejectingDesign(hasFunctions) : [];
        const { database } = await playNew(context, [...design, ...history]);
        const since = await sinceFor(context, database, start);
        const heartbeat = factor * (await choosePeriods(database)).heartbeatMs;
        const requestsIn = (mode: FeedMode): LiveRequest[] => {
          const unfiltered = { mode, ...withQuery(request, { since, heartbeat }) };
          if (!isFiltered) return [unfiltered];
          const filtered = withRejectingFilters(unfiltered, { hasFunctions });
          return filtered.filter((live) => context.target.feed.supports(live));
        };
        const measureFeed = (live: LiveRequest): Promise<void> =>
          withLiveFeed(database, live, async (feed) => {
            if (phase === 'after a row') {
              await feed.waitUntilOpen();
              await putDocument(database, 'live');
              await feed.isMetInTime(() => feed.rows.length > 0);
            }
            if (isFiltered && (await isRefused(feed))) return;
            await mustKeepHeartbeatPeriod(database, feed, heartbeat, { mayBeShorter: isFiltered });
            await mustBeOpen('A feed with a heartbeat ends', feed, context);
            mustContainOnlyHeartbeats(feed);
          });
        // A row ends a long poll.
        const measured = present.filter((mode) => phase !== 'after a row' || mode !== 'longpoll');
        const stop = new AbortController();
        await allSettledOrThrow<unknown>([
          allSettledOrThrow(measured.flatMap(requestsIn).map(measureFeed)).finally(() => stop.abort()),
          ...(isFiltered ? [keepWriting(database, heartbeat, stop.signal)] : []),
        ]);
      };
      const measureUntilDecided = (phase: Phase): Promise<void> =>
        measure(phase).catch((error: unknown) => {
          if (error instanceof Inconclusive) return measure(phase, patience);
          throw error;
        });
      const phases = ['idle', 'after a row', 'while a filter rejects'] as const;
      await allSettledOrThrow(phases.map(measureUntilDecided));
    },
    { cases: { default: 2, thorough: 20 } },
  ),
});

type WaitingMode = (typeof waitingModes)[number];

/**
 * The feed must stay open for twice its timeout, on the clock of this machine, and then return a change in time
 * according to probes of the target.
 *
 * @param isOver an additional condition for the end of the waiting time.
 */
async function mustOutliveTimeout(
  context: CheckContext,
  database: DatabaseClient,
  feed: LiveFeed,
  { id, timeout, isOver }: { id: string; timeout: number; isOver: () => boolean },
): Promise<void> {
  const what = 'A feed with a heartbeat ends after its timeout';
  await feed.isMetInTime(() => performance.now() - feed.sentAt > 2 * timeout && isOver(), {
    by: feed.sentAt + 2 * timeout,
    graceMs: timeout,
  });
  if (!(await mustBeOpen(what, feed, context))) return;
  await putDocument(database, id);
  await feed.mustMeetInTime('A feed with a heartbeat does not return a change after its timeout', {
    expected: `a row for "${id}"`,
    isMet: () => feed.rows.some((row) => row.id === id),
  });
  if (feed.request.mode !== 'longpoll') await mustBeOpen(what, feed, context);
}

/** Few cases, since each mode has its own check. */
const casesByMode = { default: 2, thorough: 30 };

/** Uses one timeout before the first heartbeat, and one after several on a feed with a limit. */
const overridesTimeout = (mode: WaitingMode): Run =>
  forAll(
    cases,
    async (context, { history, request, start }) => {
      const { database } = await playNew(context, history);
      const { heartbeatMs: heartbeat } = await choosePeriods(database);
      for (const { id, periods, limit } of [
        { id: 'first', periods: 0.5 },
        { id: 'second', periods: 3, limit: unreachedLimit },
      ]) {
        const since = await sinceFor(context, database, start);
        const timeout = Math.ceil(periods * heartbeat);
        const { query } = context.target.feed.omitMissing({
          query: { since, heartbeat, timeout, ...(limit && { limit }) },
        });
        await withLiveFeed(database, { mode, ...withQuery(request, query) }, async (feed) => {
          const enough = feed.heartbeats + 3;
          const isOver = (): boolean => feed.heartbeats >= enough;
          await mustOutliveTimeout(context, database, feed, { id, timeout, isOver });
        });
      }
    },
    { cases: casesByMode },
  );

/** If the target ignores `heartbeat=true`, the feed ends after its timeout. */
const acceptsTrue = (mode: WaitingMode): Run =>
  forAll(
    cases,
    async (context, { history, request, start }) => {
      const { database } = await playNew(context, history);
      const since = await sinceFor(context, database, start);
      const timeout = 100;
      const live = { mode, ...withQuery(request, { since, heartbeat: true, timeout }) };
      await withLiveFeed(database, live, async (feed) => {
        await feed.waitUntilOpen();
        await feed.mustBeAcceptedLike(
          withQuery(live, { heartbeat: undefined }),
          'The target rejects heartbeat=true',
        );
        await mustOutliveTimeout(context, database, feed, { id: 'live', timeout, isOver: () => true });
      });
    },
    { cases: casesByMode },
  );

/** So many that a server that stops after some heartbeats has stopped. */
const manyHeartbeats = 30;
const shortPeriodMs = 20;

/** Heartbeats must not stop. Their period is left to other checks. */
const goesOn = (modes: readonly FeedMode[]): Run => {
  const what = 'The target stops sending heartbeats while nothing changes';
  return forAll(
    fc.record({ request: liveRequests, start: starts }),
    async (context, { request, start }) => {
      const present = modesOf(context, modes);
      const { database } = await playNew(context, []);
      const since = await sinceFor(context, database, start);
      await allSettledOrThrow(
        present.map((mode) => {
          const live = { mode, ...withQuery(request, { since, heartbeat: shortPeriodMs }) };
          return withLiveFeed(database, live, async (feed) => {
            // One after the other: on a busy machine they may be late, but one always follows.
            while (feed.heartbeats < manyHeartbeats) {
              const enough = feed.heartbeats + 1;
              await feed.mustMeetInTime(what, {
                expected: `heartbeat ${enough}`,
                isMet: () => feed.heartbeats >= enough,
              });
            }
          });
        }),
      );
    },
    { cases: { default: 1, thorough: 3 } },
  );
};

/** So long that the first of several periods can be told from the next. */
const firstPeriodMs = 700;

/** The first heartbeat must arrive in the first period, and after a row in the first period after it. */
const beginsInTime = (modes: readonly FeedMode[]): Run =>
  forAll(
    fc.record({ request: liveRequests, start: starts }),
    async (context, { request, start }) => {
      const present = modesOf(context, modes);
      const { database } = await playNew(context, []);
      const since = await sinceFor(context, database, start);
      const measure = async (mode: FeedMode, isAfterRow: boolean): Promise<void> => {
        const own = isAfterRow ? (await playNew(context, [])).database : database;
        const from = isAfterRow ? await sinceFor(context, own, start) : since;
        const live = { mode, ...withQuery(request, { since: from, heartbeat: firstPeriodMs }) };
        await withLiveFeed(own, live, async (feed) => {
          await feed.waitUntilOpen();
          if (isAfterRow) {
            await putDocument(own, 'live');
            await feed.isMetInTime(() => feed.rows.length > 0);
          }
          const startedAt = feed.rowArrivals.at(-1)?.at ?? feed.headersAt ?? performance.now();
          await mustSendHeartbeatWithin(own, feed, { periodMs: firstPeriodMs, startedAt });
          await mustBeOpen('A feed with a heartbeat ends', feed, context);
        });
      };
      await allSettledOrThrow([
        ...present.map((mode) => measure(mode, false)),
        // A row ends a long poll.
        ...present.filter((mode) => mode !== 'longpoll').map((mode) => measure(mode, true)),
      ]);
    },
    { cases: { default: 1, thorough: 5 } },
  );

/** Without `timeout`, its default from the configuration must not end a feed with a heartbeat either. */
const overridesDefaultTimeout: Run = forAll(
  cases,
  async (context, { history, request, start }) => {
    await allSettledOrThrow(
      modesOf(context, waitingModes).map(async (mode) => {
        const { database } = await playNew(context, history);
        const since = await sinceFor(context, database, start);
        const live = { mode, ...withQuery(request, { since, heartbeat: 100 }) };
        await withLiveFeed(database, live, (feed) =>
          mustOutliveTimeout(context, database, feed, {
            id: 'live',
            timeout: shortDefaultMs,
            isOver: () => true,
          }),
        );
      }),
    );
  },
  { cases: { default: 1, thorough: 5 } },
);

/**
 * A heartbeat must arrive at the end of the default period, and none before. One at the very start of the feed does not
 * count. Only time in which the target answers other requests counts as late.
 */
async function mustUseDefaultPeriod(context: CheckContext, mode: WaitingMode): Promise<void> {
  const { database } = await playNew(context, []);
  await withLiveFeed(database, { mode, query: { heartbeat: true } }, async (feed) => {
    const earliest = feed.sentAt + 0.9 * defaultPeriodMs;
    const what = 'With heartbeat=true, the target does not send a heartbeat in the default period';
    await feed.mustMeetInTime(what, {
      by: feed.sentAt + defaultPeriodMs,
      expected: `a heartbeat every ${defaultPeriodMs} ms`,
      isMet: () => feed.heartbeatTimes.some((at) => at > earliest),
    });
    mustHaveNoEarlyHeartbeat(feed, defaultPeriodMs);
  });
}

/** Finds a default that is much shorter, without waiting for a whole period. */
async function mustNotUseShorterPeriod(context: CheckContext, mode: WaitingMode): Promise<void> {
  const { database } = await playNew(context, []);
  await withLiveFeed(database, { mode, query: { heartbeat: true } }, async (feed) => {
    await watch(feed, 'default');
    mustHaveNoEarlyHeartbeat(feed, defaultPeriodMs);
  });
}

const usesDefaultPeriod =
  (mode: WaitingMode): Run =>
  async (context) => {
    const { profile } = context.property;
    await allSettledOrThrow([
      acceptsTrue(mode)(context),
      ...(profile === 'default' ? [mustNotUseShorterPeriod(context, mode)] : []),
      ...(profile === 'thorough' ? [mustUseDefaultPeriod(context, mode)] : []),
    ]);
  };

const inMode = (mode: WaitingMode, runIn: (mode: WaitingMode) => Run): CheckDefinition => ({
  uses: { query: { feed: mode } },
  waits: 'period',
  run: runIn(mode),
});

export const heartbeatLines = defineRule('heartbeat-lines', {
  rung: 'heartbeat',
  inTraffic: {
    how: 'by periods',
    part: {
      judged: 'A feed with heartbeats is not silent for several of its periods.',
      rest: unseen.precise,
    },
  },
  checks: {
    'heartbeat-lines': sendsHeartbeats(['longpoll', 'continuous']),

    'heartbeat-lines/many': { waits: 'period', run: goesOn(['longpoll', 'continuous']) },

    'heartbeat-lines/first': { waits: 'period', run: beginsInTime(['longpoll', 'continuous']) },
  },
});

/** What ends earlier may end at once. */
const shortestTimeoutMs = 100;

/** Whether only the target can have ended a feed with a heartbeat. */
function isTargetsEnd({ parameters, count, end, hasResults, passed: { query } }: JudgedFeed): boolean {
  const { mode, heartbeat, limit, timeout = defaultPeriodMs } = parameters;
  if (heartbeat === undefined || timeout < shortestTimeoutMs) return false;
  if (query.has('limit') && (limit === undefined || count >= limit)) return false;
  if (mode === 'longpoll') return hasResults && count === 0;
  // Gateways end what lasts for some whole seconds.
  return mode === 'continuous' ? end !== undefined : mode === 'eventsource' && timeout % 1000 !== 0;
}

/** A judge of feeds with a heartbeat that ends: not at the timeout each time. */
function mustNotEndAtTimeout(feed: JudgedFeed): boolean {
  const { parameters, passed } = feed;
  const { mode, timeout = defaultPeriodMs } = parameters;
  const known = passed.database?.timedOut;
  if (!known || !isTargetsEnd(feed)) return false;
  const { startedAt, endedAt = startedAt } = passed.passing;
  const last = known.get(mode);
  // They would have one cause.
  if (last && last.endedAt > startedAt) return false;
  if (!wasSilentFor(timeout, feed)) {
    known.delete(mode);
    return false;
  }
  const feeds = (last?.feeds ?? 0) + 1;
  known.set(mode, { feeds, endedAt });
  must(feeds < endsInARow, 'A feed with a heartbeat ends at its timeout', {
    path: `the ${mode} feed`,
    expected: 'an open feed',
    actual: `the end after ${timeout} ms without a change, ${endsInARow} times in a row`,
  });
  return false;
}

export const heartbeatOverrides = defineRule('heartbeat-overrides', {
  rung: 'heartbeat',
  inTraffic: {
    part: {
      judged: 'A feed with a heartbeat outlives its timeout, or does not end at it several times in a row.',
      rest: unseen.earlyEnd,
    },
    // A feed that lives longer.
    feed: ({ arrival, feed }) => {
      const { parameters, passed, lastRowAt } = feed;
      const { heartbeat, timeout } = parameters;
      const isOpen = arrival.kind === 'heartbeat' && heartbeat !== undefined && timeout !== undefined;
      return isOpen && feed.isLive && passed.passing.seenAt - lastRowAt > timeout;
    },
    feedEnd: mustNotEndAtTimeout,
  },
  checks: {
    'heartbeat-overrides/longpoll': inMode('longpoll', overridesTimeout),

    'heartbeat-overrides/continuous': inMode('continuous', overridesTimeout),

    'heartbeat-overrides/eventsource': inMode('eventsource', overridesTimeout),

    'heartbeat-overrides/default': {
      settings: shortDefault,
      needs: ['config-write'],
      uses: { query: { feed: 'eventsource' } },
      waits: 'period',
      run: overridesDefaultTimeout,
    },
  },
});

export const heartbeatTrue = defineRule('heartbeat-true', {
  rung: 'heartbeat',
  inTraffic: {
    part: { judged: 'The value `true` is not refused.', rest: unseen.slow },
    // Its period is judged as that of any other heartbeat.
    response: (passed) => {
      const { isFeed, passing, query, body } = passed;
      const isWaiting = waitingModes.some((mode) => mode === query.get('feed'));
      if (!isFeed || !isWaiting || query.get('heartbeat') !== 'true' || passing.status !== 400) return false;
      if (!passed.isPlainBut('heartbeat')) return false;
      const reason = String(body['reason']);
      // The reason for another refusal may repeat the path.
      if (!/heartbeat/i.test(reason) || reason.includes('_changes')) return false;
      mustRespond(passed.exchange, 200, 'The target rejects heartbeat=true');
    },
    feed: ({ arrival, feed: { passed } }) =>
      passed.query.get('heartbeat') === 'true' && passed.isClear('heartbeat') && arrival.kind === 'heartbeat',
  },
  checks: {
    'heartbeat-true/longpoll': inMode('longpoll', usesDefaultPeriod),

    'heartbeat-true/continuous': inMode('continuous', usesDefaultPeriod),

    'heartbeat-true/eventsource': inMode('eventsource', usesDefaultPeriod),
  },
});

export const eventsourceHeartbeat = defineRule('eventsource-heartbeat', {
  rung: 'heartbeat',
  uses: { query: { feed: 'eventsource' } },
  inTraffic: {
    how: 'by periods',
    part: {
      judged: 'A feed with heartbeats is not silent for several of its periods.',
      rest: unseen.precise,
    },
  },
  checks: {
    'eventsource-heartbeat': sendsHeartbeats(['eventsource']),

    'eventsource-heartbeat/many': { waits: 'period', run: goesOn(['eventsource']) },

    'eventsource-heartbeat/first': { waits: 'period', run: beginsInTime(['eventsource']) },
  },
});
