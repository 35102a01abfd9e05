/** Limits of PBKDF2 iterations, and fairness between logins, over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { Agent } from 'undici';
import { basic, testServer } from '../testing/server.js';

const own = '/_users/org.service.user:alice';
const tooHigh = 'Iteration count is too high for this server';
const tooLow = 'Iteration count is too low for this server';

/** The derived key is that of no known password. */
const hashed = (iterations: number) => ({
  password_scheme: 'pbkdf2',
  pbkdf2_prf: 'sha256',
  salt: 'ab'.repeat(16),
  derived_key: 'cd'.repeat(32),
  iterations,
});

async function withAlice(t: ExecutionContext, limits: Readonly<Record<string, string>> = {}) {
  const server = await testServer(t, { config: { chttpd_auth: limits } });
  const document = { name: 'alice', password: 'apple', roles: [], type: 'user' };
  t.is((await server.asAdmin('PUT', own, document)).status, 201);
  const asAlice = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { headers: basic('alice', 'apple'), body });
  const read = async () => (await server.asAdmin('GET', own)).json as Record<string, unknown>;
  return { server, asAlice, read };
}

for (const [iterations, reason] of [
  [10_000_000, tooHigh],
  [1_000_001, tooHigh],
  [499, tooLow],
] as const) {
  test(`a user cannot store a hash with ${iterations} iterations`, async (t) => {
    const { server, asAlice, read } = await withAlice(t, { iterations: '500', min_iterations: '500' });
    const before = await read();
    const refused = await asAlice('PUT', own, { ...before, ...hashed(iterations) });
    t.deepEqual([refused.status, refused.json], [400, { error: 'bad request', reason }]);
    const replicated = { ...before, ...hashed(iterations), _rev: '9-f' };
    t.is((await asAlice('PUT', `${own}?new_edits=false`, replicated)).status, 400);
    const { json } = await server.asAdmin('POST', '/_users/_bulk_docs', { docs: [replicated] });
    t.like((json as object[])[0], { id: before._id, reason });
    t.deepEqual(await read(), before);
  });
}

test('the limits are settings, and a number within them is accepted', async (t) => {
  const { server, asAlice, read } = await withAlice(t, { max_iterations: '2000000' });
  t.is((await asAlice('PUT', own, { ...(await read()), ...hashed(2_000_000) })).status, 201);
  t.is(await server.set('chttpd_auth/max_iterations', '1'), 200);
  t.is((await server.asAdmin('PUT', own, { ...(await read()), note: 'x' })).status, 400);
});

test('a password that is outside of the limits now is refused without computing it', async (t) => {
  const { server, asAlice } = await withAlice(t, { iterations: '5' });
  t.is((await asAlice('GET', own)).status, 200);
  await server.set('chttpd_auth/min_iterations', '6');
  const { status, json } = await asAlice('GET', own);
  t.deepEqual([status, json], [403, { error: 'forbidden', reason: tooLow }]);
  const login = { name: 'alice', password: 'apple' };
  t.like((await server.send('POST', '/_session', { body: login })).json, { reason: tooLow });
});

test('an address with many slow logins delays neither the login of another address nor new users', async (t) => {
  const { server } = await withAlice(t, { iterations: '50000' });
  const login = async (address: string, name: string, password: string) => {
    const dispatcher = new Agent({ localAddress: address });
    t.teardown(() => dispatcher.destroy());
    return (await server.send('POST', '/_session', { body: { name, password }, dispatcher })).status;
  };
  let finished = 0;
  const attack = Array.from({ length: 60 }, async (_, index) => {
    await login('127.0.0.1', `nobody${index}`, 'x');
    finished++;
  });
  // The attack is under way when its first response arrives.
  await Promise.race(attack);
  const bob = { name: 'bob', password: 'banana', roles: [], type: 'user' };
  const [own, created] = await Promise.all([
    login('127.0.0.2', 'alice', 'pear'),
    server.asAdmin('PUT', '/_users/org.service.user:bob', bob),
  ]);
  t.deepEqual([own, created.status], [401, 201]);
  t.true(finished < 40, `${finished} of the 60 other logins came first`);
  await Promise.all(attack);
});

test('a burst of wrong passwords for one account computes no more than the lockout allows', async (t) => {
  const { server } = await withAlice(t, { iterations: '100000' });
  const started = performance.now();
  t.is((await server.send('POST', '/_session', { body: { name: 'alice', password: 'once' } })).status, 401);
  const once = performance.now() - started;
  const burst = Array.from({ length: 200 }, async (_, index) => {
    const body = { name: 'alice', password: `wrong${index}` };
    return (await server.send('POST', '/_session', { body })).status;
  });
  const statuses = await Promise.all(burst);
  t.deepEqual(
    [statuses.filter((status) => status === 401).length, new Set(statuses)],
    [4, new Set([401, 403])],
  );
  t.log(`one login: ${once.toFixed(0)} ms, all: ${(performance.now() - started).toFixed(0)} ms`);
});
