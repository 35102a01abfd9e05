import test from 'ava';
import { allowedRow } from './feed.js';
import { addRevision, emptyTree } from './revisions.js';

const told: [history: string[], deleted: boolean, body: object][] = [
  [['2-b', '1-a'], false, { value: 'winner' }],
  [['2-a', '1-a'], false, { value: 'loser' }],
  [['3-c', '2-c', '1-a'], true, { value: 'tombstone' }],
];
const contested = told.reduce(
  (tree, [history, deleted, body]) => addRevision(tree, history, { deleted, body: { ...body } }),
  emptyTree,
);
const gone = addRevision(emptyTree, ['1-a'], { deleted: true, body: { why: 'old' } });

test('main_only, and no style, show the winner', (t) => {
  const row = { id: 'a', winner: '2-b', revs: ['2-b'], deleted: false, doc: undefined };
  t.deepEqual(allowedRow('a', contested), row);
  t.deepEqual(allowedRow('a', contested, { style: 'main_only', conflicts: true }), row);
});

test('all_docs shows all leaves and no inner revision', (t) => {
  const { revs, deleted } = allowedRow('a', contested, { style: 'all_docs' });
  t.deepEqual(revs.toSorted(), ['2-a', '2-b', '3-c']);
  t.false(deleted);
});

test('include_docs shows the winner as it was written', (t) => {
  t.deepEqual(allowedRow('a', contested, { include_docs: true }).doc, {
    fields: { _id: 'a', _rev: '2-b', value: 'winner' },
    conflicts: [],
  });
  t.deepEqual(allowedRow('a', gone, { include_docs: true }).doc?.fields, {
    _id: 'a',
    _rev: '1-a',
    _deleted: true,
    why: 'old',
  });
});

test('conflicts are the live losers', (t) => {
  const { doc } = allowedRow('a', contested, { include_docs: true, conflicts: true });
  t.deepEqual(doc?.conflicts, ['2-a']);
});

test('a document is deleted when all of its leaves are', (t) => {
  t.true(allowedRow('a', gone).deleted);
});

test('a document that was never written has no row', (t) => {
  t.throws(() => allowedRow('a', emptyTree), { message: 'a was never written' });
});
