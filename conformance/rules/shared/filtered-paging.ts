/** How much of the feed a response contains if a filter removes some rows (SERVICE 2.5, 4.5, 4.8). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  allSettledOrThrow,
  byContent,
  type Check,
  type CheckContext,
  type CheckDefinition,
  comparableRow,
  type DatabaseClient,
  equalTo,
  type FeedRequest,
  type Filter,
  forAll,
  must,
  mustMatch,
  playSharedForFilters,
  pooledDesignScenarios,
  pooledIdsScenarios,
  pooledScenarios,
  readFeed,
  readFiltered,
  requests,
  type Run,
  sameElements,
  type Scenario,
  supportedFilters,
  Violation,
  withQuery,
} from '../../kit.js';
import { mustHavePendingCount, pageSize, singleShard } from './page-assertions.js';
import { aroundRow } from './resume.js';
import { mustContainIds, mustHaveOneRowEach, mustHaveSeqInEach } from './row-assertions.js';

type Verify = (database: DatabaseClient, request: FeedRequest, filter: Filter) => Promise<void>;

/** A property of a request with a filter, with or without a limit. */
function forEveryFilter(scenario: (context: CheckContext) => fc.Arbitrary<Scenario>, verify: Verify): Run {
  return forAll(
    (context) =>
      fc.record({
        scenario: scenario(context),
        request: requests({ descending: undefined }),
        limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 }),
      }),
    async (context, { scenario, request, limit }) => {
      const filters = supportedFilters(context, scenario.filters);
      const { database } = await playSharedForFilters(context, scenario, singleShard(context));
      const limited = withQuery(request, { limit });
      await allSettledOrThrow(filters.map((filter) => verify(database, limited, filter)));
    },
    { cases: { default: 6 } },
  );
}

/** A statement about a page of a feed with a filter. */
interface FilteredPage {
  readonly verify: Verify;
  readonly options?: Pick<Partial<Check>, 'needs' | 'uses' | 'waits'>;
}

const checkOf = (
  { verify, options }: FilteredPage,
  scenario: (context: CheckContext) => fc.Arbitrary<Scenario>,
): CheckDefinition => ({ ...options, optional: ['functions'], run: forEveryFilter(scenario, verify) });

/** With filters by id, which a server can evaluate without reading a document. */
export const filteredById = (page: FilteredPage): CheckDefinition =>
  checkOf(page, (context) => fc.oneof(pooledIdsScenarios(context), pooledDesignScenarios(context)));

/** With filters that read documents. */
export const filteredByContent = (page: FilteredPage): CheckDefinition =>
  checkOf(page, (context) => pooledScenarios(byContent(context.target.has('functions')))(context));

export const feedOneRowFiltered: FilteredPage = {
  options: { needs: ['single-copy'] },
  verify: async (database, request, filter) =>
    mustHaveOneRowEach((await readFiltered(database, request, filter)).sent),
};

export const feedLastSeqFiltered: FilteredPage = {
  verify: async (database, request, filter) => {
    const page = await readFiltered(database, request, filter);
    const last = page.rows.at(-1);
    if (!last || isDeepStrictEqual(page.lastSeq, last.seq)) return;
    const all = await readFiltered(database, withQuery(request, { limit: undefined }), filter);
    const next = withQuery(request, { limit: undefined, since: page.lastSeq });
    const ids = [...page.ids, ...(await readFiltered(database, next, filter)).ids];
    // A server that reports the position that it has scanned to is less wrong than one that loses or repeats rows.
    const isHarmless = sameElements(all.ids)(ids, '$') === undefined;
    const effect = isHarmless ? 'resuming from it repeats and loses nothing' : 'resuming from it goes wrong';
    throw new Violation(`last_seq is not the seq of the last row, and ${effect}`, {
      path: '$.last_seq',
      expected: last.seq,
      actual: page.lastSeq,
    });
  },
};

