/** What CouchDB has and this server does not. */
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { notOffered } from '../generated/routes.js';
import { basic, createUsers, testServer } from '../testing/server.js';

const methods = [
  ['GET', ''],
  ['POST', ''],
  ['PUT', '/below'],
  ['DELETE', '/below/it?x=1'],
  ['COPY', ''],
] as const;

const bodyOf = (method: string) => (method === 'POST' ? {} : undefined);

const inDatabase = notOffered.filter(({ path }) => path.startsWith('/{db}/'));
const inDesign = inDatabase.filter(({ path }) => path.includes('{ddoc}'));

/** A path in the database `recipes`. */
const pathIn = (path: string, ddoc: string) => path.replace('{db}', 'recipes').replace('{ddoc}', ddoc);

test('paths that are not offered respond with 501 and the reason, for every method and below', async (t) => {
  const { asAdmin, send, reports } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/_security', {});
  await asAdmin('PUT', '/recipes/_design/d', {});
  t.true(notOffered.length > 30);
  for (const { path, reason } of notOffered) {
    const real = pathIn(path, 'd').replace('{node}', '_local');
    for (const [method, below] of methods) {
      const { status, json } = await asAdmin(method, real + below, bodyOf(method));
      t.is(status, 501, `${method} ${real}${below}`);
      t.deepEqual(json, { error: 'not_implemented', reason });
    }
    t.is((await asAdmin('HEAD', real)).status, 501, real);
    const anonymous = await send('POST', real, {
      body: 'no JSON',
      headers: { 'content-type': 'text/plain' },
    });
    t.is(anonymous.status, 501, real);
  }
  t.deepEqual(reports, []);
});

test('what does not exist is 404 below paths that are not offered', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const responses = async (path: string, reason: string) => {
    for (const [method, below] of methods) {
      const { status, json } = await asAdmin(method, path + below, bodyOf(method));
      t.is(status, 404, `${method} ${path}${below}`);
      t.deepEqual(json, { error: 'not_found', reason });
    }
    t.is((await asAdmin('HEAD', path)).status, 404, path);
    t.is((await send('GET', path)).status, reason === noDatabase ? 404 : 401, path);
  };
  const noDatabase = 'Database does not exist.';
  for (const { path } of inDatabase) await responses(pathIn(path, 'd'), noDatabase);
  await asAdmin('PUT', '/recipes');
  const { json } = await asAdmin('PUT', '/recipes/_design/d', {});
  await asAdmin('DELETE', `/recipes/_design/d?rev=${(json as { rev: string }).rev}`);
  t.true(inDesign.length > 10);
  for (const { path } of inDesign) {
    await responses(pathIn(path, 'd'), 'deleted');
    await responses(pathIn(path, 'other'), 'missing');
  }
});

test('paths that are not offered need the access that reading their database needs', async (t) => {
  const server = await testServer(t);
  const { asAdmin, send } = server;
  await createUsers(server, { joe: [], mia: [] });
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/_security', { members: { names: ['mia'] } });
  await asAdmin('PUT', '/recipes/_design/d', {});
  const closed = inDatabase.flatMap(({ path }) => [pathIn(path, 'd'), pathIn(path, 'other')]);
  for (const path of [...closed, '/_users/_find', '/_users/_design/d/_view', '/_users/_design/_auth/_view']) {
    const anonymous = await send('POST', path, { body: {} });
    t.is(anonymous.status, 401, path);
    const reason = 'You are not authorized to access this db.';
    t.deepEqual(anonymous.json, { error: 'unauthorized', reason });
    const user = await send('GET', path, { headers: basic('joe', 'joe') });
    t.is(user.status, 403, path);
    t.deepEqual(user.json, { error: 'forbidden', reason: 'You are not allowed to access this db.' });
  }
  const wrong = await send('GET', '/recipes/_find', { headers: basic('mia', 'wrong') });
  t.like(wrong, { status: 401, json: { reason: 'Name or password is incorrect.' } });
  const asMember = (path: string) => send('GET', path, { headers: basic('mia', 'mia') });
  t.is((await asMember('/recipes/_find')).status, 501);
  t.is((await asMember('/recipes/_design/d/_view/x')).status, 501);
  t.is((await asMember('/recipes/_design/other/_view/x')).status, 404);
  t.is((await asAdmin('GET', '/_users/_design/_auth/_view/x')).status, 501);
  t.is((await asAdmin('GET', '/_users/_design/other/_view/x')).status, 404);
  // Without a database, there is nothing to protect.
  t.is((await send('GET', '/_active_tasks')).status, 501);
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
