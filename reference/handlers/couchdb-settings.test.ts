/** Settings of CouchDB that clients and test suites write, over HTTP. */
import { deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

test('authentication_db names the users database, which has the same protection', async (t) => {
  const { asAdmin, send, set } = await testServer(t);
  t.is(await set('chttpd_auth/authentication_db', 'people'), 200);
  t.is((await asAdmin('PUT', '/people')).status, 201);
  const id = 'org.service.user:ann';
  const user = { name: 'ann', type: 'user', roles: [], password: 'secret' };
  t.is((await asAdmin('PUT', `/people/${id}`, user)).status, 201);
  const headers = basic('ann', 'secret');
  const { json } = await send('GET', '/_session', { headers });
  t.like(json, { userCtx: { name: 'ann' }, info: { authentication_db: 'people' } });
  t.is((await send('GET', `/people/${id}`, { headers })).status, 200);
  t.is((await send('GET', '/people/_all_docs', { headers })).status, 403);
  t.false(JSON.stringify((await asAdmin('GET', `/people/${id}`)).json).includes('secret"'));
  const forgotten = await asAdmin('PUT', `/_users/${id}`, { ...user, password: 'other' });
  t.is(forgotten.status, 201);
  t.false(
    JSON.stringify((await asAdmin('GET', '/_users/_all_docs?include_docs=true')).json).includes('"other"'),
  );
  t.is((await send('GET', `/_users/${id}`, { headers })).status, 403, 'not the users database any more');
});

test('a users database that authentication_db names has users without a type, as CouchDB has', async (t) => {
  const { asAdmin, send, set } = await testServer(t);
  t.is(await set('chttpd_auth/authentication_db', 'people'), 200);
  t.is((await asAdmin('PUT', '/people')).status, 201);
  const user = { _id: 'org.service.user:ann', name: 'ann', roles: ['cooks'], password: 'secret' };
  t.is((await asAdmin('POST', '/people', user)).status, 201);
  const { json } = await send('GET', '/_session', { headers: basic('ann', 'secret') });
  t.like(json, { userCtx: { name: 'ann', roles: ['cooks'] } });
  const other = { ...user, _id: 'org.service.user:bob', name: 'bob' };
  t.is((await asAdmin('POST', '/people', { ...other, type: 'recipe' })).status, 403);
  t.is((await asAdmin('POST', '/_users', other)).status, 403, 'but not _users itself');
});

test('a new password must match password_regexp, also under the name of CouchDB 2', async (t) => {
  const { asAdmin, set } = await testServer(t);
  const save = async (password: string) =>
    asAdmin('PUT', '/_users/org.service.user:ann', { name: 'ann', type: 'user', roles: [], password });
  t.is(await set('couch_httpd_auth/password_regexp', '[{"[0-9]", "It needs a digit."}]'), 200);
  t.like(await save('abc'), {
    status: 400,
    json: { error: 'bad request', reason: 'Password does not conform to requirements. It needs a digit.' },
  });
  t.is(await set('chttpd_auth/password_regexp', '["[A-Z]"]'), 200);
  t.like((await save('abc1')).json, { reason: 'Password does not conform to requirements.' });
  t.is((await save('ABC')).status, 201, 'the present section takes precedence');
  t.is(await set('chttpd_auth/password_regexp', '{"not a list"}'), 200);
  t.like((await save('ABC')).json, {
    error: 'forbidden',
    reason: 'Server cannot hash passwords at this time.',
  });
  t.is((await asAdmin('DELETE', '/_node/_local/_config/chttpd_auth/password_regexp')).status, 200);
  t.is((await save('xyz')).status, 400, 'and without it, the former one counts again');
});

test('the security object of the users database can be changed if a setting allows it', async (t) => {
  const { asAdmin, set } = await testServer(t);
  t.is((await asAdmin('PUT', '/_users/_security', {})).status, 403);
  t.is(await set('couchdb/users_db_security_editable', 'true'), 200);
  t.is((await asAdmin('PUT', '/_users/_security', {})).status, 200);
});

test('sections that name programs cannot be changed by request', async (t) => {
  const { set } = await testServer(t);
  t.is(await set('query_servers/python', '/bin/false'), 403);
});

test('docfeed/node_name names the node', async (t) => {
  const { asAdmin, set } = await testServer(t);
  t.is(await set('docfeed/node_name', 'couchdb@127.0.0.1'), 200);
  t.deepEqual((await asAdmin('GET', '/_membership')).json, {
    all_nodes: ['couchdb@127.0.0.1'],
    cluster_nodes: ['couchdb@127.0.0.1'],
  });
  t.is((await asAdmin('GET', '/_node/couchdb@127.0.0.1/_config/chttpd/changes_timeout')).status, 200);
});

test('UUIDs follow uuids/algorithm', async (t) => {
  const { send, set } = await testServer(t);
  const uuids = async () => (await send('GET', '/_uuids?count=1000')).json as { uuids: string[] };
  const isSorted = (list: string[]) => list.every((one, index) => index === 0 || list[index - 1]! < one);
  for (const [algorithm, pattern, sorted] of [
    ['sequential', /^[0-9a-f]{32}$/, true],
    ['random', /^[0-9a-f]{32}$/, false],
    ['utc_random', /^[0-9a-f]{32}$/, true],
    ['utc_id', /^[0-9a-f]{14}$/, true],
  ] as const) {
    t.is(await set('uuids/algorithm', algorithm), 200);
    const made = (await uuids()).uuids;
    t.is(new Set(made).size, 1000);
    t.true(made.every((uuid) => pattern.test(uuid)));
    if (algorithm !== 'sequential') t.is(isSorted(made), sorted, algorithm);
  }
});

test('a POST can name its method in a header', async (t) => {
  const { asAdmin, send } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const post = (method: string) =>
    send('POST', '/recipes/soup', {
      headers: { ...basic('admin', 'secret'), 'x-http-method-override': method },
      body: {},
    });
  t.is((await post('PUT')).status, 201);
  const form = { status: 400, json: { reason: 'Referer header required.' } };
  t.like(await post('PATCH'), form, 'other methods are ignored');
});

test('a deletion with the revision of a document deletes no database', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  t.is((await asAdmin('DELETE', '/recipes?rev=1-a')).status, 400);
  t.is((await asAdmin('GET', '/recipes')).status, 200);
});

