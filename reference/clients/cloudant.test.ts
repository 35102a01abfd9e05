/** The ChangesFollower of @ibm-cloud/cloudant follows a database of the reference server. Its bodies are gzip. */
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { ChangesFollower, CloudantV1, CouchdbSessionAuthenticator } from '@ibm-cloud/cloudant';
import { throughProxy } from '../testing/tcp-proxy.js';
import { admin, testServer } from '../testing/server.js';

type Parameters = Partial<CloudantV1.PostChangesParams>;

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/recipes');
  const proxy = await throughProxy(t, server.url);
  const write = (...docs: object[]) => server.asAdmin('POST', '/recipes/_bulk_docs', { docs });
  /** Logs in at `POST /_session` with `username`. */
  const client = (password = admin.password) => {
    const authenticator = new CouchdbSessionAuthenticator({ username: admin.name, password });
    const service = new CloudantV1({ authenticator });
    service.setServiceUrl(proxy.url);
    return service;
  };
  const follower = (parameters: Parameters = {}) =>
    new ChangesFollower(client(), { db: 'recipes', ...parameters });
  /** Returns how often clients have sent a text. */
  const sent = (text: string) => proxy.sent().toLowerCase().split(text.toLowerCase()).length - 1;
  return { ...server, proxy, sent, write, client, follower };
}

type Rows = AsyncIterable<CloudantV1.ChangesResultItem>;

async function idsOf(rows: Rows): Promise<string[]> {
  const ids = [];
  for await (const { id } of rows) ids.push(id);
  return ids;
}

test('startOneOff reads all changes', async (t) => {
  const { follower, write, sent, reports } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  t.deepEqual(await idsOf(follower().startOneOff()), ['a', 'b', 'c']);
  t.deepEqual(await idsOf(follower({ limit: 2 }).startOneOff()), ['a', 'b']);
  const selector = { _id: { $gt: 'a' } };
  t.deepEqual(await idsOf(follower({ filter: '_selector', selector }).startOneOff()), ['b', 'c']);
  t.deepEqual(
    [sent('POST /_session'), sent('POST /recipes/_changes'), sent('content-encoding: gzip')],
    [3, 3, 6],
  );
  t.deepEqual(reports, []);
});

test('startOneOff in several batches', async (t) => {
  const { follower, write, sent } = await recipes(t);
  // With documents, the follower requests about 5 MB at once, based on the sizes in the database information.
  await write(...Array.from({ length: 12 }, (_, n) => ({ _id: `${n}`, text: 'x'.repeat(600_000) })));
  const ids = await idsOf(follower({ includeDocs: true }).startOneOff());
  t.is(ids.length, 12);
  t.is(sent('POST /recipes/_changes'), 2);
});

test('start receives new changes, also after a broken connection', async (t) => {
  const { follower, write, proxy } = await recipes(t);
  await write({ _id: 'a' });
  const following = follower({ since: '0' });
  const rows = following.start();
  const ids = rows[Symbol.asyncIterator]() as AsyncIterator<CloudantV1.ChangesResultItem, undefined>;
  const next = async () => (await ids.next()).value?.id;
  t.is(await next(), 'a');
  await write({ _id: 'b' });
  t.is(await next(), 'b');
  proxy.cut();
  await write({ _id: 'c' });
  t.is(await next(), 'c');
  following.stop();
  // The follower waits for the response to its next request, even after it was stopped.
  await write({ _id: 'd' });
  t.true([undefined, 'd'].includes(await next()));
  t.is(await next(), undefined);
});

test('a permanent error ends a follower', async (t) => {
  const { client, follower } = await recipes(t);
  const failureOf = async (rows: ReturnType<ChangesFollower['start']>) =>
    (await once(rows.resume(), 'error'))[0] as { code: number };
  t.like(await failureOf(follower({ db: 'nowhere' }).start()), { code: 404 });
  t.like(await failureOf(new ChangesFollower(client('wrong'), { db: 'recipes' }).start()), { code: 401 });
});
