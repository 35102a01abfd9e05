/** Which documents pass each filter (SERVICE 4.5, 4.6, 4.8). */
import fc from 'fast-check';
import {
  bySelector,
  combining,
  comparing,
  functions,
  inspecting,
  parameters,
  pooledDesignScenarios,
  pooledIdsScenarios,
  pooledScenarios,
  scenarios,
  typeSensitiveFunctions,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { requests } from '../arbitraries/requests.js';
import { withQuery, type FeedQuery, type FeedRequest } from '../model/feed.js';
import { hasRow, type Filter, withFilter } from '../model/filters.js';
import { changedIds, type DatabaseState } from '../model/history.js';
import { requestFeed, feedOf, type Feed } from '../play/feed.js';
import { playForFilters, playSharedForFilters, readFiltered } from '../play/filters.js';
import { allSettledOrThrow } from '../play/all-settled.js';
import { must, mustRespond } from '../verdict/matchers.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type CheckContext, type Run } from '../check.js';
import { mustHaveSameRows } from './shared/rows.js';
import { forNewMember } from './shared/sessions.js';

/** Other rules cover filters with `style=all_docs`. */
const mainOnly = fc.oneof(requests({ style: 'main_only' }), requests({ style: undefined }));

/** A database and the filters to read its feed with, either from the beginning or since the last stage. */
interface FilteredDatabase {
  readonly database: DatabaseClient;
  readonly filters: readonly Filter[];
  readonly request: FeedRequest;
  readonly state: DatabaseState;
  /** The documents in the feed without a filter. */
  readonly changed: ReadonlySet<string>;
}

function forEveryDatabase(
  scenarioFor: (context: CheckContext) => fc.Arbitrary<Scenario>,
  verify: (filtered: FilteredDatabase) => Promise<void>,
): Run {
  return forAll(
    (context) => fc.record({ scenario: scenarioFor(context), resumes: fc.boolean(), request: mainOnly }),
    async (context, { scenario, resumes, request }) => {
      const { filters } = scenario;
      const { database, before, feed, after: state } = await playSharedForFilters(context, scenario);
      if (!resumes) {
        await verify({ database, filters, request, state, changed: new Set(state.keys()) });
        return;
      }
      await verify({
        database,
        filters,
        // The service document does not define the meaning of `since` in a descending feed.
        request: withQuery(request, { since: feed.lastSeq, descending: undefined }),
        state,
        changed: changedIds(before, state),
      });
    },
  );
}

/** Exactly the documents that pass have a row. */
function returnsPassing(scenarioFor: Parameters<typeof forEveryDatabase>[0]): Run {
  return forEveryDatabase(scenarioFor, async ({ database, filters, request, state, changed }) => {
    await allSettledOrThrow(
      filters.map(async (filter) => {
        const feed = await readFiltered(database, request, filter);
        mustReturnPassing(feed, filter, request.query?.style, state, changed);
      }),
    );
  });
}

function mustReturnPassing(
  { rows, ids }: Feed,
  filter: Filter,
  style: FeedQuery['style'],
  state: DatabaseState,
  changed: ReadonlySet<string>,
): void {
  const through = JSON.stringify(filter);
  for (const { id, path } of rows) {
    const tree = state.get(id);
    const passes = tree === undefined || hasRow(filter, id, tree, style) !== false;
    must(passes, 'The feed returns a document that does not pass the filter', {
      path: `${path}.id`,
      expected: `a document that passes ${through}`,
      actual: id,
    });
  }
  const missing = [...changed].filter(
    (id) => hasRow(filter, id, state.get(id)!, style) === true && !ids.includes(id),
  );
  must(missing.length === 0, 'The feed does not return a document that passes the filter', {
    path: '$.results',
    expected: `also ${JSON.stringify(missing)}, which pass ${through}`,
    actual: ids,
  });
}

/** Query parameters of a view, which the feed must ignore. */
const viewParameters = fc.record(
  {
    key: fc.constantFrom('"none"', '1'),
    keys: fc.constant('["none"]'),
    startkey: fc.constantFrom('"zzz"', '{}'),
    endkey: fc.constantFrom('null', '"a"'),
    inclusive_end: fc.boolean(),
    reduce: fc.boolean(),
    group: fc.boolean(),
    group_level: fc.nat({ max: 2 }),
    skip: fc.integer({ min: 1, max: 3 }),
    sorted: fc.boolean(),
    stable: fc.boolean(),
    update: fc.boolean(),
  },
  { requiredKeys: [] },
);

export const filterDocumentsChecks: readonly Check[] = [
  check({ rule: 'filter-doc-ids', optional: ['functions'], run: returnsPassing(pooledIdsScenarios) }),

  check({
    rule: 'filter-doc-ids',
    variant: 'repeated',
    needs: ['single-copy'],
    optional: ['functions'],
    run: forEveryDatabase(pooledIdsScenarios, async ({ database, filters, request }) => {
      for (const filter of filters) {
        if (filter.kind !== 'ids') continue;
        const once = await readFiltered(database, request, filter);
        const repeated = { ...filter, ids: [...filter.ids, ...filter.ids.slice(0, 2)] };
        const { rows } = await readFiltered(database, request, repeated);
        mustHaveSameRows('Repeated ids in the list change the rows', rows, once.rows);
      }
    }),
  }),

  check({
    rule: 'filter-doc-ids',
    variant: 'query-of-post',
    optional: ['functions'],
    run: forEveryDatabase(
      pooledIdsScenarios,
      async ({ database, filters, request: { query }, state, changed }) => {
        for (const filter of filters) {
          const filtered = withFilter<FeedRequest>({ method: 'GET', query }, filter);
          const response = await requestFeed(database, { ...filtered, method: 'POST' });
          mustRespond(response, 200, 'The target rejects a list of ids in the query of a POST');
          mustReturnPassing(feedOf(response), filter, query?.style, state, changed);
        }
      },
    ),
  }),

  check({
    rule: 'filter-selector',
    optional: ['functions'],
    run: returnsPassing(pooledScenarios(bySelector(comparing))),
  }),
  check({
    rule: 'filter-selector',
    variant: 'inspecting',
    optional: ['functions'],
    run: returnsPassing(pooledScenarios(bySelector(inspecting))),
  }),
  check({
    rule: 'filter-selector',
    variant: 'combining',
    optional: ['functions'],
    run: returnsPassing(pooledScenarios(bySelector(combining))),
  }),

  check({ rule: 'filter-design', optional: ['functions'], run: returnsPassing(pooledDesignScenarios) }),

  check({ rule: 'filter-view', run: returnsPassing(pooledScenarios(views)) }),

  check({
    rule: 'filter-view',
    variant: 'parameters',
    run: forAll(
      (context) =>
        fc.record({
          scenario: pooledScenarios(views)(context),
          request: mainOnly,
          parameters: viewParameters,
        }),
      async (context, { scenario, request, parameters }) => {
        const { database } = await playSharedForFilters(context, scenario);
        for (const filter of scenario.filters) {
          const without = await readFiltered(database, request, filter);
          const query = { ...request.query, ...parameters };
          const { rows } = await readFiltered(database, { ...request, query }, filter);
          mustHaveSameRows('Query parameters of views change the rows', rows, without.rows);
        }
      },
    ),
  }),

  check({
    rule: 'filter-view',
    variant: 'user',
    needs: ['users'],
    run: forAll(
      fc.record({ scenario: scenarios(views), request: mainOnly, parameters }),
      async (context, { scenario: { before, filters }, request, parameters }) => {
        const { database } = await playForFilters(context, filters, before);
        const databaseOfMember = await forNewMember(context, database);
        const query = { ...request.query, ...parameters };
        for (const filter of filters) {
          const { rows } = await readFiltered(database, request, filter);
          const member = await readFiltered(databaseOfMember, { ...request, query }, filter);
          mustHaveSameRows(
            'A member of the database gets other rows than an administrator',
            member.rows,
            rows,
          );
        }
      },
      { runs: { default: 10, thorough: 100 } },
    ),
  }),

  check({ rule: 'filter-function', run: returnsPassing(pooledScenarios(functions)) }),
  check({
    rule: 'filter-function',
    variant: 'query-types',
    run: returnsPassing(pooledScenarios(typeSensitiveFunctions)),
  }),
];
