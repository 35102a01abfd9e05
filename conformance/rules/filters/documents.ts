/** Which documents pass each filter (SERVICE 4.5, 4.6, 4.8). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  Blocked,
  type Body,
  bySelector,
  changedIds,
  type CheckContext,
  type CheckDefinition,
  combining,
  comparableRow,
  comparing,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  designDocumentFor,
  designName,
  type DocumentHistory,
  equalTo,
  type Feed,
  feedOf,
  type FeedQuery,
  type FeedRequest,
  type Filter,
  forAll,
  functions,
  hasRow,
  inspecting,
  manyChanges,
  mapFunctionNames,
  memberSelectors,
  must,
  mustAcceptFilter,
  mustMatch,
  mustRespond,
  newDocument,
  parameters,
  play,
  playNew,
  playShared,
  playSharedForFilters,
  pooledDesignScenarios,
  pooledIdsScenarios,
  pooledScenarios,
  readFeed,
  readFiltered,
  requestFeed,
  requests,
  type Run,
  sameElements,
  type Scenario,
  typeInsensitive,
  typeSensitiveFunctions,
  views,
  withFilter,
  wholeList,
  withQuery,
  type Write,
  asObject,
  hasFilter,
  onRow,
  ownDoc,
  selects,
  unlessReplaced,
} from '../../kit.js';
import type { Selector } from '../../oracle/selector.js';
import { mustHaveSameRows, mustIncludeDoc } from '../shared/row-assertions.js';
import { judgeAfter } from '../shared/resume.js';
import { differentBodies, differentDocuments, throughEach } from '../shared/different-documents.js';
import { forSharedHistory } from '../shared/shared-histories.js';
import { forMember } from '../shared/sessions.js';
import { filterFunctionRequest } from '../filters/request.js';
import { filterFunctionUser } from '../filters/request.js';
import { unseen } from '../shared/unseen.js';

/** Other rules cover filters with `style=all_docs`. */
const mainOnly = fc.oneof(requests({ style: 'main_only' }), requests({ style: undefined }));

/** A database and the filters to read its feed with, either from the beginning or since the last stage. */
interface FilteredDatabase {
  readonly context: CheckContext;
  readonly database: DatabaseClient;
  readonly filters: readonly Filter[];
  readonly request: FeedRequest;
  readonly state: DatabaseState;
  /** The documents in the feed without a filter. */
  readonly changed: ReadonlySet<string>;
}

type ScenarioFor = (context: CheckContext) => fc.Arbitrary<Scenario>;

/** @param others filters that the requests name besides those of the scenario */
function forEveryDatabase(
  scenarioFor: ScenarioFor,
  verify: (filtered: FilteredDatabase) => Promise<void>,
  others: readonly Filter[] = [],
): Run {
  return forAll(
    (context) => fc.record({ resumes: fc.boolean(), request: mainOnly, scenario: scenarioFor(context) }),
    async (context, { scenario, resumes, request }) => {
      const { filters } = scenario;
      const {
        database,
        before,
        feed,
        after: state,
      } = await playSharedForFilters(context, {
        ...scenario,
        filters: [...filters, ...others],
      });
      if (!resumes) {
        await verify({ context, database, filters, request, state, changed: new Set(state.keys()) });
        return;
      }
      const since = feed.lastSeq;
      // The service document does not define the meaning of `since` in a descending feed.
      const resumed = withQuery(request, { since, descending: undefined });
      await judgeAfter(database, since, changedIds(before, state), (changed) =>
        verify({ context, database, filters, request: resumed, state, changed }),
      );
    },
  );
}

/** Exactly the documents that pass have a row. */
const returnsPassing = (scenarioFor: ScenarioFor): CheckDefinition => ({
  optional: ['functions'],
  run: forEveryDatabase(scenarioFor, async ({ database, filters, request, state, changed }) => {
    await allSettledOrThrow(
      filters.map(async (filter) => {
        const feed = await readFiltered(database, request, filter);
        mustReturnPassing(feed, filter, request.query?.style, state, changed);
      }),
    );
  }),
});

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

const deletedDocuments = differentBodies.map((body, index): DocumentHistory => ({
  id: `deleted-${index}`,
  writes: [
    { kind: 'put', leaf: 0, body },
    { kind: 'delete', leaf: 0, body },
  ],
}));

/** Reads one database through each of these filters. */
const readsThroughEach = (filters: readonly Filter[]): CheckDefinition =>
  throughEach(filters, async (filter, { database, state }) => {
    const changed = new Set(state.keys());
    mustReturnPassing(await readFiltered(database, {}, filter), filter, undefined, state, changed);
  });

