/** Which documents each filter lets through (SERVICE 4.5, 4.6, 4.8). */
import fc from 'fast-check';
import {
  bySelector,
  combining,
  comparing,
  designScenarios,
  functions,
  idsScenarios,
  inspecting,
  scenarios,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { requests } from '../arbitraries/requests.js';
import type { FeedQuery, FeedRequest } from '../model/feed.js';
import { hasRow, type Filter } from '../model/filters.js';
import { changedIds, type DatabaseState } from '../model/history.js';
import { requestFeed, feedOf, readFeed, comparableRow, type Feed } from '../play/feed.js';
import { playForFilters, readFiltered, withFilter } from '../play/filters.js';
import { play } from '../play/player.js';
import { allSettledOrThrow } from '../play/settled.js';
import { equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type Run } from '../check.js';

/** What all_docs makes of a filter has rules of its own. */
const mainOnly = fc.oneof(requests({ style: 'main_only' }), requests({ style: undefined }));

/** A database through whose feed the filters are tried, from the beginning or from where the last stage began. */
interface Setting {
  readonly database: DatabaseClient;
  readonly filters: readonly Filter[];
  readonly request: FeedRequest;
  readonly state: DatabaseState;
  /** The documents that the feed has without a filter. */
  readonly changed: ReadonlySet<string>;
}

function inEverySetting(scenario: fc.Arbitrary<Scenario>, judge: (setting: Setting) => Promise<void>): Run {
  return forAll(
    fc.record({ scenario, resumes: fc.boolean(), request: mainOnly }),
    async (context, { scenario: { before, after, filters }, resumes, request }) => {
      const { database, state: past } = await playForFilters(context, filters, before);
      if (!resumes) {
        await judge({ database, filters, request, state: past, changed: new Set(past.keys()) });
        return;
      }
      const { lastSeq: since } = await readFeed(database);
      const state = await play(database, after, past);
      // What a place means in a descending feed, the service document does not say.
      const query = { ...request.query, since, descending: undefined };
      await judge({
        database,
        filters,
        request: { ...request, query },
        state,
        changed: changedIds(past, state),
      });
    },
  );
}

/** Every document that passes has a row, and none that does not. */
function exactly(scenario: fc.Arbitrary<Scenario>): Run {
  return inEverySetting(scenario, async ({ database, filters, request, state, changed }) => {
    await allSettledOrThrow(
      filters.map(async (filter) => {
        mustBeExact(await readFiltered(database, request, filter), filter, request.query, state, changed);
      }),
    );
  });
}

function mustBeExact(
  { rows, ids }: Feed,
  filter: Filter,
  { style }: FeedQuery,
  state: DatabaseState,
  changed: ReadonlySet<string>,
): void {
  const through = JSON.stringify(filter);
  for (const { id, path } of rows) {
    const tree = state.get(id);
    const accepted = satisfying(
      `a document that passes ${through}`,
      () => tree === undefined || hasRow(filter, id, tree, style) !== false,
    );
    mustMatch('The filter lets through a document that does not pass', id, accepted, `${path}.id`);
  }
  const missing = [...changed].filter(
    (id) => hasRow(filter, id, state.get(id)!, style) === true && !ids.includes(id),
  );
  const complete = satisfying(
    `also ${JSON.stringify(missing)}, which pass ${through}`,
    () => missing.length === 0,
  );
  mustMatch('The filter keeps back a document that passes', ids, complete, '$.results');
}

/** Parameters that the index of a view would be asked with. */
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
  check({ rule: 'filter-doc-ids', run: exactly(idsScenarios) }),

  check({
    rule: 'filter-doc-ids',
    what: 'repeated',
    needs: ['single-copy'],
    run: inEverySetting(idsScenarios, async ({ database, filters, request }) => {
      for (const filter of filters) {
        if (filter.kind !== 'ids') continue;
        const once = await readFiltered(database, request, filter);
        const repeated = { ...filter, ids: [...filter.ids, ...filter.ids.slice(0, 2)] };
        const { rows } = await readFiltered(database, request, repeated);
        const what = 'Ids that come twice in the list change the rows';
        mustMatch(what, rows.map(comparableRow), sameElements(once.rows.map(comparableRow)), '$.results');
      }
    }),
  }),

  check({
    rule: 'filter-doc-ids',
    what: 'query-of-post',
    run: inEverySetting(idsScenarios, async ({ database, filters, request: { query }, state, changed }) => {
      for (const filter of filters) {
        const asked = withFilter({ method: 'GET', query }, filter).query;
        const answer = await requestFeed(database, asked, 'POST');
        const what = 'POST refuses the list in the query that GET takes';
        mustMatch(what, answer.status, equalTo(200), 'status');
        mustBeExact(feedOf(answer), filter, query, state, changed);
      }
    }),
  }),

  check({ rule: 'filter-selector', run: exactly(scenarios(bySelector(comparing))) }),
  check({ rule: 'filter-selector', what: 'inspecting', run: exactly(scenarios(bySelector(inspecting))) }),
  check({ rule: 'filter-selector', what: 'combining', run: exactly(scenarios(bySelector(combining))) }),

  check({ rule: 'filter-design', run: exactly(designScenarios) }),

  check({ rule: 'filter-view', run: exactly(scenarios(views)) }),

  check({
    rule: 'filter-view',
    what: 'parameters',
    run: forAll(
      fc.record({ scenario: scenarios(views), request: mainOnly, parameters: viewParameters }),
      async (context, { scenario: { before, filters }, request, parameters }) => {
        const { database } = await playForFilters(context, filters, before);
        for (const filter of filters) {
          const { rows } = await readFiltered(database, request, filter);
          const query = { ...request.query, ...parameters };
          const asked = await readFiltered(database, { ...request, query }, filter);
          const what = 'Query parameters of views change what the filter lets through';
          mustMatch(what, asked.rows.map(comparableRow), sameElements(rows.map(comparableRow)), '$.results');
        }
      },
    ),
  }),

  check({ rule: 'filter-function', run: exactly(scenarios(functions)) }),
];
