/** Authorization over HTTP. */
import assert from 'node:assert/strict';
import test from 'ava';
import { basic, createUsers } from '../testing/server.js';
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

for (const [method, path, body] of [
  ['GET', '/recipes'],
  ['HEAD', '/recipes'],
  ['GET', '/recipes/'],
  ['GET', '/recipes/soup'],
  ['GET', '/recipes/missing'],
  ['PUT', '/recipes/stew', {}],
  ['POST', '/recipes', {}],
  ['DELETE', '/recipes/soup?rev=1-a'],
  ['PUT', '/recipes/_design/d', {}],
  ['GET', '/recipes/_all_docs'],
  ['POST', '/recipes/_all_docs', {}],
  ['POST', '/recipes/_bulk_docs', { docs: [{}] }],
  ['POST', '/recipes/_bulk_get', { docs: [] }],
  ['POST', '/recipes/_revs_diff', {}],
  ['GET', '/recipes/_changes'],
  ['POST', '/recipes/_changes', {}],
  ['GET', '/recipes/_security'],
  ['PUT', '/recipes/_security', {}],
  ['GET', '/recipes/_local/checkpoint'],
  ['PUT', '/recipes/_local/checkpoint', {}],
  ['GET', '/recipes/soup/photo.jpg'],
  ['PUT', '/recipes/soup/photo.jpg', 'x'],
  ['GET', '/_users'],
  ['GET', '/_users/_all_docs'],
  ['GET', '/_users/_changes'],
  ['POST', '/_users', { _id: 'org.service.user:carol', ...user('carol') }],
  ['POST', '/_users/_bulk_docs', { docs: [{ _id: 'org.service.user:carol', ...user('carol') }] }],
] as const) {
  test(`${method} ${path}: 401 for anonymous callers, 403 for users, without any change`, async (t) => {
    const server = await withUsers();
    const state = async () => [
      (await server.asAdmin('GET', '/recipes/_all_docs')).json,
      (await server.asAdmin('GET', '/_users/_all_docs')).json,
    ];
    const before = await state();
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

for (const [method, path] of [
  ['GET', '/_all_dbs'],
  ['PUT', '/mine'],
  ['PUT', '/recipes'],
  ['DELETE', '/recipes'],
  ['DELETE', '/_users'],
  ['GET', '/_node/_local/_config'],
  ['PUT', '/_node/_local/_config/admins/alice'],
] as const) {
  test(`${method} ${path} requires a server administrator`, async (t) => {
    const server = await withUsers();
    const before = await server.asAdmin('GET', '/_all_dbs');
    const reason = 'You are not a server admin.';
    const anonymous = await server.send(method, path, { body: '"x"' });
    t.deepEqual([anonymous.status, anonymous.json], [401, { error: 'unauthorized', reason }]);
    const asAlice = await server.send(method, path, { headers: alice, body: '"x"' });
    t.deepEqual([asAlice.status, asAlice.json], [401, { error: 'unauthorized', reason }]);
    t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, before.json);
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

test('greeting, session, UUIDs and health check are public', async (t) => {
  const server = await withUsers();
  for (const path of ['/', '/_up', '/_uuids', '/_session'])
    t.is((await server.send('GET', path)).status, 200);
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
