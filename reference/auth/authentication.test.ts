/** Sessions, login, basic and cookie authentication (SERVICE 2.2, 2.3, 4.2, 4.3, 5.1, 5.2) over HTTP. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer, userOf, type TestServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const alice = { name: 'alice', password: 'pä:ss wörd☃', roles: ['cooks', 'guests'] };

async function createAlice({ asAdmin }: TestServer): Promise<void> {
  const created = await asAdmin('PUT', `/_users/org.service.user:${alice.name}`, { ...alice, type: 'user' });
  assert.equal(created.status, 201);
}

/** Its configuration never changes. Too many wrong passwords would lock an account. */
const withAlice = sharedServer({}, createAlice);

const aliceContext = { name: alice.name, roles: alice.roles };
const anonymous = { name: null, roles: [] };

test('2.2: the session of an anonymous caller has neither a name nor an authentication handler', async (t) => {
  const { send } = await withAlice();
  t.deepEqual((await send('GET', '/_session')).json, {
    ok: true,
    userCtx: anonymous,
    info: { authentication_db: '_users', authentication_handlers: ['cookie', 'default'] },
  });
});

test('2.2: only the configured handlers are tried, in their order', async (t) => {
  const server = await testServer(t, { config: { chttpd: { authentication_handlers: 'default' } } });
  await createAlice(server);
  const { cookie, json } = await server.send('GET', '/_session', {
    headers: basic(alice.name, alice.password),
  });
  t.like(json, { info: { authentication_handlers: ['default'] } });
  t.deepEqual(await userOf(server, { cookie: cookie! }), anonymous);
});

test('2.2: the first handler that identifies the caller decides', async (t) => {
  const server = await withAlice();
  const { cookie } = await server.send('POST', '/_session', { body: alice });
  const both = { ...basic(admin.name, admin.password), cookie: cookie! };
  t.deepEqual(await userOf(server, both), aliceContext);
});

test('4.3: a login accepts forms, `username`, and gzip', async (t) => {
  const server = await withAlice();
  const { name: username, password } = alice;
  const form = await server.send('POST', '/_session', {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams({ username, password }).toString(),
  });
  t.like(form.json, { ok: true, name: alice.name });
  // Clients say so of a form that is not compressed.
  const called = await server.send('POST', '/_session', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
    body: new URLSearchParams({ username, password }).toString(),
  });
  t.like(called.json, { ok: true, name: alice.name });
  const json = await server.send('POST', '/_session', { body: { username, password } });
  t.deepEqual(await userOf(server, { cookie: json.cookie! }), aliceContext);
  const gzip = await server.send('POST', '/_session', {
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ username, password })),
  });
  t.deepEqual(await userOf(server, { cookie: gzip.cookie! }), aliceContext);
});

test('4.3: a rejected login deletes the cookie', async (t) => {
  const { send } = await withAlice();
  for (const body of [
    { name: alice.name, password: `${alice.password}x` },
    { name: alice.name, password: '' },
    { name: '', password: alice.password },
    { name: admin.name, password: alice.password },
    { name: 'constructor', password: 'x' },
  ]) {
    const { status, json, headers, cookie } = await send('POST', '/_session', { body });
    t.is(status, 401, JSON.stringify(body));
    t.deepEqual(json, { error: 'unauthorized', reason: 'Name or password is incorrect.' });
    t.is(cookie, undefined);
    t.regex(String(headers['set-cookie']), /^AuthSession=;.*Max-Age=0/);
  }
});

test('4.3: ?next only redirects to paths of this server', async (t) => {
  const server = await withAlice();
  const login = await server.send('POST', '/_session?next=/recipes', { body: alice });
  const { status, headers, cookie, json } = login;
  t.is(status, 302);
  t.like(json, { ok: true, name: alice.name });
  t.is(headers.location, `${server.url}/recipes`);
  t.deepEqual(await userOf(server, { cookie: cookie! }), aliceContext);
  for (const next of [
    '//evil.example',
    'https://evil.example/',
    '/%5Cevil.example',
    'x',
    '/a%0d%0aX-Y:z',
    '',
  ]) {
    const rejected = await server.send('POST', `/_session?next=${next}`, { body: alice });
    t.is(rejected.status, 400, next);
    t.is(rejected.cookie, undefined);
  }
});

