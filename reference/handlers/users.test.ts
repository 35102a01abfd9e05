/** The users database (SERVICE 2.4, 4.4) over HTTP. */
import test from 'ava';
import { basic, testServer, type TestServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const prefix = 'org.service.user:';
const alice = { name: 'alice', password: 'plain words', roles: ['cooks'], type: 'user' };
const aliceId = `${prefix}alice`;

const session = async (server: TestServer, name: string, password: string) =>
  (await server.send('GET', '/_session', { headers: basic(name, password) })).json;

for (const name of ['zoë ☃', 'a/b', '100%', '%zz', 'a+b', 'a?b#c', '..', 'Ann', '"quoted"', ' ', '🍲']) {
  test(`a user may have the name ${JSON.stringify(name)}`, async (t) => {
    const server = await testServer(t);
    const path = `/_users/${prefix}${encodeURIComponent(name)}`;
    t.is((await server.asAdmin('PUT', path, { ...alice, name })).status, 201);
    t.like((await server.asAdmin('GET', path)).json, { _id: prefix + name, name });
    t.like(await session(server, name, 'plain words'), { userCtx: { name } });
    const { cookie } = await server.send('POST', '/_session', { body: { name, password: 'plain words' } });
    const byCookie = await server.send('GET', '/_session', { headers: { cookie: cookie! } });
    t.like(byCookie.json, { userCtx: { name } });
  });
}

test('the couchdb dialect requires its own ID prefix', async (t) => {
  const server = await testServer(t, { dialect: 'couchdb' });
  t.is((await server.asAdmin('PUT', '/_users/org.couchdb.user:alice', alice)).status, 201);
  t.like(await session(server, 'alice', 'plain words'), { userCtx: { name: 'alice' } });
  const { status, json } = await server.asAdmin('PUT', '/_users/org.service.user:bob', {
    ...alice,
    name: 'bob',
  });
  t.is(status, 403);
  t.deepEqual(json, { error: 'forbidden', reason: 'Doc ID must be of the form org.couchdb.user:name' });
});

const ways: Record<string, (server: TestServer, id: string, document: object) => Promise<unknown>> = {
  'PUT of the user': (server, id, document) => server.asAdmin('PUT', `/_users/${id}`, document),
  'PUT with an encoded colon': (server, id, document) =>
    server.asAdmin('PUT', `/_users/${encodeURIComponent(id)}`, document),
  'POST to the database': (server, id, document) =>
    server.asAdmin('POST', '/_users', { _id: id, ...document }),
  _bulk_docs: (server, id, document) =>
    server.asAdmin('POST', '/_users/_bulk_docs', { docs: [{ _id: id, ...document }] }),
  '_bulk_docs of a replicator': (server, id, document) =>
    server.asAdmin('POST', '/_users/_bulk_docs', {
      new_edits: false,
      docs: [{ _id: id, _rev: '1-abc', ...document }],
    }),
};

/** Never stores a user. */
const refusing = sharedServer();

for (const [way, write] of Object.entries(ways)) {
  test(`${way}: the password is hashed and not stored`, async (t) => {
    const server = await testServer(t, { config: { chttpd_auth: { iterations: '7' } } });
    await write(server, aliceId, alice);
    const { json, text } = await server.asAdmin('GET', `/_users/${aliceId}`);
    t.like(json, { name: 'alice', roles: ['cooks'], type: 'user' });
    t.like(json, { password_scheme: 'pbkdf2', pbkdf2_prf: 'sha256', iterations: 7 });
    t.notRegex(text, /plain words|"password"/);
    t.like(await session(server, 'alice', 'plain words'), { userCtx: { name: 'alice' } });
  });

  for (const [what, id, document] of [
    ['an ID without the prefix', 'alice', alice],
    ['an ID with another name', `${prefix}bob`, alice],
    ['no name', aliceId, { ...alice, name: undefined }],
    ['another type', aliceId, { ...alice, type: 'admin' }],
    ['no roles', aliceId, { ...alice, roles: undefined }],
    ['roles that are not an array', aliceId, { ...alice, roles: 'cooks' }],
    ['a role that is not a string', aliceId, { ...alice, roles: [1] }],
    ["an administrator's role", aliceId, { ...alice, roles: ['_admin'] }],
    ['a name with a colon', `${prefix}a:b`, { ...alice, name: 'a:b' }],
    ['a name that begins with an underscore', `${prefix}_a`, { ...alice, name: '_a' }],
    ['a password that is not a string', aliceId, { ...alice, password: 1 }],
    ['a malformed hash', aliceId, { ...alice, password: undefined, derived_key: 'x' }],
    ['a second factor without a key', aliceId, { ...alice, totp: {} }],
  ] as const) {
    test(`${way}: a document with ${what} is rejected and not stored`, async (t) => {
      const server = await refusing();
      await write(server, id, document);
      t.like((await server.asAdmin('GET', '/_users/_all_docs')).json, { rows: [{ id: '_design/_auth' }] });
    });
  }
}

test('changing an existing user without the revision is a conflict', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', `/_users/${aliceId}`, alice);
  const { status, json } = await server.asAdmin('PUT', `/_users/${aliceId}`, { ...alice, password: 'other' });
  t.is(status, 409);
  t.like(json, { error: 'conflict' });
  t.like(await session(server, 'alice', 'plain words'), { userCtx: { name: 'alice' } });
});

