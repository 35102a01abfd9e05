/** Writes that servers other than the reference server may refuse. */
import test from 'ava';
import { planWrite, type Write } from './history.js';
import { emptyTree, leaves, type RevisionTree } from './revisions.js';

/** Applies writes to one document. `revs` are the revisions in the server's responses to the edits. */
function treeAfter(writes: readonly Write[], revs: readonly string[] = []): RevisionTree {
  const remaining = [...revs];
  return writes.reduce<RevisionTree>((tree, write) => {
    const planned = planWrite('a', tree, write)!;
    return planned.grow(planned.newEdits ? remaining.shift() : undefined);
  }, emptyTree);
}

const put: Write = { kind: 'put', leaf: 0, body: { value: 1 } };
const remove: Write = { kind: 'delete', leaf: 0, body: { why: 'old' } };
const replicate = (hashDigits: number[], deleted = false): Write => ({
  ...{ kind: 'replicate', parent: 0, hashDigits, deleted, body: {} },
});

test('a delete does nothing if no leaf is live', (t) => {
  t.is(planWrite('a', emptyTree, remove), undefined);
  t.is(planWrite('a', treeAfter([put, remove], ['1-x', '2-y']), remove), undefined);
});

test('an edit builds on a live leaf, never on a deleted one', (t) => {
  const tree = treeAfter([replicate([1]), replicate([2, 2], true), replicate([3])]);
  const parentOf = (leaf: number) => planWrite('a', tree, { ...put, leaf })?.document._rev as string;
  t.is(new Set([parentOf(0), parentOf(1)]).size, 2);
  t.is(parentOf(2), parentOf(0));
  t.false(leaves(tree).some(({ rev, deleted }) => deleted && rev === parentOf(1)));
});

test('a recreated document continues the deleted winning revision or starts a new root, as the server decides', (t) => {
  const revs = (...responses: string[]) =>
    leaves(treeAfter([put, remove, put], responses)).map(({ rev }) => rev);
  t.deepEqual(revs('1-x', '2-y', '3-z'), ['3-z']);
  t.deepEqual(revs('1-x', '2-y', '1-z'), ['1-z', '2-y']);
});
