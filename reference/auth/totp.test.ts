/**
 * Time-based one-time passwords (SERVICE 2.4, 4.3, 5.5): codes and keys that the checks of the conformance suite do not
 * send.
 */
import test, { type ExecutionContext } from 'ava';
import { createGuardrails, generateSecret, generateSync } from 'otplib';
import { basic, testServer, type TestServer } from '../testing/server.js';
import { isCurrentCode, findTotpProblem } from './totp.js';

const prefix = 'org.service.user:';

async function withUser(t: ExecutionContext, key = generateSecret()) {
  const server = await testServer(t);
  t.is((await server.asAdmin('PUT', `/_users/${prefix}alice`, userWith({ key }))).status, 201);
  return { server, key };
}

const userWith = (totp: unknown) => ({
  name: 'alice',
  password: 'x',
  roles: ['r'],
  type: 'user',
  totp,
});

const logIn = (server: TestServer, fields: object) =>
  server.send('POST', '/_session', { body: { name: 'alice', password: 'x', ...fields } });

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });

const wrong = { error: 'unauthorized', reason: 'Name or password is incorrect.' };

test('5.5: a form may contain the code', async (t) => {
  const { server, key } = await withUser(t);
  const { status } = await server.send('POST', '/_session', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'alice', password: 'x', token: codeOf(key) }).toString(),
  });
  t.is(status, 200);
});

test('5.5: what only resembles the code does not log in', async (t) => {
  const { server, key } = await withUser(t);
  // Fewer than the failures that lock an account.
  for (const change of [
    (code: string) => code.slice(1),
    (code: string) => ` ${code} `,
    (code: string) => `${code}\n`,
    () => 'abcdef',
  ]) {
    const token = change(codeOf(key));
    const { status, json, cookie } = await logIn(server, { token });
    t.deepEqual([status, json, cookie], [401, wrong, undefined], JSON.stringify(token));
  }
});

test('4.3: a code that is not a string is rejected as malformed', async (t) => {
  const { server, key } = await withUser(t);
  for (const token of [Number(codeOf(key)), null, [codeOf(key)], { key }, true]) {
    const { status, json, cookie } = await logIn(server, { token });
    t.is(status, 400);
    t.like(json, { error: 'bad request' });
    t.is(cookie, undefined);
  }
});

test('5.5: basic authentication does not bypass the second factor', async (t) => {
  const { server, key } = await withUser(t);
  for (const password of ['x', `x${codeOf(key)}`, `x:${codeOf(key)}`]) {
    const reply = await server.send('GET', '/_session', { headers: basic('alice', password) });
    t.deepEqual([reply.status, reply.json, reply.cookie], [401, wrong, undefined]);
  }
});

test('5.5: cached passwords do not bypass a new second factor', async (t) => {
  const server = await testServer(t);
  const path = `/_users/${prefix}alice`;
  await server.asAdmin('PUT', path, userWith(undefined));
  t.is((await server.send('GET', path, { headers: basic('alice', 'x') })).status, 200);
  const { json } = await server.asAdmin('GET', path);
  await server.asAdmin('PUT', path, { ...(json as object), totp: { key: generateSecret() } });
  t.is((await server.send('GET', path, { headers: basic('alice', 'x') })).status, 401);
});

test('5.5: a user without second factor may send a code', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', `/_users/${prefix}alice`, userWith(undefined));
  t.is((await logIn(server, { token: '123456' })).status, 200);
});

test('2.4: the key is stored unchanged', async (t) => {
  const { server, key } = await withUser(t);
  t.like((await server.asAdmin('GET', `/_users/${prefix}alice`)).json, { totp: { key } });
});

test('2.4: an invalid second factor is rejected', async (t) => {
  const server = await testServer(t);
  for (const totp of [
    null,
    'GEZDGNBVGY3TQOJQ',
    [],
    {},
    { key: 5 },
    { key: '' },
    { key: 'gezdgnbvgy3tqojq' },
    { key: 'GEZDGNBVGY3TQOJ1' },
    { key: 'GEZDGNBV GY3TQOJQ' },
    { key: 'A' },
    { key: 'GEZDGNBVGY3TQOJQ', length: 8 },
  ]) {
    for (const path of [`/_users/${prefix}alice`, `/_users/${prefix}alice`.replace(':', '%3A')]) {
      const { status, json } = await server.asAdmin('PUT', path, userWith(totp));
      t.true(status === 400 || status === 403, JSON.stringify(totp));
      t.regex((json as { reason: string }).reason, /totp/);
      t.is((await server.asAdmin('GET', path)).status, 404);
    }
  }
});

test('only the current, the previous and the next code are valid', (t) => {
  for (const key of ['GE', 'GEZDGNBVGY3TQOJQ', generateSecret(), 'GEZDGNBV'.repeat(40)]) {
    t.is(findTotpProblem({ key }), undefined);
    const guardrails = createGuardrails({ MIN_SECRET_BYTES: 1, MAX_SECRET_BYTES: 200 });
    const code = generateSync({ secret: key, epoch: 1_700_000_010, guardrails });
    const counts = (seconds: number) => isCurrentCode(key, code, 1_700_000_010 + seconds);
    t.deepEqual([-31, -30, -1, 0, 29, 30, 59, 60].filter(counts), [-30, -1, 0, 29, 30, 59]);
  }
});

test('5.5: the codes of RFC 6238', (t) => {
  const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // The last six of the eight digits in appendix B.
  t.true(isCurrentCode(key, '287082', 59));
  t.true(isCurrentCode(key, '081804', 1_111_111_109));
  t.true(isCurrentCode(key, '353130', 20_000_000_000));
});
