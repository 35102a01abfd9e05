/** Long polling (SERVICE 4.7 mode 2): waits for a change, sends it, and ends. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { liveRequests, presents, singleChanges } from '../arbitraries/live.js';
import { histories } from '../arbitraries/histories.js';
import { readFeed, comparableRow } from '../play/feed.js';
import { withLiveFeed, type LiveRequest } from '../play/live-feed.js';
import { play, playNew } from '../play/player.js';
import { equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type CheckContext } from '../check.js';
import {
  endToleranceMs,
  longMs,
  mayRepeatRows,
  mustBeOpen,
  mustNotEndEarly,
  choosePeriods,
} from './shared/timing.js';
import { beatsOf, presentOf, rowsOfChanged } from './shared/open-feeds.js';

const mode = 'longpoll';

/** A period of heartbeats of which some go by. */
const shortMs = 10;

/** How a waiting request is kept open, longer than the check lasts. */
const patience = fc.constantFrom<LiveRequest['query']>(
  {},
  { timeout: longMs },
  { heartbeat: longMs },
  { heartbeat: shortMs },
  { heartbeat: shortMs },
);

/** What the kit can do without changing a document of the database, all of it more than a round trip. */
async function changeNothing(context: CheckContext, database: DatabaseClient): Promise<void> {
  const other = await context.createDatabase();
  await play(other, [{ id: 'elsewhere', writes: [{ kind: 'put', leaf: 0, body: {} }] }]);
  const headers = { 'content-type': 'application/json' };
  await database.request({ method: 'PUT', path: '/refused', headers, body: '{', deliberatelyWrong: true });
  await readFeed(database);
}

const cases = fc.record({ history: histories, request: liveRequests, present: presents });

