/** When the proxy says that the target breaks a connection, and when nothing is wrong. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { closedUrl } from '../testing/server.js';
import { startProxy } from './start-proxy.js';

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const begun = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n';

/** What a target does with a request to each path. */
const reactions: Readonly<Record<string, (socket: Socket) => void>> = {
  '/whole': (socket) => void socket.write(whole),
  '/whole-then-reset': (socket) =>
    void socket.write(whole, () => setImmediate(() => socket.resetAndDestroy())),
  '/whole-then-end': (socket) => void socket.end(whole),
  '/until-close': (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n{}'),
  '/begun': (socket) => void socket.write(begun),
  '/begun-then-reset': (socket) =>
    void socket.write(begun, () => setImmediate(() => socket.resetAndDestroy())),
  '/begun-then-end': (socket) => void socket.end(begun),
  '/reset': (socket) => void socket.resetAndDestroy(),
  '/end': (socket) => void socket.end(),
};

/** A target, and a proxy before it that collects what it says. */
async function proxied(t: ExecutionContext) {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    // As many servers do, it breaks a connection that the client has left.
    socket.on('end', () => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy()));
    socket.on('error', () => {});
    socket.on('data', (bytes) => reactions[bytes.toString().split(/[ ?]/)[1]!]!(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const notices: string[] = [];
  const proxy = await startProxy({
    target,
    dialect: 'couchdb',
    onNotice: (notice) => notices.push(notice),
  });
  return { proxy, notices };
}

/** Sends the requests one after the other on one connection, then leaves it, and waits until it is closed. */
async function send(
  url: string,
  paths: readonly string[],
  leave: 'end' | 'reset' | 'not before the proxy' = 'not before the proxy',
): Promise<void> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const answered = (): Promise<unknown> =>
    new Promise((resolve) => ['data', 'close'].forEach((event) => socket.once(event, resolve)));
  socket.on('error', () => {});
  for (const path of paths) {
    const answer = answered();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await answer;
  }
  if (leave === 'end') socket.end();
  if (leave === 'reset') socket.resetAndDestroy();
  await closed;
}

test('a connection that ends while nothing is asked, or after the client has left, is not broken', async (t) => {
  const { proxy, notices } = await proxied(t);
  for (const path of ['/whole-then-reset', '/whole-then-end', '/until-close']) {
    // The last request has another connection to the target, unless that has not ended yet.
    await send(proxy.url, ['/whole', path, '/whole'], 'end');
  }
  // The target may have ended the connection before the second request reached it.
  await send(proxy.url, ['/whole', '/reset']);
  await send(proxy.url, ['/whole', '/end']);
  await send(proxy.url, ['/begun'], 'end');
  await send(proxy.url, ['/begun'], 'reset');
  await send(proxy.url, ['/whole'], 'end');
  await proxy.stop();
  t.deepEqual(notices, []);
});

test('a response that is missing or not whole is named, once for each path', async (t) => {
  const { proxy, notices } = await proxied(t);
  for (const path of ['/begun-then-reset', '/begun-then-end', '/reset', '/end', '/end?again']) {
    await send(proxy.url, [path]);
  }
  await send(proxy.url, ['/whole', '/begun-then-end']);
  await proxy.stop();
  t.deepEqual(notices, [
    'The target ends a connection in the middle of the response to GET /begun-then-reset',
    'The target ends a connection in the middle of the response to GET /begun-then-end',
    'The target ends a connection without a response to GET /reset',
    'The target ends a connection without a response to GET /end',
  ]);
});

test('a target that accepts no connection is named once', async (t) => {
  const notices: string[] = [];
  const proxy = await startProxy({
    target: await closedUrl(),
    dialect: 'couchdb',
    onNotice: (notice) => notices.push(notice),
  });
  for (let count = 0; count < 3; count += 1) await send(proxy.url, ['/whole']);
  await proxy.stop();
  t.is(notices.length, 1);
  t.regex(notices[0]!, /^The target accepts no connection: connect ECONNREFUSED /);
});
