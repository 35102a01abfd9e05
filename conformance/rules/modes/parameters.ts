/** Every query parameter has the same effect in each mode and with each filter (SERVICE 4.5, 4.7). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  attachments,
  byContent,
  type CheckContext,
  type CheckDefinition,
  comparableRow,
  compressibleAttachment,
  type Content,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  designScenarios,
  type DocumentHistory,
  equalTo,
  type FeedMode,
  type FeedQuery,
  type FeedRequest,
  type Filter,
  forAll,
  idsScenarios,
  type LiveFeed,
  must,
  mustFollowFilter,
  mustMatch,
  passes,
  play,
  playForFilters,
  readFeed,
  readFiltered,
  requests,
  type Row,
  sameElements,
  type Scenario,
  scenarios,
  selectorBodies,
  stagedHistories,
  supportedFilters,
  twice,
  withFilter,
  withLiveFeeds,
  withQuery,
  withReplicated,
} from '../../kit.js';
import type { Capability } from '../../../openapi/generated/rules.js';
import { hasRows, readChangedRows, sinceFor } from '../shared/live-changes.js';
import { singleShard } from '../shared/page-assertions.js';
import { mustHaveSameRows, mustHaveSeqInEach } from '../shared/row-assertions.js';
import { longTimeoutMs, mayRepeatRows } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

type OpenMode = Exclude<FeedMode, 'normal'>;

/** What a check generates: any parameters and filters, or in particular those that concern attachments. */
interface Cases {
  readonly needs: readonly Capability[];
  readonly parameters: fc.Arbitrary<FeedQuery>;
  readonly filtered: (context: CheckContext) => fc.Arbitrary<Scenario>;
  readonly unfiltered: fc.Arbitrary<Scenario>;
  /** The content of a document that every case has. */
  readonly content: Content;
}

/** Two branches: with one, `style` and `conflicts` would have no effect. */
const extraDocument = ({ content }: Cases): DocumentHistory => ({
  id: 'extra',
  writes: [
    { kind: 'put', leaf: 0, ...content },
    { kind: 'replicate', parent: 0, hashDigits: [0], deleted: false, ...content },
  ],
});

/** Changes that one request writes. A long poll may end after the first of them. */
const extraChanges = ({ content }: Cases): readonly DocumentHistory[] =>
  ['extra', 'extra-2'].map((id) => ({ id, writes: [{ kind: 'put', leaf: 0, ...content }] }));

const common = {
  seq_interval: fc.noBias(fc.integer({ min: 2, max: 4 })),
  limit: fc.noBias(fc.integer({ min: 1, max: 6 })),
  // So long that they have no effect.
  heartbeat: fc.constant(longTimeoutMs),
  timeout: fc.constant(longTimeoutMs),
};

const withoutFilter = (documents: ReturnType<typeof stagedHistories>): fc.Arbitrary<Scenario> =>
  documents.map(([before, after]) => ({ before: before!, after: after!, filters: [] }));

const plainStages = stagedHistories(2, { body: selectorBodies });
const attachmentStages = stagedHistories(2, {
  body: selectorBodies,
  attachments,
  keepAttachments: fc.boolean(),
});

const plain: Cases = {
  needs: [],
  parameters: fc.record<FeedQuery, never>(common, { requiredKeys: [] }),
  filtered: (context) =>
    fc.oneof(
      { weight: 1, arbitrary: fc.oneof(idsScenarios(), designScenarios()) },
      { weight: 2, arbitrary: scenarios(byContent(context.target.has('functions')), plainStages) },
    ),
  unfiltered: withoutFilter(plainStages),
  content: { body: { type: 'a', value: 1 } },
};

const withAttachments: Cases = {
  needs: ['attachments'],
  parameters: fc.record<FeedQuery, 'attachments'>(
    {
      ...common,
      attachments: fc.constantFrom(undefined, false, true, true, true),
      att_encoding_info: fc.constantFrom(false, true, true),
    },
    { requiredKeys: ['attachments'] },
  ),
  filtered: (context) =>
    fc.oneof(
      idsScenarios(attachmentStages),
      scenarios(byContent(context.target.has('functions')), attachmentStages),
    ),
  unfiltered: withoutFilter(attachmentStages),
  content: { ...plain.content, attachments: [compressibleAttachment] },
};

