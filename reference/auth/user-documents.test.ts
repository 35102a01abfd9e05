/** Access of users to their own and other user documents (SERVICE 2.4) over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { dialects } from '../../openapi/generated/dialects.js';
import type { ServerOptions } from '../index.js';
import { basic, testServer, type Reply, type TestServer } from '../testing/server.js';

const prefix = 'org.service.user:';
const own = `/_users/${prefix}alice`;
const missing = { error: 'not_found', reason: 'missing' };

type UserDocument = Record<string, unknown> & { _rev: string; roles: string[] };
type AsAlice = (method: string, path: string, body?: unknown, password?: string) => Promise<Reply>;
interface Users {
  readonly server: TestServer;
  readonly asAlice: AsAlice;
  /** Reads the document as administrator. */
  readonly read: () => Promise<UserDocument>;
}

async function withUsers(t: ExecutionContext, options?: ServerOptions): Promise<Users> {
  const server = await testServer(t, options);
  for (const name of ['alice', 'bob']) {
    const body = { name, password: 'x', roles: ['cooks', 'guests'], type: 'user' };
    t.is((await server.asAdmin('PUT', `/_users/${prefix}${name}`, body)).status, 201);
  }
  return {
    server,
    asAlice: (method, path, body, password = 'x') =>
      server.send(method, path, { headers: basic('alice', password), body }),
    read: async () => (await server.asAdmin('GET', own)).json as UserDocument,
  };
}

const forbidden = (reason: string) => ({ error: 'forbidden', reason });

test('users can change their own document and password', async (t) => {
  const { server, asAlice, read } = await withUsers(t);
  const { cookie } = await asAlice('GET', '/_session');
  const { json } = await asAlice('GET', own);
  const changed = await asAlice('PUT', own, { ...(json as object), colour: 'red', password: 'y' });
  t.is(changed.status, 201);
  t.like(await read(), { colour: 'red', roles: ['cooks', 'guests'] });
  t.is((await asAlice('GET', own)).status, 401);
  t.is((await asAlice('GET', own, undefined, 'y')).status, 200);
  const session = await server.send('GET', '/_session', { headers: { cookie: cookie! } });
  t.like(session.json, { userCtx: { name: null } });
});

test('a user whose document has conflicts cannot log in until they are resolved, with either password', async (t) => {
  const { server, asAlice } = await withUsers(t);
  const { cookie } = await asAlice('GET', '/_session');
  const winner = '1-ffffffffffffffffffffffffffffffff';
  const user = { _id: `${prefix}alice`, name: 'alice', password: 'old', roles: [], type: 'user' };
  await server.asAdmin('POST', '/_users/_bulk_docs', { docs: [{ ...user, _rev: winner }], new_edits: false });
  const refusal = {
    error: 'unauthorized',
    reason:
      'User document conflicts must be resolved before the document is used for authentication purposes.',
  };
  for (const password of ['x', 'old', 'wrong']) {
    const login = await server.send('POST', '/_session', { body: { name: 'alice', password } });
    for (const reply of [await asAlice('GET', '/', undefined, password), login]) {
      t.deepEqual([reply.status, reply.json], [401, refusal]);
      t.is(reply.cookie, undefined);
    }
  }
  t.is((await server.send('GET', '/', { headers: { cookie: cookie! } })).status, 401);
  t.is((await server.asAdmin('DELETE', `${own}?rev=${winner}`)).status, 200);
  t.is((await asAlice('GET', '/')).status, 200);
  t.is((await server.send('GET', '/', { headers: { cookie: cookie! } })).status, 200);
});

test('changing the order of roles is allowed', async (t) => {
  const { asAlice, read } = await withUsers(t);
  const document = await read();
  t.is((await asAlice('PUT', own, { ...document, roles: document.roles.toReversed() })).status, 201);
});

test('users cannot change their roles', async (t) => {
  const { asAlice, read } = await withUsers(t);
  const before = await read();
  for (const roles of [['cooks', 'guests', 'chefs'], ['cooks'], [], ['cooks', 'cooks'], ['_admin']]) {
    for (const path of [own, own.replace(':', '%3A'), `${own}?new_edits=false`]) {
      const _rev = path.endsWith('new_edits=false') ? '9-f' : before._rev;
      const { status, json } = await asAlice('PUT', path, { ...before, roles, _rev });
      t.is(status, 403, `${path} ${JSON.stringify(roles)}`);
      t.like(json, { error: 'forbidden' });
      t.deepEqual(await read(), before);
    }
  }
});

test('users can delete their own document', async (t) => {
  const { asAlice, read } = await withUsers(t);
  const { _rev } = await read();
  t.is((await asAlice('DELETE', `${own}?rev=${_rev}`)).status, 200);
  t.is((await asAlice('GET', own)).status, 401);
});

