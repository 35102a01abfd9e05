/** How often the filters meet what is rare: see `histories.test.ts`. */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { hasRow, listedRevisions, type Filter } from '../model/filters.js';
import type { RevisionTree } from '../model/revisions.js';
import { winner } from '../model/revisions.js';
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
} from './filters.js';

interface Meeting {
  readonly filter: Filter;
  readonly id: string;
  readonly tree: RevisionTree;
}

/** Every filter with every document, scenario by scenario. */
function meetings(scenario: fc.Arbitrary<Scenario>): Meeting[][] {
  return fc.sample(scenario, { numRuns: 300, seed: 1 }).map(({ before, after, filters }) => {
    const state = [...simulate(after, simulate(before))];
    return filters.flatMap((filter) => state.map(([id, tree]) => ({ filter, id, tree })));
  });
}

const main = ({ filter, id, tree }: Meeting) => hasRow(filter, id, tree, 'main_only');
const all = ({ filter, id, tree }: Meeting) => [...listedRevisions(filter, id, tree, 'all_docs').values()];

function isReached(
  t: ExecutionContext,
  atLeast: number,
  met: readonly Meeting[][],
  is: (meeting: Meeting) => boolean,
): void {
  const share = met.filter((scenario) => scenario.some(is)).length / met.length;
  t.log(`${(share * 100).toFixed(1)} %, at least ${(atLeast * 100).toFixed(0)} %`);
  t.true(share >= atLeast);
}

const kinds: Readonly<Record<string, fc.Arbitrary<Scenario>>> = {
  'lists of ids': idsScenarios,
  'design documents': designScenarios,
  comparing: scenarios(bySelector(comparing)),
  inspecting: scenarios(bySelector(inspecting)),
  combining: scenarios(bySelector(combining)),
  views: scenarios(views),
  functions: scenarios(functions),
};

for (const [name, scenario] of Object.entries(kinds)) {
  const met = meetings(scenario);
  test(`${name}: some documents pass, some do not`, (t) => {
    isReached(t, 0.5, met, (meeting) => main(meeting) === true);
    isReached(t, 0.5, met, (meeting) => main(meeting) === false);
  });
  test(`${name}: a deleted document passes`, (t) => {
    isReached(t, 0.1, met, (meeting) => winner(meeting.tree)!.deleted && main(meeting) === true);
  });
  test(`${name}: little is left open`, (t) => {
    const judged = met.flat();
    const open = judged.filter((meeting) => main(meeting) === undefined).length / judged.length;
    t.log(`${(open * 100).toFixed(1)} %, at most 40 %`);
    t.true(open <= 0.4);
  });
}

const contested = meetings(scenarios(fc.oneof(bySelector(selectors), views, functions)));

test('a losing revision passes, but not the winner', (t) => {
  isReached(t, 0.25, contested, (meeting) => all(meeting)[0] === false && all(meeting).includes(true));
});

test('the winner passes, but not a losing revision', (t) => {
  isReached(t, 0.25, contested, (meeting) => all(meeting)[0] === true && all(meeting).includes(false));
});

test('no revision of a document in conflict passes', (t) => {
  isReached(t, 0.25, contested, (meeting) => {
    const judgements = all(meeting);
    return judgements.length > 1 && judgements.every((judgement) => judgement === false);
  });
});
