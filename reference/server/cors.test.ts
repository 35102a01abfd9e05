/** CORS over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { basic, testServer, type Reply } from '../testing/server.js';

const [here, elsewhere] = ['http://app.example:8080', 'http://elsewhere.example'];

/** Returns the status and CORS headers. */
function corsOf({ status, headers }: Pick<Reply, 'status' | 'headers'>) {
  const about = Object.entries(headers).filter(([name]) => name.startsWith('access-control-'));
  return { status, ...Object.fromEntries(about) };
}

const exposed = 'accept-ranges, cache-control, content-type, etag, server, x-couch-request-id, x-request-id';
const allowedBy = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': exposed,
});

async function sharing(t: ExecutionContext, cors: Record<string, string>, enabled = 'true') {
  const server = await testServer(t, { config: { chttpd: { enable_cors: enabled }, cors } });
  await server.asAdmin('PUT', '/recipes');
  const from = (origin: string, method: string, path: string, headers: Record<string, string> = {}) =>
    server.send(method, path, { headers: { origin, ...headers } });
  /** Sends a preflight request. */
  const preflight = (origin: string, method: string, headers?: string) =>
    from(origin, 'OPTIONS', '/recipes/pancakes', {
      'access-control-request-method': method,
      ...(headers !== undefined && { 'access-control-request-headers': headers }),
    });
  return { ...server, from, preflight };
}

for (const { title, cors, enabled } of [
  { title: 'by default', cors: undefined, enabled: undefined },
  { title: 'while it is not enabled', cors: { origins: '*' }, enabled: 'false' },
  { title: 'while no origin is allowed', cors: {}, enabled: 'true' },
  { title: 'for an origin that is not in the list', cors: { origins: here }, enabled: 'true' },
]) {
  test(`no CORS headers ${title}`, async (t) => {
    const { from, preflight } = cors ? await sharing(t, cors, enabled) : await sharing(t, {}, 'false');
    t.deepEqual(corsOf(await from(elsewhere, 'GET', '/')), { status: 200 });
    t.deepEqual(corsOf(await from(elsewhere, 'GET', '/_all_dbs')), { status: 401 });
    t.deepEqual(corsOf(await preflight(elsewhere, 'GET')), { status: 405 });
  });
}

test('all responses to an allowed origin have CORS headers, including errors', async (t) => {
  const { from, send, asAdmin } = await sharing(t, { origins: `${elsewhere}, ${here}` });
  const allowed = allowedBy(here);
  const admin = basic('admin', 'secret');
  t.deepEqual(corsOf(await from(here, 'GET', '/')), { status: 200, ...allowed });
  t.deepEqual(corsOf(await from(elsewhere, 'GET', '/')), { status: 200, ...allowedBy(elsewhere) });
  t.deepEqual(corsOf(await from(here, 'HEAD', '/')), { status: 200, ...allowed });
  t.deepEqual(corsOf(await from(here, 'GET', '/_all_dbs')), { status: 401, ...allowed });
  t.deepEqual(corsOf(await from(here, 'GET', '/', basic('admin', 'no'))), { status: 401, ...allowed });
  t.deepEqual(corsOf(await from(here, 'GET', '/nowhere', admin)), { status: 404, ...allowed });
  t.deepEqual(corsOf(await from(here, 'GET', '/a/b/c/d', admin)), { status: 404, ...allowed });
  t.deepEqual(corsOf(await from(here, 'DELETE', '/_all_dbs', admin)), { status: 405, ...allowed });
  t.deepEqual(corsOf(await from(here, 'GET', '/recipes/_changes?limit=x', admin)), {
    status: 400,
    ...allowed,
  });
  const { headers } = await asAdmin('GET', '/recipes/_changes');
  const unchanged = await from(here, 'GET', '/recipes/_changes', {
    ...admin,
    'if-none-match': headers.etag as string,
  });
  t.deepEqual(corsOf(unchanged), { status: 304, ...allowed });
  t.deepEqual(corsOf(await send('GET', '/')), { status: 200 });
});

test('responses have Vary: Origin', async (t) => {
  const { from, send } = await sharing(t, { origins: here });
  for (const { headers } of [
    await from(here, 'GET', '/'),
    await from(elsewhere, 'GET', '/'),
    await send('GET', '/'),
  ])
    t.regex(String(headers.vary), /\borigin\b/);
  const { headers } = await (await testServer(t)).send('GET', '/');
  t.notRegex(String(headers.vary), /origin/i);
});