export const longpollChecks: readonly Check[] = [
  check({
    rule: 'longpoll-waits',
    waits: true,
    run: forAll(
      fc.record({ history: histories, request: liveRequests, present: presents, patience }),
      async (context, { history, request: { method, query }, present, patience }) => {
        const { database } = await playNew(context, history);
        const since = await presentOf(context, database, present);
        await withLiveFeed(
          database,
          { mode, method, query: { ...query, ...patience, since } },
          async (feed) => {
            await feed.waitUntilOpen();
            const refused = (feed.response?.status ?? 200) !== 200;
            if (refused) mustMatch('A long poll is refused', feed.response!.status, equalTo(200), 'status');
            await changeNothing(context, database);
            if (patience?.heartbeat === shortMs) {
              const few = beatsOf(feed) + 2;
              await feed.isMetInTime(() => beatsOf(feed) >= few, {
                by: performance.now(),
                graceMs: 10 * shortMs,
              });
            }
            const what = 'A long poll with nothing to report is answered';
            await mustBeOpen(what, feed, context);
          },
        );
      },
      { runs: { default: 12, thorough: 100 } },
    ),
  }),

  check({
    rule: 'longpoll-delivers',
    waits: true,
    run: forAll(
      fc.record({ history: histories, request: liveRequests, present: presents, change: singleChanges }),
      async (context, { history, request: { method, query }, present, change }) => {
        const { database, state: before } = await playNew(context, history);
        const since = await presentOf(context, database, present);
        const request = { mode, method, query: { ...query, since } } as const;
        await withLiveFeed(database, request, async (feed) => {
          const isOpen = await feed.waitUntilOpen();
          // A target may begin to wait after the change: then it need not count as one since `now`.
          if (!isOpen && since === 'now') return;
          if (!(await mustBeOpen('A long poll with nothing to report is answered', feed, context))) return;
          const after = await play(database, [change], before);
          const by = performance.now();
          const expected = await rowsOfChanged(database, request, before, after);
          if (expected.length === 0) return;
          await feed.mustMeetInTime('A waiting long poll is not answered when there is a change', {
            by,
            expected: 'the end of the response',
            isMet: () => feed.endedAt !== undefined,
          });
          const rows = feed.rows.filter(({ id }) => id === change.id);
          if (rows.length === 0 && feed.rows.length > 0 && mayRepeatRows(context)) return;
          const what = 'A waiting long poll is not answered with the row of the change as in normal mode';
          mustMatch(what, rows.map(comparableRow), sameElements(expected.map(comparableRow)), '$.results');
          const later = await play(
            database,
            [{ id: 'later', writes: [{ kind: 'put', leaf: 0, body: {} }] }],
            after,
          );
          const { ids } = await readFeed(database, { since: feed.end?.lastSeq });
          const complete = satisfying('a row for "later"', () => later.size > 0 && ids.includes('later'));
          mustMatch('The last_seq of a long poll loses what comes after', ids, complete, '$.results');
        });
      },
    ),
  }),

  check({
    rule: 'longpoll-behind',
    waits: true,
    run: forAll(
      fc.record({
        history: histories,
        request: liveRequests,
        skipped: fc.nat({ max: 3 }),
        limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 }),
        patience,
      }),
      async (context, { history, request: { method, query }, skipped, limit, patience }) => {
        const { database } = await playNew(context, history);
        const all = await readFeed(database, query, method);
        if (all.rows.length <= skipped) return;
        const since = skipped === 0 ? undefined : all.rows[skipped - 1]!.seq;
        const expected = all.rows.slice(skipped);
        // Rows from before `since` take places within the limit.
        const most = mayRepeatRows(context) ? undefined : limit;
        const request = { mode, method, query: { ...query, ...patience, since, limit: most } } as const;
        await withLiveFeed(database, request, async (feed) => {
          await feed.mustMeetInTime('A long poll that is behind is not answered at once', {
            by: feed.sentAt,
            expected: `the rows of normal mode: ${JSON.stringify(expected.map(({ id }) => id))}`,
            isMet: () => feed.endedAt !== undefined,
          });
          const what = 'A long poll that is behind does not give what normal mode gives';
          const rows = feed.rows.map(comparableRow);
          const wanted = expected.map(comparableRow);
          const missing = wanted.filter((row) => !rows.some((shown) => isDeepStrictEqual(shown, row)));
          const matcher =
            most !== undefined && most < wanted.length
              ? // Which rows come within a limit is a matter of order, and that may differ from call to call.
                satisfying(`${most} rows`, () => rows.length === most)
              : mayRepeatRows(context)
                ? satisfying(`also ${JSON.stringify(missing)}`, () => missing.length === 0)
                : sameElements(wanted);
          mustMatch(what, rows, matcher, '$.results');
        });
      },
    ),
  }),

  check({
    rule: 'longpoll-timeout',
    waits: true,
    run: forAll(
      cases,
      async (context, { history, request: { method, query }, present }) => {
        const { database, state } = await playNew(context, history);
        const since = await presentOf(context, database, present);
        const { timeoutMs: timeout } = await choosePeriods(database);
        const request = { mode, method, query: { ...query, since, timeout } } as const;
        await withLiveFeed(database, request, async (feed) => {
          await feed.mustMeetInTime('A long poll does not end when its timeout is over', {
            by: feed.sentAt + timeout,
            graceMs: endToleranceMs(timeout),
            expected: 'the end of the response',
            isMet: () => feed.endedAt !== undefined,
          });
          if (feed.rows.length > 0) {
            if (!(await mustBeOpen('A long poll has rows where nothing was written', feed, context))) return;
          }
          mustNotEndEarly('A long poll ends before its timeout', feed, feed.sentAt, timeout);
          const { lastSeq } = feed.end ?? {};
          if (lastSeq === undefined || lastSeq === null) {
            throw new Violation('A long poll that timed out has no last_seq', {
              path: '$.last_seq',
              expected: 'a seq',
              actual: lastSeq,
            });
          }
          await play(database, [{ id: 'later', writes: [{ kind: 'put', leaf: 0, body: {} }] }], state);
          const { ids } = await readFeed(database, { since: lastSeq });
          const complete = satisfying('a row for "later"', () => ids.includes('later'));
          mustMatch('The last_seq of a timeout loses what comes after', ids, complete, '$.results');
        });
      },
      { runs: { default: 6, thorough: 60 } },
    ),
  }),
];