test('a document that is read and written back keeps its password', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', `/_users/${aliceId}`, alice);
  const { json } = await server.asAdmin('GET', `/_users/${aliceId}`);
  const changed = await server.asAdmin('PUT', `/_users/${aliceId}`, {
    ...(json as object),
    roles: ['guests'],
  });
  t.is(changed.status, 201);
  t.like(await session(server, 'alice', 'plain words'), { userCtx: { name: 'alice', roles: ['guests'] } });
});

test('a document with a hash is stored as it is, with the revision that CouchDB gives it', async (t) => {
  const server = await testServer(t);
  const document = {
    _id: `${prefix}u`,
    salt: '0123456789abcdef0123456789abcdef',
    password_sha: '0123456789abcdef0123456789abcdef01234567',
    name: 'u',
    type: 'user',
    roles: [],
  };
  const { json } = await server.asAdmin('POST', '/_users', document);
  const { rev } = json as { rev: string };
  t.deepEqual((await server.asAdmin('GET', `/_users/${document._id}`)).json, { _rev: rev, ...document });
  await server.asAdmin('PUT', '/ordinary');
  t.like((await server.asAdmin('POST', '/ordinary', document)).json, { rev });
});

test('a deletion has neither password nor hash', async (t) => {
  const server = await testServer(t);
  const { json } = await server.asAdmin('PUT', `/_users/${aliceId}`, alice);
  const { rev } = json as { rev: string };
  const docs = [{ ...alice, _id: aliceId, _rev: rev, _deleted: true }];
  t.is((await server.asAdmin('POST', '/_users/_bulk_docs', { docs })).status, 201);
  const { text } = await server.asAdmin('GET', '/_users/_changes?include_docs=true');
  t.regex(text, /"deleted":true/);
  t.notRegex(text, /plain words|derived_key/);
});

test('in _bulk_docs, a rejected user does not affect the others, and the results are in order', async (t) => {
  const server = await testServer(t);
  const bob = { ...alice, name: 'bob' };
  const docs = [
    { _id: aliceId, ...alice },
    { _id: 'x', ...alice, error: 'e', reason: 'r' },
    { _id: `${prefix}bob`, ...bob },
  ];
  const { status, json } = await server.asAdmin('POST', '/_users/_bulk_docs', { docs });
  t.is(status, 201);
  t.like(json, [
    { ok: true, id: aliceId },
    { id: 'x', error: 'forbidden' },
    { ok: true, id: `${prefix}bob` },
  ]);
  t.like(await session(server, 'bob', 'plain words'), { userCtx: { name: 'bob' } });
});

test('a server administrator takes precedence over a user with the same name', async (t) => {
  const server = await testServer(t);
  const user = { ...alice, name: 'admin' };
  t.is((await server.asAdmin('PUT', `/_users/${prefix}admin`, user)).status, 201);
  t.like(await session(server, 'admin', 'secret'), { userCtx: { roles: ['_admin'] } });
  t.like(await session(server, 'admin', 'plain words'), { error: 'unauthorized' });
});

test('design documents are not validated as users', async (t) => {
  const server = await testServer(t);
  t.is((await server.asAdmin('PUT', '/_users/_design/views', { views: {} })).status, 201);
});
