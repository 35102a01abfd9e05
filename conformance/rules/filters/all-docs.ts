/** The effect of a filter on the revisions of a row with `style=all_docs` (SERVICE 4.8 rules 1 to 3). */
import fc from 'fast-check';
import {
  allowedRow,
  allSettledOrThrow,
  bySelector,
  changedIds,
  type Check,
  type CheckContext,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  type Feed,
  type FeedQuery,
  type FeedRequest,
  type Filter,
  forAll,
  functions,
  hasRow,
  listedRevisions,
  mapFunctionNames,
  memberSelectors,
  must,
  onRow,
  playSharedForFilters,
  pooledDesignScenarios,
  pooledIdsScenarios,
  pooledScenarios,
  readFiltered,
  requests,
  type Scenario,
  selectors,
  selects,
  typeInsensitive,
  unlessReplaced,
  views,
  withQuery,
} from '../../kit.js';
import { throughEach } from '../shared/different-documents.js';
import { judgeAfter } from '../shared/resume.js';
import { mustIncludeStored } from '../shared/stored.js';
import { leavesBefore, mustListLeaves } from '../shared/passing-leaves.js';
import { unseen } from '../shared/unseen.js';

const style = 'all_docs';

/** A property of the feed of a scenario through each of its filters. */
const withFilters = (
  scenario: (context: CheckContext) => fc.Arbitrary<Scenario>,
  verify: (
    feed: Feed,
    filter: Filter,
    state: DatabaseState,
    database: DatabaseClient,
  ) => void | Promise<void>,
  query: FeedQuery = {},
): Pick<Check, 'optional' | 'run'> => ({
  optional: ['functions'],
  run: forAll(
    (context) =>
      fc.record({
        request: requests({ ...query, style }),
        resumes: fc.boolean(),
        scenario: scenario(context),
      }),
    async (context, { scenario, request, resumes }) => {
      const { database, before, feed, after } = await playSharedForFilters(context, scenario);
      const verifyEach = async (used: FeedRequest, state: DatabaseState): Promise<void> => {
        await allSettledOrThrow(
          scenario.filters.map(async (filter) =>
            verify(await readFiltered(database, used, filter), filter, state, database),
          ),
        );
      };
      if (!resumes) return verifyEach(request, after);
      const since = feed.lastSeq;
      // The service document does not define the meaning of `since` in a descending feed.
      const resumed = withQuery(request, { since, descending: undefined });
      await judgeAfter(database, since, changedIds(before, after), (changed) =>
        verifyEach(resumed, new Map([...after].filter(([id]) => changed.has(id)))),
      );
    },
  ),
});

/** Reads one database through each of these filters. */
const readsThroughEach = (filters: readonly Filter[]): ReturnType<typeof throughEach> =>
  throughEach(filters, async (filter, { database, state }) =>
    mustListPassingRevisions(await readFiltered(database, { query: { style } }, filter), filter, state),
  );

/** A row must list all revisions that must pass, and no revision that must not pass. */
function mustListPassingRevisions({ rows, ids }: Feed, filter: Filter, state: DatabaseState): void {
  const through = JSON.stringify(filter);
  for (const [id, tree] of state) {
    const passing = listedRevisions(filter, id, tree, style);
    const row = rows.find((row) => row.id === id);
    if (!row) {
      must(
        ![...passing.values()].includes(true),
        'The feed has no row for a document although one of its revisions passes the filter',
        {
          path: '$.results',
          expected: `a row for ${JSON.stringify(id)}, of which a revision passes ${through}`,
          actual: ids,
        },
      );
      continue;
    }
    // The rule filter-all-docs-skip covers a row without a passing revision.
    if (hasRow(filter, id, tree, style) === false) continue;
    const required = [...passing].filter(([, passes]) => passes === true).map(([rev]) => rev);
    const allowed = [...passing].filter(([, passes]) => passes !== false).map(([rev]) => rev);
    must(
      required.every((rev) => row.revs.includes(rev)) && row.revs.every((rev) => allowed.includes(rev)),
      'A row does not list exactly the leaf revisions that pass the filter',
      {
        path: `${row.path}.changes`,
        expected: `${JSON.stringify(required)}, the leaf revisions that pass ${through}`,
        actual: row.revs,
      },
    );
  }
}

/** A document in the feed must have a revision that passes. */
function mustSkipOthers({ rows }: Feed, filter: Filter, state: DatabaseState): void {
  for (const { id, path } of rows) {
    const tree = state.get(id);
    must(
      tree === undefined || hasRow(filter, id, tree, style) !== false,
      'The feed has a row for a document although none of its revisions passes the filter',
      {
        path: `${path}.id`,
        expected: `a document with a revision that passes ${JSON.stringify(filter)}`,
        actual: id,
      },
    );
  }
}

