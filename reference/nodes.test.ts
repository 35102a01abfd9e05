/** Several nodes that share one store. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import test from 'ava';
import { startServer } from './index.js';
import { readFeed } from './testing/read-feed.js';
import { freePort } from '../reports/testing/free-port.js';
import { openAt, sendTo } from '../reports/testing/request.js';
import { admin, basic, testServer } from './testing/server.js';

const headers = basic(admin.name, admin.password);

test('live feeds of all nodes show a write on one node', async (t) => {
  const { urls, asAdmin } = await testServer(t, { nodes: 3 });
  t.is(new Set(urls).size, 3);
  await asAdmin('PUT', '/recipes');
  const feeds = await Promise.all(
    urls.map((url) => openAt(url, 'GET', '/recipes/_changes?feed=continuous&heartbeat=60000', { headers })),
  );
  const rows = feeds.map(({ body }) => readFeed('continuous', body).next());
  await sendTo(urls[1]!, 'PUT', '/recipes/soup', { headers, body: {} });
  for (const { value } of await Promise.all(rows)) t.like(value, { id: 'soup' });
});

test('sequences and cookies are valid on all nodes, which have the same UUID', async (t) => {
  const { urls, send, asAdmin } = await testServer(t, { nodes: 3 });
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/soup', {});
  const { json } = await asAdmin('GET', '/recipes/_changes');
  const { last_seq: since } = json as { last_seq: string };
  await asAdmin('PUT', '/recipes/salad', {});
  const { cookie } = await send('POST', '/_session', { body: admin });

  const answers = await Promise.all(
    urls.map(async (url) => {
      const get = async (path: string) =>
        (await sendTo(url, 'GET', path, { headers: { cookie } })).json as object;
      return {
        greeting: await get('/'),
        session: await get('/_session'),
        feed: await get(`/recipes/_changes?since=${since}`),
      };
    }),
  );
  for (const { greeting, session, feed } of answers) {
    t.deepEqual(greeting, answers[0]!.greeting);
    t.like(session, { userCtx: { name: admin.name }, info: { authenticated: 'cookie' } });
    t.like(feed, { results: [{ id: 'salad' }] });
  }
});

test('if one port is in use, no node keeps running', async (t) => {
  const { port, taken } = await portBeforeTaken();
  t.teardown(() => taken.close());
  await t.throwsAsync(startServer({ port, nodes: 2, config: { chttpd_auth: { iterations: '1' } } }), {
    code: 'EADDRINUSE',
    message: new RegExp(`:${port + 1}$`),
  });
  const again = await listen(port);
  t.truthy(again);
  again?.close();
});

/** Finds a free port that is followed by a used one. */
async function portBeforeTaken(): Promise<{ port: number; taken: Server }> {
  for (;;) {
    const port = await freePort();
    const taken = await listen(port + 1);
    if (taken) return { port, taken };
  }
}

/** @returns undefined if the port is in use */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
