/** How much of a feed an answer holds when a filter takes some of it away (SERVICE 2.5, 4.5, 4.8). */
import fc from 'fast-check';
import {
  bySelector,
  designScenarios,
  functions,
  idsScenarios,
  scenarios,
  selectors,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { requests } from '../arbitraries/requests.js';
import type { FeedRequest } from '../model/feed.js';
import type { Filter } from '../model/filters.js';
import { readFeed } from '../play/feed.js';
import { playForFilters, readFiltered } from '../play/filters.js';
import { allSettledOrThrow } from '../play/settled.js';
import { anInteger, equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type CheckContext, type Run } from '../check.js';
import { oneShard } from './feed-extent.js';

/** A server may know of a filter by ids, without reading a document, how much it will leave. */
const kinds: readonly { what: string; scenario: (context: CheckContext) => fc.Arbitrary<Scenario> }[] = [
  { what: 'filtered-by-id', scenario: () => fc.oneof(idsScenarios, designScenarios) },
  {
    what: 'filtered-by-content',
    scenario: ({ target }) =>
      scenarios(
        target.has('functions') ? fc.oneof(bySelector(selectors), functions, views) : bySelector(selectors),
      ),
  },
];

/** A property of an answer to a request with a filter, cut by a limit or not. */
function forEveryFilter(
  scenario: (context: CheckContext) => fc.Arbitrary<Scenario>,
  judge: (database: DatabaseClient, request: FeedRequest, filter: Filter) => Promise<void>,
): Run {
  return forAll(
    (context) =>
      fc.record({
        scenario: scenario(context),
        request: requests({ descending: undefined }),
        limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      }),
    async (context, { scenario: { before, filters }, request: { method, query }, limit }) => {
      const { database } = await playForFilters(context, filters, before, oneShard(context));
      const asked = { method, query: { ...query, limit } };
      await allSettledOrThrow(filters.map((filter) => judge(database, asked, filter)));
    },
    { runs: { default: 10 } },
  );
}

/** The same request from another place, without a limit. */
const resumed = ({ method, query }: FeedRequest, since: unknown): FeedRequest => ({
  method,
  query: { ...query, since, limit: undefined },
});

export const feedFilteredChecks: readonly Check[] = kinds.flatMap(({ what, scenario }) => [
  check({
    rule: 'feed-last-seq',
    what,
    run: forEveryFilter(scenario, async (database, request, filter) => {
      const { rows, lastSeq } = await readFiltered(database, request, filter);
      const last = rows.at(-1);
      if (last)
        mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last.seq), '$.last_seq');
    }),
  }),

  check({
    rule: 'feed-pending',
    what,
    needs: ['single-copy'],
    run: forEveryFilter(scenario, async (database, request, filter) => {
      const { pending, lastSeq } = await readFiltered(database, request, filter);
      mustMatch('pending is no count', pending, anInteger({ min: 0 }), '$.pending');
      const next = resumed(request, lastSeq);
      const passing = (await readFiltered(database, next, filter)).ids.length;
      const all = (await readFeed(database, next.query, next.method)).ids.length;
      const between = satisfying(
        `from ${passing} (the rest that passes) to ${all} (the whole rest)`,
        (count) => passing <= (count as number) && (count as number) <= all,
      );
      mustMatch('pending is not the number of changes that are left', pending, between, '$.pending');
    }),
  }),

  check({
    rule: 'feed-paging',
    what,
    needs: ['single-copy'],
    run: forEveryFilter(scenario, async (database, request, filter) => {
      const whole = await readFiltered(database, resumed(request, undefined), filter);
      const { limit = 2 } = request.query;
      const size = Math.max(limit, Math.ceil(whole.ids.length / 12));
      const seen: string[] = [];
      for (let since: unknown; ;) {
        const query = { ...request.query, limit: size, since };
        const page = await readFiltered(database, { ...request, query }, filter);
        if (page.ids.length === 0) break;
        const left = whole.ids.length - seen.length;
        const full = satisfying(
          `${Math.min(size, left)} rows`,
          () => page.ids.length === Math.min(size, left),
        );
        mustMatch('A page has not as many rows as the limit allows', page.ids, full, '$.results');
        seen.push(...page.ids);
        since = page.lastSeq;
      }
      const what = 'The pages do not show each document that passes once';
      mustMatch(what, seen, sameElements(whole.ids), 'the ids of all pages');
    }),
  }),
]);