const anyScenario =
  ({ filtered, unfiltered }: Cases) =>
  (context: CheckContext): fc.Arbitrary<Scenario> =>
    fc.oneof({ weight: 2, arbitrary: unfiltered }, { weight: 3, arbitrary: filtered(context) });

/** Any combination of all parameters except `since`. */
const requestsWith = ({ parameters }: Cases): fc.Arbitrary<FeedRequest> =>
  fc
    .tuple(
      fc.oneof(
        // Most parameters only have an effect with documents, and `since` only in ascending order.
        {
          weight: 2,
          arbitrary: requests({
            feed: undefined,
            include_docs: true,
            conflicts: true,
            descending: undefined,
          }),
        },
        { weight: 2, arbitrary: requests({ feed: undefined, include_docs: true, descending: true }) },
        { weight: 1, arbitrary: requests({ feed: undefined }) },
      ),
      parameters,
    )
    .map(([request, more]) => withQuery(request, more));

const cases = { default: 5, thorough: 60 };

/** The feed must have the rows of normal mode, as far as its limit allows. */
function mustHaveRows(
  feed: LiveFeed,
  all: readonly Row[],
  { query: { limit, descending, seq_interval: interval } = {} }: FeedRequest,
  context: CheckContext,
): void {
  const { rows } = feed;
  const what = `The ${feed.request.mode} feed does not return the rows of normal mode for the same parameters`;
  if (descending && context.target.has('total-order')) {
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
const existing = (mode: OpenMode, input: Cases): CheckDefinition => ({
  needs: [...input.needs, 'single-copy'],
  optional: ['functions'],
  uses: { query: { feed: mode } },
  waits: 'changes',
  run: forAll(
    (context) =>
      fc.record({
        requests: twice(requestsWith(input)),
        scenario: withReplicated(anyScenario(input)(context)),
      }),
    async (context, { requests, scenario }) => {
      const [filter] = supportedFilters(context, scenario.filters);
      const history = [extraDocument(input), ...scenario.before];
      const { database, state } = await playForFilters(
        context,
        filter ? [filter] : [],
        history,
        singleShard(context),
      );
      const lives = requests.map((request) => ({
        mode,
        ...(filter ? withFilter(request, filter) : request),
      }));
      const existing = await Promise.all(
        requests.map(async (request) => {
          const { rows } = await readFiltered(database, withQuery(request, { limit: undefined }), filter);
          return rows;
        }),
      );
      if (mode === 'longpoll' && existing.some((rows) => rows.length === 0)) return;
      await withLiveFeeds(database, lives, async (feeds) => {
        await allSettledOrThrow(
          feeds.map(async (feed, index) => {
            const all = existing[index]!;
            const count = Math.min(all.length, feed.request.query?.limit ?? Infinity);
            await feed.mustMeetInTime('The feed does not return the existing changes immediately', {
              by: feed.sentAt,
              expected: `${count} rows`,
              isMet: () => (mode === 'longpoll' ? feed.endedAt !== undefined : feed.rows.length >= count),
            });
            feed.judge(() => mustHaveRows(feed, all, feed.request, context));
          }),
        );
        const goOn = feeds.filter(
          ({ request: { query: { limit, descending } = {} } }) => limit === undefined && !descending,
        );
        if (mode === 'longpoll' || goOn.length === 0) return;
        const after = await play(database, scenario.after, state);
        await allSettledOrThrow(
          goOn.map(async (feed) =>
            mustReturnLaterRows(feed, await readChangedRows(database, feed.request, state, after)),
          ),
        );
      });
    },
    { cases },
  ),
});

const mustReturnLaterRows = (feed: LiveFeed, expected: readonly Row[]): Promise<void> =>
  feed.mustMeetInTime('The feed does not return a later change as normal mode does', {
    by: performance.now(),
    expected: `the rows ${JSON.stringify(expected.map(comparableRow))}`,
    isMet: () => hasRows(feed, expected),
  });

/** A change that a feed waits for, without existing changes, has the row of normal mode. */
const waiting = (mode: OpenMode, input: Cases): CheckDefinition => ({
  needs: input.needs,
  optional: ['functions'],
  uses: { query: { feed: mode } },
  waits: 'changes',
  run: forAll(
    (context) =>
      fc.record({
        requests: twice(requestsWith(input)),
        scenario: withReplicated(anyScenario(input)(context)),
      }),
    async (context, { requests, scenario }) => {
      // The server chooses the revision; hardly a filter depends on it.
      const changed = { rev: '', deleted: false, body: input.content.body };
      const supported = supportedFilters(context, scenario.filters);
      const filter = supported.find((filter) => passes(filter, 'extra', changed) === true);
      const history = [extraDocument(input), ...scenario.before];
      const { database, state } = await playForFilters(context, filter ? [filter] : [], history);
      const lives = await Promise.all(
        requests.map(async (request, index) => ({
          mode,
          ...withQuery(filter ? withFilter(request, filter) : request, {
            since: await sinceFor(context, database, index === 0 ? 'now' : 'last_seq'),
            // The service document does not define the meaning of `since` in a descending feed.
            descending: undefined,
            // One change arrives, so a greater limit has no effect.
            limit: request.query?.limit && 1,
          }),
        })),
      );
      await withLiveFeeds(database, lives, async (feeds) => {
        const areOpen = await Promise.all(feeds.map((feed) => feed.waitUntilOpen()));
        if (filter) await Promise.all(feeds.map((feed) => mustFollowFilter(feed, filter)));
        const after = await play(database, extraChanges(input), state);
        const by = performance.now();
        await allSettledOrThrow(
          feeds.map(async (feed, index) => {
            if (!areOpen[index]) return;
            await mustReturnAwaited(feed, { database, before: state, after, by }, context);
          }),
        );
      });
    },
    { cases },
  ),
});

/** What a feed has waited for: the changes between two states, acknowledged at a time on the clock of `performance.now()`. */
interface Awaited {
  readonly database: DatabaseClient;
  readonly before: DatabaseState;
  readonly after: DatabaseState;
  readonly by: number;
}

async function mustReturnAwaited(
  feed: LiveFeed,
  { database, before, after, by }: Awaited,
  context: CheckContext,
): Promise<void> {
  const { mode, query: { limit } = {} } = feed.request;
  const all = withQuery(feed.request, { limit: undefined });
  const expected = await readChangedRows(database, all, before, after);
  if (expected.length === 0) return;
  if (mode !== 'longpoll' && limit !== 1) return mustReturnLaterRows(feed, expected);
  await feed.mustEndInTime(`The ${mode} feed does not end after the change that it has waited for`, { by });
  if (mayRepeatRows(context)) return;
  const what = `The ${mode} feed does not return the awaited change as normal mode does`;
  const ids = new Set(feed.rows.map(({ id }) => id));
  const awaited = expected.filter(({ id }) => ids.has(id));
  feed.judge(() => {
    must(feed.rows.length > 0, what, { path: '$.results', expected: 'a row', actual: [] });
    mustHaveSameRows(what, feed.rows, awaited);
  });
}

interface Resumed {
  /** How many of the first rows `since` skips. */
  readonly skipped: number | 'all';
  readonly request: FeedRequest;
}

const skippedRows = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 3 }) },
  { weight: 1, arbitrary: fc.constant('all' as const) },
);

