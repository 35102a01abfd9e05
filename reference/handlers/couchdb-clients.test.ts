/** What clients of CouchDB send beyond the description. `npm run compare` sends the same to CouchDB. */
import test from 'ava';
import { admin, basic, testServer, userOf } from '../testing/server.js';

const hash = 'ABCDEF0123456789ABCDEF0123456789';
const lower = hash.toLowerCase();

test('a hash of 32 characters is hexadecimal and has no case', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const sent = { _revisions: { start: 2, ids: [hash, 'F'.repeat(32)] } };
  t.like(await asAdmin('PUT', '/recipes/soup?new_edits=false', sent), { status: 201 });
  const expected = {
    _rev: `2-${lower}`,
    _revisions: { start: 2, ids: [lower, 'f'.repeat(32)] },
  };
  for (const rev of [hash, lower])
    t.like((await asAdmin('GET', `/recipes/soup?rev=2-${rev}&revs=true`)).json, expected);
  t.deepEqual((await asAdmin('POST', '/recipes/_revs_diff', { soup: [`2-${hash}`] })).json, {});
  t.is((await asAdmin('PUT', `/recipes/soup?rev=2-${hash}`, { _rev: `2-${lower}` })).status, 201);
  const other = { _rev: `1-${'z'.repeat(32)}` };
  t.like((await asAdmin('PUT', '/recipes/tea?new_edits=false', other)).json, {
    reason: 'Invalid rev format',
  });
});

test('Basic credentials of nobody are none', async (t) => {
  const server = await testServer(t);
  t.like(await userOf(server, basic('_', '_')), { name: null });
  t.is(await userOf(server, basic('_', 'x')), undefined);
});

test('Location names the server as the proxy in front of it says', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/recipes');
  const own = new URL(server.url).host;
  for (const [index, [headers, origin]] of Object.entries([
    [{}, `http://${own}`],
    [{ 'x-forwarded-host': 'example.com:81' }, 'http://example.com:81'],
    [{ 'x-forwarded-host': 'example.com', 'x-forwarded-proto': 'https' }, 'https://example.com'],
    [{ 'x-forwarded-ssl': 'on' }, `https://${own}`],
  ] as const)) {
    const all = { ...basic(admin.name, admin.password), ...headers };
    const reply = await server.send('PUT', `/recipes/${index}`, { headers: all, body: {} });
    t.is(reply.headers.location, `${origin}/recipes/${index}`);
  }
});

test('all_or_nothing is refused, and nothing is written', async (t) => {
  const { asAdmin } = await testServer(t);
  for (const [database, _id] of [
    ['recipes', 'soup'],
    ['_users', 'org.couchdb.user:alice'],
  ]) {
    await asAdmin('PUT', `/${database}`);
    const docs = [{ _id, name: 'alice', type: 'user', roles: [], password: 'secret' }];
    const { status, json } = await asAdmin('POST', `/${database}/_bulk_docs`, { docs, all_or_nothing: true });
    t.is(status, 417);
    t.deepEqual(json, { error: 'not_implemented', reason: 'all_or_nothing is not supported' });
    t.is((await asAdmin('GET', `/${database}/${_id}`)).status, 404);
    const body = { docs, all_or_nothing: false };
    t.is((await asAdmin('POST', `/${database}/_bulk_docs`, body)).status, 201);
  }
});

test('`feed=live` is the continuous feed', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/soup', {});
  const { text } = await asAdmin('GET', '/recipes/_changes?feed=live&limit=1');
  t.deepEqual(
    text
      .trimEnd()
      .split('\r\n')
      .map((line) => Object.keys(JSON.parse(line) as object)[0]),
    ['seq', 'last_seq'],
  );
});

test('couchdb/default_security decides who may use a new database', async (t) => {
  const { asAdmin, send, set } = await testServer(t);
  await set('couchdb/default_security', 'everyone');
  await asAdmin('PUT', '/recipes');
  t.is((await send('GET', '/recipes')).status, 200);
  await set('couchdb/default_security', 'admin_only');
  await asAdmin('PUT', '/secrets');
  t.is((await send('GET', '/secrets')).status, 401);
  t.is(await set('couchdb/default_security', 'nobody'), 400);
});

test('an empty cookie_domain is none', async (t) => {
  const { send, set } = await testServer(t);
  t.is(await set('chttpd_auth/cookie_domain', ''), 200);
  const { headers } = await send('POST', '/_session', { body: admin });
  t.notRegex(String(headers['set-cookie']), /Domain/);
});