const otherView = { kind: 'view', view: 'typed' } as const;

/** Input of other filters than the one that the request names (SERVICE 4.5: "used with filter"). */
const ignoresOtherFilters = (scenarioFor: ScenarioFor): CheckDefinition => ({
  needs: ['single-copy'],
  optional: ['functions'],
  run: forEveryDatabase(
    scenarioFor,
    async ({ context, database, filters, request }) => {
      const view = `${designName}/${otherView.view}`;
      const hasViews = context.target.feed.supports({ query: { view } });
      for (const filter of filters) {
        const alone = withFilter<FeedRequest>({ ...request, method: 'POST' }, filter);
        // With ids in the body, the meaning of ids in the query is not defined.
        const doc_ids = filter.kind === 'ids' ? undefined : ['nobody'];
        const response = await requestFeed(database, {
          ...alone,
          query: { doc_ids, ...(hasViews && { view }), ...alone.query },
          json: { doc_ids: ['nobody'], selector: { _id: 'nobody' }, ...(alone.json as object | undefined) },
        });
        mustAcceptFilter(response, filter);
        const { rows } = await readFiltered(database, { ...request, method: 'POST' }, filter);
        mustHaveSameRows('The input of another filter changes the rows', feedOf(response).rows, rows);
      }
    },
    [otherView],
  ),
});

/** A design document whose functions accept documents of one type. */
const designFor = (type: string): Write => ({
  kind: 'put',
  leaf: 0,
  body: {
    language: 'javascript',
    // What a function does to its copy of a document must not show in the feed.
    filters: { typed: `function (doc, req) { doc.changed = true; return doc.type === '${type}'; }` },
    views: {
      typed: { map: `function (doc) { if (doc.type === '${type}') { emit(null, 1); } }`, reduce: '_count' },
    },
  },
});

/** A filter uses the functions that its design document has at the time of the request, in the same database. */
const usesPresentFunction =
  (query: FeedQuery): Run =>
  async (context) => {
    const documents = ['a', 'b'].map((type) => ({
      id: type,
      writes: [{ kind: 'put', leaf: 0, body: { type } }] as const,
    }));
    const mustReturn = async (
      database: DatabaseClient,
      type: string,
      what = 'The feed is not filtered by the function that the design document has',
    ): Promise<void> => {
      const response = await requestFeed(database, { query });
      mustRespond(response, 200, 'The target rejects a function of a design document');
      const { rows, ids } = feedOf(response);
      mustMatch(what, ids, equalTo([type]), '$.results');
      const { doc } = rows[0]!.value;
      if (doc !== undefined) mustIncludeDoc(rows[0]!, { _id: type, _rev: rows[0]!.revs[0], type });
    };
    const [first, other] = await Promise.all(
      ['a', 'b'].map((type) =>
        playNew(context, [{ id: '_design/changing', writes: [designFor(type)] }, ...documents]),
      ),
    );
    await mustReturn(first!.database, 'a');
    await mustReturn(other!.database, 'b');
    await play(first!.database, [{ id: '_design/changing', writes: [designFor('b')] }], first!.state);
    const what = 'The feed is not filtered by the function that the design document has after an update';
    await mustReturn(first!.database, 'b', what);
  };

const numbers = [-1, 0, 1, 2, 2.5, 3, 2 ** 32 + 1, 2 ** 53 - 1];
const otherValues = [null, true, false];

/** Documents that generated ones seldom resemble, and selectors that tell them apart. */
const unusualContents: readonly Body[] = [
  ...[...numbers, ...otherValues, '1', 'true', 'null'].map((value) => ({ value })),
  ...['a', 'b', 'A', 'aa'].map((type) => ({ type })),
  ...numbers.map((value) => ({ größe: value, deep: { er: { still: value } } })),
  { place: { city: 'oslo' } },
  { place: { city: 'oslo', code: 1 } },
  ...[3, 4].map((count) => ({ tags: ['red', 'blue', 'green', 'black'].slice(0, count) })),
];

