import test from 'ava';
import { allowedRow, withQuery } from './feed.js';
import { addRevision, emptyTree } from './revisions.js';

const revisions: [history: string[], deleted: boolean, body: object][] = [
  [['2-b', '1-a'], false, { value: 'winner' }],
  [['2-a', '1-a'], false, { value: 'conflict' }],
  [['3-c', '2-c', '1-a'], true, { value: 'tombstone' }],
];
const conflicted = revisions.reduce(
  (tree, [history, deleted, body]) => addRevision(tree, history, { deleted, body: { ...body } }),
  emptyTree,
);
const gone = addRevision(emptyTree, ['1-a'], { deleted: true, body: { why: 'old' } });

test('the default style and main_only list the winning revision', (t) => {
  const row = { id: 'a', winner: '2-b', revs: ['2-b'], deleted: false, doc: undefined };
  t.deepEqual(allowedRow('a', conflicted), row);
  t.deepEqual(allowedRow('a', conflicted, { style: 'main_only', conflicts: true }), row);
});

test('all_docs lists all leaves and no other revision', (t) => {
  const { revs, deleted } = allowedRow('a', conflicted, { style: 'all_docs' });
  t.deepEqual(revs.toSorted(), ['2-a', '2-b', '3-c']);
  t.false(deleted);
});

test('include_docs returns the winning revision as it was written', (t) => {
  t.deepEqual(allowedRow('a', conflicted, { include_docs: true }).doc, {
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

test('conflicts are the live leaves that do not win', (t) => {
  const { doc } = allowedRow('a', conflicted, { include_docs: true, conflicts: true });
  t.deepEqual(doc?.conflicts, ['2-a']);
});

test('a document is deleted if all of its leaves are', (t) => {
  t.true(allowedRow('a', gone).deleted);
});

test('a document that was never written has no row', (t) => {
  t.throws(() => allowedRow('a', emptyTree), { message: 'a was never written' });
});

test('withQuery changes parameters and keeps the rest of the request', (t) => {
  const request = { method: 'POST', query: { limit: 1, conflicts: true }, json: { doc_ids: [] } } as const;
  t.deepEqual(withQuery(request, { limit: undefined, since: 2 }), {
    ...request,
    query: { limit: undefined, conflicts: true, since: 2 },
  } as never);
});
