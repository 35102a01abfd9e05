/** The composed server: paths, methods, dialects, errors (SERVICE 2.1, 4.1, 7) and components, over HTTP. */
import { createRequire } from 'node:module';
import test from 'ava';
import { httpError } from '../http/errors.js';
import { basic, testServer } from '../testing/server.js';

const { version } = createRequire(import.meta.url)('docfeed/package.json') as { version: string };

test('2.1, 4.1: the greeting, with and without credentials', async (t) => {
  const { send, asAdmin } = await testServer(t);
  for (const { status, headers, json } of [await send('GET', '/'), await asAdmin('GET', '/')]) {
    t.is(status, 200);
    t.is(headers['content-type'], 'application/json');
    const { uuid, ...rest } = json as { uuid: string };
    t.regex(uuid, /^[0-9a-f]{32}$/);
    t.deepEqual(rest, { service: 'Welcome', version: '3.4.0', vendor: { name: 'docfeed', version } });
  }
});

test('2.1: the UUID does not change, and is different for each server', async (t) => {
  const [one, other] = [await testServer(t), await testServer(t)];
  const uuidOf = async ({ send }: typeof one) => ((await send('GET', '/')).json as { uuid: string }).uuid;
  t.is(await uuidOf(one), await uuidOf(one));
  t.not(await uuidOf(one), await uuidOf(other));
});

test("the couchdb dialect has CouchDB's greeting and error names", async (t) => {
  const { send } = await testServer(t, { dialect: 'couchdb' });
  const { json } = await send('GET', '/');
  t.like(json, { couchdb: 'Welcome', version: '3.4.0' });
  t.false(Object.hasOwn(json as object, 'service'));
  t.like((await send('GET', '/_uuids?count=x')).json, { error: 'bad_request' });
  t.like((await send('GET', '/%zz')).json, { error: 'bad_request' });
});

test('UUIDs: the requested number, all different', async (t) => {
  const { send } = await testServer(t);
  const { json } = await send('GET', '/_uuids?count=100');
  const { uuids } = json as { uuids: string[] };
  t.is(new Set(uuids).size, 100);
  t.true(uuids.every((uuid) => /^[0-9a-f]{32}$/.test(uuid)));
  const one = await send('GET', '/_uuids');
  t.is((one.json as { uuids: string[] }).uuids.length, 1);
  t.like(one.headers, { 'cache-control': 'no-cache', pragma: 'no-cache' });
  t.truthy(one.headers.etag);
  t.not((await send('GET', '/_uuids')).headers.etag, one.headers.etag);
  t.is((await send('GET', '/_uuids?count=1001')).status, 400);
});

test('HEAD responds like GET, without a body', async (t) => {
  const { send } = await testServer(t);
  for (const [path, status] of [
    ['/', 200],
    ['/_session', 200],
    ['/missing', 404],
    ['/_users', 401],
  ] as const) {
    const { status: got, text, headers } = await send('HEAD', path);
    t.deepEqual([got, text, headers['content-type']], [status, '', 'application/json'], path);
  }
});

test('a described path responds with 405 and Allow to other methods', async (t) => {
  const { send, asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  for (const [method, path, allow] of [
    ['POST', '/', 'GET,HEAD'],
    ['PUT', '/_session', 'GET,POST,DELETE,HEAD'],
    ['DELETE', '/_all_dbs', 'GET,HEAD'],
    ['PATCH', '/recipes', 'GET,POST,PUT,DELETE,HEAD'],
    ['PUT', '/recipes/_changes', 'GET,POST,HEAD'],
    ['DELETE', '/recipes/_changes', 'GET,POST,HEAD'],
    ['OPTIONS', '/recipes/_changes', 'GET,POST,HEAD'],
    ['GET', '/recipes/_bulk_docs', 'POST'],
    ['HEAD', '/recipes/_bulk_docs', 'POST'],
    ['PATCH', '/recipes/soup', 'GET,POST,PUT,DELETE,HEAD,COPY'],
    ['POST', '/recipes/_design/soup', 'GET,PUT,DELETE,HEAD,COPY'],
    ['COPY', '/recipes/soup/image', 'GET,PUT,DELETE,HEAD'],
    ['PATCH', '/_users/org.service.user:alice', 'GET,POST,PUT,DELETE,HEAD,COPY'],
  ] as const) {
    const { status, headers, json } = await send(method, path);
    t.is(status, 405, `${method} ${path}`);
    t.deepEqual(String(headers.allow).split(',').sort(), allow.split(',').sort(), `${method} ${path}`);
    if (method !== 'HEAD')
      t.deepEqual(json, { error: 'method_not_allowed', reason: `Only ${headers.allow as string} allowed` });
  }
});

test('an unknown path is 404', async (t) => {
  const { send } = await testServer(t);
  t.deepEqual((await send('GET', '//soup')).json, { error: 'not_found', reason: 'Database does not exist.' });
  t.like(await send('POST', '/_nothing/at/all'), { status: 405 });
});

test('no response reveals details of the server', async (t) => {
  const { send } = await testServer(t);
  const { headers } = await send('GET', '/');
  t.is(headers.server, `docfeed/${version}`);
  t.is(headers['x-content-type-options'], 'nosniff');
  t.is(headers['x-powered-by'], undefined);
});

test('components can be replaced for one server', async (t) => {
  const replaced = await testServer(t, {
    components: (components) => ({
      ...components,
      authenticators: { ...components.authenticators, cookie: () => ({ user: { name: 'eve', roles: [] } }) },
      authorize: () => {},
      errorBody: () => ({ error: 'no', reason: 'because' }),
      prepareUserDocument: () => Promise.reject(httpError(403, 'forbidden', 'not today')),
    }),
  });
  t.like((await replaced.send('GET', '/_session')).json, { userCtx: { name: 'eve' } });
  t.is((await replaced.send('GET', '/_all_dbs')).status, 200);
  const alice = { name: 'alice', roles: [], type: 'user' };
  const rejected = await replaced.send('PUT', '/_users/org.service.user:alice', { body: alice });
  t.deepEqual([rejected.status, rejected.json], [403, { error: 'no', reason: 'because' }]);
  const plain = await testServer(t);
  t.like((await plain.send('GET', '/_session')).json, { userCtx: { name: null } });
  t.is((await plain.send('GET', '/_all_dbs')).status, 401);
});

test('without an administrator, one with a random password is created', async (t) => {
  const [one, other] = [await testServer(t, { admin: undefined }), await testServer(t, { admin: undefined })];
  t.is(one.admin.name, 'admin');
  t.regex(one.admin.password, /^[\w-]{20}$/);
  t.not(one.admin.password, other.admin.password);
  const headers = basic(one.admin.name, one.admin.password);
  t.is((await one.send('PUT', '/recipes', { headers })).status, 201);
  t.is((await one.send('PUT', '/stews', { headers: basic('admin', '') })).status, 401);
});

test('a port in use rejects', async (t) => {
  const { url } = await testServer(t);
  await t.throwsAsync(testServer(t, { port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
});

test('a stopped server accepts no connections', async (t) => {
  const { send, stop } = await testServer(t);
  t.is((await send('GET', '/_up')).status, 200);
  await stop();
  await t.throwsAsync(send('GET', '/_up'));
});