test('DELETE /_session deletes the cookie, even an invalid one', async (t) => {
  const server = await withAlice();
  for (const cookie of ['', 'AuthSession=garbage']) {
    const { status, json, headers } = await server.send('DELETE', '/_session', { headers: { cookie } });
    t.is(status, 200);
    t.deepEqual(json, { ok: true });
    t.regex(String(headers['set-cookie']), /^AuthSession=;.*Max-Age=0/);
  }
});

test('5.1: each response to a correct password sets a valid cookie', async (t) => {
  const server = await withAlice();
  for (const [path, status] of [
    ['/', 200],
    ['/_users', 403],
    ['/missing', 404],
  ] as const) {
    const reply = await server.send('GET', path, { headers: basic(alice.name, alice.password) });
    t.is(reply.status, status);
    t.deepEqual(await userOf(server, { cookie: reply.cookie! }), aliceContext);
  }
  const { headers } = await server.send('GET', '/');
  t.is(headers['set-cookie'], undefined);
});

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64');
test('5.1: invalid credentials never authenticate', async (t) => {
  const { send } = await withAlice();
  for (const [what, authorization, status] of [
    ['a wrong password', `Basic ${base64('alice:x')}`, 401],
    ['an unknown user', `Basic ${base64('mallory:x')}`, 401],
    ['an empty name and password', `Basic ${base64(':')}`, 401],
    ['no colon', `Basic ${base64('alice')}`, 400],
    ['no credentials', 'Basic', 400],
    ['something that is not base64', 'Basic !!!!', 400],
    ['truncated base64', `Basic ${base64('alice:x').slice(0, -1)}`, 400],
    ['bytes that are not UTF-8', `Basic ${base64(Buffer.from([0xff, 0x3a, 0xff]))}`, 400],
  ] as const) {
    const reply = await send('GET', '/_session', { headers: { authorization } });
    t.is(reply.status, status, what);
    t.like(reply.json, { error: status === 401 ? 'unauthorized' : 'bad request' });
    t.is(reply.headers['set-cookie'], undefined);
  }
});

test('5.2: a cookie of another server does not authenticate', async (t) => {
  const [one, other] = [await withAlice(), await testServer(t)];
  await createAlice(other);
  const { cookie } = await one.send('POST', '/_session', { body: alice });
  t.deepEqual(await userOf(other, { cookie: cookie! }), anonymous);
});

/** A server with a known secret, and a function that creates cookies of alice with a given age in seconds. */
async function withOldCookies(t: ExecutionContext) {
  const server = await testServer(t, { config: { chttpd_auth: { secret: 'known', timeout: '3000' } } });
  await createAlice(server);
  const { json } = await server.asAdmin('GET', `/_users/org.service.user:${alice.name}`);
  const key = `known${(json as { salt: string }).salt}`;
  const issuedBefore = (seconds: number) => {
    const content = `alice:${(Math.floor(Date.now() / 1000) - seconds).toString(16).toUpperCase()}`;
    const signature = createHmac('sha256', key).update(content).digest();
    const value = Buffer.concat([Buffer.from(`${content}:`), signature]).toString('base64url');
    return { cookie: `AuthSession=${value}` };
  };
  return { server, issuedBefore };
}

test('5.2: expired cookies and cookies from the future do not authenticate', async (t) => {
  const { server, issuedBefore } = await withOldCookies(t);
  t.deepEqual(await userOf(server, issuedBefore(2900)), aliceContext);
  t.deepEqual(await userOf(server, issuedBefore(3000)), anonymous);
  t.deepEqual(await userOf(server, issuedBefore(-100)), anonymous);
  // The current setting determines the lifetime.
  t.is(await server.set('chttpd_auth/timeout', '2800'), 200);
  t.deepEqual(await userOf(server, issuedBefore(2900)), anonymous);
});

