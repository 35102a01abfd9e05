import test from 'ava';
import { createRequire } from 'node:module';
import { admin, testServer } from '../testing/server.js';

const require = createRequire(import.meta.url);

for (const dialect of ['service', 'couchdb'] as const) {
  test(`GET /_openapi.json has the description of ${dialect}, with the URL of the server`, async (t) => {
    const { send } = await testServer(t, { dialect });
    const { status, headers, json } = await send('GET', '/_openapi.json');
    t.is(status, 200);
    t.is(headers['content-type'], 'application/json');
    const committed = require(`docfeed/openapi/${dialect}.json`) as object;
    t.deepEqual(json, { ...committed, servers: [{ url: '/' }] });
  });
}

test('the description needs credentials only if the greeting does', async (t) => {
  const { send, asAdmin } = await testServer(t, { config: { chttpd: { require_valid_user: 'true' } } });
  for (const path of ['/', '/_openapi.json']) {
    t.is((await send('GET', path)).status, 401, path);
    t.is((await asAdmin('GET', path)).status, 200, path);
  }
});

test('no other method and no database has the path of the description', async (t) => {
  const { send, asAdmin } = await testServer(t, { admin });
  t.is((await send('HEAD', '/_openapi.json')).status, 200);
  t.like(await asAdmin('PUT', '/_openapi.json'), { status: 405, headers: { allow: 'GET,HEAD' } });
});
