/** The security object of a database over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { basic, createUsers, testServer, type TestServer } from '../testing/server.js';

type Caller = 'anonymous' | 'alice' | 'bob' | 'carol';

/** Alice is an administrator, Bob is a member by his role, and Carol is neither. */
const security = { admins: { names: ['alice'], roles: [] }, members: { names: [], roles: ['cooks'] } };

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t);
  await createUsers(server, { alice: [], bob: ['cooks'], carol: ['guests'] });
  await server.asAdmin('PUT', '/db');
  await server.asAdmin('PUT', '/db/soup', {});
  return server;
}

const as = ({ send }: TestServer, caller: Caller, method: string, path: string, body?: unknown) =>
  send(method, path, { headers: caller === 'anonymous' ? {} : basic(caller, caller), body });

async function statuses(
  server: TestServer,
  method: string,
  path: (caller: Caller) => string,
  body?: unknown,
): Promise<number[]> {
  const found = [];
  for (const caller of ['anonymous', 'carol', 'bob', 'alice'] as const)
    found.push((await as(server, caller, method, path(caller), body)).status);
  return found;
}

test('by default, only server administrators can access a database', async (t) => {
  const server = await kitchen(t);
  const { status, json } = await server.asAdmin('GET', '/db/_security');
  t.is(status, 200);
  t.deepEqual(json, { admins: { roles: ['_admin'] }, members: { roles: ['_admin'] } });
  t.deepEqual(await statuses(server, 'GET', () => '/db/soup'), [401, 403, 403, 403]);
});

test('members can read and write documents; administrators can also write design documents and the security object', async (t) => {
  const server = await kitchen(t);
  const put = await server.asAdmin('PUT', '/db/_security', security);
  t.deepEqual([put.status, put.json], [200, { ok: true }]);
  t.deepEqual((await server.asAdmin('GET', '/db/_security')).json, security);

  const members = (success: number) => [401, 403, success, success];
  for (const path of ['', '/soup', '/_all_docs', '/_changes', '/_security'])
    t.deepEqual(await statuses(server, 'GET', () => `/db${path}`), members(200), path);
  t.deepEqual(await statuses(server, 'PUT', (caller) => `/db/${caller}`, {}), members(201));
  t.deepEqual(await statuses(server, 'PUT', (caller) => `/db/_local/${caller}`, {}), members(201));
  t.deepEqual(await statuses(server, 'POST', () => '/db', {}), members(201));
  t.deepEqual(await statuses(server, 'POST', () => '/db/_revs_diff', {}), members(200));

  const admins = [401, 403, 403, 201];
  t.deepEqual(await statuses(server, 'PUT', (caller) => `/db/_design/${caller}`, {}), admins);
  t.deepEqual(await statuses(server, 'PUT', (caller) => `/db/_design%2F${caller}2`, {}), admins);
  const design = await as(server, 'bob', 'PUT', '/db/_design/x', {});
  t.deepEqual(design.json, { error: 'forbidden', reason: 'You are not a db or server admin.' });
  t.is((await as(server, 'bob', 'POST', '/db', { _id: '_design/x' })).status, 403);
  t.is((await as(server, 'alice', 'POST', '/db', { _id: '_design/x' })).status, 201);
  t.is((await as(server, 'bob', 'GET', '/db/_design/x')).status, 200);
  t.is((await as(server, 'bob', 'DELETE', '/db/_design/x?rev=1-a')).status, 403);
  t.is((await as(server, 'bob', 'DELETE', '/db/_design%2Fx?rev=1-a')).status, 403);
  t.deepEqual(await statuses(server, 'DELETE', () => '/db'), [401, 401, 401, 401]);
  t.deepEqual(await statuses(server, 'PUT', () => '/db/_revs_limit', '100'), [401, 403, 403, 200]);
  t.deepEqual(await statuses(server, 'PUT', () => '/db/_security', security), [401, 403, 403, 200]);
});