test('5.2: each response renews a cookie after a tenth of its lifetime', async (t) => {
  const { server, issuedBefore } = await withOldCookies(t);
  const young = await server.send('GET', '/_session', { headers: issuedBefore(200) });
  t.is(young.headers['set-cookie'], undefined);
  for (const path of ['/_session', '/_all_dbs', '/missing']) {
    const old = await server.send('GET', path, { headers: issuedBefore(400) });
    t.deepEqual(await userOf(server, { cookie: old.cookie! }), aliceContext, path);
    const again = await server.send('GET', path, { headers: { cookie: old.cookie! } });
    t.is(again.headers['set-cookie'], undefined);
  }
  const expired = await server.send('GET', '/_session', { headers: issuedBefore(4000) });
  t.is(expired.headers['set-cookie'], undefined);
});

test('5.2: the attributes of the cookie follow the configuration', async (t) => {
  const server = await testServer(t);
  const attributes = async () => {
    const { headers } = await server.send('POST', '/_session', { body: admin });
    const setCookie = String(headers['set-cookie']);
    const [text, expires] = /Expires=([^;]+GMT)/.exec(setCookie) ?? [];
    if (text === undefined) return setCookie.split('; ').slice(1);
    const maxAge = Number(/Max-Age=(\d+)/.exec(setCookie)![1]);
    t.true(Math.abs(Date.parse(expires!) - Date.now() - 1000 * maxAge) < 60_000);
    return setCookie.replace(text, 'Expires').split('; ').slice(1);
  };
  const usual = ['Version=1', 'Expires', 'Max-Age=600', 'Path=/', 'HttpOnly'];
  t.deepEqual(await attributes(), usual);
  const { set } = server;
  await set('chttpd_auth/timeout', '60');
  await set('chttpd_auth/same_site', 'none');
  await set('chttpd_auth/cookie_domain', 'example.com');
  await set('docfeed/secure_cookies', 'true');
  t.deepEqual(await attributes(), [
    'Version=1',
    'Expires',
    'Max-Age=60',
    'Domain=example.com',
    'Path=/',
    'HttpOnly',
    'Secure',
    'SameSite=None',
  ]);
  await set('chttpd_auth/allow_persistent_cookies', 'false');
  await server.asAdmin('DELETE', '/_node/_local/_config/chttpd_auth/same_site');
  t.deepEqual(await attributes(), ['Version=1', 'Domain=example.com', 'Path=/', 'HttpOnly', 'Secure']);
  for (const [place, value] of [
    ['chttpd_auth/same_site', 'never'],
    ['chttpd_auth/cookie_domain', 'example.com; Secure'],
  ] as const)
    t.is(await set(place, value), 400);
});

test('5.2: malformed cookies are rejected', async (t) => {
  const { send } = await withAlice();
  for (const value of [
    'garbage',
    '%00',
    '"x"',
    'YWxpY2U',
    Buffer.from('alice:5F000000').toString('base64url'),
  ]) {
    const { status, json } = await send('GET', '/_session', { headers: { cookie: `AuthSession=${value}` } });
    t.is(status, 400, value);
    t.deepEqual(json, {
      error: 'bad request',
      reason: 'Malformed AuthSession cookie. Please clear your cookies.',
    });
  }
});

test('5.2: a cookie that another server may have set authenticates nobody', async (t) => {
  const server = await withAlice();
  const time = Math.floor(Date.now() / 1000).toString(16);
  for (const value of [
    `alice:XYZ:${'s'.repeat(32)}`,
    `alice:${time.toUpperCase()}:short`,
    `alice:${time}:${'s'.repeat(32)}`,
    `alice:${time.toUpperCase()}:${'s'.repeat(20)}:${'s'.repeat(20)}`,
    'alice::',
  ]) {
    const cookie = `AuthSession=${Buffer.from(value).toString('base64url')}`;
    t.deepEqual(await userOf(server, { cookie }), anonymous, value);
  }
});

test('5.2: an empty cookie is ignored', async (t) => {
  const server = await withAlice();
  t.deepEqual(await userOf(server, { cookie: 'AuthSession=' }), anonymous);
  t.deepEqual(await userOf(server, { cookie: 'AuthSession' }), anonymous);
});
