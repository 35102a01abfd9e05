/** Long polling: waits for a change, sends it, and ends (SERVICE 4.7 mode 2). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type CheckContext,
  type CheckDefinition,
  comparableRow,
  type DatabaseClient,
  defineRule,
  type DocumentHistory,
  existingContents,
  type FeedQuery,
  forAll,
  liveRequests,
  must,
  newDocument,
  play,
  playNew,
  putDocument,
  putLocalDocument,
  readFeed,
  type Row,
  singleChanges,
  starts,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import { endsAfterTimeoutWithFilter } from '../shared/filtered-timeout.js';
import { readChangedRows, sinceFor } from '../shared/live-changes.js';
import { mustEndAfter } from '../shared/measured-periods.js';
import { mustContainIds, mustHaveSameRows } from '../shared/row-assertions.js';
import {
  choosePeriods,
  liveCases,
  longTimeoutMs,
  mayRepeatRows,
  mustBeOpen,
  mustNotEndEarly,
} from '../shared/timing.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';

const mode = 'longpoll';

/** A heartbeat period that passes several times during the check. */
const shortMs = 10;

/** Parameters that keep a waiting request open longer than the check lasts. */
const keepOpen = fc.constantFrom<{ query: FeedQuery }[]>(
  { query: {} },
  { query: { timeout: longTimeoutMs } },
  { query: { heartbeat: longTimeoutMs } },
  { query: { heartbeat: shortMs } },
  { query: { heartbeat: shortMs } },
);

/** Sends requests that do not change a document of the database. This takes several round trips. */
async function changeNothing(context: CheckContext, database: DatabaseClient): Promise<void> {
  const other = await context.createDatabase();
  await putDocument(other, 'elsewhere');
  const headers = { 'content-type': 'application/json' };
  await database.request({ method: 'PUT', path: '/refused', headers, body: '{', deliberatelyWrong: true });
  await readFeed(database);
}

/** The long poll must return the rows of normal mode, as far as its limit allows. */
function mustReturnRows(
  rows: readonly Row[],
  expected: readonly Row[],
  { limit, mayRepeat }: { limit: number | undefined; mayRepeat: boolean },
): void {
  const what = 'A long poll for existing changes does not return the rows of normal mode';
  const received = rows.map(comparableRow);
  if (limit !== undefined && limit < expected.length) {
    // The order may differ between requests, and so may the rows within a limit.
    must(rows.length === limit, what, {
      path: '$.results',
      expected: `${limit} rows`,
      actual: received,
    });
  } else if (mayRepeat) {
    const missing = expected
      .map(comparableRow)
      .filter((row) => !received.some((other) => isDeepStrictEqual(other, row)));
    must(missing.length === 0, what, {
      path: '$.results',
      expected: `also ${JSON.stringify(missing)}`,
      actual: received,
    });
  } else {
    mustHaveSameRows(what, rows, expected);
  }
}

/** A document that only its deletion changes. */
const deletedDocument = newDocument('deleted');
const deletion: DocumentHistory = { id: 'deleted', writes: [{ kind: 'delete', leaf: 0, body: {} }] };

const unfounded = 'The target answers a long poll although nothing has changed';

/**
 * The response must end in time after the write was confirmed; only time in which the target answers other requests
 * counts.
 */
const delivers = (
  changes: fc.Arbitrary<DocumentHistory>,
  cases: { readonly default: number; readonly thorough: number },
): CheckDefinition => ({
  waits: 'changes',
  run: forAll(
    fc.record({ start: starts, request: liveRequests, change: changes, history: existingContents }),
    async (context, { history, request, start, change }) => {
      const { database, state: before } = await playNew(context, [deletedDocument, ...history]);
      const since = await sinceFor(context, database, start);
      const live = { mode, ...withQuery(request, { since }) } as const;
      await withLiveFeed(database, live, async (feed) => {
        if (!(await mustBeOpen(unfounded, feed, context))) return;
        const after = await play(database, [change], before);
        const by = performance.now();
        const expected = await readChangedRows(database, live, before, after);
        if (expected.length === 0) return;
        await feed.mustEndInTime('The target does not answer a waiting long poll when a document changes', {
          by,
        });
        const rows = feed.rows.filter(({ id }) => id === change.id);
        if (rows.length === 0 && feed.rows.length > 0 && mayRepeatRows(context)) return;
        const what = 'A long poll does not return the row of the change as normal mode does';
        feed.judge(() => mustHaveSameRows(what, rows, expected));
        await putDocument(database, 'later', after);
        const lastSeq = feed.end?.lastSeq;
        const { ids } = await readFeed(database, { query: { since: lastSeq } });
        mustContainIds(
          'Resuming from the last_seq of a long poll loses later changes',
          ids,
          ['later'],
          lastSeq,
        );
      });
    },
    { cases },
  ),
});

