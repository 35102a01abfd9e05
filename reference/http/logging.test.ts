/** The log and request IDs. */
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { httpError } from './errors.js';
import { basic, testServer } from '../testing/server.js';

test('each response has a unique ID, which is in the log', async (t) => {
  const server = await testServer(t);
  const ids = new Set<unknown>();
  for (const [method, path, status] of [
    ['GET', '/', 200],
    ['GET', '/missing', 404],
    ['PATCH', '/', 405],
    ['GET', '/_all_dbs', 401],
    ['GET', '/%zz', 400],
    ['GET', `/${'x'.repeat(40_000)}`, 414],
  ] as const) {
    const reply = await server.send(method, path);
    t.is(reply.status, status);
    const id = reply.headers['x-request-id'];
    t.regex(String(id), /^[0-9a-f]{10}$/);
    ids.add(id);
    const lines = server.logged.filter(({ requestId }) => requestId === id);
    t.is(lines.length, 1);
    t.like(lines[0], { level: 'info', msg: 'request', method, status, address: '127.0.0.1' });
    t.true(Number.isInteger(lines[0]!.ms));
    t.true(Math.abs(Date.parse(String(lines[0]!.time)) - Date.now()) < 60_000);
  }
  t.is(ids.size, 6);
  const named = await server.send('GET', '/', { headers: { 'x-request-id': 'E7498DE1-B661' } });
  t.is(named.headers['x-request-id'], 'E7498DE1-B661', 'of the client');
  t.like(server.logged.at(-1), { requestId: 'E7498DE1-B661' });
});

test("the couchdb dialect uses CouchDB's header name for the ID", async (t) => {
  const { send } = await testServer(t, { dialect: 'couchdb' });
  const { headers } = await send('GET', '/');
  t.regex(String(headers['x-couch-request-id']), /^[0-9a-f]{10}$/);
  t.is(headers['x-request-id'], undefined);
});

test('the couchdb dialect says how long it took to read the body', async (t) => {
  const { url, send } = await testServer(t, { dialect: 'couchdb' });
  t.is((await send('GET', '/')).headers['x-couchdb-body-time'], '0');
  t.is((await send('GET', '/nobody')).headers['x-couchdb-body-time'], '0', 'errors have it, too');
  const pause = 200;
  // A login needs no credentials, so the server reads the body at once, and says so.
  const headers = { 'content-type': 'application/json', expect: '100-continue' };
  const request = http.request(`${url}/_session`, { method: 'POST', headers });
  request.write('{"name":');
  await once(request, 'continue');
  setTimeout(() => request.end('1}'), pause);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  t.true(Number(response.headers['x-couchdb-body-time']) >= pause / 4);
  const service = await testServer(t);
  t.is((await service.send('GET', '/')).headers['x-couchdb-body-time'], undefined);
});

test('invalid HTTP gets an ID, too', async (t) => {
  const server = await testServer(t);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write('hello\r\n\r\n');
  const id = /x-request-id: ([0-9a-f]{10})\r\n/i.exec(await text(socket))?.[1];
  t.like(
    server.logged.find(({ requestId }) => requestId === id),
    { level: 'info', status: 400 },
  );
});

test('a log line identifies the caller, but has no credentials', async (t) => {
  const failing = httpError(400, 'bad_request', 'no');
  const server = await testServer(t, {
    components: (components) => ({
      ...components,
      handlers: { ...components.handlers, getUuids: () => Promise.reject(failing) },
    }),
  });
  const { cookie, headers } = await server.send('POST', '/_session?next=/SECRET', {
    body: { name: 'admin', password: 'secret' },
  });
  await server.send('GET', '/_session', {
    headers: { ...basic('admin', 'secret'), 'x-request-id': 'SECRET token' },
  });
  await server.send('GET', '/_session?token=SECRET', { headers: { cookie: cookie! } });
  await server.send('GET', '/_session', { headers: basic('SECRET', 'SECRET') });
  await server.send('GET', '/_session', {
    headers: { authorization: 'Bearer SECRET', cookie: 'AuthSession=SECRET' },
  });
  await server.asAdmin('PUT', '/_node/_local/_config/admins/eve', '"SECRET"');
  await server.asAdmin('PUT', '/_node/_local/_config/chttpd_auth/secret', '"SECRET"');
  await server.asAdmin('PUT', '/_users/org.service.user:bob', { name: 'bob', password: 'SECRET' });
  await server.asAdmin('GET', '/_uuids?count=SECRET');
  t.is(server.logged.length, 9);
  t.like(server.logged[1], { user: 'admin', path: '/_session' });
  const log = JSON.stringify(server.logged);
  for (const secret of ['SECRET', cookie!.slice(12), String(headers['set-cookie']), btoa('admin:secret')])
    t.false(log.includes(secret), secret);
});

test('with the default level warn, requests are not logged', async (t) => {
  const lines: string[] = [];
  const server = await testServer(t, { log: { to: { write: (line) => lines.push(line) } } });
  t.is((await server.send('GET', '/')).status, 200);
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end('x\r\n\r\n');
  t.regex(await text(socket), / 400 /);
  t.deepEqual(lines, []);
});

test('a setting without effect is logged, by name only, with the one that was probably meant', async (t) => {
  const lines: string[] = [];
  const config = { chttpd: { port: 'a value', changes_timeout: '1000' } };
  const { set } = await testServer(t, { config, log: { to: { write: (line) => lines.push(line) } } });
  for (const place of [
    'chttpd_auth/public_fields',
    'chttpd/require_valid_users',
    'chttpd_auth/require_valid_user',
    'httpd/max_connections',
    'couch_httpd_auth/secret',
  ])
    t.is(await set(place, 'a value'), 200);
  t.is(await set('jwt_keys/hmac:a', 'YQ=='), 200);
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  t.deepEqual(messages, [
    'config: chttpd/port has no effect on this server',
    'PUT _config: chttpd_auth/public_fields has no effect on this server',
    'PUT _config: chttpd/require_valid_users has no effect on this server; did you mean chttpd/require_valid_user?',
    'PUT _config: chttpd_auth/require_valid_user has no effect on this server; did you mean chttpd/require_valid_user?',
    'PUT _config: httpd/max_connections has no effect on this server',
  ]);
});
