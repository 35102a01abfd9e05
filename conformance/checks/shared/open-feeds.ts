/** What feeds that stay open have in common, and the rules that are the same for continuous and event source feeds. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { histories, stagedHistories } from '../../arbitraries/histories.js';
import { liveRequests, presents } from '../../arbitraries/live.js';
import { changedIds, type DatabaseState } from '../../model/history.js';
import { requestFeed, feedOf, readFeed, comparableRow, type Row } from '../../play/feed.js';
import { withLiveFeed, type LiveFeed, type LiveRequest } from '../../play/live-feed.js';
import { playConcurrently } from '../../play/concurrent-writers.js';
import { play, playNew } from '../../play/player.js';
import { equalTo, mustMatch, satisfying } from '../../verdict/matchers.js';
import { Inconclusive } from '../../verdict/outcomes.js';
import type { DatabaseClient } from '../../client/client.js';
import { forAll, type CheckContext, type Run } from '../../check.js';
import {
  endToleranceMs,
  longMs,
  mayRepeatRows,
  mustBeOpen,
  mustNotEndEarly,
  choosePeriods,
} from './timing.js';

/** Where the database stands: as `now`, or as the seq, where that gives nothing from before. */
export async function presentOf(
  context: CheckContext,
  database: DatabaseClient,
  present: 'now' | 'last_seq',
): Promise<unknown> {
  return present === 'now' || mayRepeatRows(context) ? 'now' : (await readFeed(database)).lastSeq;
}

/** Whether the latest rows of the feed say of these documents what the given ones say. */
export function shows(feed: LiveFeed, expected: readonly Row[]): boolean {
  const latest = new Map(feed.rows.map((row) => [row.id, row]));
  return expected.every((row) => {
    const shown = latest.get(row.id);
    return shown !== undefined && isDeepStrictEqual(comparableRow(shown), comparableRow(row));
  });
}

/** What normal mode says of the documents that were changed between the two states. */
export async function rowsOfChanged(
  database: DatabaseClient,
  { query, method }: LiveRequest,
  before: DatabaseState,
  after: DatabaseState,
): Promise<Row[]> {
  const changed = changedIds(before, after);
  const { rows } = await readFeed(database, { ...query, since: undefined }, method);
  return rows.filter(({ id }) => changed.has(id));
}

type Stream = 'continuous' | 'eventsource';

const patience = fc.constantFrom<LiveRequest['query']>(
  {},
  { timeout: longMs },
  { heartbeat: longMs },
  { heartbeat: 20 },
);

const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

/** First come, at once, the changes that are there already; then the feed stays open. */
export const past = (mode: Stream): Run =>
  forAll(
    fc.record({ history: histories, request: liveRequests, skipped: fc.nat({ max: 3 }), patience }),
    async (context, { history, request: { method, query }, skipped, patience }) => {
      const { database } = await playNew(context, history);
      const all = await readFeed(database, query, method);
      const since = skipped === 0 ? undefined : all.rows[skipped - 1]?.seq;
      const expected = since === undefined ? all.rows : all.rows.slice(skipped);
      const request = { mode, method, query: { ...query, ...patience, since } };
      await withLiveFeed(database, request, async (feed) => {
        await feed.mustMeetInTime('The changes that are there already do not come at once', {
          by: feed.sentAt,
          expected: `the rows of normal mode: ${JSON.stringify(ids(expected))}`,
          isMet: () => feed.rows.length >= expected.length && shows(feed, expected),
        });
        await mustBeOpen('The feed ends after the changes that were there already', feed, context);
        const allowed = mayRepeatRows(context) ? all.ids : ids(expected);
        const extra = ids(feed.rows).find((id) => !allowed.includes(id));
        mustMatch('The feed has a row that normal mode has not', extra, equalTo(undefined), 'an id');
      });
    },
  );

const liveStages = 3;
const writers = 8;

/** Every document changed while the feed is open gets a row, again and again, and after idle time. */
export const present = (mode: Stream): Run =>
  forAll(
    fc.record({
      history: stagedHistories(liveStages),
      request: liveRequests,
      present: presents,
      patience,
      /** Whether the writes of a stage are made at once, or one after the other. */
      beside: fc.boolean(),
      /** After how many heartbeats, or round trips where there are none, the next stage begins. */
      idle: fc.nat({ max: 2 }),
    }),
    async (
      context,
      { history: [past, ...stages], request: { method, query }, present, patience, beside, idle },
    ) => {
      const { database, state } = await playNew(context, past!);
      const since = await presentOf(context, database, present);
      const request = { mode, method, query: { ...query, ...patience, since } };
      await withLiveFeed(database, request, async (feed) => {
        if (!(await feed.waitUntilOpen()) && since === 'now') return;
        let before = state;
        for (const stage of stages) {
          const after = beside
            ? await playConcurrently([database], [stage], { before, writers })
            : await play(database, stage, before);
          const by = performance.now();
          const expected = await rowsOfChanged(database, request, before, after);
          await feed.mustMeetInTime('A change that is made while the feed is open does not come', {
            by,
            expected: `rows for ${JSON.stringify(ids(expected))}`,
            isMet: () => shows(feed, expected),
          });
          const enough = beatsOf(feed) + idle;
          for (let trip = 0; trip < 2 * idle && beatsOf(feed) < enough; trip += 1) {
            await database.request({ path: '' });
          }
          before = after;
        }
        await mustBeOpen('The feed ends by itself', feed, context);
      });
    },
  );

export const beatsOf = ({ arrivals }: LiveFeed): number =>
  arrivals.filter(({ kind }) => kind === 'beat').length;

