/** What a filter does to the revisions of a row with `style=all_docs` (SERVICE 4.8 rules 1 to 3). */
import fc from 'fast-check';
import { bySelector, functions, scenarios, selectors, views } from '../arbitraries/filters.js';
import { requests } from '../arbitraries/requests.js';
import { allowedRow } from '../model/feed.js';
import { hasRow, listedRevisions, type Filter } from '../model/filters.js';
import type { DatabaseState } from '../model/history.js';
import { writtenMembers, type Feed } from '../play/feed.js';
import { playForFilters, readFiltered } from '../play/filters.js';
import { allSettledOrThrow } from '../play/settled.js';
import { anObject, equalTo, mustMatch, satisfying } from '../verdict/matchers.js';
import { check, forAll, type Check, type Run } from '../check.js';

const style = 'all_docs';

function forEveryFilter(
  filter: fc.Arbitrary<Filter>,
  request: ReturnType<typeof requests>,
  judge: (feed: Feed, filter: Filter, state: DatabaseState) => void,
): Run {
  return forAll(
    fc.record({ scenario: scenarios(filter), request }),
    async (context, { scenario: { before, filters }, request }) => {
      const { database, state } = await playForFilters(context, filters, before);
      await allSettledOrThrow(
        filters.map(async (filter) => judge(await readFiltered(database, request, filter), filter, state)),
      );
    },
  );
}

/** Each rule is tried with selectors, which every target must have, and with functions where there are any. */
const kinds = [
  { filter: bySelector(selectors), needs: [] },
  { what: 'functions', filter: fc.oneof(functions, views), needs: ['functions'] },
] as const;

export const filterAllDocsChecks: readonly Check[] = kinds.flatMap(({ filter, ...kind }) => [
  check({
    rule: 'filter-all-docs-skip',
    ...kind,
    run: forEveryFilter(filter, requests({ style }), ({ rows }, filter, state) => {
      for (const { id, path } of rows) {
        const tree = state.get(id);
        const justified = satisfying(
          `a document with a revision that passes ${JSON.stringify(filter)}`,
          () => tree === undefined || hasRow(filter, id, tree, style) !== false,
        );
        mustMatch('There is a row although no revision passes', id, justified, `${path}.id`);
      }
    }),
  }),

  check({
    rule: 'filter-all-docs-revs',
    ...kind,
    run: forEveryFilter(filter, requests({ style }), ({ rows, ids }, filter, state) => {
      const through = JSON.stringify(filter);
      for (const [id, tree] of state) {
        const passing = listedRevisions(filter, id, tree, style);
        const row = rows.find((row) => row.id === id);
        if (!row) {
          const wanted = satisfying(
            `a row for ${JSON.stringify(id)}, of which a revision passes ${through}`,
            () => ![...passing.values()].includes(true),
          );
          mustMatch('A document of which a revision passes has no row', ids, wanted, '$.results');
          continue;
        }
        // A document that has no reason for a row is left to filter-all-docs-skip.
        if (hasRow(filter, id, tree, style) === false) continue;
        const must = [...passing].filter(([, judgement]) => judgement === true).map(([rev]) => rev);
        const may = [...passing].filter(([, judgement]) => judgement !== false).map(([rev]) => rev);
        const exact = satisfying(
          `${JSON.stringify(must)}, the leaves that pass ${through}`,
          () => must.every((rev) => row.revs.includes(rev)) && row.revs.every((rev) => may.includes(rev)),
        );
        mustMatch('A row does not list the revisions that pass', row.revs, exact, `${row.path}.changes`);
      }
    }),
  }),

  check({
    rule: 'filter-all-docs-doc',
    ...kind,
    run: forEveryFilter(filter, requests({ style, include_docs: true }), ({ rows }, _, state) => {
      for (const { id, value, path } of rows) {
        const tree = state.get(id);
        if (!tree) continue;
        const what = 'The doc is not the winning revision';
        mustMatch(what, value.doc, anObject, `${path}.doc`);
        const { fields } = allowedRow(id, tree, { include_docs: true }).doc!;
        mustMatch(what, writtenMembers(value.doc as object), equalTo(fields), `${path}.doc`);
      }
    }),
  }),
]);