test('origins are compared in the form that browsers send', async (t) => {
  const { from } = await sharing(t, { origins: 'HTTP://App.example:8080/, http://plain.example:80' });
  t.deepEqual(corsOf(await from(here, 'GET', '/')), { status: 200, ...allowedBy(here) });
  const plain = 'http://plain.example';
  t.deepEqual(corsOf(await from(plain, 'GET', '/')), { status: 200, ...allowedBy(plain) });
  for (const other of [
    'http://app.example',
    'https://app.example:8080',
    `${here}.example`,
    `${here},`,
    'null',
    '',
  ])
    t.deepEqual(corsOf(await from(other, 'GET', '/')), { status: 200 });
});

test('any origin, without credentials', async (t) => {
  const { from, preflight } = await sharing(t, { origins: '*', credentials: 'true' });
  for (const origin of [here, elsewhere, 'null'])
    t.deepEqual(corsOf(await from(origin, 'GET', '/')), { status: 200, ...allowedBy(origin) });
  t.false('access-control-allow-credentials' in (await preflight(here, 'GET')).headers);
});

test('credentials only if configured', async (t) => {
  const withCredentials = await sharing(t, { origins: here, credentials: 'true' });
  const without = await sharing(t, { origins: here, credentials: 'false' });
  const name = 'access-control-allow-credentials';
  t.is((await withCredentials.from(here, 'GET', '/')).headers[name], 'true');
  t.is((await withCredentials.preflight(here, 'GET')).headers[name], 'true');
  t.false(name in (await withCredentials.from(elsewhere, 'GET', '/')).headers);
  t.false(name in (await without.from(here, 'GET', '/')).headers);
  t.false(name in (await without.preflight(here, 'GET')).headers);
});

test('preflight requests need no authentication', async (t) => {
  const { preflight } = await sharing(t, { origins: here });
  const reply = await preflight(here, 'PUT', 'Content-Type, authorization');
  t.like(corsOf(reply), {
    status: 204,
    'access-control-allow-origin': here,
    'access-control-allow-headers': 'Content-Type, authorization',
    'access-control-max-age': '600',
  });
  t.is(reply.text, '');
  const methods = (reply.headers['access-control-allow-methods'] as string).split(', ');
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) t.true(methods.includes(method));
  t.is((await preflight(here, 'GET')).status, 204);
});

test('preflight requests that are not allowed get no CORS headers', async (t) => {
  const { preflight, from } = await sharing(t, { origins: here });
  for (const reply of [
    await preflight(here, 'PATCH'),
    await preflight(here, 'put'),
    await preflight(here, 'PUT', 'content-type, x-unheard-of'),
    await from(here, 'OPTIONS', '/recipes/pancakes'),
  ]) {
    t.is(reply.status, 405);
    t.false('access-control-allow-methods' in reply.headers);
  }
  t.is((await from(here, 'GET', '/', { 'access-control-request-method': 'GET' })).status, 200);
});

test('methods, headers and max age are configurable', async (t) => {
  const { preflight } = await sharing(t, {
    origins: here,
    methods: 'GET,PUT',
    headers: 'X-One, x-two',
    max_age: '7',
  });
  t.deepEqual(corsOf(await preflight(here, 'PUT', 'x-one, X-Two')), {
    status: 204,
    'access-control-allow-origin': here,
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': 'x-one, X-Two',
    'access-control-max-age': '7',
  });
  t.is((await preflight(here, 'POST')).status, 405);
  t.is((await preflight(here, 'PUT', 'content-type')).status, 405);
});

test('changed settings take effect immediately, and invalid ones are rejected', async (t) => {
  const { from, set } = await sharing(t, {}, 'false');
  t.is(await set('chttpd/enable_cors', 'true'), 200);
  t.is(await set('cors/origins', here), 200);
  t.deepEqual(corsOf(await from(here, 'GET', '/')), { status: 200, ...allowedBy(here) });
  for (const [key, value] of [
    ['cors/origins', 'app.example'],
    ['cors/origins', 'http://app.example/path'],
    ['cors/origins', `*, http://app example`],
    ['cors/credentials', 'yes'],
    ['cors/methods', 'GET PUT'],
    ['cors/headers', 'a b'],
    ['cors/max_age', '-1'],
  ] as const)
    t.is(await set(key, value), 400, value);
  t.is(await set('cors/origins', elsewhere), 200);
  t.deepEqual(corsOf(await from(here, 'GET', '/')), { status: 200 });
});

for (const feed of ['normal', 'longpoll', 'continuous', 'eventsource']) {
  test(`the headers of a feed are sent immediately: ${feed}`, async (t) => {
    const { open } = await sharing(t, { origins: here });
    const { statusCode: status, headers } = await open(
      'GET',
      `/recipes/_changes?feed=${feed}&since=now&heartbeat=60000`,
      { headers: { origin: here, ...basic('admin', 'secret') } },
    );
    t.deepEqual(corsOf({ status, headers }), { status: 200, ...allowedBy(here) });
  });
}
