import test from 'ava';
import { changedIds, planWrite, type Write } from './history.js';
import { emptyTree, leaves, winner, type RevisionTree } from './revisions.js';

/** Applies writes to one document. `revs` are the revisions in the server's responses to the edits. */
function treeAfter(writes: readonly Write[], revs: readonly string[] = []): RevisionTree {
  const remaining = [...revs];
  return writes.reduce<RevisionTree>((tree, write) => {
    const planned = planWrite('a', tree, write);
    return planned ? planned.grow(planned.newEdits ? remaining.shift() : undefined) : tree;
  }, emptyTree);
}

const put: Write = { kind: 'put', leaf: 0, body: { value: 1 } };
const remove: Write = { kind: 'delete', leaf: 0, body: { why: 'old' } };
const replicate = (parent: number, hashDigits: number[], deleted = false): Write => ({
  kind: 'replicate',
  parent,
  hashDigits,
  deleted,
  body: {},
});
const revs = (tree: RevisionTree) => leaves(tree).map(({ rev }) => rev);

test('a put creates the document, then updates the winning revision', (t) => {
  t.deepEqual(planWrite('a', emptyTree, put)?.document, { _id: 'a', value: 1 });
  const tree = treeAfter([put, put], ['1-x', '2-y']);
  t.deepEqual(revs(tree), ['2-y']);
  t.is(planWrite('a', tree, put)?.document._rev, '2-y');
});

test('a delete writes a tombstone, or nothing if no leaf is live', (t) => {
  t.is(planWrite('a', emptyTree, remove), undefined);
  t.deepEqual(planWrite('a', treeAfter([put], ['1-x']), remove)?.document, {
    _id: 'a',
    _rev: '1-x',
    _deleted: true,
    why: 'old',
  });
  const tree = treeAfter([put, remove], ['1-x', '2-y']);
  t.deepEqual(winner(tree), { rev: '2-y', parent: '1-x', deleted: true, body: { why: 'old' } });
  t.is(planWrite('a', tree, remove), undefined);
});

test('an edit needs the revision from the server response', (t) => {
  t.throws(() => planWrite('a', emptyTree, put)!.grow(), { message: /revision from the server response/ });
});

test('an edit builds on a live leaf, never on a deleted one', (t) => {
  const tree = treeAfter([replicate(0, [1]), replicate(0, [2, 2], true), replicate(0, [3])]);
  const parentOf = (leaf: number) => planWrite('a', tree, { ...put, leaf })?.document._rev as string;
  t.is(new Set([parentOf(0), parentOf(1)]).size, 2);
  t.is(parentOf(2), parentOf(0));
  t.false(leaves(tree).some(({ rev, deleted }) => deleted && rev === parentOf(1)));
});

test('a recreated document continues the deleted winning revision or starts a new root, as the server decides', (t) => {
  t.deepEqual(revs(treeAfter([put, remove, put], ['1-x', '2-y', '3-z'])), ['3-z']);
  t.deepEqual(revs(treeAfter([put, remove, put], ['1-x', '2-y', '1-z'])), ['1-z', '2-y']);
});

test('a replicated write sends the whole path to its revision', (t) => {
  const tree = treeAfter([put, put], ['1-x', '2-y']);
  const { document, newEdits } = planWrite('a', tree, replicate(1, [15, 0], true))!;
  t.false(newEdits);
  t.like(document, { _rev: `3-${'0'.repeat(31)}3`, _deleted: true });
  t.deepEqual(document._revisions, {
    start: 3,
    ids: [`${'0'.repeat(31)}3`, `f${'0'.repeat(30)}2`, 'x'],
  });
});

test('a replicated write of a new root sends only its own revisions', (t) => {
  const tree = treeAfter([put], ['1-x']);
  const planned = planWrite('a', tree, replicate(0, [10]))!;
  const hash = `a${'0'.repeat(30)}1`;
  t.deepEqual(planned.document, { _id: 'a', _rev: `1-${hash}`, _revisions: { start: 1, ids: [hash] } });
  t.deepEqual(revs(planned.grow()), ['1-x', `1-${hash}`]);
});

test('replicated writes never create the same revision twice', (t) => {
  t.is(revs(treeAfter([replicate(0, [1]), replicate(0, [1]), replicate(0, [1])])).length, 3);
});

test('changedIds returns new and updated documents', (t) => {
  const one = treeAfter([replicate(0, [1])]);
  const two = treeAfter([replicate(0, [1]), replicate(1, [1])]);
  const before = new Map([
    ['kept', one],
    ['grown', one],
  ]);
  const after = new Map([
    ['kept', one],
    ['grown', two],
    ['new', one],
  ]);
  t.deepEqual([...changedIds(before, after)], ['grown', 'new']);
});

const text = (name: string, data: string) => ({ name, type: 'text/plain', data });

test('new attachments are sent with their content, kept ones as stubs', (t) => {
  const tree = treeAfter([{ ...put, attachments: [text('a', 'YQ=='), text('b', 'Yg==')] }], ['1-x']);
  t.deepEqual(
    [...winner(tree)!.attachments!],
    [
      ['a', 'YQ=='],
      ['b', 'Yg=='],
    ],
  );
  const next: Write = { ...put, keepAttachments: true, attachments: [text('b', 'YmI=')] };
  t.deepEqual(planWrite('a', tree, next)?.document._attachments, {
    a: { stub: true },
    b: { content_type: 'text/plain', data: 'YmI=' },
  });
  t.deepEqual([...winner(treeAfter([next], ['2-y']))!.attachments!], [['b', 'YmI=']]);
  const grown = planWrite('a', tree, next)!.grow('2-y');
  t.deepEqual(
    [...winner(grown)!.attachments!],
    [
      ['a', 'YQ=='],
      ['b', 'YmI='],
    ],
  );
});

test('attachments that are not kept are removed, and a deletion has none', (t) => {
  const tree = treeAfter([{ ...put, attachments: [text('a', 'YQ==')] }, put], ['1-x', '2-y']);
  t.is(winner(tree)!.attachments, undefined);
  t.is(planWrite('a', tree, put)!.document._attachments, undefined);
  t.is(
    winner(treeAfter([{ ...replicate(0, [1], true), attachments: [text('a', 'YQ==')] }]))!.attachments,
    undefined,
  );
});