export const longpollWaits = defineRule('longpoll-waits', {
  rung: 'modes',
  uses: { query: { feed: 'longpoll' } },
  notInTraffic: unseen.earlyEnd,
  checks: {
    // The feed must stay open during several requests that change nothing. Load can only make the check last longer.
    'longpoll-waits': {
      waits: 'changes',
      run: forAll(
        fc.record({ start: starts, keepOpen, request: liveRequests, history: existingContents }),
        async (context, { history, request, start, keepOpen }) => {
          const { database } = await playNew(context, history);
          const since = await sinceFor(context, database, start);
          const live = { mode, ...withQuery(request, { ...keepOpen.query, since }) } as const;
          await withLiveFeed(database, live, async (feed) => {
            await feed.waitUntilOpen();
            await feed.mustBeAcceptedLike({ ...live, mode: 'normal' }, 'The target rejects a long poll');
            await changeNothing(context, database);
            if (keepOpen.query.heartbeat === shortMs) {
              const enough = feed.heartbeats + 2;
              await feed.isMetInTime(() => feed.heartbeats >= enough, { graceMs: 10 * shortMs });
            }
            await mustBeOpen(unfounded, feed, context);
          });
        },
        { cases: liveCases },
      ),
    },
  },
});

export const feedLocalDocumentsLongpoll: CheckDefinition = {
  uses: { query: { feed: 'longpoll' } },
  waits: 'changes',
  run: async (context) => {
    const { database } = await playNew(context, [newDocument('a')]);
    const since = await sinceFor(context, database, 'last_seq');
    await withLiveFeed(database, { mode, query: { since } }, async (feed) => {
      await feed.waitUntilOpen();
      await putLocalDocument(database, 'a');
      await mustBeOpen(unfounded, feed, context);
    });
  },
};

export const longpollDelivers = defineRule('longpoll-delivers', {
  rung: 'modes',
  uses: { query: { feed: 'longpoll' } },
  notInTraffic: unseen.arrival,
  checks: {
    'longpoll-delivers': delivers(singleChanges, liveCases),

    'longpoll-delivers/deletion': delivers(fc.constant(deletion), { default: 2, thorough: 20 }),
  },
});

export const longpollBehind = defineRule('longpoll-behind', {
  rung: 'modes',
  uses: { query: { feed: 'longpoll' } },
  inTraffic: {
    how: 'by writes',
    part: {
      judged: 'A write that passed has a row in a later long poll that begins before it and returns rows.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
  },
  checks: {
    // The response must end in time after the request was sent; only time in which the target answers other requests
    // counts.
    'longpoll-behind': {
      waits: 'changes',
      run: forSharedHistories(
        {
          request: liveRequests,
          skipped: fc.nat({ max: 3 }),
          limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 }),
          keepOpen,
        },
        async ({ database }, { request, skipped, limit, keepOpen }, context) => {
          const { rows: all } = await readFeed(database, request);
          if (all.length <= skipped) return;
          const since = skipped === 0 ? undefined : all[skipped - 1]!.seq;
          const expected = all.slice(skipped);
          const mayRepeat = mayRepeatRows(context);
          // Repeated rows from before `since` also count towards the limit.
          const usedLimit = mayRepeat ? undefined : limit;
          const live = {
            mode,
            ...withQuery(request, { ...keepOpen.query, since, limit: usedLimit }),
          } as const;
          await withLiveFeed(database, live, async (feed) => {
            await feed.mustMeetInTime(
              'The target does not answer a long poll for existing changes immediately',
              {
                by: feed.sentAt,
                expected: `the rows of normal mode: ${JSON.stringify(expected.map(({ id }) => id))}`,
                isMet: () => feed.endedAt !== undefined,
              },
            );
            feed.judge(() => mustReturnRows(feed.rows, expected, { limit: usedLimit, mayRepeat }));
          });
        },
      ),
    },
  },
});

export const longpollTimeout = defineRule('longpoll-timeout', {
  rung: 'modes',
  uses: { query: { feed: 'longpoll' } },
  otherRungs: {
    'longpoll-timeout/filtered': 'filters',
  },
  inTraffic: {
    how: 'by periods',
    part: { judged: 'The feed ends, at the latest long after its timeout.', rest: unseen.precise },
  },
  checks: {
    // Measures the time between the headers and the end; that the end is not early, from the request on.
    'longpoll-timeout': {
      waits: 'period',
      run: forAll(
        fc.record({ start: starts, request: liveRequests, history: existingContents }),
        async (context, { history, request, start }) => {
          const { database, state } = await playNew(context, history);
          const since = await sinceFor(context, database, start);
          const { timeoutMs: timeout } = await choosePeriods(database);
          const live = { mode, ...withQuery(request, { since, timeout }) } as const;
          await withLiveFeed(database, live, async (feed) => {
            await mustEndAfter('A long poll does not end after its timeout', database, feed, {
              periodMs: timeout,
            });
            if (feed.rows.length > 0 && !(await mustBeOpen(unfounded, feed, context))) return;
            mustNotEndEarly('A long poll ends before its timeout', feed, feed.sentAt, timeout);
            const { lastSeq } = feed.end ?? {};
            must(
              lastSeq !== undefined && lastSeq !== null,
              'The response to a long poll that timed out has no last_seq',
              { path: '$.last_seq', expected: 'a seq', actual: lastSeq },
            );
            await putDocument(database, 'later', state);
            const { ids } = await readFeed(database, { query: { since: lastSeq } });
            const what = 'Resuming from the last_seq of a long poll that timed out loses later changes';
            mustContainIds(what, ids, ['later'], lastSeq);
          });
        },
        { cases: { default: 6, thorough: 60 } },
      ),
    },

    'longpoll-timeout/filtered': endsAfterTimeoutWithFilter(mode),
  },
});
