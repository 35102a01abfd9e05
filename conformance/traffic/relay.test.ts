import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startRelay, type Tap } from './relay.js';

const noTap: Tap = { onEvent() {}, onRefused() {} };

/** Reads a socket in the pieces in which the bytes arrive. */
class Peer {
  readonly socket: Socket;
  text = '';
  pieces: string[] = [];
  isEnded = false;
  error: NodeJS.ErrnoException | undefined;
  readonly closed: Promise<unknown>;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setMaxListeners(0);
    socket.on('data', (bytes) => {
      this.text += bytes.toString('latin1');
      this.pieces.push(bytes.toString('latin1'));
    });
    socket.on('end', () => (this.isEnded = true));
    socket.on('error', (error) => (this.error = error));
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  async until(isMet: (peer: this) => boolean): Promise<void> {
    while (!isMet(this)) {
      // Unlike `once` of Node.js, this does not reject if the connection is reset.
      const { socket } = this;
      await new Promise((resolve) =>
        ['data', 'end', 'close'].forEach((event) => socket.once(event, resolve)),
      );
    }
  }
}

/** Connects a client with a target through the relay. */
async function connected(
  t: ExecutionContext,
  { path = '', host = '127.0.0.1' }: { path?: string; host?: string } = {},
): Promise<{ client: Peer; target: Peer; port: number }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`);
  const relay = await startRelay({ target: url, host: '127.0.0.1', port: 0, tap: noTap });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port: Number(new URL(relay.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const [upstream] = await accepted;
  t.teardown(async () => {
    await relay.close();
    client.destroy();
    upstream.destroy();
    server.close();
  });
  return { client: new Peer(client), target: new Peer(upstream), port };
}

test('order and case of headers pass unchanged in both directions; only Host names the target', async (t) => {
  const { client, target, port } = await connected(t);
  client.socket.write(
    'GET /a?b=%20 HTTP/1.1\r\nX-b:1\r\nhOST: elsewhere:1\r\nx-B: 2\r\nAccept:  */*\r\n\r\n',
  );
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.is(
    target.text,
    `GET /a?b=%20 HTTP/1.1\r\nX-b:1\r\nhOST: 127.0.0.1:${port}\r\nx-B: 2\r\nAccept:  */*\r\n\r\n`,
  );
  const response =
    'HTTP/1.1 200 Fine\r\nset-cookie: a\r\nX-A: 1\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok';
  target.socket.write(response);
  await client.until(({ text }) => text.length >= response.length);
  t.is(client.text, response);
});

test('the path of the target is a prefix of all paths', async (t) => {
  const { client, target } = await connected(t, { path: '/couch/' });
  client.socket.write('GET /db HTTP/1.1\r\nHost: a\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text.includes('OPTIONS'));
  t.regex(target.text, /^GET \/couch\/db HTTP\/1\.1\r\n/);
  t.regex(target.text, /\r\nOPTIONS \* HTTP/);
});

test('a target with an IPv6 address', async (t) => {
  const { client, target, port } = await connected(t, { host: '::1' });
  client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.true(target.text.includes(`Host: [::1]:${port}\r\n`));
});

test('chunks of a response keep their borders, extensions and trailers, and pass at once', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text !== '');
  const pieces = [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    '3;x=y\r\nabc\r\n',
    '1\r\n',
    '\n\r\n',
    '0\r\nX-Trailer: 1\r\n\r\n',
  ];
  for (const [index, piece] of pieces.entries()) {
    target.socket.write(piece);
    await client.until((peer) => peer.pieces.length > index);
  }
  t.deepEqual(client.pieces, pieces);
});

test('a chunked request passes as it is framed, and another one follows on the connection', async (t) => {
  const { client, target, port } = await connected(t);
  const head = (host: string): string =>
    `POST /x HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const body = '4;e=1\r\nabcd\r\n00002\r\nef\r\n0\r\nT: 1\r\n\r\n';
  const last = 'HEAD /y HTTP/1.1\r\n\r\n';
  // Cut anywhere: the head, the framing and the data arrive in parts.
  for (const character of head('a') + body + last) client.socket.write(character);
  await target.until(({ text }) => text.includes('HEAD'));
  await target.until(({ text }) => text.endsWith(last));
  t.is(target.text, head(`127.0.0.1:${port}`) + body + last);
});

test('Expect: the client gets 100 before it sends the body', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  await target.until(({ text }) => text.includes('Expect: 100-continue\r\n'));
  target.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  await client.until(({ text }) => text !== '');
  client.socket.write('ok');
  await target.until(({ text }) => text.endsWith('ok'));
  target.socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
  await client.until(({ text }) => text.includes('201'));
  t.is(client.text, 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
});

test('responses to HEAD and with 304 pass with their Content-Length and without a body', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nIf-None-Match: "1"\r\n\r\n');
  await target.until(({ text }) => text.includes('If-None-Match'));
  const responses =
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n' + 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n';
  target.socket.write(responses);
  await client.until(({ text }) => text.length >= responses.length);
  t.is(client.text, responses);
});

test('an upgrade is refused or accepted as the target does', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await target.until(({ text }) => text.includes('Upgrade: websocket'));
  target.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n');
  await client.until(({ text }) => text.includes('101'));
  client.socket.write('\x81\x05Hello');
  await target.until(({ text }) => text.endsWith('Hello'));
  t.pass();
});

test('each side can end its half of the connection', async (t) => {
  const { client, target } = await connected(t);
  client.socket.end('GET / HTTP/1.0\r\n\r\n');
  await target.until(({ isEnded }) => isEnded);
  target.socket.write('HTTP/1.0 200 OK\r\n\r\nuntil');
  await client.until(({ text }) => text.endsWith('until'));
  t.false(client.isEnded);
  target.socket.end(' the end');
  await client.until(({ isEnded }) => isEnded);
  t.true(client.text.endsWith('until the end'));
  await Promise.all([client.closed, target.closed]);
});

test('an abort of one side is an abort for the other', async (t) => {
  for (const [from, to] of [
    ['client', 'target'],
    ['target', 'client'],
  ] as const) {
    const peers = await connected(t);
    peers.client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await peers.target.until(({ text }) => text !== '');
    peers.target.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    await peers.client.until(({ text }) => text !== '');
    peers[from].socket.resetAndDestroy();
    await peers[to].closed;
    t.is(peers[to].error?.code, 'ECONNRESET', from);
  }
});

test('a client that does not read stops the target', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text !== '');
  client.socket.pause();
  const block = Buffer.alloc(1024 * 1024, 'x');
  target.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${200 * block.length}\r\n\r\n`);
  let written = 0;
  // A block that no buffer on the way accepts for half a second.
  const isStuck = async (): Promise<boolean> => {
    if (target.socket.write(block)) return false;
    const drained = once(target.socket, 'drain').then(() => false);
    return Promise.race([drained, wait(500, true)]);
  };
  while (!(await isStuck())) written += 1;
  t.true(written < 100, `${written} MiB`);
  client.socket.resume();
  await once(target.socket, 'drain');
});

test('a client cannot reach another host', async (t) => {
  for (const request of [
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n',
    'GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'GET / HTTP/1.1\nHost: a\n\n\r\n\r\n',
  ]) {
    const { client, target } = await connected(t);
    client.socket.write(request);
    await client.until(({ isEnded }) => isEnded);
    t.regex(client.text, /^HTTP\/1\.1 400 .*"error":"bad_request"/s, request);
    t.is(target.text, '');
  }
});

test('a request that follows a valid one and is malformed ends the connection', async (t) => {
  const { client, target } = await connected(t);
  client.socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET http://example.org/ HTTP/1.1\r\n\r\n');
  await client.closed;
  await target.until(({ isEnded, socket }) => isEnded || socket.closed);
  t.is(client.text, '');
  t.false(target.text.includes('example.org'));
});

test('headers that are too long are refused', async (t) => {
  const { client } = await connected(t);
  client.socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}`);
  await client.until(({ isEnded }) => isEnded);
  t.regex(client.text, /^HTTP\/1\.1 431 /);
});

test('a header with many spaces does not keep the relay from passing other requests', async (t) => {
  const { client, target } = await connected(t);
  const before = process.cpuUsage();
  client.socket.write(`GET / HTTP/1.1\r\nHost: a${' '.repeat(60_000)}b\r\n\r\n`);
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  // In quadratic time, it would take more than a second.
  const { user } = process.cpuUsage(before);
  t.true(user < 500_000, `${user / 1000} ms of processor time`);
});
