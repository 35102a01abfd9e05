/** What CouchDB has and this server does not. */
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { notOffered } from '../generated/routes.js';
import { testServer } from '../testing/server.js';

test('paths that are not offered respond with 501 and the reason, for every method and below', async (t) => {
  const { asAdmin, send, reports } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  t.true(notOffered.length > 40);
  for (const { path, reason } of notOffered) {
    const real = path.replace('{db}', 'recipes').replace('{ddoc}', 'd').replace('{node}', '_local');
    for (const [method, below] of [
      ['GET', ''],
      ['POST', ''],
      ['PUT', '/below'],
      ['DELETE', '/below/it?x=1'],
      ['COPY', ''],
    ] as const) {
      const { status, json } = await asAdmin(method, real + below, method === 'POST' ? {} : undefined);
      t.is(status, 501, `${method} ${real}${below}`);
      t.deepEqual(json, { error: 'not_implemented', reason });
    }
    const anonymous = await send('POST', real, {
      body: 'no JSON',
      headers: { 'content-type': 'text/plain' },
    });
    t.is(anonymous.status, 501, real);
  }
  t.deepEqual(reports, []);
});

test('a partitioned database is not made as another one', async (t) => {
  const { asAdmin } = await testServer(t);
  const { status, json } = await asAdmin('PUT', '/recipes?partitioned=true');
  t.is(status, 400);
  t.deepEqual(json, { error: 'bad request', reason: 'Partitioned feature is not enabled.' });
  t.is((await asAdmin('GET', '/recipes')).status, 404);
  t.is((await asAdmin('PUT', '/recipes?partitioned=false')).status, 201);
});

test('DIFFERENCES.md lists every path that is not offered', async (t) => {
  const page = await readFile(new URL('../DIFFERENCES.md', import.meta.url), 'utf8');
  for (const { path } of notOffered) t.true(page.includes(`\`${path}\``), path);
});
