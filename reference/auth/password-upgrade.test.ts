/** Password hashes that other servers stored: they work, and a login replaces those that are not like new ones. */
import { createHash, pbkdf2Sync } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { basic, testServer, type TestServer } from '../testing/server.js';

const own = '/_users/org.service.user:alice';
const salt = 'a3b1c2d4e5f60718293a4b5c6d7e8f90';
const keyOf = (iterations: number, length: number, digest: string) =>
  pbkdf2Sync('apple', salt, iterations, length, digest).toString('hex');

const simple = {
  password_scheme: 'simple',
  salt,
  password_sha: createHash('sha1').update(`apple${salt}`).digest('hex'),
};
const sha1 = { password_scheme: 'pbkdf2', salt, iterations: 10, derived_key: keyOf(10, 20, 'sha1') };
const sha256 = (iterations: number) => ({
  password_scheme: 'pbkdf2',
  pbkdf2_prf: 'sha256',
  salt,
  iterations,
  derived_key: keyOf(iterations, 32, 'sha256'),
});

async function withAlice(t: ExecutionContext, hash: object, settings: Record<string, string> = {}) {
  const server = await testServer(t, { config: { chttpd_auth: { iterations: '20', ...settings } } });
  const document = { name: 'alice', roles: ['cooks'], type: 'user', colour: 'red', ...hash };
  t.is((await server.asAdmin('PUT', own, document)).status, 201);
  const read = async () => (await server.asAdmin('GET', own)).json as Record<string, unknown>;
  return { server, read, document };
}

const session = async ({ send }: TestServer, headers: Record<string, string>) =>
  (await send('GET', '/_session', { headers })).json;

for (const [what, hash] of Object.entries({
  simple,
  sha1,
  'too few iterations': sha256(19),
  'too many iterations': sha256(21),
})) {
  test(`a login replaces an outdated hash: ${what}`, async (t) => {
    const { server, read, document } = await withAlice(t, hash);
    const uploaded = await server.asAdmin('PUT', `${own}/photo?rev=${String((await read())._rev)}`, 'x');
    t.is(uploaded.status, 201);
    const before = await read();
    t.like(before, document);
    t.is((await server.send('POST', '/_session', { body: { name: 'alice', password: 'x' } })).status, 401);
    t.deepEqual(await read(), before, 'a wrong password changes nothing');

    const { status, cookie } = await server.send('POST', '/_session', {
      body: { name: 'alice', password: 'apple' },
    });
    t.is(status, 200);
    const after = await read();
    const { name, roles, type, colour } = document;
    t.like(after, { name, roles, type, colour, _attachments: before._attachments, ...sha256(20) });
    t.false('password_sha' in after);
    t.regex(String(after._rev), /^3-/);
    const user = { userCtx: { name: 'alice', roles: ['cooks'] } };
    t.like(await session(server, { cookie: cookie! }), user, 'the session goes on');
    t.like(await session(server, basic('alice', 'apple')), user);
    t.is((await read())._rev, after._rev, 'the next login changes nothing');
  });
}

for (const [what, hash, settings] of [
  ['with as many iterations', sha256(20), {}],
  ['without upgrade_hash_on_auth', sha1, { upgrade_hash_on_auth: 'false' }],
] as const) {
  test(`a login replaces no hash ${what}`, async (t) => {
    const { server, read } = await withAlice(t, hash, settings);
    const before = await read();
    t.like(await session(server, basic('alice', 'apple')), { userCtx: { name: 'alice' } });
    t.deepEqual(await read(), before);
  });
}

test('a login replaces no hash by one with more iterations than are allowed', async (t) => {
  const { server, read } = await withAlice(t, sha1, { max_iterations: '20' });
  t.is(await server.set('chttpd_auth/iterations', '21'), 200);
  const before = await read();
  t.like(await session(server, basic('alice', 'apple')), { userCtx: { name: 'alice' } });
  t.deepEqual(await read(), before);
});

test('many first logins at once replace the hash once', async (t) => {
  const { server, read } = await withAlice(t, simple);
  const logins = Array.from({ length: 20 }, () => session(server, basic('alice', 'apple')));
  for (const one of await Promise.all(logins)) t.like(one, { userCtx: { name: 'alice' } });
  t.regex(String((await read())._rev), /^2-/);
});

test('an administrator with the name of a user does not change the password of the user', async (t) => {
  const { server, read } = await withAlice(t, sha1);
  const before = await read();
  t.is(await server.set('admins/alice', 'apple'), 200);
  t.like(await session(server, basic('alice', 'apple')), { userCtx: { roles: ['_admin'] } });
  t.deepEqual(await read(), before);
});
