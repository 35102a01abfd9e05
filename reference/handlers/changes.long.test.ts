import test, { type ExecutionContext } from 'ava';
import { createDatabase } from '../testing/feed.js';
import { basic, testServer } from '../testing/server.js';

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  return { server, asAdmin: server.asAdmin, ...(await createDatabase(t, server, 'recipes')) };
}

test('the feed of an empty database', async (t) => {
  const { asAdmin, changes } = await recipes(t);
  const feed = await changes();
  t.deepEqual(feed.results, []);
  t.is(feed.pending, 0);
  t.regex(feed.last_seq, /^0-./);
  t.is((await changes(`since=${feed.last_seq}`)).last_seq, feed.last_seq);
  const { headers } = await asAdmin('GET', '/recipes/_changes');
  t.is(headers['content-type'], 'application/json');
  // A short feed has a length, a long one is sent in chunks.
  t.regex(String(headers['content-length']), /^[1-9]\d*$/);
  t.is(headers['cache-control'], 'must-revalidate');
});

test('a limit of 0 gives no row, and one of -1 all of them', async (t) => {
  const { write, changes } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' });
  const all = await changes();
  t.like(await changes('limit=0'), { results: [], pending: 2 });
  t.deepEqual(await changes('limit=-1'), all);
});

test('invalid parameters are rejected with their name', async (t) => {
  const { requestChanges, server } = await recipes(t);
  for (const query of [
    'since=bogus',
    'since=5',
    'since=1-abc',
    'since=',
    'since={}',
    'feed=bogus',
    'timeout=-1',
    'seq_interval=0',
  ]) {
    for (const body of [undefined, {}]) {
      const { status, json } = await requestChanges(query, body);
      t.is(status, 400, query);
      const { error, reason } = json as { error: string; reason: string };
      t.is(error, 'bad_request');
      t.regex(reason, new RegExp(query.split('=')[0]!), query);
    }
  }
  t.deepEqual(server.reports, []);
});

test('slow and disconnected clients do not affect others', async (t) => {
  const { asAdmin, changes, server, write } = await recipes(t);
  for (let n = 0; n < 30; n++) await write({ _id: `large-${n}`, text: 'x'.repeat(1_000_000) });
  const headers = basic(server.admin.name, server.admin.password);
  const open = async () =>
    (await server.open('GET', '/recipes/_changes?include_docs=true', { headers })).body;
  const gone = await open();
  const slow = await open();
  gone.destroy();
  t.is((await changes()).results.length, 30);
  t.is((await asAdmin('DELETE', '/recipes')).status, 200);
  // Rows that were already sent arrive. Then the response is aborted.
  await t.throwsAsync(async () => {
    for await (const chunk of slow) void chunk;
  });
  t.is((await asAdmin('PUT', '/recipes')).status, 201);
  t.deepEqual(server.reports, []);
});
