/** Restarts of a server with `--data`, over HTTP. For kills, see `commands/serve-data.long.test.ts` and `tools/kill-test`. */
import test from 'ava';
import { startServer } from './index.js';
import { emptyFolder } from '../reports/testing/folder.js';
import { sendTo } from '../reports/testing/request.js';
import { admin, basic, testServer, userOf } from './testing/server.js';

const headers = basic(admin.name, admin.password);

test('a restart keeps documents, users, the UUID of the server and sequences', async (t) => {
  const data = await emptyFolder(t);
  const first = await startServer({ data, admin, config: { chttpd_auth: { iterations: '1' } } });
  const put = (path: string, body: object) => sendTo(first.url, 'PUT', path, { headers, body });
  const get = async (url: string, path: string) => (await sendTo(url, 'GET', path, { headers })).json;
  await put('/recipes', {});
  await put('/recipes/soup', { n: 1, _attachments: { image: { data: 'AAAA' } } });
  await put('/_users/org.service.user:ann', { name: 'ann', type: 'user', roles: ['cook'], password: 'pw' });
  const { last_seq: since } = (await get(first.url, '/recipes/_changes')) as { last_seq: string };
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
    Promise.all([...paths, `/recipes/_changes?since=${since}`].map((path) => get(url, path)));
  const before = await read(first.url);
  await first.stop();

  const second = await testServer(t, { data });
  t.deepEqual(await read(second.url), before);
  t.like(before.at(-1), { results: [{ id: 'salad' }] });
  const session = await second.send('GET', '/_session', { headers: basic('ann', 'pw') });
  t.like(session.json, { userCtx: { name: 'ann', roles: ['cook'] } });
});

test('sessions of users and administrators outlive a restart with the same data', async (t) => {
  const data = await emptyFolder(t);
  const first = await startServer({ data, admin, config: { chttpd_auth: { iterations: '1' } } });
  const ann = { name: 'ann', password: 'pw' };
  const document = { ...ann, type: 'user', roles: [] };
  await sendTo(first.url, 'PUT', '/_users/org.service.user:ann', { headers, body: document });
  const logIn = async (body: object) => (await sendTo(first.url, 'POST', '/_session', { body })).cookie;
  const cookies = [await logIn(admin), await logIn(ann)] as const;
  await first.stop();

  const second = await testServer(t, { data });
  t.like(await userOf(second, { cookie: cookies[0] }), { name: admin.name });
  t.like(await userOf(second, { cookie: cookies[1] }), { name: 'ann' });
});

for (const [what, changes, name] of [
  ['secret and password', {}, admin.name],
  ['secret, but another password', { admin: { ...admin, password: 'another' } }, null],
  ['password, but another secret', { config: { chttpd_auth: { secret: 'another' } } }, null],
] as const) {
  test(`a server that starts again with the same ${what} ${name === null ? 'ends' : 'keeps'} sessions`, async (t) => {
    const options = { admin, config: { chttpd_auth: { secret: 'known' } } };
    const { send } = await testServer(t, options);
    const { cookie } = await send('POST', '/_session', { body: admin });
    const again = await testServer(t, { ...options, ...changes });
    t.like(await userOf(again, { cookie }), { name });
  });
}

for (const [form, options] of [
  ['of text', {}],
  ['that is a number', { vary: { sequences: 'number' } }],
  ['of an old version', { serviceVersion: '1.6.1' }],
] as const)
  test(`a sequence ${form} of a database that was made again, or of another one, gives all changes`, async (t) => {
    const { asAdmin } = await testServer(t, options);
    const createDatabase = async (name: string, ...ids: string[]) => {
      await asAdmin('PUT', `/${name}`);
      for (const id of ids) await asAdmin('PUT', `/${name}/${id}`, {});
    };
    const read = async (path: string) =>
      (await asAdmin('GET', path)).json as { results: { id: string }[]; last_seq: unknown };
    await createDatabase('recipes', 'soup', 'bread');
    await createDatabase('drafts', 'soup');
    const { last_seq } = await read('/recipes/_changes');
    await asAdmin('DELETE', '/recipes');
    await createDatabase('recipes', 'soup');
    for (const name of ['recipes', 'drafts']) {
      const { results } = await read(`/${name}/_changes?since=${String(last_seq)}`);
      t.deepEqual(
        results.map(({ id }) => id),
        ['soup'],
      );
    }
  });

test('a server that cannot listen releases its folder', async (t) => {
  const { url } = await testServer(t);
  const data = await emptyFolder(t);
  const port = Number(new URL(url).port);
  for (let attempt = 0; attempt < 2; attempt++)
    await t.throwsAsync(startServer({ data, port }), { code: 'EADDRINUSE' });
});