async function mustIncludeWinners(
  { rows }: Feed,
  _: Filter,
  state: DatabaseState,
  database: DatabaseClient,
): Promise<void> {
  for (const row of rows) {
    const tree = state.get(row.id);
    if (!tree) continue;
    const { fields } = allowedRow(row.id, tree, { include_docs: true }).doc!;
    await mustIncludeStored(database, row, fields);
  }
}

/** Every target of a current version must support selectors, so functions have their own checks. */
const bySelectors = pooledScenarios(bySelector(selectors));
const byFunctions = pooledScenarios(fc.oneof(functions, views));

/** All revisions of a document have its id, so they all pass or none does. */
const byId = (context: CheckContext) => fc.oneof(pooledIdsScenarios(context), pooledDesignScenarios(context));

const uses = { query: { filter: '_selector' } };
const needs = ['functions'] as const;
const includeDocs = { include_docs: true };

export const filterAllDocsSkip = defineRule('filter-all-docs-skip', {
  rung: 'filters',
  notInTraffic: unseen.otherWriters,
  checks: {
    'filter-all-docs-skip': { uses, ...withFilters(bySelectors, mustSkipOthers) },

    'filter-all-docs-skip/functions': { needs, ...withFilters(byFunctions, mustSkipOthers) },
  },
});

export const filterAllDocsRevs = defineRule('filter-all-docs-revs', {
  rung: 'filters',
  inTraffic: {
    part: {
      judged:
        'Each revision in a row that has passed before matches the selector, and, with one copy, a row has each leaf that is known to pass the filter.',
      rest: unseen.stored,
    },
    needs: 'single-copy',
    feed: onRow((row, feed) => {
      const { id, revs, path } = row;
      const { filter, selector, style } = feed.parameters;
      if (filter === undefined || style !== 'all_docs') return false;
      const bodyOf = (rev: string) => feed.passed.database?.bodyOf(id, rev);
      const leaves = leavesBefore(row, feed);
      const list = { path: `${path}.changes`, listed: revs };
      // All revisions have the id.
      if (filter === '_doc_ids' || filter === '_design')
        return mustListLeaves('A row lacks a leaf revision', row, leaves, list, () => leaves!.at);
      if (filter !== '_selector') return false;
      const known = revs.flatMap((rev, index) => {
        const body = bodyOf(rev);
        const isMatch = selects(selector, body?.document);
        return body === undefined || isMatch === undefined ? [] : [{ rev, index, isMatch, ...body }];
      });
      for (const { rev, index, isMatch, startedAt } of known) {
        unlessReplaced(startedAt, () =>
          must(isMatch, 'A row lists a revision that does not match', {
            path: `${path}.changes[${index}].rev`,
            expected: 'a revision that matches the selector',
            actual: rev,
          }),
        );
      }
      const hasMatching = mustListLeaves(
        'A row lacks a leaf revision that matches',
        row,
        leaves,
        list,
        (rev) => {
          const body = bodyOf(rev);
          return selects(selector, body?.document) === true ? body!.startedAt : undefined;
        },
      );
      return hasMatching || known.length > 0;
    }),
  },
  checks: {
    'filter-all-docs-revs': { uses, ...withFilters(bySelectors, mustListPassingRevisions) },

    'filter-all-docs-revs/functions': { needs, ...withFilters(byFunctions, mustListPassingRevisions) },

    'filter-all-docs-revs/members': {
      uses,
      ...readsThroughEach(memberSelectors.map((selector) => ({ kind: 'selector', selector }))),
    },

    'filter-all-docs-revs/each-function': {
      needs,
      ...readsThroughEach([
        ...mapFunctionNames.map((view): Filter => ({ kind: 'view', view })),
        ...typeInsensitive.map((name): Filter => ({
          kind: 'function',
          name,
          parameters: { wanted: 'a', least: '2' },
        })),
      ]),
    },

    'filter-all-docs-revs/ids': withFilters(byId, mustListPassingRevisions),
  },
});

export const filterAllDocsDoc = defineRule('filter-all-docs-doc', {
  rung: 'filters',
  notInTraffic: unseen.otherWriters,
  checks: {
    'filter-all-docs-doc': { uses, ...withFilters(bySelectors, mustIncludeWinners, includeDocs) },

    'filter-all-docs-doc/functions': { needs, ...withFilters(byFunctions, mustIncludeWinners, includeDocs) },
  },
});
