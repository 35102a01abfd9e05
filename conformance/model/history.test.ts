import test from 'ava';
import { changedIds, planWrite, type Write } from './history.js';
import { emptyTree, leaves, winner, type RevisionTree } from './revisions.js';

/** Applies writes to one document; `revs` are what a server answers to the edits among them. */
function live(writes: readonly Write[], revs: readonly string[] = []): RevisionTree {
  const answers = [...revs];
  return writes.reduce<RevisionTree>((tree, write) => {
    const planned = planWrite('a', tree, write);
    return planned ? planned.grow(planned.newEdits ? answers.shift() : undefined) : tree;
  }, emptyTree);
}

const put: Write = { kind: 'put', leaf: 0, body: { value: 1 } };
const remove: Write = { kind: 'delete', leaf: 0, body: { why: 'old' } };
const graft = (from: number, ranks: number[], deleted = false): Write => ({
  kind: 'graft',
  from,
  ranks,
  deleted,
  body: {},
});
const revs = (tree: RevisionTree) => leaves(tree).map(({ rev }) => rev);

test('a put creates, then updates the winner', (t) => {
  t.deepEqual(planWrite('a', emptyTree, put)?.document, { _id: 'a', value: 1 });
  const tree = live([put, put], ['1-x', '2-y']);
  t.deepEqual(revs(tree), ['2-y']);
  t.is(planWrite('a', tree, put)?.document._rev, '2-y');
});

test('a delete writes a tombstone, and nothing where nothing is live', (t) => {
  t.is(planWrite('a', emptyTree, remove), undefined);
  t.deepEqual(planWrite('a', live([put], ['1-x']), remove)?.document, {
    _id: 'a',
    _rev: '1-x',
    _deleted: true,
    why: 'old',
  });
  const tree = live([put, remove], ['1-x', '2-y']);
  t.deepEqual(winner(tree), { rev: '2-y', parent: '1-x', deleted: true, body: { why: 'old' } });
  t.is(planWrite('a', tree, remove), undefined);
});

test('an edit is complete only with the revision that the server gave it', (t) => {
  t.throws(() => planWrite('a', emptyTree, put)!.grow(), { message: /revision that the server gave/ });
});

test('an edit names a live leaf, never a deleted one', (t) => {
  const tree = live([graft(0, [1]), graft(0, [2, 2], true), graft(0, [3])]);
  const named = (leaf: number) => planWrite('a', tree, { ...put, leaf })?.document._rev as string;
  t.is(new Set([named(0), named(1)]).size, 2);
  t.is(named(2), named(0));
  t.false(leaves(tree).some(({ rev, deleted }) => deleted && rev === named(1)));
});

test('a document created again goes on from the deleted winner or begins anew, as the server says', (t) => {
  t.deepEqual(revs(live([put, remove, put], ['1-x', '2-y', '3-z'])), ['3-z']);
  t.deepEqual(revs(live([put, remove, put], ['1-x', '2-y', '1-z'])), ['1-z', '2-y']);
});

test('a graft tells the whole history of its branch', (t) => {
  const tree = live([put, put], ['1-x', '2-y']);
  const { document, newEdits } = planWrite('a', tree, graft(1, [15, 0], true))!;
  t.false(newEdits);
  t.like(document, { _rev: `3-${'0'.repeat(31)}3`, _deleted: true });
  t.deepEqual(document._revisions, {
    start: 3,
    ids: [`${'0'.repeat(31)}3`, `f${'0'.repeat(30)}2`, 'x'],
  });
});

test('a graft of a new root has no history but its own', (t) => {
  const tree = live([put], ['1-x']);
  const planned = planWrite('a', tree, graft(0, [10]))!;
  const hash = `a${'0'.repeat(30)}1`;
  t.deepEqual(planned.document, { _id: 'a', _rev: `1-${hash}`, _revisions: { start: 1, ids: [hash] } });
  t.deepEqual(revs(planned.grow()), ['1-x', `1-${hash}`]);
});

test('no two grafts make the same revision', (t) => {
  t.is(revs(live([graft(0, [1]), graft(0, [1]), graft(0, [1])])).length, 3);
});

test('what changed between two states', (t) => {
  const one = live([graft(0, [1])]);
  const two = live([graft(0, [1]), graft(1, [1])]);
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

test('attachments go with the document, and stay as stubs where they are kept', (t) => {
  const tree = live([{ ...put, attachments: [text('a', 'YQ=='), text('b', 'Yg==')] }], ['1-x']);
  t.deepEqual(
    [...winner(tree)!.attachments!],
    [
      ['a', 'YQ=='],
      ['b', 'Yg=='],
    ],
  );
  const next: Write = { ...put, keeps: true, attachments: [text('b', 'YmI=')] };
  t.deepEqual(planWrite('a', tree, next)?.document._attachments, {
    a: { stub: true },
    b: { content_type: 'text/plain', data: 'YmI=' },
  });
  t.deepEqual([...winner(live([next], ['2-y']))!.attachments!], [['b', 'YmI=']]);
  const grown = planWrite('a', tree, next)!.grow('2-y');
  t.deepEqual(
    [...winner(grown)!.attachments!],
    [
      ['a', 'YQ=='],
      ['b', 'YmI='],
    ],
  );
});

test('attachments that are not kept are gone, and a deletion has none', (t) => {
  const tree = live([{ ...put, attachments: [text('a', 'YQ==')] }, put], ['1-x', '2-y']);
  t.is(winner(tree)!.attachments, undefined);
  t.is(planWrite('a', tree, put)!.document._attachments, undefined);
  t.is(winner(live([{ ...graft(0, [1], true), attachments: [text('a', 'YQ==')] }]))!.attachments, undefined);
});
