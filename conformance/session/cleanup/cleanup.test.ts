/** What a run must remove: what the target may have created, and nothing else. */
import type { IncomingMessage } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { connected, served } from '../../testing/server.js';
import { TargetCleanup } from './cleanup.js';

const database = { kind: 'database', name: 'docfeed-a' } as const;
const put = { method: 'PUT', path: '/docfeed-a' } as const;

/** @param answer a status, or nothing to break the connection. */
async function create(t: ExecutionContext, answer: (request: IncomingMessage) => number | undefined) {
  const { url } = await served(t, (request, response) => {
    const status = answer(request);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end('{}');
  });
  const connection = connected(t, url);
  const cleanup = new TargetCleanup(connection);
  const client = connection.client(AbortSignal.timeout(10_000), []);
  await cleanup.create(database, client, put).catch(() => {});
  return { cleanup, client };
}

for (const status of [301, 400, 401, 403, 404, 405, 500, 501, 503]) {
  test(`a target that refuses with ${status} has created nothing`, async (t) => {
    const { cleanup } = await create(t, () => status);
    t.deepEqual(cleanup.pending, []);
  });
}

for (const [what, first] of [
  ['breaks the connection', undefined],
  ['fails', 500],
  ['says that the database is there', 412],
] as const) {
  test(`a target that ${what} may have created the database`, async (t) => {
    const { cleanup } = await create(t, ({ method }) => (method === 'PUT' ? first : 200));
    t.deepEqual(cleanup.pending, [database]);
    await cleanup.run();
    t.deepEqual(cleanup.pending, []);
  });
}

for (const status of [502, 504]) {
  test(`a gateway that answers with ${status} does not know`, async (t) => {
    const { cleanup } = await create(t, () => status);
    t.deepEqual(cleanup.pending, [database]);
  });
}

test('a second request that is refused does not make the first one undone', async (t) => {
  let requests = 0;
  const { cleanup, client } = await create(t, () => ((requests += 1) === 1 ? 201 : 403));
  await cleanup.create(database, client, put);
  t.deepEqual(cleanup.pending, [database]);
});

test('what is not there needs no removal, also if the target cannot remove anything', async (t) => {
  const { cleanup } = await create(t, ({ method }) => ({ PUT: 201, GET: 404 })[method!] ?? 501);
  await cleanup.run();
  t.deepEqual(cleanup.pending, []);
});