test('lists of design and local documents have only these', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  for (const id of ['soup', '_design/a', '_design/b', '_local/c', '_local/d'])
    t.is((await asAdmin('PUT', `/recipes/${id}`, { value: 1 })).status, 201);
  const list = async (path: string) =>
    (await asAdmin('GET', `/recipes/${path}`)).json as {
      total_rows: number;
      rows: { key: string; doc?: object }[];
    };
  const keys = async (path: string) => (await list(path)).rows.map(({ key }) => key);
  t.is((await list('_design_docs')).total_rows, 2);
  t.deepEqual(await keys('_design_docs'), ['_design/a', '_design/b']);
  t.deepEqual(await keys('_design_docs?startkey="_design/b"'), ['_design/b']);
  t.deepEqual(await keys('_design_docs?startkey="x"'), []);
  t.deepEqual(await keys('_design_docs?keys=["soup","_design/b"]'), ['_design/b']);
  t.deepEqual(await keys('_local_docs'), ['_local/c', '_local/d']);
  t.deepEqual(await keys('_local_docs?descending=true&limit=1'), ['_local/d']);
  t.deepEqual(await keys('_local_docs?startkey="_local/d"'), ['_local/d']);
  for (const other of ['A', '_local', '_local0', 'z', 'z'.repeat(20), 'recipe\u{1F963}soup'])
    t.deepEqual(await keys(`_local_docs?key=${encodeURIComponent(JSON.stringify(other))}`), [], other);
  t.deepEqual(await keys('_local_docs?startkey="A"&endkey="z"'), ['_local/c', '_local/d']);
  t.deepEqual(await keys('_local_docs?startkey="z"&endkey="A"&descending=true'), ['_local/d', '_local/c']);
  t.like((await list('_local_docs?include_docs=true')).rows[0], { doc: { _id: '_local/c', value: 1 } });
});

test('in maintenance, `/_up` tells load balancers to send no requests', async (t) => {
  const { send, set } = await testServer(t);
  const up = async (mode: string) => {
    t.is(await set('couchdb/maintenance_mode', mode), 200);
    const { status, json } = await send('GET', '/_up');
    return [status, json];
  };
  t.deepEqual(await up('true'), [404, { status: 'maintenance_mode' }]);
  t.deepEqual(await up('nolb'), [404, { status: 'nolb' }]);
  t.deepEqual(await up('false'), [200, { status: 'ok', seeds: {} }]);
});

test('attachments are sandboxed unless a setting says otherwise, and are sent without an encoding or with gzip', async (t) => {
  const { send, asAdmin } = await testServer(t, { config: { csp: { attachments_enable: 'false' } } });
  await asAdmin('PUT', '/recipes');
  const put = (encoding: string, body: Buffer) =>
    send('PUT', '/recipes/soup/notes.txt', {
      headers: { ...basic(admin.name, admin.password), 'content-encoding': encoding },
      body,
    });
  t.is((await put('deflate', deflateSync('salt'))).status, 415);
  t.is((await put('gzip', gzipSync('salt'))).status, 201);
  const { headers, text } = await asAdmin('GET', '/recipes/soup/notes.txt');
  t.deepEqual([headers['content-security-policy'], text], [undefined, 'salt']);
});
