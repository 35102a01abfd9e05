/** Authorization over HTTP. */
import assert from 'node:assert/strict';
import test from 'ava';
import { dialects } from '../../openapi/generated/dialects.js';
import type { OperationId } from '../generated/handlers.js';
import { access, routes } from '../generated/routes.js';
import { admin, basic, createUsers, testServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const alice = basic('alice', 'alice');
const ids = { alice: 'org.service.user:alice', bob: 'org.service.user:bob' };

/** No test changes what another one reads. */
const withUsers = sharedServer({}, async (server) => {
  await createUsers(server, { alice: ['cooks'], bob: ['cooks'] });
  assert.equal((await server.asAdmin('PUT', '/recipes')).status, 201);
  assert.equal((await server.asAdmin('PUT', '/recipes/soup', { salt: 1 })).status, 201);
});

const user = (name: string) => ({ name, password: 'x', roles: ['_admin'], type: 'user' });

/** What stands in the place of each path parameter. */
const values: Readonly<Record<string, string>> = {
  db: 'recipes',
  docid: 'soup',
  attname: 'photo.jpg',
  ddoc: 'd',
  username: 'bob',
  node: '_local',
  section: 'admins',
  key: 'alice',
};

/** Every operation of the description, as `METHOD path`, so that a new one is tried without a change here. */
const requests = (...wanted: (typeof access)[OperationId][]): readonly (readonly [string, string])[] =>
  routes(dialects.service)
    .filter(({ operationId }) => wanted.includes(access[operationId]))
    .map(({ method, path }) => [
      method,
      path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => values[name]!),
    ]);

const ofMembers = requests('member', 'reader', 'writer', 'databaseAdmin');

/** Documents of others in the users database do not exist for a user, so they are not among these. */
const ofUsersDatabase = requests('member', 'databaseAdmin').map(
  ([method, path]) => [method, path.replace('/recipes', '/_users')] as const,
);

for (const [method, path] of [
  ...ofMembers,
  ...ofUsersDatabase,
  ['HEAD', '/recipes'],
  ['GET', '/recipes/'],
  ['GET', '/recipes/missing'],
] as const) {
  test(`${method} ${path}: 401 for anonymous callers, 403 for users, without any change`, async (t) => {
    const server = await withUsers();
    const state = async () => [
      (await server.asAdmin('GET', '/recipes/_all_docs')).json,
      (await server.asAdmin('GET', '/_users/_all_docs')).json,
    ];
    const before = await state();
    const body = method === 'GET' || method === 'HEAD' ? undefined : {};
    const anonymous = await server.send(method, path, { body });
    const asAlice = await server.send(method, path, { headers: alice, body });
    t.is(anonymous.status, 401);
    t.is(asAlice.status, 403);
    if (method !== 'HEAD') {
      t.deepEqual(anonymous.json, {
        error: 'unauthorized',
        reason: 'You are not authorized to access this db.',
      });
      t.deepEqual(asAlice.json, { error: 'forbidden', reason: 'You are not allowed to access this db.' });
    }
    t.deepEqual(await state(), before);
  });
}

/** A member of a database without administrators of its own. */
const withMembers = sharedServer({}, async (server) => {
  await createUsers(server, { alice: ['cooks'] });
  assert.equal((await server.asAdmin('PUT', '/recipes')).status, 201);
  const security = { members: { roles: ['cooks'] } };
  assert.equal((await server.asAdmin('PUT', '/recipes/_security', security)).status, 200);
});

for (const [method, path] of [
  ...requests('databaseAdmin'),
  ...requests('writer').map(([method, path]) => [method, path.replace('/soup', '/_design%2Fd')] as const),
]) {
  test(`${method} ${path} requires an administrator of the database`, async (t) => {
    const server = await withMembers();
    const { status, json } = await server.send(method, path, { headers: alice, body: {} });
    const reason = 'You are not a db or server admin.';
    t.deepEqual([status, json], [403, { error: 'forbidden', reason }]);
  });
}

for (const [method, path] of requests('member', 'reader').filter(([method]) => method === 'GET')) {
  test(`${method} ${path} is open to members`, async (t) => {
    const server = await withMembers();
    const { status } = await server.send(method, path, { headers: alice });
    t.false([401, 403].includes(status));
  });
}

for (const [method, path] of requests('serverAdmin')) {
  test(`${method} ${path} requires a server administrator`, async (t) => {
    const server = await withUsers();
    const before = await server.asAdmin('GET', '/_all_dbs');
    const reason = 'You are not a server admin.';
    const body = method === 'GET' ? undefined : '"x"';
    const anonymous = await server.send(method, path, { body });
    t.deepEqual([anonymous.status, anonymous.json], [401, { error: 'unauthorized', reason }]);
    const asAlice = await server.send(method, path, { headers: alice, body });
    t.deepEqual([asAlice.status, asAlice.json], [401, { error: 'unauthorized', reason }]);
    t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, before.json);
  });
}