const unusualSelectors: readonly Selector[] = [
  ...[...numbers, ...otherValues].flatMap((value) => [
    { value },
    { value: { $ne: value } },
    { value: { $in: ['a', 0, 'b', value] } },
  ]),
  ...numbers.flatMap((value) => [{ value: { $lt: value } }, { value: { $gte: value } }]),
  { größe: { $gt: 1 } },
  { 'deep.er.still': { $lte: 1 } },
  { deep: { er: { still: 2.5 } } },
  { place: { $eq: { city: 'oslo' } } },
  { tags: { $all: ['red', 'blue', 'green', 'black'] } },
  { type: { $regex: '^a$' } },
  { type: { $regex: '^A' } },
  { value: { $nin: [-1, 0, 1, 2] } },
  { $or: [0, 1, 2, 3].map((value) => ({ value })) },
  { $nor: [0, 1, 2, 3].map((value) => ({ value })) },
  { $and: [0, 1, 2, 3].map(($ne) => ({ value: { $ne } })) },
  { _id: 'doc-1' },
  { _id: { $ne: 'doc-1' } },
  { _id: { $in: ['doc-2', 'doc-3'] } },
];

/** A target may refuse a division by 0. If it does not, nothing passes, since no number has a remainder of it. */
const divisionsByZero: readonly Selector[] = [0, 1].map((remainder) => ({ value: { $mod: [0, remainder] } }));

const selectsUnusual = forSharedHistory(
  unusualContents.map((body, index) => ({
    id: `doc-${index}`,
    writes: [{ kind: 'replicate', parent: 0, hashDigits: [1], deleted: false, body }],
  })),
  { selectors: wholeList([...unusualSelectors, ...divisionsByZero]) },
  async ({ database, state }, { selectors }) => {
    const changed = new Set(state.keys());
    await allSettledOrThrow(
      selectors.map(async (selector) => {
        const filter: Filter = { kind: 'selector', selector };
        const mustPass = (feed: Feed): void => mustReturnPassing(feed, filter, undefined, state, changed);
        if (!('$mod' in asObject(selector['value'])))
          return mustPass(await readFiltered(database, { method: 'POST' }, filter));
        const response = await requestFeed(database, withFilter<FeedRequest>({}, filter));
        if (response.status === 200) mustPass(feedOf(response));
      }),
    );
  },
);

/** A JSON array in which each UTF-16 unit of a text is an escape such as `\u0061`. */
const escapedArray = (texts: readonly string[]): string =>
  `[${texts
    .map((text) => text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .map((units) => `"${units.join('')}"`)
    .join()}]`;

const readsEscapedIds: Run = async (context) => {
  const listed = ['a', '/', '"', 'é', '漢', '😀'];
  // A target that does not decode the list may read it as these ids.
  const others = ['b', 'u0061', '\\u0061', '\\u00e9'];
  const { database, state } = await playShared(
    context,
    [...listed, ...others].map((id) => ({
      id,
      writes: [{ kind: 'replicate', parent: 0, hashDigits: [1], deleted: false, body: {} }],
    })),
  );
  const stored = listed.filter((id) => state.has(id));
  const doc_ids = escapedArray(listed);
  const path = '/_changes';
  const filter = '_doc_ids';
  const headers = { 'content-type': 'application/json' };
  const responses = await Promise.all([
    database.request({ path, query: { filter, doc_ids } }),
    database.request({ method: 'POST', path, query: { filter }, headers, body: `{"doc_ids":${doc_ids}}` }),
  ]);
  for (const response of responses) {
    mustRespond(response, 200, 'The target rejects a list of ids with JSON escapes');
    const what =
      'With JSON escapes in the list of ids, the feed does not return exactly the listed documents';
    mustMatch(what, feedOf(response).ids, sameElements(stored), '$.results');
  }
};

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