test('users cannot obtain the roles of a conflicting revision', async (t) => {
  // Without a password: a user whose document has conflicts cannot log in.
  const config = { chttpd: { authentication_handlers: 'proxy, default' } };
  const { server, read } = await withUsers(t, { config });
  const headers = { [dialects.service.proxyUserName]: 'alice' };
  const asAlice = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { headers, body });
  const winner = await read();
  const loser = { ...winner, roles: ['chefs'], _rev: `1-${'0'.repeat(32)}` };
  t.is((await server.asAdmin('PUT', `${own}?new_edits=false`, loser)).status, 201);
  t.like(await read(), { _rev: winner._rev });

  const removed = await asAlice('DELETE', `${own}?rev=${winner._rev}`);
  const reason = 'Only _admin may delete a user whose document has conflicts';
  t.deepEqual([removed.status, removed.json], [403, forbidden(reason)]);
  const deletion = { ...winner, _deleted: true };
  t.is((await asAlice('PUT', own, deletion)).status, 403);
  const attached = await asAlice('PUT', `${own}/photo.jpg?rev=${loser._rev}`, 'x');
  t.deepEqual([attached.status, attached.json], [403, forbidden('Only _admin may edit roles')]);
  t.like(await read(), { _rev: winner._rev });
});

test('other documents of the users database are 404 for users, 401 for anonymous callers', async (t) => {
  const { server, asAlice } = await withUsers(t);
  const state = async () => (await server.asAdmin('GET', '/_users/_all_docs?include_docs=true')).json;
  const before = await state();
  for (const [method, path, body] of [
    ['GET', `/_users/${prefix}bob`],
    ['HEAD', `/_users/${prefix}bob`],
    ['GET', `/_users/${prefix}nobody`],
    ['GET', `/_users/${prefix}bob/photo.jpg`],
    ['GET', '/_users/_design%2Fd'],
    ['GET', '/_users/_local%2Fx'],
    ['PUT', `/_users/${prefix}bob`, { name: 'bob', password: 'y', roles: [], type: 'user' }],
    ['PUT', `/_users/${prefix}carol`, { name: 'carol', password: 'y', roles: [], type: 'user' }],
    ['PUT', `/_users/${prefix}carol`.replace(':', '%3A'), { name: 'carol', roles: [], type: 'user' }],
    ['PUT', `/_users/${prefix}bob/photo.jpg`, 'x'],
    ['PUT', '/_users/_local%2Fx', {}],
    ['DELETE', `/_users/${prefix}bob?rev=1-a`],
    ['DELETE', `/_users/${prefix}bob/photo.jpg?rev=1-a`],
  ] as const) {
    const reply = await asAlice(method, path, body);
    t.is(reply.status, 404, `${method} ${path}`);
    if (method !== 'HEAD') t.deepEqual(reply.json, missing);
    t.is((await server.send(method, path, { body })).status, 401, `${method} ${path}`);
    t.deepEqual(await state(), before);
  }
});

test('deleted users cannot create their document again', async (t) => {
  const { server, asAlice, read } = await withUsers(t);
  const document = await read();
  // A user who is authenticated without a password could try this.
  const { cookie } = await asAlice('GET', '/_session');
  await server.asAdmin('DELETE', `${own}?rev=${document._rev}`);
  const again = { ...document, _rev: undefined, roles: [] };
  t.is((await server.send('PUT', own, { headers: { cookie: cookie! }, body: again })).status, 401);
});

test('users can change attachments of their own document', async (t) => {
  const { server, asAlice, read } = await withUsers(t);
  const { _rev } = await read();
  t.is((await asAlice('PUT', `${own}/photo.jpg?rev=${_rev}`, 'x')).status, 201);
  t.is((await asAlice('GET', `${own}/photo.jpg`)).text, 'x');
  t.like(await read(), { name: 'alice', roles: ['cooks', 'guests'] });
  t.is((await asAlice('GET', own)).status, 200);
  const attached = await read();
  t.is((await asAlice('DELETE', `${own}/photo.jpg?rev=${attached._rev}`)).status, 200);

  for (const id of ['x', `${prefix}carol`]) {
    const { status, json } = await server.asAdmin('PUT', `/_users/${id}/photo.jpg`, 'x');
    t.deepEqual([status, json], [403, forbidden('doc.type must be user')]);
    t.is((await server.asAdmin('GET', `/_users/${id}`)).status, 404);
  }
});

test('an attachment does not restore a deleted user', async (t) => {
  const { server, read } = await withUsers(t);
  const { _rev } = await read();
  const { json } = await server.asAdmin('DELETE', `${own}?rev=${_rev}`);
  const { rev } = json as { rev: string };
  const { status } = await server.asAdmin('PUT', `${own}/photo.jpg?rev=${rev}`, 'x');
  t.is(status, 403);
  t.is((await server.asAdmin('GET', own)).status, 404);
});
