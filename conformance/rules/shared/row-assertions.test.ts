/** What a finding says of a row is what was seen in it. */
import test from 'ava';
import { feedWith, type Row } from '../../play/read-feed.js';
import { aroundRow } from './resume.js';
import { mustBeMarked } from './row-assertions.js';

const row = (id: string, seq: number, more: object = {}): Row => ({
  id,
  seq,
  revs: ['1-a'],
  value: { id, seq, ...more },
  path: '$.results[0]',
});

test('deleted: false marks no document as deleted, and must not be there', (t) => {
  const message = 'The row of a live document has the member deleted, which must be absent there';
  t.throws(() => mustBeMarked(row('a', 1, { deleted: false }), false), { message });
  const marked = 'The row of a live document is marked as deleted';
  t.throws(() => mustBeMarked(row('a', 1, { deleted: true }), false), { message: marked });
  t.notThrows(() => mustBeMarked(row('a', 1), false));
});

test('who resumes loses nothing if a row comes twice', (t) => {
  const rows = [row('a', 1), row('b', 2), row('a', 1)];
  const feed = feedWith(rows, { lastSeq: 2, pending: 0, exchange: undefined });
  t.deepEqual(feed.rows, rows.slice(0, 2));
  t.deepEqual(feed.sent, rows);
  t.deepEqual(aroundRow(feed, rows[1]!), { before: ['b'], after: [] });
});