export const filterDocIds = defineRule('filter-doc-ids', {
  rung: 'filters',
  inTraffic: {
    part: { judged: 'Each row is one of a document in `doc_ids`.', rest: unseen.end },
    needs: 'single-copy',
    response: (passed) => {
      const { isFeed, passing, exchange, sent } = passed;
      const isListed = passing.query.has('doc_ids') !== 'doc_ids' in asObject(sent);
      if (!isFeed || !hasFilter(passed, '_doc_ids') || !isListed) return false;
      if (passing.status !== 400 || !passed.isPlain || !passed.isValid) return false;
      mustRespond(exchange, 200, 'The target rejects a list of ids');
    },
    feed: onRow(({ id, path }, { parameters: { filter, docIds } }) => {
      if (filter !== '_doc_ids' || !docIds) return false;
      must(docIds.has(id), 'The feed has a row for a document that is not in doc_ids', {
        path: `${path}.id`,
        expected: 'one of doc_ids',
        actual: id,
      });
    }),
  },
  checks: {
    'filter-doc-ids': returnsPassing(pooledIdsScenarios),

    'filter-doc-ids/repeated': {
      needs: ['single-copy'],
      optional: ['functions'],
      run: forEveryDatabase(pooledIdsScenarios, async ({ database, filters, request }) => {
        for (const filter of filters) {
          if (filter.kind !== 'ids') continue;
          const once = await readFiltered(database, request, filter);
          const repeated = { ...filter, ids: [...filter.ids, ...filter.ids.slice(0, 2)] };
          const { sent } = await readFiltered(database, request, repeated);
          // The same number of rows, too: a document that is listed twice has one row.
          const what = 'Repeated ids in the list change the rows';
          mustMatch(what, sent.map(comparableRow), sameElements(once.sent.map(comparableRow)), '$.results');
        }
      }),
    },

    // `POST` exists to pass larger input (SERVICE 4.6).
    'filter-doc-ids/many': forSharedHistory(manyChanges, {}, async ({ database, state }) => {
      const ids = [...state.keys()].filter((_, index) => index % 10 !== 0);
      const filter: Filter = { kind: 'ids', ids };
      const received = await readFiltered(database, { method: 'POST' }, filter);
      const listed = new Set(ids);
      const found = new Set(received.ids);
      const wrong = [...received.ids.filter((id) => !listed.has(id)), ...ids.filter((id) => !found.has(id))];
      if (wrong.length > 0 && (await readFeed(database)).ids.length < state.size)
        throw new Blocked('Without a filter, the feed has too few of many rows, too (see feed-complete).');
      must(
        wrong.length === 0,
        'With a long list of ids, the feed does not return exactly the listed documents',
        {
          path: '$.results',
          expected: `rows for ${ids.length} documents`,
          actual: `${received.ids.length} rows, wrong or missing: ${JSON.stringify(wrong.slice(0, 3))}`,
        },
      );
    }),

    'filter-doc-ids/escaped': readsEscapedIds,

    'filter-doc-ids/empty': async (context) => {
      const { database } = await playShared(context, [newDocument('a')]);
      for (const request of [{ method: 'GET' }, { method: 'POST' }] as const) {
        const { ids } = await readFiltered(database, request, { kind: 'ids', ids: [] });
        mustMatch('With an empty list of ids, the feed returns documents', ids, equalTo([]), '$.results');
      }
    },

    'filter-doc-ids/query-of-post': {
      optional: ['functions'],
      run: forEveryDatabase(
        pooledIdsScenarios,
        async ({ context, database, filters, request: { query }, state, changed }) => {
          for (const filter of filters) {
            const filtered = withFilter<FeedRequest>({ method: 'GET', query }, filter);
            const response = await requestFeed(database, { ...filtered, method: 'POST' });
            mustRespond(response, 200, 'The target rejects a list of ids in the query of a POST');
            mustReturnPassing(feedOf(response), filter, query?.style, state, changed);
            // With existing changes, a long poll does not wait.
            if (
              feedOf(response).ids.length === 0 ||
              !context.target.feed.supports({ query: { feed: 'longpoll' } })
            )
              continue;
            const waiting = withQuery(filtered, { feed: 'longpoll', timeout: 2000 });
            const polled = await requestFeed(database, { ...waiting, method: 'POST' });
            mustRespond(polled, 200, 'The target rejects a list of ids in the query of a long poll by POST');
            mustReturnPassing(feedOf(polled), filter, query?.style, state, changed);
          }
        },
      ),
    },

    'filter-doc-ids/other-parameters': ignoresOtherFilters(pooledIdsScenarios),
  },
});

export const filterSelector = defineRule('filter-selector', {
  rung: 'filters',
  uses: { method: 'POST', query: { filter: '_selector' } },
  inTraffic: {
    part: {
      judged:
        'The `doc` of a row matches the selector, and, if it has passed before, the revision without one; with one copy, a write that passed and matches has a row.',
      rest: unseen.stored,
    },
    needs: 'single-copy',
    feed: onRow((row, feed) => {
      const { filter, selector, style } = feed.parameters;
      const { passing } = feed.passed;
      if (filter !== '_selector') return false;
      const doc = passing.lacksDocuments ? undefined : ownDoc(row, feed);
      const [rev = ''] = row.revs;
      const known = style === 'main_only' ? feed.passed.database?.bodyOf(row.id, rev) : undefined;
      const isMatch = selects(selector, doc ?? known?.document);
      if (isMatch === undefined) return false;
      const mustMatchSelector = (): void =>
        must(isMatch, 'The feed has a row for a document that does not match', {
          path: `${row.path}.id`,
          expected: 'a document that matches the selector',
          actual: row.id,
        });
      if (doc) return mustMatchSelector();
      // A server may apply the filter to a later winner than the one that it lists.
      unlessReplaced(known!.startedAt, mustMatchSelector, { id: row.id, rev, as: 'only leaf' });
    }),
  },
  checks: {
    'filter-selector': returnsPassing(pooledScenarios(bySelector(comparing))),

    'filter-selector/other-parameters': ignoresOtherFilters(pooledScenarios(bySelector(comparing))),

    'filter-selector/inspecting': returnsPassing(pooledScenarios(bySelector(inspecting))),

    'filter-selector/combining': returnsPassing(pooledScenarios(bySelector(combining))),

    'filter-selector/unusual': selectsUnusual,

    'filter-selector/members': readsThroughEach(
      memberSelectors.map((selector) => ({ kind: 'selector', selector })),
    ),
  },
});

