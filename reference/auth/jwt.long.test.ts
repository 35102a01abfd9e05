/** JSON Web Tokens: SERVICE 2.8, 5.4 and 7, over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { dialects, type Dialect } from '../../openapi/generated/dialects.js';
import { basic, testServer, userOf as userOfHeaders, type TestServer } from '../testing/server.js';
import { base64url, ec, escaped, keySettings, now, rsa, secret, token } from '../testing/tokens.js';

const chttpd = { authentication_handlers: 'cookie, proxy, jwt, default' };

const withKeys = (t: ExecutionContext, jwt_auth: Record<string, string> = {}, dialect: Dialect = 'service') =>
  testServer(t, { dialect, config: { chttpd, jwt_auth, jwt_keys: keySettings } });

const bear = (server: TestServer, bearer: string, path = '/_session') =>
  server.send('GET', path, { headers: { authorization: `Bearer ${bearer}` } });

const userOf = (server: TestServer, bearer: string) =>
  userOfHeaders(server, { authorization: `Bearer ${bearer}` });

const soon = () => now() + 600;
const hs = { alg: 'HS256', typ: 'JWT' };
const claims = (more: object = {}) => ({ sub: 'bob', exp: soon(), ...more });
const bob = { name: 'bob', roles: [] };

test('5.4: the handler must be in the handler list', async (t) => {
  const server = await testServer(t, { config: { jwt_keys: keySettings } });
  t.deepEqual(await userOf(server, token(hs, claims())), { name: null, roles: [] });
});

test('5.4: the scheme is case-insensitive, and other schemes are ignored', async (t) => {
  const server = await withKeys(t);
  const getSession = (headers: Record<string, string>) => server.send('GET', '/_session', { headers });
  t.like((await getSession({ authorization: `bEARER  ${token(hs, claims())}` })).json, { userCtx: bob });
  t.like((await getSession(basic('admin', 'secret'))).json, { info: { authenticated: 'default' } });
  t.like((await getSession({ authorization: `Bearers ${token(hs, claims())}` })).json, {
    userCtx: { name: null },
  });
});

for (const [algorithm, key, kid] of [
  ...[256, 384, 512].map((bits) => [`HS${bits}`, secret, undefined] as const),
  ...[256, 384, 512].map((bits) => [`RS${bits}`, rsa.privateKey, undefined] as const),
  ['ES256', ec.ES256.privateKey, undefined],
  ['ES384', ec.ES384.privateKey, '384'],
  ['ES512', ec.ES512.privateKey, '512'],
] as const) {
  test(`5.4: ${algorithm} with a key of its type`, async (t) => {
    const server = await withKeys(t);
    t.deepEqual(await userOf(server, token({ alg: algorithm, kid }, claims(), key, algorithm)), bob);
  });
}

test('5.4 keys 2: without kid, only the default key is used', async (t) => {
  const jwt_keys = { 'hmac:kitchen': secret.toString('base64') };
  const server = await testServer(t, { config: { chttpd, jwt_keys } });
  const { status, json } = await bear(server, token(hs, claims()));
  t.deepEqual([status, json], [400, { error: 'bad request', reason: 'Unknown kid' }]);
  t.deepEqual(await userOf(server, token({ ...hs, kid: 'kitchen' }, claims())), bob);
});

test('5.4 keys 1: kid selects the key', async (t) => {
  const other = Buffer.from('another secret');
  const jwt_keys = { 'hmac:one': secret.toString('base64'), 'hmac:a=b': other.toString('base64') };
  const server = await testServer(t, { config: { chttpd, jwt_keys } });
  const status = async (kid: string, key: Buffer) =>
    (await bear(server, token({ ...hs, kid }, claims(), key))).status;
  t.is(await status('one', secret), 200);
  t.is(await status('a=b', other), 200);
  t.is(await status('one', other), 400);
  t.is(await status('a=b', secret), 400);
  t.is(await status('two', secret), 400);
});

for (const sub of [undefined, null, 5, true, ['bob'], { name: 'bob' }]) {
  test(`5.4 rule 2: sub ${JSON.stringify(sub)}: 401`, async (t) => {
    const { status, json } = await bear(await withKeys(t), token(hs, claims({ sub })));
    const reason = 'Token missing sub claim.';
    t.deepEqual([status, json], [401, { error: 'unauthorized', reason }]);
  });
}

for (const [required, given, answer] of [
  ['exp', {}, 400],
  ['exp', { exp: 1 }, 401],
  ['exp', { exp: now() - 1 }, 401],
  ['exp', { exp: soon() }, 200],
  ['exp', { exp: soon() + 0.5 }, 200],
  ['exp', { exp: String(soon()) }, 400],
  ['exp', { exp: null }, 400],
  ['nbf', {}, 400],
  ['nbf', { nbf: soon() }, 401],
  ['nbf', { nbf: now() - 1 }, 200],
  ['nbf', { nbf: 'x' }, 400],
  ['iat', {}, 400],
  ['iat', { iat: soon() }, 200],
  ['iat', { iat: {} }, 400],
  ['iss', {}, 400],
  ['iss', { iss: 'anyone' }, 200],
  ['{iss, "me"}', { iss: 'me' }, 200],
  ['{iss, "me"}', { iss: 'you' }, 400],
  ['{iss, "me"}', { iss: ['me'] }, 400],
  ['{iss, "me"}', {}, 400],
  ['{aud, "a, b"},https://x.example/y', { aud: 'a, b', 'https://x.example/y': null }, 200],
  ['{aud, "a, b"},https://x.example/y', { aud: 'a, b' }, 400],
  ['toString', {}, 400],
  ['exp, nbf , iat', { exp: soon(), nbf: 0, iat: 0 }, 200],
  ['exp, nbf , iat', { exp: soon(), iat: 0 }, 400],
  ['exp, nbf , iat', { exp: 1, nbf: 0, iat: 0 }, 401],
] as const) {
  test(`5.4 rules 3, 4: required ${required}, given ${JSON.stringify(given)}: ${answer}`, async (t) => {
    const server = await withKeys(t, { required_claims: required });
    const { status, json } = await bear(server, token(hs, { sub: 'bob', ...given }));
    t.is(status, answer);
    if (answer === 200) t.like(json, { userCtx: bob });
    else t.like(json, { error: answer === 400 ? 'bad request' : 'unauthorized' });
  });
}

test('5.4: exp is required by default', async (t) => {
  const server = await withKeys(t);
  const { status, json } = await bear(server, token(hs, { sub: 'bob' }));
  t.deepEqual([status, json], [400, { error: 'bad request', reason: 'Missing exp claim' }]);
  t.is(await server.set('jwt_auth/required_claims', ''), 200);
  t.deepEqual(await userOf(server, token(hs, { sub: 'bob' })), bob);
});

for (const [roles, expected] of [
  [[], []],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a,b', ['a', 'b']],
  [' a , b\t,c', ['a', 'b', 'c']],
  ['a', ['a']],
  ['', []],
  [',a,,', ['a']],
  ['ä,☃', ['ä', '☃']],
] as const) {
  test(`5.4 rule 5: the roles ${JSON.stringify(roles)} are ${JSON.stringify(expected)}`, async (t) => {
    for (const dialect of ['service', 'couchdb'] as const) {
      const server = await withKeys(t, {}, dialect);
      const given = claims({ [dialects[dialect].rolesClaim]: roles });
      t.deepEqual(await userOf(server, token(hs, given)), { name: 'bob', roles: expected });
    }
  });
}

for (const roles of [null, 5, true, {}, ['a', 1], [['a']]]) {
  test(`5.4 rule 5: the roles ${JSON.stringify(roles)} are rejected: 400`, async (t) => {
    const { status, json } = await bear(await withKeys(t), token(hs, claims({ '_service.roles': roles })));
    t.is(status, 400);
    t.like(json, { error: 'bad request' });
  });
}

test('2.8: roles_claim_name is a name, not a path', async (t) => {
  const server = await withKeys(t, { roles_claim_name: 'my.roles' });
  const given = claims({ 'my.roles': 'a', my: { roles: 'b' }, '_service.roles': 'c' });
  t.deepEqual(await userOf(server, token(hs, given)), { name: 'bob', roles: ['a'] });
});

for (const [path, given, expected] of [
  ['roles', { roles: 'a' }, ['a']],
  ['my.roles', { my: { roles: ['a', 'b'] } }, ['a', 'b']],
  ['my.roles', { 'my.roles': 'a' }, []],
  ['my\\.roles', { 'my.roles': 'a' }, ['a']],
  ['a.b\\.c.d', { a: { 'b.c': { d: 'x,y' } } }, ['x', 'y']],
  ['a..b', { a: { '': { b: 'x' } } }, ['x']],
  ['a.b', {}, []],
  ['a.b', { a: 'b' }, []],
  ['a.b', { a: null }, []],
  ['a.0', { a: ['b'] }, []],
  ['a.length', { a: ['b'] }, []],
  ['constructor.name', {}, []],
] as const) {
  test(`5.4 rule 6: roles_claim_path ${path} in ${JSON.stringify(given)}`, async (t) => {
    const server = await withKeys(t, { roles_claim_path: path, roles_claim_name: 'other' });
    const user = await userOf(server, token(hs, claims({ ...given, other: 'z', '_service.roles': 'z' })));
    t.deepEqual(user, { name: 'bob', roles: expected });
  });
}

test('5.4: settings take effect immediately', async (t) => {
  const server = await testServer(t, { config: { chttpd } });
  const { set } = server;
  const bearer = token({ alg: 'RS256', kid: 'a=b' }, claims({ r: 'x' }), rsa.privateKey, 'RS256');
  t.is((await bear(server, bearer)).status, 400);
  t.is(await set('jwt_keys/rsa:a=b', escaped(rsa.publicKey)), 200);
  t.is(await set('jwt_auth/roles_claim_path', 'r'), 200);
  t.deepEqual(await userOf(server, bearer), { name: 'bob', roles: ['x'] });
  t.is((await server.asAdmin('DELETE', '/_node/_local/_config/jwt_keys/rsa:a=b')).status, 200);
  t.is((await bear(server, bearer)).status, 400);
});

test('an error does not repeat the token', async (t) => {
  const { text } = await bear(await withKeys(t), `${token(hs, { sub: 'bob' })}x`);
  t.false(text.includes(base64url(hs)));
});
