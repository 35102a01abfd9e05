import test from 'ava';
import { testServer } from '../testing/server.js';

test('a database can be created, inspected and deleted', async (t) => {
  const { asAdmin, url } = await testServer(t);
  const made = await asAdmin('PUT', '/recipes');
  t.is(made.status, 201);
  t.deepEqual(made.json, { ok: true });
  t.is(made.headers.location, `${url}/recipes`);

  const info = await asAdmin('GET', '/recipes');
  t.is(info.status, 200);
  const { db_name, doc_count, doc_del_count, update_seq } = info.json as Record<string, unknown>;
  t.deepEqual([db_name, doc_count, doc_del_count], ['recipes', 0, 0]);
  t.regex(update_seq as string, /^0-./);
  t.is((await asAdmin('GET', '/recipes/')).status, 200, 'PouchDB asks with the slash');
  t.is((await asAdmin('HEAD', '/recipes')).status, 200);

  t.deepEqual((await asAdmin('DELETE', '/recipes')).json, { ok: true });
  t.is((await asAdmin('GET', '/recipes')).status, 404);
  t.is((await asAdmin('HEAD', '/recipes')).status, 404);
});

test('the database information counts documents and deletions', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('POST', '/recipes/_bulk_docs', {
    docs: [{ _id: 'a' }, { _id: 'b' }, { _id: 'c', _deleted: true }],
  });
  const { doc_count, doc_del_count, update_seq, sizes } = (await asAdmin('GET', '/recipes')).json as Record<
    string,
    unknown
  >;
  t.deepEqual([doc_count, doc_del_count], [2, 1]);
  t.regex(update_seq as string, /^3-/);
  t.true((sizes as { file: number }).file > 0);
});

test('existing, unknown and invalid names', async (t) => {
  const { asAdmin } = await testServer(t, { dialect: 'couchdb' });
  await asAdmin('PUT', '/recipes');
  const taken = await asAdmin('PUT', '/recipes');
  t.is(taken.status, 412);
  t.is((taken.json as { error: string }).error, 'file_exists');
  for (const method of ['GET', 'DELETE']) {
    const unknown = await asAdmin(method, '/unknown');
    t.is(unknown.status, 404);
    t.deepEqual(unknown.json, { error: 'not_found', reason: 'Database does not exist.' });
  }
  for (const name of ['Recipes', '1recipes', '_recipes', 'a.b', 'a%20b', 'a%00', 'rezept%C3%A9', 'a%0A']) {
    const rejected = await asAdmin('PUT', `/${name}`);
    t.is(rejected.status, 400, name);
    t.is((rejected.json as { error: string }).error, 'illegal_database_name');
  }
  t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_users', 'recipes']);
});

test('names with all allowed characters, and a slash as %2F', async (t) => {
  const { asAdmin, url } = await testServer(t);
  for (const name of ['a_$()+-0', 'a/b/c', 'z']) {
    const path = `/${encodeURIComponent(name)}`;
    const made = await asAdmin('PUT', path);
    t.is(made.status, 201, name);
    t.is(made.headers.location, url + path);
    t.is(((await asAdmin('GET', path)).json as { db_name: string }).db_name, name);
  }
  t.is((await asAdmin('PUT', '/_replicator')).status, 201);
  t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_replicator', '_users', 'a/b/c', 'a_$()+-0', 'z']);
});

test('ranges of the list of databases', async (t) => {
  const { asAdmin } = await testServer(t);
  for (const name of ['a', 'b', 'c', 'd']) await asAdmin('PUT', `/${name}`);
  const list = async (query: string) => (await asAdmin('GET', `/_all_dbs?${query}`)).json;
  t.deepEqual(await list('startkey="b"&endkey="c"'), ['b', 'c']);
  t.deepEqual(await list('start_key="c"'), ['c', 'd']);
  t.deepEqual(await list('skip=1&limit=2'), ['a', 'b']);
  t.deepEqual(await list('descending=true&startkey="c"&endkey="b"'), ['c', 'b']);
  t.deepEqual(await list('limit=0'), []);
});

test('a database that is created again has no data or sequences of the previous one', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/pancakes', {});
  const { last_seq } = (await asAdmin('GET', '/recipes/_changes')).json as { last_seq: string };
  await asAdmin('DELETE', '/recipes');
  await asAdmin('PUT', '/recipes');
  t.is((await asAdmin('GET', '/recipes/pancakes')).status, 404);
  const stale = await asAdmin('GET', `/recipes/_changes?since=${last_seq}`);
  t.is(stale.status, 400);
  t.regex((stale.json as { reason: string }).reason, /since/);
});
