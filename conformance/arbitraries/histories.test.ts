/** How often the generated histories reach rare cases: a check cannot verify a case that never occurs. */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { changedIds, type DatabaseState, type History } from '../oracle/history.js';
import { conflicts, generation, leaves, winner, type RevisionTree } from '../oracle/revisions.js';
import { simulate } from '../testing/simulate.js';
import { histories, stagedHistories } from './histories.js';
import { unreachedLimit } from './live.js';

const best = (tree: RevisionTree) => winner(tree)!;
const arrival = (tree: RevisionTree, rev: string) => [...tree.keys()].indexOf(rev);
const equalGenerations = (tree: RevisionTree) =>
  conflicts(tree).filter(({ rev }) => generation(rev) === generation(best(tree).rev));

/** Kinds of documents, and the share of histories that must contain at least one. */
const rareDocuments: [name: string, atLeast: number, is: (tree: RevisionTree) => boolean][] = [
  ['in conflict', 0.55, (tree) => conflicts(tree).length >= 1],
  ['in a conflict of three', 0.3, (tree) => conflicts(tree).length >= 2],
  ['in a conflict of equal generations', 0.28, (tree) => equalGenerations(tree).length >= 1],
  [
    'in a conflict that the hash decides for the revision that arrived first',
    0.15,
    (tree) => equalGenerations(tree).some(({ rev }) => arrival(tree, rev) > arrival(tree, best(tree).rev)),
  ],
  [
    'with generations of both one and two digits',
    0.28,
    (tree) => leaves(tree).some(({ rev }) => generation(rev) > 9 !== generation(best(tree).rev) > 9),
  ],
  [
    'live with a deleted leaf',
    0.55,
    (tree) => !best(tree).deleted && leaves(tree).some((leaf) => leaf.deleted),
  ],
  [
    'live although the leaf with the highest generation is deleted',
    0.25,
    (tree) =>
      !best(tree).deleted &&
      leaves(tree).some((leaf) => leaf.deleted && generation(leaf.rev) > generation(best(tree).rev)),
  ],
  ['deleted', 0.35, (tree) => best(tree).deleted],
  ['deleted in all of several leaves', 0.1, (tree) => best(tree).deleted && leaves(tree).length > 1],
  [
    'created again after its deletion',
    0.28,
    (tree) => [...tree.values()].some(({ parent }) => parent !== undefined && tree.get(parent)!.deleted),
  ],
];

const rareDatabases: [name: string, atLeast: number, is: (state: DatabaseState) => boolean][] = [
  ['empty', 0.04, (state) => state.size === 0],
  ['of more than thirty documents', 0.04, (state) => state.size > 30],
  ['with a design document', 0.25, (state) => [...state.keys()].some((id) => id.startsWith('_design/'))],
  [
    'with an id that resembles those of design documents',
    0.1,
    (state) => [...state.keys()].some((id) => /^.+_design\/|^design/.test(id)),
  ],
  [
    'with an id that needs escaping in a path',
    0.45,
    (state) => [...state.keys()].some((id) => /[/ +%?]/.test(id)),
  ],
  ['with text beyond ASCII', 0.5, (state) => /[^\0-\x7f]/.test(JSON.stringify(winnersOf(state)))],
];

function winnersOf(state: DatabaseState): unknown[] {
  return [...state].map(([id, tree]) => [id, best(tree).body]);
}

const states = fc.sample(histories, { numRuns: 1000, seed: 1 }).map((history) => simulate(history));

for (const [name, atLeast, is] of rareDocuments) {
  test(`histories contain documents ${name}`, (t) => {
    isReached(t, atLeast, states.filter((state) => [...state.values()].some(is)).length / states.length);
  });
}

for (const [name, atLeast, is] of rareDatabases) {
  test(`histories contain databases ${name}`, (t) => {
    isReached(t, atLeast, states.filter(is).length / states.length);
  });
}

test('later stages change some documents of earlier stages and leave others unchanged', (t) => {
  const staged = fc.sample(stagedHistories(2), { numRuns: 1000, seed: 1 }).map(([first, second]) => {
    const before = simulate(first!);
    const after = simulate(second!, before);
    const changed = changedIds(before, after);
    const rewritten = [...before.keys()].some((id) => changed.has(id));
    const unchanged = [...before.keys()].some((id) => !changed.has(id));
    return rewritten && unchanged;
  });
  isReached(t, 0.35, staged.filter(Boolean).length / staged.length);
});

function isReached(t: ExecutionContext, atLeast: number, share: number): void {
  t.log(`${(share * 100).toFixed(1)} %, at least ${(atLeast * 100).toFixed(0)} %`);
  t.true(share >= atLeast);
}

test('the writes while a feed is open are fewer than the limit that none reaches', (t) => {
  const writesOf = (stages: fc.Arbitrary<readonly History[]>): fc.Arbitrary<number> =>
    stages.map((stages) => stages.flat().reduce((sum, { writes }) => sum + writes.length, 0));
  const writes = fc.sample(writesOf(stagedHistories(2)), { seed: 1, numRuns: 2000 });
  t.true(Math.max(...writes) < unreachedLimit, `${Math.max(...writes)} writes`);
});