for (const new_edits of [true, false]) {
  test(`a bulk write of a member rejects design documents, new_edits=${new_edits}`, async (t) => {
    const server = await kitchen(t);
    await server.asAdmin('PUT', '/db/_security', security);
    const docs = ['a', '_design/d', 'b'].map((_id) => ({ _id, ...(!new_edits && { _rev: '1-a' }) }));
    const { status, json } = await as(server, 'bob', 'POST', '/db/_bulk_docs', { docs, new_edits });
    t.is(status, 201);
    const results = json as { id: string; error?: string }[];
    const rejected = {
      id: '_design/d',
      ...(!new_edits && { rev: '1-a' }),
      error: 'forbidden',
      reason: 'You are not a db or server admin.',
    };
    t.deepEqual(
      results.filter(({ error }) => error),
      [rejected],
    );
    t.deepEqual(
      results.map(({ id }) => id),
      new_edits ? ['a', '_design/d', 'b'] : ['_design/d'],
    );
    t.is((await as(server, 'bob', 'GET', '/db/b')).status, 200);
    t.is((await as(server, 'bob', 'GET', '/db/_design/d')).status, 404);
    t.is((await as(server, 'alice', 'POST', '/db/_bulk_docs', { docs, new_edits })).status, 201);
    t.is((await as(server, 'bob', 'GET', '/db/_design/d')).status, 200);
  });
}

test('without members, a database is open to everybody, except for administration', async (t) => {
  for (const open of [{}, { members: {} }, { admins: { names: ['alice'] }, members: { names: [] } }]) {
    const server = await kitchen(t);
    await server.asAdmin('PUT', '/db/_security', open);
    t.is((await server.send('GET', '/db/soup')).status, 200);
    t.is((await server.send('PUT', '/db/stew', { body: {} })).status, 201);
    t.is((await server.send('PUT', '/db/_design/d', { body: {} })).status, 401);
    t.is((await server.send('PUT', '/db/_security', { body: {} })).status, 401);
    t.is((await server.send('DELETE', '/db')).status, 401);
  }
});

test('`readers` are members, unless there are `members`', async (t) => {
  const server = await kitchen(t);
  const readers = { names: [], roles: ['cooks'] };
  await server.asAdmin('PUT', '/db/_security', { readers });
  t.deepEqual((await server.asAdmin('GET', '/db/_security')).json, { readers });
  t.deepEqual(await statuses(server, 'GET', () => '/db/soup'), [401, 403, 200, 403]);
  t.deepEqual(await statuses(server, 'PUT', (caller) => `/db/${caller}`, {}), [401, 403, 201, 403]);
  await server.asAdmin('PUT', '/db/_security', { readers, members: { names: ['carol'] } });
  t.deepEqual(await statuses(server, 'GET', () => '/db/soup'), [401, 200, 403, 403]);
  await server.asAdmin('PUT', '/db/_security', { readers, members: {} });
  t.deepEqual(await statuses(server, 'GET', () => '/db/soup'), [200, 200, 200, 200]);
});

test('an invalid security object is rejected', async (t) => {
  const server = await kitchen(t);
  await server.asAdmin('PUT', '/db/_security', security);
  for (const body of [
    [],
    'x',
    { admins: [] },
    { members: { names: 'bob' } },
    { readers: { names: 'bob' } },
    { admins: { roles: [1] } },
  ])
    t.is((await server.asAdmin('PUT', '/db/_security', body)).status, 400, JSON.stringify(body));
  t.deepEqual((await server.asAdmin('GET', '/db/_security')).json, security);
  t.is((await server.asAdmin('PUT', '/missing/_security', {})).status, 404);
});

test('the users database cannot be opened', async (t) => {
  const server = await kitchen(t);
  const before = await server.asAdmin('GET', '/_users/_security');
  const { status, json } = await server.asAdmin('PUT', '/_users/_security', {});
  t.deepEqual([status, (json as { error: string }).error], [403, 'forbidden']);
  t.deepEqual((await server.asAdmin('GET', '/_users/_security')).json, before.json);
});
