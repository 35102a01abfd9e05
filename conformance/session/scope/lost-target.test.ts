/** A target that has stopped responding, or only seems to. */
import test, { type ExecutionContext } from 'ava';
import { connected, served } from '../../testing/server.js';
import { Activity } from './activity.js';
import { LostTargetGuard } from './lost-target.js';

/** A target that breaks the connection of a request to its root, the guard's, after it has answered another request. */
async function guardedTarget(t: ExecutionContext) {
  let answered = (): void => {};
  const server = await served(t, (request, response) => {
    if (request.url === '/') answered = () => response.destroy();
    else response.end('{}', () => answered());
  });
  const connection = connected(t, server.url);
  return {
    server,
    connection,
    guard: new LostTargetGuard(connection, new Activity(), new AbortController().signal),
  };
}

test('a target that answers other requests than that of the guard is not lost', async (t) => {
  const { connection, guard } = await guardedTarget(t);
  const client = connection.client(new AbortController().signal, []);
  let isOver = false;
  const others = (async () => {
    while (!isOver) await client.request({ path: '/other' });
  })();
  t.is(await guard.reasonIfLost('feed-shape', 'The connection broke.'), undefined);
  isOver = true;
  await others;
});

test('a target that ends during a request is lost, and the request is named', async (t) => {
  const server = await served(t, (request, response) => {
    if (request.url!.endsWith('/_bulk_docs')) void server.stop();
    else if (!request.url!.includes('longpoll')) response.end('{}');
  });
  const activity = new Activity();
  const connection = connected(t, server.url);
  const { signal } = new AbortController();
  const guard = new LostTargetGuard(connection, activity, signal);
  const client = connection.client(signal, [activity.observer('feed-shape')]);
  await client.request({ path: '/docfeed-a' });
  const query = { feed: 'longpoll', since: 'now' };
  const feed = client.request({ path: '/docfeed-a/_changes', query }).catch(() => {});
  const write = { method: 'POST', path: '/docfeed-a/_bulk_docs', json: { docs: [] } };
  await t.throwsAsync(client.request(write));
  const lost = await guard.reasonIfLost('feed-shape', 'The connection broke.');
  await feed;
  t.is(
    lost?.reason,
    'The target stopped responding, so the run ended. In flight were POST /{db}/_bulk_docs and GET /{db}/_changes?feed=longpoll&since=now, the latest first. The first check that noticed is feed-shape: The connection broke.',
  );
  t.is(lost?.exchange?.request.path, '/docfeed-a/_bulk_docs');
});

test('a request whose connection broke before the target answered a later one was not in flight', async (t) => {
  const { server, connection } = await guardedTarget(t);
  const activity = new Activity();
  const { signal } = new AbortController();
  const guard = new LostTargetGuard(connection, activity, signal);
  const client = connection.client(signal, [activity.observer('feed-shape')]);
  const breaking = client.request({ method: 'POST', path: '/' });
  await client.request({ path: '/other' });
  await t.throwsAsync(breaking);
  await client.request({ path: '/other' });
  await server.stop();
  const lost = await guard.reasonIfLost('feed-shape', 'The connection broke.');
  t.false(lost?.reason.includes('In flight'), lost?.reason);
});

test('a target that does not respond is lost', async (t) => {
  const { server, guard } = await guardedTarget(t);
  await server.stop();
  t.regex(
    (await guard.reasonIfLost('feed-shape', 'The connection broke.'))!.reason,
    /noticed is feed-shape: The conn/,
  );
  t.true(guard.signal.aborted);
});
