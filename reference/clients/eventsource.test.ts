/** The npm package `eventsource`, a client by the standard, reads the feed and resumes it. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { EventSource, type FetchLike } from 'eventsource';
import { basic, testServer } from '../testing/server.js';

interface Row {
  id: string;
  seq: string;
}

/** The events that an EventSource gets, one by one: the next of a type. */
function events(t: ExecutionContext, url: string, headers: Record<string, string>) {
  const authorized: FetchLike = (input, init) =>
    fetch(input, { ...init, headers: { ...init.headers, ...headers } });
  const source = new EventSource(url, { fetch: authorized });
  t.teardown(() => source.close());
  const seen: MessageEvent[] = [];
  let wake = () => {};
  for (const type of ['message', 'heartbeat'])
    source.addEventListener(type, (event: MessageEvent) => {
      seen.push(event);
      wake();
    });
  return async (type: 'message' | 'heartbeat'): Promise<MessageEvent> => {
    for (;;) {
      const event = seen.shift();
      if (event?.type === type) return event;
      if (!event) await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}

async function recipes(t: ExecutionContext) {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/recipes');
  const write = (...ids: string[]) =>
    server.asAdmin('POST', '/recipes/_bulk_docs', { docs: ids.map((_id) => ({ _id })) });
  return { server, write, headers: basic(server.admin.name, server.admin.password) };
}

/** A way to the server whose connections can be cut. */
async function throughProxy(t: ExecutionContext, target: string) {
  const sockets = new Set<Socket>();
  const asked: (string | undefined)[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    asked.push(headers['last-event-id'] as string | undefined);
    const onward = request(target + url!, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end();
  });
  proxy.on('connection', (socket) => sockets.add(socket));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const { port } = proxy.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return { url: `http://127.0.0.1:${port}`, asked, cut };
}

const rowOf = ({ data }: MessageEvent) => JSON.parse(data as string) as Row;

test('rows come as messages, heartbeats as events of their own', async (t) => {
  const { server, write, headers } = await recipes(t);
  await write('a');
  const next = events(t, `${server.url}/recipes/_changes?feed=eventsource&heartbeat=20`, headers);
  const first = await next('message');
  t.is(rowOf(first).id, 'a');
  t.is(first.lastEventId, JSON.stringify(rowOf(first).seq));
  t.is((await next('heartbeat')).data, '');
  await write('b');
  t.is(rowOf(await next('message')).id, 'b');
});

test('a broken connection is resumed after the last row', async (t) => {
  const { server, write, headers } = await recipes(t);
  const { url, asked, cut } = await throughProxy(t, server.url);
  await write('a', 'b');
  const next = events(t, `${url}/recipes/_changes?feed=eventsource&since=0`, headers);
  t.is(rowOf(await next('message')).id, 'a');
  const second = await next('message');
  cut();
  await write('c');
  t.is(rowOf(await next('message')).id, 'c');
  t.deepEqual(asked, [undefined, second.lastEventId]);
});
