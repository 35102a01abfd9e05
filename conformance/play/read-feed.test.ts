import test from 'ava';
import { readFeed } from './read-feed.js';
import { withLiveFeed } from './live-feed.js';
import { clientOf, databaseOf } from '../testing/database.js';

const seqs = [
  '1234567890123456789012345',
  '[1,-20000000000000000001]',
  '{"at":1700000000.123456789}',
  '7',
  '"8"',
];

const rows = seqs.map(
  (seq, index) =>
    `{"id":"doc-${index}","seq":${seq},"changes":[{"rev":"1-a"}],"doc":{"value":0.1000000000000000055}}`,
);

test('a seq is sent back with all its digits', async (t) => {
  const sent: (string | null)[] = [];
  const client = await clientOf(t, (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost');
    sent.push(searchParams.get('since'));
    const isContinuous = searchParams.get('feed') === 'continuous';
    response.end(
      isContinuous ? rows.join('\r\n') : `{"results":[${rows.join()}],"last_seq":${seqs[0]},"pending":0}`,
    );
  });
  const database = databaseOf(client);

  const feed = await readFeed(database);
  t.deepEqual(feed.lastSeq, feed.rows[0]!.seq);
  const live = await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await feed.until(() => false);
    return feed.rows;
  });
  for (const { seq, value } of [...feed.rows, ...live]) {
    t.deepEqual(value.doc, { value: 0.1 });
    await readFeed(database, { query: { since: seq } });
  }
  t.deepEqual(
    sent,
    [null, null, ...seqs, ...seqs].map((seq) => seq && seq.replace(/^"(.*)"$/, '$1')),
  );
});
