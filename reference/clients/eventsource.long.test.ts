/** The npm package `eventsource`, a standard client, reads and resumes the feed. */
import { on } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { EventSource, type FetchLike } from 'eventsource';
import { throughProxy } from '../testing/tcp-proxy.js';
import { basic, testServer } from '../testing/server.js';

interface Row {
  id: string;
  seq: string;
}

/** Yields the events of each type. */
function events(t: ExecutionContext, url: string, headers: Record<string, string>) {
  const authorized: FetchLike = (input, init) =>
    fetch(input, { ...init, headers: { ...init.headers, ...headers } });
  const source = new EventSource(url, { fetch: authorized });
  t.teardown(() => source.close());
  const [messages, heartbeats] = [on(source, 'message'), on(source, 'heartbeat')];
  const next = async (of: typeof messages) => ((await of.next()).value as [MessageEvent])[0];
  return { message: () => next(messages), heartbeat: () => next(heartbeats) };
}

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/recipes');
  const write = (...ids: string[]) =>
    server.asAdmin('POST', '/recipes/_bulk_docs', { docs: ids.map((_id) => ({ _id })) });
  return { server, write, headers: basic(server.admin.name, server.admin.password) };
}

const rowOf = ({ data }: MessageEvent) => JSON.parse(data as string) as Row;

test('rows are messages, and heartbeats are events with another type', async (t) => {
  const { server, write, headers } = await recipes(t);
  await write('a');
  const next = events(t, `${server.url}/recipes/_changes?feed=eventsource&heartbeat=20`, headers);
  const first = await next.message();
  t.is(rowOf(first).id, 'a');
  t.is(first.lastEventId, JSON.stringify(rowOf(first).seq));
  t.is((await next.heartbeat()).data, '');
  await write('b');
  t.is(rowOf(await next.message()).id, 'b');
});

test('after a broken connection, the feed resumes after the last row', async (t) => {
  const { server, write, headers } = await recipes(t);
  const { url, sent, cut } = await throughProxy(t, server.url);
  await write('a', 'b');
  const next = events(t, `${url}/recipes/_changes?feed=eventsource&since=0`, headers);
  t.is(rowOf(await next.message()).id, 'a');
  const second = await next.message();
  cut();
  await write('c');
  t.is(rowOf(await next.message()).id, 'c');
  t.deepEqual(
    [...sent().matchAll(/^last-event-id: (.*)\r$/gim)].map(([, id]) => id),
    [second.lastEventId],
  );
});
