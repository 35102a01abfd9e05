/**
 * Proxy authentication (SERVICE 2.8, 5.3) over HTTP: settings, and names, roles and tokens beyond those that the checks of
 * the conformance suite send.
 */
import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { dialects } from '../../openapi/generated/dialects.js';
import { basic, testServer, userOf } from '../testing/server.js';
import { proxyToken } from '../testing/signed-tokens.js';
import { hashFunctions } from '../crypto/hash-functions.js';

const authentication_handlers = 'cookie, proxy, jwt, default';
const secret = 'the secret of proxy and server';
const anonymous = { name: null, roles: [] };

const open = (t: ExecutionContext, chttpd_auth: Record<string, string> = {}) =>
  testServer(t, { config: { chttpd: { authentication_handlers }, chttpd_auth } });
const guarded = (t: ExecutionContext, chttpd_auth: Record<string, string> = {}) =>
  open(t, { proxy_use_secret: 'true', secret, ...chttpd_auth });

interface Sent {
  readonly name?: string;
  readonly roles?: string;
  readonly token?: string;
}

function proxied({ name, roles, token }: Sent, names = dialects.service): Record<string, string> {
  return {
    ...(name !== undefined && { [names.proxyUserName]: name }),
    ...(roles !== undefined && { [names.proxyRoles]: roles }),
    ...(token !== undefined && { [names.proxyToken]: token }),
  };
}

const tokenFor = (name: string, hash = 'sha256', key = secret) => proxyToken(name, key, hash);

/** Encodes UTF-8 for a header, whose characters are bytes. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

test('5.3: roles without empty ones and white space, in UTF-8', async (t) => {
  const server = await open(t);
  for (const [roles, expected] of [
    [undefined, []],
    ['', []],
    [',a,,b,', ['a', 'b']],
    ['a\t,\tb c', ['a', 'b c']],
    [inHeader('köche'), ['köche']],
  ] as const)
    t.deepEqual(await userOf(server, proxied({ name: 'bob', roles })), { name: 'bob', roles: expected });
});

test('5.3: names may contain any characters, in UTF-8', async (t) => {
  const server = await guarded(t);
  for (const name of ['zoë ☃', '🍲', 'a,b', 'a"b']) {
    const headers = proxied({ name: inHeader(name), token: tokenFor(name) });
    t.like(await userOf(server, headers), { name });
  }
  const reply = await server.send('GET', '/_session', {
    headers: proxied({
      name: '\xff',
      token: createHmac('sha256', secret).update('\xff', 'latin1').digest('hex'),
    }),
  });
  t.is(reply.status, 400);
});

test('5.3: without a name, the caller is anonymous', async (t) => {
  const server = await open(t);
  t.deepEqual(await userOf(server, proxied({ roles: '_admin' })), anonymous);
  t.deepEqual(await userOf(server, proxied({ name: '', roles: '_admin' })), anonymous);
});

test('5.3: the couchdb dialect has its own header names', async (t) => {
  const chttpd = { authentication_handlers };
  const server = await testServer(t, { dialect: 'couchdb', config: { chttpd } });
  t.like(await userOf(server, proxied({ name: 'bob', roles: 'a' }, dialects.couchdb)), {
    name: 'bob',
    roles: ['a'],
  });
  t.deepEqual(await userOf(server, proxied({ name: 'bob' })), anonymous);
});

test('2.8: the header names are configurable', async (t) => {
  const server = await guarded(t, {
    x_auth_username: 'X-Name',
    x_auth_roles: 'X-Roles',
    x_auth_token: 'X-Token',
  });
  const headers = { 'x-name': 'bob', 'x-roles': 'a', 'x-token': tokenFor('bob') };
  t.deepEqual(await userOf(server, headers), { name: 'bob', roles: ['a'] });
  t.deepEqual(await userOf(server, proxied({ name: 'bob', token: tokenFor('bob') })), anonymous);
});

test('2.8: only the configured algorithm is accepted', async (t) => {
  const server = await guarded(t);
  for (const [algorithm, hash] of hashFunctions) {
    t.is(await server.set('chttpd_auth/hash_algorithms', algorithm), 200);
    for (const other of hashFunctions.values()) {
      const user = await userOf(server, proxied({ name: 'bob', token: tokenFor('bob', other) }));
      t.deepEqual(user, other === hash ? { name: 'bob', roles: [] } : anonymous, `${other}, not ${hash}`);
    }
  }
});

test('5.3: with proxy_use_secret, a wrong token does not authenticate, and the next handler is tried', async (t) => {
  const server = await guarded(t);
  for (const [what, token] of [
    ['no token', undefined],
    ['a token in upper case', tokenFor('bob').toUpperCase()],
    ['the secret', secret],
    ['two tokens', `${tokenFor('bob')}, ${tokenFor('bob')}`],
  ] as const) {
    const headers = proxied({ name: 'bob', roles: '_admin', token });
    t.deepEqual(await userOf(server, headers), anonymous, what);
    t.like(await userOf(server, { ...headers, ...basic('admin', 'secret') }), { name: 'admin' }, what);
  }
});

test('5.3: the default secret is not empty', async (t) => {
  const server = await open(t, { proxy_use_secret: 'true' });
  for (const key of ['', 'undefined']) {
    const headers = proxied({ name: 'bob', token: tokenFor('bob', 'sha256', key) });
    t.deepEqual(await userOf(server, headers), anonymous);
  }
});

test('2.8: settings take effect immediately, and invalid ones are rejected', async (t) => {
  const server = await open(t);
  const set = (key: string, value: string) => server.set(`chttpd_auth/${key}`, value);
  const headers = proxied({ name: 'bob' });
  t.like(await userOf(server, headers), { name: 'bob' });
  t.is(await set('proxy_use_secret', 'true'), 200);
  t.deepEqual(await userOf(server, headers), anonymous);
  t.is(await set('secret', 'new'), 200);
  const token = tokenFor('bob', 'sha512', 'new');
  t.deepEqual(await userOf(server, proxied({ name: 'bob', token })), anonymous);
  t.is(await set('hash_algorithms', 'md5,sha512'), 200);
  t.like(await userOf(server, proxied({ name: 'bob', token })), { name: 'bob' });
  t.is(await set('hash_algorithms', 'sha3'), 400);
  t.is(await set('hash_algorithms', 'sha256,'), 400);
  t.is(await set('x_auth_username', 'a b'), 400);
});
