/** What remains of histories on targets that lack something. */
import test from 'ava';
import fc from 'fast-check';
import { attachments } from '../arbitraries/attachments.js';
import { stagedHistories } from '../arbitraries/histories.js';
import { simulate } from '../testing/simulate.js';
import type { Capability } from '../../openapi/generated/rules.js';
import { emptyState, type DatabaseState, type Write } from './history.js';
import { emptyTree, leaves, type Revision } from './revisions.js';
import { storable } from './storable.js';

const histories = stagedHistories(1, { attachments }).map(([history]) => history!);
const sample = fc.sample(histories, { numRuns: 100, seed: 1 });

const statesWithout = (...lacks: Capability[]): DatabaseState[] =>
  sample.map((history) => simulate(history, emptyState, new Set(lacks)));

const revisionsWithout = (...lacks: Capability[]): Revision[] =>
  statesWithout(...lacks).flatMap((state) => [...state.values()].flatMap((tree) => [...tree.values()]));

const isDeletedTree = (tree: Parameters<typeof leaves>[0]): boolean =>
  leaves(tree).every(({ deleted }) => deleted);

test('a target that lacks nothing stores every write as it is', (t) => {
  const states = sample.map((history) => simulate(history));
  t.deepEqual(statesWithout(), states);
});

test('without conflicts, a document has one leaf, and some are deleted', (t) => {
  for (const lack of ['conflicts', 'new-edits'] as const) {
    const trees = statesWithout(lack).flatMap((state) => [...state.values()]);
    t.true(trees.every((tree) => leaves(tree).length === 1));
    t.true(trees.some(isDeletedTree));
  }
});

test('without chosen revisions, the target makes all of them', (t) => {
  // The simulated server makes short hashes, and a client makes long ones.
  t.true(revisionsWithout('new-edits').every(({ rev }) => /^\d+-.{1,9}$/.test(rev)));
  t.true(revisionsWithout('conflicts').some(({ rev }) => /^\d+-.{32}$/.test(rev)));
});

test('without recreation, nothing follows a deletion of the whole document', (t) => {
  const follow = (lacks: Capability[]): boolean =>
    statesWithout(...lacks).some((state) =>
      [...state.values()].some((tree) =>
        [...tree.values()].some(({ parent }) => parent !== undefined && tree.get(parent)!.deleted),
      ),
    );
  t.true(follow(['conflicts']));
  t.false(follow(['conflicts', 'recreation']));
});

test('without edits of conflicts, only documents with one leaf are edited', (t) => {
  const put: Write = { kind: 'put', leaf: 1, body: {} };
  const branch = (digit: number): Write => ({
    kind: 'replicate',
    parent: 0,
    hashDigits: [digit],
    deleted: false,
    body: {},
  });
  const tree = simulate([{ id: 'a', writes: [branch(1), branch(2)] }]).get('a')!;
  t.is(storable('a', tree, put, new Set(['conflict-edits'])), undefined);
  const deletedBranch: Write = { ...branch(2), kind: 'replicate', parent: 0, hashDigits: [2], deleted: true };
  const withDeleted = simulate([{ id: 'a', writes: [branch(1), deletedBranch] }]).get('a')!;
  t.is(storable('a', withDeleted, { ...put, leaf: 0 }, new Set(['conflict-edits'])), undefined);
  t.deepEqual(storable('a', tree, put, new Set()), put);
  t.deepEqual(storable('a', emptyTree, put, new Set(['conflict-edits'])), put);
});

test('contents and ids that the target does not store are left out', (t) => {
  const ids = (lack: Capability): string[] => statesWithout(lack).flatMap((state) => [...state.keys()]);
  t.false(ids('design-documents').some((id) => id.startsWith('_design/')));
  t.true(ids('unusual-ids').every((id) => /^(_design\/)?[\w.-]+$/.test(id)));
  t.true(ids('unusual-ids').some((id) => id.startsWith('_design/')));
  t.true(revisionsWithout('attachments').every(({ attachments }) => attachments === undefined));
  t.true(revisionsWithout().some(({ attachments }) => attachments !== undefined));
  const deletions = revisionsWithout('deleted-bodies').filter(({ deleted }) => deleted);
  t.true(deletions.every(({ body = {} }) => Object.keys(body).length === 0));
  t.true(numbersIn(revisionsWithout('exact-numbers')).every(hasFewDigits));
  t.false(numbersIn(revisionsWithout()).every(hasFewDigits));
});

const hasFewDigits = (number: number): boolean =>
  Number(number.toPrecision(15)) === number && !String(number).includes('e');

function numbersIn(revisions: readonly Revision[]): number[] {
  const numbers: number[] = [];
  JSON.stringify(revisions, (_, value: unknown) => {
    if (typeof value === 'number') numbers.push(value);
    return value;
  });
  return numbers;
}
