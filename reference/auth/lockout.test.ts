/** Account lockout after too many wrong passwords, over HTTP. */
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../index.js';
import { basic, testServer } from '../testing/server.js';

const locked = {
  error: 'forbidden',
  reason: 'Account is temporarily locked due to multiple authentication failures',
};
const alice = { name: 'alice', password: 'apple' };

async function withAlice(t: ExecutionContext, lockout: Readonly<Record<string, string>> = {}) {
  const config: ServerOptions['config'] = { chttpd_auth_lockout: lockout };
  const server = await testServer(t, { config });
  const document = { ...alice, roles: [], type: 'user' };
  t.is((await server.asAdmin('PUT', '/_users/org.service.user:alice', document)).status, 201);
  const byBasic = async (password: string, name = 'alice') =>
    (await server.send('GET', '/_session', { headers: basic(name, password) })).status;
  const byLogin = (password: string) =>
    server.send('POST', '/_session', { body: { name: 'alice', password } });
  return { server, byBasic, byLogin };
}

test('five failures lock the account for basic authentication and login, even with the correct password', async (t) => {
  const { server, byBasic, byLogin } = await withAlice(t);
  const { cookie } = await byLogin(alice.password);
  for (let failure = 1; failure <= 5; failure++) {
    t.is(await byBasic(alice.password), 200);
    t.is(failure % 2 ? await byBasic('wrong') : (await byLogin('wrong')).status, 401);
  }
  for (const password of ['wrong', alice.password]) {
    t.is(await byBasic(password), 403);
    const { status, json, headers } = await byLogin(password);
    t.deepEqual([status, json, headers['set-cookie']], [403, locked, undefined]);
  }
  // Other accounts and existing sessions are not affected.
  t.is((await server.asAdmin('GET', '/_session')).status, 200);
  const { json } = await server.send('GET', '/_session', { headers: { cookie: cookie! } });
  t.like(json, { userCtx: { name: 'alice' } });
});

test('a new password unlocks the account and resets the count', async (t) => {
  const { server, byBasic } = await withAlice(t);
  for (let failure = 1; failure <= 6; failure++) await byBasic('wrong');
  t.is(await byBasic(alice.password), 403);
  const path = '/_users/org.service.user:alice';
  const { json } = await server.asAdmin('GET', path);
  await server.asAdmin('PUT', path, { ...(json as object), password: 'pear' });
  t.is(await byBasic('pear'), 200);
  t.is(await byBasic(alice.password), 401);
});

test('the password of an administrator unlocks the account when it is set, even to the same one', async (t) => {
  const { server, byBasic } = await withAlice(t);
  const set = () => server.set('admins/eve', 'apple');
  await set();
  for (let failure = 1; failure <= 5; failure++) await byBasic('wrong', 'eve');
  t.is(await byBasic('apple', 'eve'), 403);
  await set();
  t.is(await byBasic('apple', 'eve'), 200);
});

test('unknown names and administrators are treated the same', async (t) => {
  const { byBasic } = await withAlice(t);
  for (const name of ['nobody', 'admin']) {
    for (let failure = 1; failure <= 5; failure++) t.is(await byBasic('wrong', name), 401);
    t.is(await byBasic('wrong', name), 403, name);
  }
});

test('the lockout ends after its duration', async (t) => {
  const { byBasic } = await withAlice(t, { threshold: '1', max_lifetime: '300' });
  t.is(await byBasic('wrong'), 401);
  const since = Date.now();
  let status = await byBasic(alice.password);
  while (status === 403 && Date.now() - since < 20_000) status = await byBasic(alice.password);
  t.is(status, 200);
});

test('warn and off do not lock, and warn logs', async (t) => {
  const { server, byBasic } = await withAlice(t, { mode: 'warn' });
  const warnings = () => server.logged.filter(({ level }) => level === 'warn');
  for (let failure = 1; failure <= 5; failure++) t.is(await byBasic('wrong'), 401);
  t.deepEqual(warnings(), []);
  t.is(await byBasic(alice.password), 200);
  t.like(warnings()[0], { address: '127.0.0.1', mode: 'warn', msg: 'too many authentication failures' });
  const count = warnings().length;
  await server.set('chttpd_auth_lockout/mode', 'off');
  t.is(await byBasic('wrong'), 401);
  t.is(await byBasic(alice.password), 200);
  t.is(warnings().length, count);
});
