import { EventEmitter, once } from 'node:events';
import { Agent, createServer as createHttpServer, get, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { text } from 'node:stream/consumers';
import { eventKinds, type PassingEvent, startTappedProxy, type Tap } from './tapped-proxy.js';

/** Keeps what passes. */
class Notes extends EventEmitter implements Tap {
  readonly events: PassingEvent[] = [];
  readonly notices: string[] = [];

  onEvent(event: PassingEvent): void {
    this.events.push(event);
    this.emit(event.kind);
  }

  onNotice(notice: string): void {
    this.notices.push(notice);
  }

  /** The kinds of the events of each exchange, in their order. */
  get kinds(): string[] {
    const exchanges = [...new Set(this.events.map(({ exchange }) => exchange))];
    return exchanges.map((one) =>
      this.events
        .filter(({ exchange }) => exchange === one)
        .map(({ kind }) => kind)
        .join(' '),
    );
  }

  bytesOf(kind: (typeof eventKinds)[number]): string {
    return Buffer.concat(
      this.events.filter((each) => each.kind === kind).map(({ bytes }) => bytes),
    ).toString();
  }
}

/** One end of a connection, with all that it reads. */
class Peer {
  readonly socket: Socket;
  text = '';
  isEnded = false;
  error: NodeJS.ErrnoException | undefined;
  readonly closed: Promise<unknown>;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setMaxListeners(0);
    socket.on('data', (bytes) => {
      this.text += bytes.toString('latin1');
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

/** Connects a client, which sends something, with a target through the proxy. */
async function connected(
  t: ExecutionContext,
  sent: string,
  { path = '', host = '127.0.0.1' }: { path?: string; host?: string } = {},
): Promise<{ client: Peer; target: Peer; port: number; notes: Notes; url: string }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`);
  const notes = new Notes();
  const proxy = await startTappedProxy({ target: url, host: '127.0.0.1', port: 0, tap: notes });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1' });
  client.write(sent);
  const [upstream] = await accepted;
  t.teardown(async () => {
    await proxy.close();
    client.destroy();
    upstream.destroy();
    server.close();
  });
  return { client: new Peer(client), target: new Peer(upstream), port, notes, url: proxy.url };
}

test('order and case of headers pass unchanged in both directions; only Host names the target', async (t) => {
  const request =
    'GET /a?b=%20 HTTP/1.1\r\nX-b:1\r\nhOST: elsewhere:1\r\nx-B: 2\r\nConnection: keep-alive\r\n\r\n';
  const { client, target, port } = await connected(t, request);
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.is(target.text, request.replace('X-b:1', 'X-b: 1').replace('elsewhere:1', `127.0.0.1:${port}`));
  const response =
    'HTTP/1.1 200 Fine\r\nset-cookie: a\r\nX-A: 1\r\nSet-Cookie: b\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok';
  target.socket.write(response);
  await client.until(({ text }) => text.length >= response.length);
  t.is(client.text, response);
});

test('the path of the target is a prefix of all paths', async (t) => {
  const { client, target } = await connected(t, 'GET /db HTTP/1.1\r\nHost: a\r\n\r\n', { path: '/couch/' });
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.regex(target.text, /^GET \/couch\/db HTTP\/1\.1\r\n/);
  target.socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  await client.until(({ text }) => text.endsWith('\r\n\r\n'));
  client.socket.write('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text.includes('OPTIONS'));
  t.regex(target.text, /\r\nOPTIONS \* HTTP/);
});

test('a target with an IPv6 address', async (t) => {
  const { target, port } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', { host: '::1' });
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.true(target.text.includes(`Host: [::1]:${port}\r\n`));
});

test('each part of a response passes at once, such as a heartbeat, and the trailers at the end', async (t) => {
  const { client, target } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text !== '');
  target.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  await client.until(({ text }) => text.endsWith('\r\n\r\n'));
  for (const heartbeat of ['1\r\na\r\n', '1\r\n\n\r\n', '1\r\n\n\r\n']) {
    const before = client.text;
    target.socket.write(heartbeat);
    await client.until(({ text }) => text === before + heartbeat);
  }
  target.socket.write('0\r\nX-Trailer: 1\r\n\r\n');
  await client.until(({ text }) => text.endsWith('0\r\nX-Trailer: 1\r\n\r\n'));
  t.pass();
});

test('a chunked request passes with its trailers, and another one follows on the connection', async (t) => {
  const { client, target } = await connected(
    t,
    'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;e=1\r\nabcd\r\n0\r\nT: 1\r\n\r\n',
  );
  await target.until(({ text }) => text.endsWith('0\r\nT: 1\r\n\r\n'));
  t.regex(
    target.text,
    /^POST \/x .*Transfer-Encoding: chunked\r\n.*\r\n\r\n4\r\nabcd\r\n0\r\nT: 1\r\n\r\n$/s,
  );
  const response = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n';
  target.socket.write(response);
  await client.until(({ text }) => text === response);
  client.socket.write('HEAD /y HTTP/1.1\r\n\r\n');
  await target.until(({ text }) => text.includes('HEAD /y HTTP/1.1\r\n'));
  t.pass();
});

test('a request without a body has none', async (t) => {
  const { target } = await connected(t, 'POST /db HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.regex(target.text, /\r\nContent-Length: 0\r\n/);
  t.notRegex(target.text, /chunked/);
});

test('Expect: the client gets 100 only when the target sends it, and sends the body then', async (t) => {
  const request = 'PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
  const { client, target } = await connected(t, request);
  await target.until(({ text }) => text.includes('Expect: 100-continue\r\n'));
  t.is(client.text, '');
  target.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  await client.until(({ text }) => text !== '');
  client.socket.write('ok');
  await target.until(({ text }) => text.endsWith('\r\n\r\nok'));
  target.socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
  await client.until(({ text }) => text.includes('201'));
  t.regex(client.text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
});

test('Expect: a target can refuse the request before its body', async (t) => {
  const request = 'PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
  const { client, target } = await connected(t, request);
  await target.until(({ text }) => text !== '');
  target.socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
  await client.until(({ text }) => text.endsWith('\r\n\r\n'));
  t.regex(client.text, /^HTTP\/1\.1 401 /);
});

test('a response that comes before the upload has ended passes at once, and the client can go on', async (t) => {
  const head = 'PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n';
  for (const leaves of [true, false]) {
    const { client, target, notes } = await connected(t, `${head}begun`);
    await target.until(({ text: sent }) => sent.endsWith('begun'));
    const response = 'HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}';
    target.socket.write(response, () => leaves && target.socket.resetAndDestroy());
    await client.until(({ text: read }) => read === response);
    // The target has said what it wants to say.
    await target.until(({ isEnded, socket }) => isEnded || socket.closed);
    client.socket.write('x'.repeat(1_999_995));
    client.socket.write('GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.until(({ text: read }) => read.startsWith(`${response}HTTP/1.1 400 `));
    t.deepEqual(notes.kinds, ['request upload response chunk end']);
    t.deepEqual(notes.notices, []);
  }
});

test('responses to HEAD and with 304 pass with their Content-Length and without a body', async (t) => {
  const { client, target } = await connected(t, 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text }) => text !== '');
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: keep-alive\r\n\r\n';
  target.socket.write(head);
  await client.until(({ text }) => text.length >= head.length);
  client.socket.write('GET / HTTP/1.1\r\nIf-None-Match: "1"\r\n\r\n');
  await target.until(({ text }) => text.includes('If-None-Match'));
  const unmodified = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nConnection: keep-alive\r\n\r\n';
  target.socket.write(unmodified);
  await client.until(({ text }) => text.length >= head.length + unmodified.length);
  t.is(client.text, head + unmodified);
});

test('a response to HTTP/1.0 ends with its connection, and is broken if the target breaks it', async (t) => {
  for (const isBroken of [false, true]) {
    const { client, target } = await connected(t, 'GET / HTTP/1.0\r\n\r\n');
    await target.until(({ text }) => text !== '');
    target.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nuntil\r\n');
    await client.until(({ text }) => text.endsWith('\r\n\r\nuntil'));
    if (isBroken) target.socket.end();
    else target.socket.end('0\r\n\r\n');
    await client.closed;
    t.is(client.isEnded, !isBroken);
  }
});

test('an abort of one side is an abort for the other', async (t) => {
  for (const [from, to] of [
    ['client', 'target'],
    ['target', 'client'],
  ] as const) {
    const peers = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await peers.target.until(({ text }) => text !== '');
    peers.target.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    await peers.client.until(({ text }) => text !== '');
    peers[from].socket.resetAndDestroy();
    await peers[to].until(({ isEnded, socket }) => isEnded || socket.closed);
    t.false(peers.client.text.endsWith('0\r\n\r\n'));
    t.deepEqual(peers.notes.kinds, ['request sent response break']);
    t.is(peers.notes.notices.length, from === 'target' ? 1 : 0);
  }
});

test('an upload that the client aborts ends for the target', async (t) => {
  const head = 'PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n';
  const { client, target } = await connected(t, `${head}half`);
  await target.until(({ text }) => text.endsWith('half'));
  client.socket.destroy();
  await target.until(({ isEnded, socket }) => isEnded || socket.closed);
  t.true(target.text.endsWith('\r\n\r\nhalf'));
});

test('a client that does not read stops the target', async (t) => {
  const { client, target, notes } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
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
  t.true(notes.kinds[0]!.includes('slow'));
});

test('a client cannot reach another host, and what a server could misunderstand is refused', async (t) => {
  const { target, url, notes } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text: sent }) => sent !== '');
  const before = notes.events.length;
  for (const [status, request] of [
    [400, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'],
    [400, 'GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd'],
    [400, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
  ] as const) {
    const client = new Peer(connect({ port: Number(new URL(url).port), host: '127.0.0.1' }));
    client.socket.write(request);
    await client.closed;
    t.regex(client.text, new RegExp(`^HTTP/1\\.1 ${status} .*"error":"bad_request"`, 's'), request);
  }
  t.is(notes.events.length, before);
});

for (const [what, request] of [
  ['a malformed request', 'GET /b HTTP/1.1\r\nHost : a\r\n\r\n'],
  ['a request for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'],
] as const) {
  test(`${what} after one that waits for its response gets nothing into that`, async (t) => {
    const { client, target, notes } = await connected(t, 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
    await target.until(({ text: sent }) => sent !== '');
    client.socket.write(request);
    await Promise.all([client.closed, once(notes, 'break')]);
    t.is(client.text, '');
    t.deepEqual(notes.kinds, ['request sent break']);
    t.deepEqual(notes.notices, []);
  });
}

test('a client that breaks the connection of its tunnel stops nobody', async (t) => {
  const { target, url } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text: sent }) => sent !== '');
  const port = Number(new URL(url).port);
  for (let times = 0; times < 5; times += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  const client = new Peer(connect({ port, host: '127.0.0.1' }));
  client.socket.write('GET / HTTP/1.1\r\nHost : a\r\n\r\n');
  await client.closed;
  t.regex(client.text, /^HTTP\/1\.1 400 /);
});

test('a header of the longest size with many spaces passes', async (t) => {
  const value = `a${' '.repeat(60_000)}b`;
  const { target } = await connected(t, `GET / HTTP/1.1\r\nHost: a\r\nX: ${value}\r\n\r\n`);
  await target.until(({ text: sent }) => sent.endsWith('\r\n\r\n'));
  t.true(target.text.includes(value));
});

test('the tap sees what the client and the target send', async (t) => {
  const { client, target, notes, port } = await connected(
    t,
    'PUT /db/a?b HTTP/1.1\r\nhOST: x\r\nContent-Length: 2\r\n\r\n{}',
    { path: '/couch' },
  );
  await target.until(({ text: sent }) => sent.endsWith('{}'));
  target.socket.write(
    'HTTP/1.1 201 Created\r\nX-a: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  );
  await client.until(({ text: read }) => read.endsWith('0\r\n\r\n'));
  t.deepEqual(notes.kinds, ['request upload sent response chunk end']);
  t.deepEqual(JSON.parse(notes.bytesOf('request')), {
    connection: 1,
    method: 'PUT',
    path: '/db/a?b',
    rawHeaders: ['hOST', `127.0.0.1:${port}`, 'Content-Length', '2'],
  });
  t.is(notes.bytesOf('upload'), '{}');
  t.deepEqual(JSON.parse(notes.bytesOf('response')), {
    status: 201,
    rawHeaders: ['X-a', '1', 'Transfer-Encoding', 'chunked'],
  });
  t.is(notes.bytesOf('chunk'), 'ok');
});

test('a response that is not HTTP is named as such', async (t) => {
  const { client, target, notes } = await connected(t, 'GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text: sent }) => sent !== '');
  target.socket.write('SSH-2.0-OpenSSH_9.2\r\n');
  await client.closed;
  t.regex(notes.notices.join(), /^The response of the target to GET \/a is not HTTP: Parse Error: /);
});

test('each connection of a client has one to the target, and a new one when that has ended', async (t) => {
  const ports: (number | undefined)[] = [];
  const server = createHttpServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    ports.push(incoming.socket.remotePort);
    if (incoming.url === '/last') outgoing.setHeader('Connection', 'close');
    outgoing.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const proxy = await startTappedProxy({ target, host: '127.0.0.1', port: 0, tap: new Notes() });
  t.teardown(async () => {
    await proxy.close();
    server.close();
  });
  const agents = [1, 2].map(() => new Agent({ keepAlive: true }));
  t.teardown(() => agents.forEach((agent) => agent.destroy()));
  for (const path of ['/', '/', '/last', '/']) {
    for (const agent of agents) {
      const [response] = (await once(get(proxy.url + path, { agent }), 'response')) as [IncomingMessage];
      await text(response);
    }
  }
  const [a, b, ...rest] = ports;
  t.not(a, b);
  t.deepEqual(rest.slice(0, 4), [a, b, a, b]);
  t.is(new Set(rest.slice(4)).size, 2);
  t.false(rest.slice(4).includes(a) || rest.slice(4).includes(b));
});

test('what a target has got is not sent again, though the target ends a connection that it has used before', async (t) => {
  const { client, target, notes } = await connected(t, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await target.until(({ text: sent }) => sent.endsWith('\r\n\r\n'));
  target.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  await client.until(({ text: read }) => read.endsWith('\r\n\r\n'));
  client.socket.write('POST /db HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
  await target.until(({ text: sent }) => sent.endsWith('{}'));
  target.socket.resetAndDestroy();
  await client.closed;
  t.deepEqual(notes.kinds, ['request sent response end', 'request upload sent break']);
  // It may have ended the connection before it has got the request.
  t.deepEqual(notes.notices, []);
});