export const filterDesign = defineRule('filter-design', {
  rung: 'filters',
  uses: { query: { filter: '_design' } },
  inTraffic: {
    part: { judged: 'Each row is one of a design document.', rest: unseen.end },
    needs: 'single-copy',
    feed: onRow(({ id, path }, { parameters: { filter } }) => {
      if (filter !== '_design') return false;
      must(id.startsWith('_design/'), 'With filter=_design, the feed has a row for another document', {
        path: `${path}.id`,
        expected: 'an id that starts with "_design/"',
        actual: id,
      });
    }),
  },
  checks: {
    'filter-design': returnsPassing(pooledDesignScenarios),

    'filter-design/other-parameters': ignoresOtherFilters(pooledDesignScenarios),
  },
});

export const filterView = defineRule('filter-view', {
  rung: 'filters',
  uses: { query: { filter: '_view' } },
  notInTraffic: unseen.code,
  checks: {
    'filter-view': returnsPassing(pooledScenarios(views)),

    'filter-view/parameters': forAll(
      (context) =>
        fc.record({
          request: mainOnly,
          parameters: viewParameters,
          scenario: pooledScenarios(views)(context),
        }),
      async (context, { scenario, request, parameters }) => {
        const { database } = await playSharedForFilters(context, scenario);
        for (const filter of scenario.filters) {
          const without = await readFiltered(database, request, filter);
          const { rows } = await readFiltered(database, request, filter, parameters);
          mustHaveSameRows('Query parameters of views change the rows', rows, without.rows);
        }
      },
    ),

    'filter-view/each': readsThroughEach(mapFunctionNames.map((view) => ({ kind: 'view', view }))),

    'filter-view/user': {
      needs: ['users'],
      run: forAll(
        fc.record({ request: mainOnly, parameters }),
        async (context, { request, parameters }) => {
          const filters = mapFunctionNames.map((view): Filter => ({ kind: 'view', view }));
          const { database } = await playNew(context, [
            ...designDocumentFor(filters),
            ...differentDocuments,
            ...deletedDocuments,
          ]);
          // Before the database has members: not every server lets in an administrator who is none.
          const ofAdministrator = new Map<Filter, Awaited<ReturnType<typeof readFiltered>>['rows']>();
          for (const filter of filters)
            ofAdministrator.set(filter, (await readFiltered(database, request, filter)).rows);
          const databaseOfMember = await forMember(context, database, await context.createUser());
          for (const [filter, rows] of ofAdministrator) {
            const member = await readFiltered(databaseOfMember, request, filter, parameters);
            mustHaveSameRows(
              'A member of the database gets other rows than an administrator',
              member.rows,
              rows,
            );
          }
        },
        { cases: { default: 2, thorough: 20 } },
      ),
    },

    'filter-view/updated': {
      needs: ['single-copy'],
      run: usesPresentFunction({ filter: '_view', view: 'changing/typed' }),
    },
  },
});

export const filterFunction = defineRule('filter-function', {
  rung: 'filters',
  notInTraffic: unseen.code,
  checks: {
    'filter-function': returnsPassing(pooledScenarios(functions)),

    'filter-function/updated': {
      needs: ['single-copy'],
      run: usesPresentFunction({ filter: 'changing/typed', include_docs: true }),
    },

    'filter-function/each': readsThroughEach(
      typeInsensitive.map((name) => ({
        kind: 'function',
        name,
        // Must be escaped in a URL.
        parameters: { wanted: 'ü b', least: '2' },
      })),
    ),

    'filter-function/query-types': returnsPassing(pooledScenarios(typeSensitiveFunctions)),

    'filter-function/request': filterFunctionRequest,

    'filter-function/user': filterFunctionUser,
  },
});
