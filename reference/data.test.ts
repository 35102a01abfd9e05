/** Restarts of a server with `--data`, over HTTP. For kills, see `commands/serve-data.test.ts` and `tools/kill-test`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { DataFolderError, startServer } from './index.js';
import { admin, basic, testServer } from './testing/server.js';

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const headers = basic(admin.name, admin.password);

test('a restart keeps documents, users, the UUID of the server and sequences', async (t) => {
  const data = await folder(t);
  const first = await startServer({ data, admin, config: { chttpd_auth: { iterations: '1' } } });
  const put = (path: string, body: object) =>
    request(first.url + path, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const get = async (url: string) => (await request(url, { headers })).body.json() as Promise<object>;
  await put('/recipes', {});
  await put('/recipes/soup', { n: 1, _attachments: { image: { data: 'AAAA' } } });
  await put('/_users/org.service.user:ann', { name: 'ann', type: 'user', roles: ['cook'], password: 'pw' });
  const { last_seq: since } = (await get(`${first.url}/recipes/_changes`)) as { last_seq: string };
  await put('/recipes/_local/checkpoint', { since });
  await put('/recipes/salad', {});
  const paths = [
    '/',
    '/_all_dbs',
    '/recipes',
    '/recipes/soup?attachments=true',
    '/recipes/_local/checkpoint',
  ];
  const read = (url: string) =>
    Promise.all([...paths, `/recipes/_changes?since=${since}`].map((path) => get(url + path)));
  const before = await read(first.url);
  await first.stop();

  const second = await testServer(t, { data });
  t.deepEqual(await read(second.url), before);
  t.like(before.at(-1), { results: [{ id: 'salad' }] });
  const session = await second.send('GET', '/_session', { headers: basic('ann', 'pw') });
  t.like(session.json, { userCtx: { name: 'ann', roles: ['cook'] } });
});

test('a second server cannot use the same folder, and a server that cannot listen releases its folder', async (t) => {
  const data = await folder(t);
  const { url, stop } = await startServer({ data, admin });
  await t.throwsAsync(startServer({ data, admin }), { instanceOf: DataFolderError, message: /in use/ });
  const elsewhere = await folder(t);
  const port = Number(new URL(url).port);
  for (let attempt = 0; attempt < 2; attempt++)
    await t.throwsAsync(startServer({ data: elsewhere, port }), { code: 'EADDRINUSE' });
  await stop();
});