/** With `limit` so many rows come, past or live, and then the end. */
export const limited = (mode: Stream, judgeEnd: (feed: LiveFeed) => void): Run =>
  forAll(
    fc.record({
      history: histories,
      request: liveRequests,
      limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 })),
      patience,
    }),
    async (context, { history, request: { method, query }, limit, patience }) => {
      const { database, state: past } = await playNew(context, history);
      const { ids: before } = await readFeed(database, {}, method);
      // What is missing is written while the feed is open, but not by hundreds of requests.
      const wanted = Math.min(limit, before.length + 3);
      const request = { mode, method, query: { ...query, ...patience, limit: wanted } };
      await withLiveFeed(database, request, async (feed) => {
        // What stands at the end may have any form here.
        const given = (): string[] =>
          feed.arrivals.flatMap((arrival) => (arrival.kind === 'row' ? [arrival.row.id] : []));
        const bring = (count: number, by: number): Promise<void> =>
          feed.mustMeetInTime('The feed ends before it has given as many rows as limit allows', {
            by,
            expected: `${count} of ${wanted} rows`,
            isMet: () => given().length >= count,
          });
        const written = [...before];
        await bring(Math.min(wanted, before.length), feed.sentAt);
        let state = past;
        while (written.length < wanted) {
          await mustBeOpen('The feed ends before it has given as many rows as limit allows', feed, context);
          const id = `live-${written.length}`;
          state = await play(database, [{ id, writes: [{ kind: 'put', leaf: 0, body: {} }] }], state);
          written.push(id);
          await bring(written.length, performance.now());
        }
        await feed.mustMeetInTime('The feed does not end after limit rows', {
          by: performance.now(),
          expected: 'the end of the response',
          isMet: () => feed.endedAt !== undefined,
        });
        const exact = satisfying(`${wanted} rows`, () => given().length === wanted);
        mustMatch('limit does not give that many rows', given(), exact, `the ${mode} feed`);
        judgeEnd(feed);
        const since = feed.end?.lastSeq ?? feed.rows.at(-1)!.seq;
        const resumed = await requestFeed(database, { since });
        const what = 'The last_seq at the end is not understood as since';
        mustMatch(what, resumed.status, equalTo(200), `the status for since=${JSON.stringify(since)}`);
        const rest = feedOf(resumed);
        const missed = written.filter((id) => !rest.ids.includes(id) && !given().includes(id));
        mustMatch('Resuming after limit loses changes', missed, equalTo([]), 'ids without a row');
      });
    },
  );

/** With `timeout` the feed ends so long after the last change, or after its start. */
export const timed = (mode: Stream): Run =>
  forAll(
    fc.record({
      history: histories,
      request: liveRequests,
      present: fc.constantFrom('now' as const, 'last_seq' as const, undefined),
      changes: fc.constantFrom(0, 1, 1, 2),
    }),
    async (context, { history, request: { method, query }, present, changes }) => {
      const { database, state } = await playNew(context, history);
      const { timeoutMs } = await choosePeriods(database);
      // On a machine that is busy with other things the kit may be too slow to write within a short period.
      for (const timeout of [timeoutMs, 3 * timeoutMs, 9 * timeoutMs]) {
        const since = present && (await presentOf(context, database, present));
        const request = { mode, method, query: { ...query, since, timeout } };
        const isJudged = await withLiveFeed(database, request, (feed) =>
          endsInTime(feed, timeout, changes, (id) =>
            play(database, [{ id, writes: [{ kind: 'put', leaf: 0, body: {} }] }], state),
          ),
        );
        if (isJudged) return;
      }
      throw new Inconclusive('Each feed had timed out before there was the time to write.');
    },
    { runs: { default: 8, thorough: 60 } },
  );

/**
 * Writes some documents while the feed waits, and then waits for its end.
 *
 * @returns whether the writes came before the end, so that it could be judged.
 */
async function endsInTime(
  feed: LiveFeed,
  timeout: number,
  changes: number,
  write: (id: string) => Promise<unknown>,
): Promise<boolean> {
  const early = 'The feed ends before its timeout';
  const rowAt = (id?: string): number | undefined =>
    feed.arrivals.findLast((arrival) => arrival.kind === 'row' && (id === undefined || arrival.row.id === id))
      ?.at;
  // A moment before the target begins to wait.
  let from = feed.sentAt;
  for (let change = 0; change < changes; change += 1) {
    await feed.waitUntilOpen();
    await restFor(feed, (rowAt() ?? feed.sentAt) + timeout / 2);
    const id = `live-${timeout}-${change}`;
    const wroteAt = performance.now();
    if (feed.endedAt === undefined) {
      await write(id);
      await feed.until(() => rowAt(id) !== undefined);
    }
    if (rowAt(id) === undefined) {
      mustNotEndEarly(early, feed, from, timeout);
      return false;
    }
    from = wroteAt;
  }
  await feed.mustMeetInTime('The feed does not end when its timeout is over', {
    by: (rowAt() ?? feed.sentAt) + timeout,
    graceMs: endToleranceMs(timeout),
    expected: 'the end of the response',
    isMet: () => feed.endedAt !== undefined,
  });
  mustNotEndEarly(early, feed, from, timeout);
  return true;
}

/** Returns at that time, or when the feed ends before. */
async function restFor(feed: LiveFeed, until: number): Promise<void> {
  const timer = new AbortController();
  const rest = wait(Math.max(0, until - performance.now()), undefined, { signal: timer.signal });
  try {
    await Promise.race([feed.until(() => false), rest]);
  } finally {
    timer.abort();
    await rest.catch(() => {});
  }
}
