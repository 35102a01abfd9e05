/** cloudant-follow, the successor of `follow`, follows a database of the reference server. */
import { on, once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { Feed, type Options } from 'cloudant-follow';
import { timeouts } from 'cloudant-follow/lib/index.js';
import { throughProxy } from '../testing/tcp-proxy.js';
import { testServer } from '../testing/server.js';

// A response after stop() starts a timer of 37 s. It must not keep the process alive.
timeouts((callback, ms) => setTimeout(callback, ms).unref(), clearTimeout);

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const { admin, asAdmin } = server;
  await asAdmin('PUT', '/recipes');
  const proxy = await throughProxy(t, server.url);
  const db = `${proxy.url.replace('://', `://${admin.name}:${admin.password}@`)}/recipes`;
  const write = (...docs: object[]) => asAdmin('POST', '/recipes/_bulk_docs', { docs });
  const follow = (options: Partial<Options> = {}) => {
    const feed = new Feed({ db, initial_retry_delay: 5, ...options });
    t.teardown(() => feed.stop());
    const changes = on(feed, 'change');
    feed.follow();
    const next = async () => ((await changes.next()).value as [{ id: string; doc?: object }])[0];
    return { feed, next };
  };
  return { ...server, proxy, write, follow };
}

test('a feed receives writes and heartbeats', async (t) => {
  const { write, follow } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' });
  const { feed, next } = follow();
  // Not earlier: the feed gives up if there is no response within three heartbeats.
  feed.once('confirm', () => (feed.heartbeat = 200));
  const caughtUp = once(feed, 'catchup');
  t.is((await next()).id, 'a');
  t.is((await next()).id, 'b');
  await caughtUp;
  await once(feed, 'heartbeat');
  await write({ _id: 'c' });
  t.is((await next()).id, 'c');
});

test('a feed resumes after a broken connection', async (t) => {
  const { proxy, write, follow } = await recipes(t);
  await write({ _id: 'a' });
  const { feed, next } = follow();
  t.is((await next()).id, 'a');
  for (const id of ['b', 'c']) {
    const retry = once(feed, 'retry');
    proxy.cut();
    await retry;
    await write({ _id: id });
    t.is((await next()).id, id);
  }
});

test('a feed with since=now, documents and a client-side filter', async (t) => {
  const { write, follow } = await recipes(t);
  await write({ _id: 'before', eggs: 3 });
  const { feed, next } = follow({ since: 'now', include_docs: true, filter: ({ eggs }) => eggs === 3 });
  await once(feed, 'catchup');
  await write({ _id: 'without' }, { _id: 'pancakes', eggs: 3 });
  t.like(await next(), { id: 'pancakes', doc: { _id: 'pancakes', eggs: 3 } });
});

test('a feed ends when the database is deleted', async (t) => {
  const { asAdmin, write, follow } = await recipes(t);
  await write({ _id: 'a' });
  const { feed, next } = follow();
  await next();
  const ended = new Promise((resolve) => feed.once('error', resolve));
  await asAdmin('DELETE', '/recipes');
  t.like(await ended, { deleted: true });
});