/**
 * A filter and `since` remove rows of normal mode, and change no other. With `style=all_docs`, a filter also removes
 * revisions from `changes`, which the rules of filters cover.
 */
const filtered = (input: Cases): CheckDefinition => ({
  needs: [...input.needs, 'single-copy'],
  optional: ['functions'],
  run: forAll(
    (context) =>
      fc.record({
        reads: twice(fc.record<Resumed>({ skipped: skippedRows, request: requestsWith(input) })),
        scenario: withReplicated(input.filtered(context)),
      }),
    async (context, { reads, scenario }) => {
      // The extra document comes last, so that `since` seldom skips it.
      const history = [...scenario.before, extraDocument(input)];
      const filters = supportedFilters(context, scenario.filters);
      const { database } = await playForFilters(context, filters, history, singleShard(context));
      for (const read of reads) await mustOnlyRemoveRows(database, read, filters, context);
    },
    { cases },
  ),
});

async function mustOnlyRemoveRows(
  database: DatabaseClient,
  { skipped, request }: Resumed,
  filters: readonly Filter[],
  context: CheckContext,
): Promise<void> {
  const { limit, style, descending } = request.query ?? {};
  const { rows: all } = await readFeed(
    database,
    withQuery(request, { limit: undefined, seq_interval: undefined }),
  );
  // The service document does not define the meaning of `since` in a descending feed.
  const skips = descending ? 0 : skipped;
  const since = skips === 'all' ? await sinceFor(context, database, 'now') : all[skips - 1]?.seq;
  const remaining = since === undefined ? all : all.slice(skips === 'all' ? all.length : skips);
  const resumed = withQuery(request, { since });
  for (const filter of [undefined, ...filters]) {
    const { rows, ids } = await readFiltered(database, resumed, filter);
    const what = `The parameters of a request have another effect with ${filter ? 'a filter' : 'since'}`;
    const path = '$.results';
    must(limit === undefined || rows.length <= limit, what, {
      path,
      expected: `at most ${limit} rows`,
      actual: ids,
    });
    const comparable = filter && style === 'all_docs' ? comparableDocument : comparableRow;
    const expected = remaining.filter(({ id }) => ids.includes(id));
    mustMatch(what, rows.map(comparable), sameElements(expected.map(comparable)), path);
    if (!descending || !context.target.has('total-order')) continue;
    mustMatch(`${what}: the order of descending`, ids, equalTo(expected.map(({ id }) => id)), path);
  }
}

