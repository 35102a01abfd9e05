/**
 * JSON Web Tokens (SERVICE 5.4) over HTTP: invalid claims, and values that the service document does not mention. The
 * checks of the conformance suite verify the rest.
 */
import test from 'ava';
import { basic, testServer, userOf as userOfHeaders, type TestServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';
import { base64url, ec, escaped, keySettings, now, rsa, secret, token } from '../testing/signed-tokens.js';

const chttpd = { authentication_handlers: 'cookie, proxy, jwt, default' };

const options = { config: { chttpd, jwt_keys: keySettings } };
/** For tests that do not change what others need. */
const withKeys = sharedServer(options);

const bear = (server: TestServer, bearer: string, path = '/_session') =>
  server.send('GET', path, { headers: { authorization: `Bearer ${bearer}` } });

const userOf = (server: TestServer, bearer: string) =>
  userOfHeaders(server, { authorization: `Bearer ${bearer}` });

const soon = () => now() + 600;
const hs = { alg: 'HS256', typ: 'JWT' };
const claims = (more: object = {}) => ({ sub: 'bob', exp: soon(), ...more });
const bob = { name: 'bob', roles: [] };

test('the scheme is case-insensitive, and other schemes are ignored', async (t) => {
  const { send } = await withKeys();
  const getSession = async (authorization: string) =>
    (await send('GET', '/_session', { headers: { authorization } })).json;
  t.like(await getSession(`bEARER  ${token(hs, claims())}`), { userCtx: bob });
  t.like(await getSession(basic('admin', 'secret').authorization), { info: { authenticated: 'default' } });
  t.like(await getSession(`Bearers ${token(hs, claims())}`), { userCtx: { name: null } });
});

test('every algorithm works with a key of its type', async (t) => {
  const server = await withKeys();
  for (const [algorithm, key, kid] of [
    ...[256, 384, 512].map((bits) => [`HS${bits}`, secret, undefined] as const),
    ...[256, 384, 512].map((bits) => [`RS${bits}`, rsa.privateKey, undefined] as const),
    ['ES256', ec.ES256.privateKey, undefined],
    ['ES384', ec.ES384.privateKey, '384'],
    ['ES512', ec.ES512.privateKey, '512'],
  ] as const) {
    const bearer = token({ alg: algorithm, kid }, claims(), key, algorithm);
    t.deepEqual(await userOf(server, bearer), bob, algorithm);
  }
});

test('5.4 rule 2: 401 if sub is no string', async (t) => {
  const server = await withKeys();
  for (const sub of [undefined, null, 5, true, ['bob'], { name: 'bob' }]) {
    const { status, json } = await bear(server, token(hs, claims({ sub })));
    const reason = 'Token missing sub claim.';
    t.deepEqual([status, json], [401, { error: 'unauthorized', reason }], JSON.stringify(sub));
  }
});

test('5.4 rules 3, 4: required claims', async (t) => {
  const server = await testServer(t, options);
  for (const [required, given, answer] of [
    ['exp', {}, 400],
    ['exp', { exp: 1 }, 401],
    ['exp', { exp: now() - 1 }, 401],
    ['exp', { exp: soon() + 0.5 }, 200],
    ['exp', { exp: String(soon()) }, 400],
    ['exp', { exp: null }, 400],
    ['nbf', { nbf: soon() }, 401],
    ['nbf', { nbf: now() - 1 }, 200],
    ['nbf', { nbf: 'x' }, 400],
    ['iat', {}, 400],
    ['iat', { iat: soon() }, 200],
    ['iat', { iat: {} }, 400],
    ['iss', { iss: 'anyone' }, 200],
    ['{iss, "me"}', { iss: 'me' }, 200],
    ['{iss, "me"}', { iss: 'you' }, 400],
    ['{iss, "me"}', { iss: ['me'] }, 400],
    ['{aud, "a, b"},https://x.example/y', { aud: 'a, b', 'https://x.example/y': null }, 200],
    ['{aud, "a, b"},https://x.example/y', { aud: 'a, b' }, 400],
    ['toString', {}, 400],
    ['exp, nbf , iat', { exp: soon(), iat: 0 }, 400],
    ['exp, nbf , iat', { exp: 1, nbf: 0, iat: 0 }, 401],
  ] as const) {
    t.is(await server.set('jwt_auth/required_claims', required), 200);
    const { status, json } = await bear(server, token(hs, { sub: 'bob', ...given }));
    const sent = `required ${required}, given ${JSON.stringify(given)}`;
    t.is(status, answer, sent);
    if (answer === 200) t.like(json, { userCtx: bob }, sent);
    else t.like(json, { error: answer === 400 ? 'bad request' : 'unauthorized' }, sent);
  }
});

test('5.4 rule 5: white space and commas in a string of roles, and values that are no roles', async (t) => {
  const server = await withKeys();
  const userWith = (roles: unknown) => userOf(server, token(hs, claims({ '_service.roles': roles })));
  for (const [roles, expected] of [
    [' a , b\t,c', ['a', 'b', 'c']],
    ['', []],
    [',a,,', ['a']],
    ['ä,☃', ['ä', '☃']],
  ] as const)
    t.deepEqual(await userWith(roles), { name: 'bob', roles: expected }, roles);
  for (const roles of [null, 5, true, {}, ['a', 1], [['a']]]) {
    const { status, json } = await bear(server, token(hs, claims({ '_service.roles': roles })));
    t.is(status, 400, JSON.stringify(roles));
    t.like(json, { error: 'bad request' });
  }
});

test('5.4 rule 6: a path finds roles in members of objects only', async (t) => {
  const server = await testServer(t, options);
  for (const [path, given, expected] of [
    ['my.roles', { 'my.roles': 'a' }, []],
    ['a.b\\.c.d', { a: { 'b.c': { d: 'x,y' } } }, ['x', 'y']],
    ['a..b', { a: { '': { b: 'x' } } }, ['x']],
    ['a.b', {}, []],
    ['a.b', { a: 'b' }, []],
    ['a.b', { a: null }, []],
    ['a.0', { a: ['b'] }, []],
    ['a.length', { a: ['b'] }, []],
    ['constructor.name', {}, []],
  ] as const) {
    t.is(await server.set('jwt_auth/roles_claim_path', path), 200);
    const user = await userOf(server, token(hs, claims({ ...given, '_service.roles': 'z' })));
    t.deepEqual(user, { name: 'bob', roles: expected }, `${path} in ${JSON.stringify(given)}`);
  }
});

test('a key applies from the moment in which it is added until it is removed', async (t) => {
  const server = await withKeys();
  const bearer = token({ alg: 'RS256', kid: 'a=b' }, claims(), rsa.privateKey, 'RS256');
  t.is((await bear(server, bearer)).status, 400);
  t.is(await server.set('jwt_keys/rsa:a=b', escaped(rsa.publicKey)), 200);
  t.deepEqual(await userOf(server, bearer), bob);
  t.is((await server.asAdmin('DELETE', '/_node/_local/_config/jwt_keys/rsa:a=b')).status, 200);
  t.is((await bear(server, bearer)).status, 400);
});

test('an error does not repeat the token', async (t) => {
  const { text } = await bear(await withKeys(), `${token(hs, { sub: 'bob' })}x`);
  t.false(text.includes(base64url(hs)));
});