for (const [method, path] of requests('owner')) {
  test(`${method} ${path}: the document of another user does not exist for a user`, async (t) => {
    const server = await withUsers();
    const anonymous = await server.send(method, path, { body: user('bob') });
    t.is(anonymous.status, 401);
    const asAlice = await server.send(method, path, { headers: alice, body: user('bob') });
    t.deepEqual([asAlice.status, asAlice.json], [404, { error: 'not_found', reason: 'missing' }]);
  });
}

for (const [method, path] of requests('public')) {
  test(`${method} ${path} is public`, async (t) => {
    const server = await withUsers();
    const body = method === 'POST' ? { name: 'alice', password: 'alice' } : undefined;
    t.is((await server.send(method, path, { body })).status, 200);
  });
}

test('a missing database is 404 for everyone', async (t) => {
  const server = await withUsers();
  for (const headers of [{}, alice, basic('admin', 'secret')]) {
    for (const path of ['/missing', '/missing/doc', '/missing/_changes']) {
      const { status, json } = await server.send('GET', path, { headers });
      t.deepEqual([status, json], [404, { error: 'not_found', reason: 'Database does not exist.' }]);
    }
  }
});

test('users can read their own document', async (t) => {
  const server = await withUsers();
  const own = await server.send('GET', `/_users/${ids.alice}`, { headers: alice });
  t.is(own.status, 200);
  t.like(own.json, { _id: ids.alice, name: 'alice', roles: ['cooks'], type: 'user' });
  t.is((await server.send('GET', '/_users/org.service.user%3Aalice', { headers: alice })).status, 200);
});

test('the users database stays closed regardless of its security object', async (t) => {
  const server = await withUsers();
  await server.asAdmin('PUT', '/_users/_security', {
    admins: { names: ['alice'] },
    members: { names: [], roles: [] },
  });
  const path = `/_users/${ids.alice}`;
  const { json } = await server.send('GET', path, { headers: alice });
  for (const [method, where, body] of [
    ['PUT', path, { ...(json as object), roles: ['chefs'] }],
    ['GET', '/_users/_all_docs', undefined],
    ['PUT', '/_users/_security', {}],
    ['PUT', '/_users/_design/d', {}],
  ] as const) {
    t.is((await server.send(method, where, { headers: alice, body })).status, 403, `${method} ${where}`);
    t.is((await server.send(method, where, { body })).status, 401, `${method} ${where}`);
  }
  t.is((await server.send('GET', `/_users/${ids.bob}`, { headers: alice })).status, 404);
});

for (const [place, statusOfUp] of [
  ['chttpd/require_valid_user', 401],
  ['chttpd/require_valid_user_except_for_up', 200],
] as const) {
  test(`with ${place}, anonymous callers can only log in and out`, async (t) => {
    const { asAdmin, send, set } = await testServer(t);
    await asAdmin('PUT', '/open');
    await asAdmin('PUT', '/open/_security', {});
    t.is((await send('GET', '/open')).status, 200);
    t.is(await set(place, 'true'), 200);
    const open = new Set(['POST /_session', 'DELETE /_session', 'GET /_up']);
    const all = [...requests(...new Set(Object.values(access))), ['GET', '/open'] as const];
    for (const [method, path] of all) {
      if (open.has(`${method} ${path}`)) continue;
      const { status, json } = await send(method, path);
      const error = { error: 'unauthorized', reason: 'Authentication required.' };
      t.deepEqual([status, json], [401, error], `${method} ${path}`);
    }
    t.is((await send('GET', '/_up')).status, statusOfUp);
    t.is((await asAdmin('GET', '/_up')).status, 200);
    const { status, cookie } = await send('POST', '/_session', { body: admin });
    t.is(status, 200);
    t.is((await send('GET', '/open', { headers: { cookie: cookie! } })).status, 200);
    t.is((await send('DELETE', '/_session')).status, 200);
    t.is(await set(place, 'false'), 200);
    t.is((await send('GET', '/open')).status, 200);
  });
}

test('chttpd/require_valid_user decides about /_up', async (t) => {
  const config = { chttpd: { require_valid_user: 'true', require_valid_user_except_for_up: 'true' } };
  const { send } = await testServer(t, { config });
  t.is((await send('GET', '/_up')).status, 200);
  t.is((await send('GET', '/')).status, 401);
});
