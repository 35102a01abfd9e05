/** How often the generated filters reach rare cases: see `histories.test.ts`. */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { hasRow, listedRevisions, type Filter } from '../oracle/filters.js';
import type { RevisionTree } from '../oracle/revisions.js';
import { winner } from '../oracle/revisions.js';
import { simulate } from '../testing/simulate.js';
import {
  bySelector,
  combining,
  comparing,
  designScenarios,
  functions,
  idsScenarios,
  inspecting,
  scenarios,
  selectors,
  views,
  type Scenario,
} from './filter-scenarios.js';

/** A document of the generated database with one of the filters. */
interface Pair {
  readonly filter: Filter;
  readonly id: string;
  readonly tree: RevisionTree;
}

/** Every pair of a filter and a document, by scenario. */
function pairsOf(scenario: fc.Arbitrary<Scenario>): Pair[][] {
  return fc.sample(scenario, { numRuns: 300, seed: 1 }).map(({ before, after, filters }) => {
    const state = [...simulate(after, simulate(before))];
    return filters.flatMap((filter) => state.map(([id, tree]) => ({ filter, id, tree })));
  });
}

const main = ({ filter, id, tree }: Pair) => hasRow(filter, id, tree, 'main_only');
const all = ({ filter, id, tree }: Pair) => [...listedRevisions(filter, id, tree, 'all_docs').values()];

function isReached(
  t: ExecutionContext,
  atLeast: number,
  pairs: readonly Pair[][],
  is: (pair: Pair) => boolean,
): void {
  const share = pairs.filter((scenario) => scenario.some(is)).length / pairs.length;
  t.log(`${(share * 100).toFixed(1)} %, at least ${(atLeast * 100).toFixed(0)} %`);
  t.true(share >= atLeast);
}

const kinds: Readonly<Record<string, fc.Arbitrary<Scenario>>> = {
  'lists of ids': idsScenarios(),
  'design documents': designScenarios(),
  comparing: scenarios(bySelector(comparing)),
  inspecting: scenarios(bySelector(inspecting)),
  combining: scenarios(bySelector(combining)),
  views: scenarios(views),
  functions: scenarios(functions),
};

for (const [name, scenario] of Object.entries(kinds)) {
  const pairs = pairsOf(scenario);
  test(`${name}: some documents pass, some do not`, (t) => {
    isReached(t, 0.5, pairs, (pair) => main(pair) === true);
    isReached(t, 0.5, pairs, (pair) => main(pair) === false);
  });
  test(`${name}: a deleted document passes, or may pass`, (t) => {
    isReached(t, 0.1, pairs, (pair) => winner(pair.tree)!.deleted && main(pair) !== false);
  });
  test(`${name}: few results are undetermined`, (t) => {
    const all = pairs.flat();
    const open = all.filter((pair) => main(pair) === undefined).length / all.length;
    t.log(`${(open * 100).toFixed(1)} %, at most 40 %`);
    t.true(open <= 0.4);
  });
}

const conflicted = pairsOf(scenarios(fc.oneof(bySelector(selectors), views, functions)));

test('a conflict passes, but not the winning revision', (t) => {
  isReached(t, 0.25, conflicted, (pair) => all(pair)[0] === false && all(pair).includes(true));
});

test('the winning revision passes, but not a conflict', (t) => {
  isReached(t, 0.25, conflicted, (pair) => all(pair)[0] === true && all(pair).includes(false));
});

test('no revision of a document in conflict passes', (t) => {
  isReached(t, 0.25, conflicted, (pair) => {
    const results = all(pair);
    return results.length > 1 && results.every((result) => result === false);
  });
});
