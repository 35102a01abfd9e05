/** Every query parameter has the same effect in each mode (SERVICE 4.5, 4.7). */
import fc from 'fast-check';
import { attachments, compressibleAttachment } from '../arbitraries/attachments.js';
import {
  bySelector,
  designScenarios,
  functions,
  idsScenarios,
  scenarios,
  selectorBodies,
  selectors,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { stagedHistories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { withQuery, type FeedMode, type FeedQuery, type FeedRequest } from '../model/feed.js';
import type { DocumentHistory } from '../model/history.js';
import { comparableRow, readFeed, type Row } from '../play/feed.js';
import { playForFilters, withFilter } from '../play/filters.js';
import { withLiveFeed, type LiveFeed } from '../play/live-feed.js';
import { play } from '../play/player.js';
import { equalTo, must, mustMatch } from '../verdict/matchers.js';
import { check, forAll, type Check, type CheckContext, type Run } from '../check.js';
import { hasRows, readChangedRows, sinceFor } from './shared/live-changes.js';
import { singleShard } from './shared/paging.js';
import { mustHaveSameRows, mustHaveSeqInEach } from './shared/rows.js';
import { mayRepeatRows } from './shared/timing.js';

type OpenMode = Exclude<FeedMode, 'normal'>;

const withAttachments = ({ target }: CheckContext): boolean => target.has('attachments');

/** Any combination of all parameters except `since`, `heartbeat` and `timeout`, which concern the modes themselves. */
function requestsOf(context: CheckContext): fc.Arbitrary<FeedRequest> {
  const more = fc.record<FeedQuery, never>(
    {
      ...(withAttachments(context) && {
        attachments: fc.constantFrom(false, true),
        att_encoding_info: fc.constantFrom(false, true, true),
      }),
      seq_interval: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  );
  const request = fc.oneof(
    { weight: 2, arbitrary: requests({ feed: undefined, include_docs: true }) },
    { weight: 1, arbitrary: requests({ feed: undefined }) },
  );
  return fc.tuple(request, more).map(([request, more]) => withQuery(request, more));
}

/** Databases to read without or with a filter, of which only the first is used. */
function scenariosOf(context: CheckContext): fc.Arbitrary<Scenario> {
  const documents = stagedHistories(2, {
    body: selectorBodies,
    ...(withAttachments(context) && { attachments, keepAttachments: fc.boolean() }),
  });
  const byContent = [bySelector(selectors), ...(context.target.has('functions') ? [functions, views] : [])];
  return fc.oneof(
    {
      weight: 4,
      arbitrary: documents.map(([before, after]) => ({ before: before!, after: after!, filters: [] })),
    },
    { weight: 1, arbitrary: fc.oneof(idsScenarios, designScenarios) },
    { weight: 2, arbitrary: scenarios(fc.oneof(...byContent), documents) },
  );
}

/** A document whose attachment, if the target has any, is worth compressing. */
const extraDocument = (context: CheckContext): DocumentHistory => ({
  id: 'with-attachment',
  writes: [
    {
      kind: 'put',
      leaf: 0,
      body: { type: 'a', value: 1 },
      ...(withAttachments(context) && { attachments: [compressibleAttachment] }),
    },
  ],
});

/** The feed must have the rows of normal mode, as far as its limit allows. */
function mustHaveRows(
  feed: LiveFeed,
  all: readonly Row[],
  { query: { limit, descending, filter, seq_interval: interval } = {} }: FeedRequest,
  context: CheckContext,
): void {
  const { rows } = feed;
  const what = `The ${feed.request.mode} feed does not return the rows of normal mode for the same parameters`;
  const isOrdered = descending === true && filter === undefined && context.target.has('total-order');
  if (isOrdered) {
    const expected = all.slice(0, limit).map(comparableRow);
    mustMatch(what, rows.map(comparableRow), equalTo(expected), '$.results');
  } else if (limit === undefined || limit >= all.length) {
    mustHaveSameRows(what, rows, all);
  } else {
    // The order may differ between requests, and so may the rows within a limit.
    const ids = rows.map(({ id }) => id);
    must(rows.length === limit, what, { path: '$.results', expected: `${limit} rows`, actual: ids });
    mustHaveSameRows(
      what,
      rows,
      all.filter(({ id }) => ids.includes(id)),
    );
  }
  if (interval !== undefined) mustHaveSeqInEach(interval, rows);
}

/**
 * Existing changes, and in streams also those that are made later, have the rows of normal mode. Rows must arrive in
 * time after the request or the write; only time in which the target answers other requests counts.
 */
const existingChanges = (mode: OpenMode): Run =>
  forAll(
    (context) => fc.record({ scenario: scenariosOf(context), request: requestsOf(context) }),
    async (context, { scenario, request: unfiltered }) => {
      const [filter] = scenario.filters;
      const request = filter ? withFilter(unfiltered, filter) : unfiltered;
      const { limit, descending } = request.query ?? {};
      const history = [extraDocument(context), ...scenario.before];
      const { database, state } = await playForFilters(
        context,
        filter ? [filter] : [],
        history,
        singleShard(context),
      );
      const { rows: all } = await readFeed(database, withQuery(request, { limit: undefined }));
      if (mode === 'longpoll' && all.length === 0) return;
      const live = { mode, ...request };
      await withLiveFeed(database, live, async (feed) => {
        const count = Math.min(all.length, limit ?? Infinity);
        await feed.mustMeetInTime('The feed does not return the existing changes immediately', {
          by: feed.sentAt,
          expected: `${count} rows`,
          isMet: () => (mode === 'longpoll' ? feed.endedAt !== undefined : feed.rows.length >= count),
        });
        mustHaveRows(feed, all, request, context);
        if (mode === 'longpoll' || limit !== undefined || descending) return;
        const after = await play(database, scenario.after, state);
        const by = performance.now();
        const expected = await readChangedRows(database, live, state, after);
        await feed.mustMeetInTime('The feed does not return a later change as normal mode does', {
          by,
          expected: `the rows ${JSON.stringify(expected.map(comparableRow))}`,
          isMet: () => hasRows(feed, expected),
        });
      });
    },
  );

/** A change that a long poll waits for has the row of normal mode. */
const awaitedChange: Run = forAll(
  (context) => fc.record({ scenario: scenariosOf(context), request: requestsOf(context) }),
  async (context, { scenario: { before, filters }, request: unfiltered }) => {
    const [filter] = filters;
    const filtered = filter ? withFilter(unfiltered, filter) : unfiltered;
    // The service document does not define the meaning of `since` in a descending feed.
    const request = withQuery(filtered, { descending: undefined });
    const { database, state } = await playForFilters(context, filter ? [filter] : [], before);
    const since = await sinceFor(context, database, 'last_seq');
    const live = { mode: 'longpoll', ...withQuery(request, { since }) } as const;
    await withLiveFeed(database, live, async (feed) => {
      const isOpen = await feed.waitUntilOpen();
      if (!isOpen && since === 'now') return;
      const after = await play(database, [extraDocument(context)], state);
      const by = performance.now();
      const all = withQuery(live, { limit: undefined });
      const expected = await readChangedRows(database, all, state, after);
      if (expected.length === 0) return;
      await feed.mustEndInTime('The target does not answer a waiting long poll when a document changes', {
        by,
      });
      if (mayRepeatRows(context)) return;
      const what = 'A long poll does not return the row of the change as normal mode does';
      mustHaveSameRows(what, feed.rows, expected);
    });
  },
  { runs: { default: 10 } },
);

const rule = 'feed-parameters-in-every-mode';

export const feedParametersChecks: readonly Check[] = [
  check({ rule, variant: 'longpoll', waits: true, needs: ['single-copy'], run: existingChanges('longpoll') }),
  check({ rule, variant: 'longpoll-waiting', waits: true, run: awaitedChange }),
  check({
    rule,
    variant: 'continuous',
    waits: true,
    needs: ['single-copy'],
    run: existingChanges('continuous'),
  }),
  check({
    rule,
    variant: 'eventsource',
    waits: true,
    needs: ['single-copy'],
    run: existingChanges('eventsource'),
  }),
];