export const feedPendingFiltered: FilteredPage = {
  options: { needs: ['single-copy'] },
  verify: async (database, request, filter) => {
    const page = await readFiltered(database, request, filter);
    mustHavePendingCount(page);
    const pending = page.pending as number;
    const next = withQuery(request, { since: page.lastSeq, limit: undefined });
    const passing = (await readFiltered(database, next, filter)).ids.length;
    if (pending === passing) return;
    const all = (await readFeed(database, next)).sent.length;
    // A server that reads one change beyond the limit, and counts it, is less wrong than one that counts more.
    const excess = pending === all + 1 ? ' by one' : '';
    const relation =
      passing <= pending
        ? `greater than the number of remaining changes${excess}`
        : 'less than the number of remaining changes that pass the filter';
    must(passing <= pending && pending <= all, `pending is ${relation}`, {
      path: '$.pending',
      expected: `from ${passing} (remaining changes that pass the filter) to ${all} (all remaining changes)`,
      actual: pending,
    });
  },
};

export const feedPagingFiltered: FilteredPage = {
  options: { needs: ['single-copy'] },
  verify: async (database, request, filter) => {
    const all = await readFiltered(database, withQuery(request, { limit: undefined }), filter);
    const size = pageSize(request.query?.limit ?? 2, all.ids.length);
    const seen: string[] = [];
    for (let since: unknown; ;) {
      const page = await readFiltered(database, withQuery(request, { limit: size, since }), filter);
      if (page.ids.length === 0) break;
      const expected = Math.min(size, all.ids.length - seen.length);
      must(page.ids.length === expected, 'A page does not have as many rows as limit allows', {
        path: '$.results',
        expected: `${expected} rows`,
        actual: page.ids,
      });
      seen.push(...page.ids);
      since = page.lastSeq;
    }
    const what = 'The pages do not contain each document that passes the filter exactly once';
    mustMatch(what, seen, sameElements(all.ids), 'the ids of all pages');
  },
};

export const feedDescendingFiltered: FilteredPage = {
  verify: async (database, request, filter) => {
    const { limit = 2 } = request.query ?? {};
    const ascending = await readFiltered(database, withQuery(request, { limit: undefined }), filter);
    const newest = withQuery(request, { limit, descending: true });
    const { rows } = await readFiltered(database, newest, filter);
    mustMatch(
      'With a filter and descending=true, the feed does not return the newest changes first',
      rows.map(comparableRow),
      equalTo(ascending.rows.toReversed().slice(0, limit).map(comparableRow)),
      '$.results',
    );
  },
};

export const feedSeqIntervalFiltered: FilteredPage = {
  verify: async (database, request, filter) => {
    for (const interval of [2, 3]) {
      const numbered = withQuery(request, { seq_interval: interval });
      mustHaveSeqInEach(interval, (await readFiltered(database, numbered, filter)).rows);
    }
  },
};

export const feedPagingLongpollFiltered: FilteredPage = {
  options: {
    needs: ['single-copy'],
    uses: { query: { feed: 'longpoll', limit: 1, since: 'a seq' } },
    waits: 'changes',
  },
  verify: async (database, request, filter) => {
    const all = await readFiltered(database, withQuery(request, { limit: undefined }), filter);
    // With existing changes, a long poll does not wait.
    if (all.ids.length === 0) return;
    const waiting = withQuery(request, { feed: 'longpoll', limit: request.query?.limit ?? 2 });
    const page = await readFiltered(database, waiting, filter);
    const next = withQuery(request, { limit: undefined, since: page.lastSeq });
    const { ids } = await readFiltered(database, next, filter);
    const what = 'A long poll and the rest do not contain each document that passes the filter exactly once';
    mustMatch(what, [...page.ids, ...ids], sameElements(all.ids), 'the ids of both');
    mustHavePendingCount(page);
    must(
      (page.pending as number) >= ids.length,
      'pending of a long poll is less than the number of remaining rows',
      {
        path: '$.pending',
        expected: `at least ${ids.length}, the remaining changes that pass the filter`,
        actual: page.pending,
      },
    );
  },
};

export const feedSinceResumeFiltered: FilteredPage = {
  verify: async (database, request, filter) => {
    const page = await readFiltered(database, request, filter);
    // Three rows are enough, since every case has several filters.
    for (const row of page.rows.slice(0, 3)) {
      const next = withQuery(request, { since: row.seq, limit: undefined });
      const { ids } = await readFiltered(database, next, filter);
      const what = 'Resuming from the seq of a row of a feed with a filter loses later changes';
      mustContainIds(what, ids, aroundRow(page, row).after, row.seq);
    }
  },
};