const comparableDocument = (row: Row): unknown => ({ ...(comparableRow(row) as object), revs: undefined });

export const feedParametersInEveryMode = defineRule('feed-parameters-in-every-mode', {
  rung: 'filters',
  otherRungs: {
    'feed-parameters-in-every-mode/longpoll': 'modes',
  },
  inTraffic: {
    how: 'in other modes',
    part: { judged: 'What each row shows of the parameters of its request.', rest: unseen.twoRequests },
  },
  checks: {
    'feed-parameters-in-every-mode/filtered': filtered(plain),

    'feed-parameters-in-every-mode/longpoll': existing('longpoll', plain),

    'feed-parameters-in-every-mode/longpoll-waiting': waiting('longpoll', plain),

    'feed-parameters-in-every-mode/continuous': existing('continuous', plain),

    'feed-parameters-in-every-mode/continuous-waiting': waiting('continuous', plain),

    'feed-parameters-in-every-mode/eventsource': existing('eventsource', plain),

    'feed-parameters-in-every-mode/eventsource-waiting': waiting('eventsource', plain),

    'feed-parameters-in-every-mode/filtered-attachments': filtered(withAttachments),

    'feed-parameters-in-every-mode/longpoll-attachments': existing('longpoll', withAttachments),

    'feed-parameters-in-every-mode/longpoll-waiting-attachments': waiting('longpoll', withAttachments),

    'feed-parameters-in-every-mode/continuous-attachments': existing('continuous', withAttachments),

    'feed-parameters-in-every-mode/continuous-waiting-attachments': waiting('continuous', withAttachments),

    'feed-parameters-in-every-mode/eventsource-attachments': existing('eventsource', withAttachments),

    'feed-parameters-in-every-mode/eventsource-waiting-attachments': waiting('eventsource', withAttachments),
  },
});
