import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { served } from '../testing/server.js';
import { forward, type Forwarding } from './reverse-proxy.js';

/** @returns the URL of a proxy before a server that answers with `listener` */
async function proxied(
  t: ExecutionContext,
  listener: RequestListener,
  options: Partial<Forwarding> & { prefix?: string } = {},
): Promise<{ url: URL; forwarded: Promise<void>[] }> {
  const server = createServer(listener).on('checkContinue', listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => (server.closeAllConnections(), server.close()));
  const target = new URL(options.prefix ?? '/', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const forwarded: Promise<void>[] = [];
  const proxy = await served(t, (incoming, outgoing) => {
    const end = forward(incoming, outgoing, { target, ...options });
    end.catch(() => {});
    forwarded.push(end);
  });
  return { url: new URL(proxy.url), forwarded };
}

/** Sends what a test says, without headers that it does not say. */
async function send(
  url: URL,
  path: string,
  { method = 'GET', headers = [], body }: { method?: string; headers?: string[]; body?: string } = {},
): Promise<{ response: IncomingMessage; body: string }> {
  const sent = request(new URL(path, url), { method, headers: ['Host', url.host, ...headers], agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { response, body: await text(response) };
}

test('method, path, headers in order and case, status, body and trailers pass', async (t) => {
  let seen: IncomingMessage | undefined;
  const { url } = await proxied(
    t,
    (incoming, outgoing) => {
      seen = incoming;
      outgoing.sendDate = false;
      outgoing.writeHead(299, 'Fine', ['set-cookie', 'a', 'X-A', '1', 'Set-Cookie', 'b', 'Trailer', 'X-T']);
      outgoing.write('o');
      outgoing.addTrailers([['X-T', 'last']]);
      outgoing.end('k');
    },
    { prefix: '/couch/' },
  );
  const { response, body } = await send(url, '/a?b=%20', {
    headers: ['X-b', '1', 'x-B', '2', 'aCCept', '*/*'],
  });
  t.is(seen!.method, 'GET');
  t.is(seen!.url, '/couch/a?b=%20');
  t.deepEqual(seen!.rawHeaders.slice(2, 8), ['X-b', '1', 'x-B', '2', 'aCCept', '*/*']);
  t.not(seen!.headers.host, url.host, 'Host names the target');
  t.is(response.statusCode, 299);
  t.is(response.statusMessage, 'Fine');
  t.deepEqual(response.rawHeaders.slice(0, 6), ['set-cookie', 'a', 'X-A', '1', 'Set-Cookie', 'b']);
  t.false(response.rawHeaders.includes('Date'));
  t.is(body, 'ok');
  t.deepEqual(response.rawTrailers, ['X-T', 'last']);
});

test('bodies of requests pass as they are framed: with a length, in chunks, and none', async (t) => {
  const { url } = await proxied(t, (incoming, outgoing) => {
    const { 'content-length': length = 'none', 'transfer-encoding': coding = 'none' } = incoming.headers;
    void text(incoming).then((body) => outgoing.end(`${length} ${coding} ${body}`));
  });
  const post = (headers: string[], body?: string) =>
    send(url, '/', { method: 'POST', headers, ...(body && { body }) });
  t.is((await post(['Content-Length', '2'], 'ab')).body, '2 none ab');
  t.is((await post(['Transfer-Encoding', 'chunked'], 'abc')).body, 'none chunked abc');
  t.is((await post(['Content-Length', '0'])).body, '0 none ');
  t.is((await send(url, '/')).body, 'none none ');
});

test('a response to HEAD, and 304, keep their Content-Length and have no body', async (t) => {
  const { url } = await proxied(t, ({ method }, outgoing) => {
    outgoing.writeHead(method === 'HEAD' ? 200 : 304, { 'Content-Length': 9 }).end();
  });
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 304],
  ] as const) {
    const { response, body } = await send(url, '/', { method });
    t.is(response.statusCode, status);
    t.is(response.headers['content-length'], '9');
    t.is(body, '');
  }
});

test('heartbeats pass at once, and the end of the client ends the feed', async (t) => {
  let feed!: ServerResponse;
  const { url } = await proxied(t, (_, outgoing) => {
    feed = outgoing;
    outgoing.writeHead(200).flushHeaders();
  });
  const sent = request(url, { agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  for (const part of ['\n', '{"seq":1}\n', '\n']) {
    feed.write(part);
    t.is(String((await once(response, 'data'))[0]), part);
  }
  const closed = once(feed, 'close');
  sent.on('error', () => {}).destroy();
  await closed;
  t.false(feed.writableFinished);
});

test('a target that breaks in the middle of a response breaks it for the client', async (t) => {
  const { url, forwarded } = await proxied(t, (_, outgoing) => {
    outgoing.writeHead(200).write('half');
    setImmediate(() => outgoing.destroy());
  });
  const sent = request(url, { agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await t.throwsAsync(text(response));
  await t.throwsAsync(forwarded[0]!);
});

test('a target that answers nothing breaks the connection', async (t) => {
  const { url } = await proxied(t, (incoming) => incoming.socket.destroy());
  const sent = request(url, { agent: false }).end();
  const [error] = (await once(sent, 'error')) as [NodeJS.ErrnoException];
  t.is(error.code, 'ECONNRESET');
});

test('Expect: the client gets 100 only when the target has said so', async (t) => {
  const asked = deferred<ServerResponse>();
  const server = createServer()
    .on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      asked.resolve(outgoing);
      void text(incoming).then((body) => outgoing.end(body));
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const proxy = createServer().listen(0, '127.0.0.1');
  proxy.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    forward(incoming, outgoing, { target }).catch(() => {});
  });
  await once(proxy, 'listening');
  t.teardown(() => [server, proxy].forEach((one) => (one.closeAllConnections(), one.close())));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const headers = { Expect: '100-continue', 'Content-Length': 2 };
  const sent = request(url, { method: 'PUT', headers, agent: false });
  sent.flushHeaders();
  let isContinued = false;
  sent.once('continue', () => {
    isContinued = true;
    sent.end('ok');
  });
  const outgoing = await asked.promise;
  await wait(50);
  t.false(isContinued);
  outgoing.writeContinue();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.is(await text(response), 'ok');
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
}

test('a target that refuses an upload early is heard, although the upload goes on', async (t) => {
  const { url } = await proxied(t, (_, outgoing) => {
    outgoing.writeHead(413, { Connection: 'close', 'Content-Length': 5 }).end('large');
  });
  const sent = request(url, { method: 'PUT', headers: { 'Content-Length': 1e9 }, agent: false });
  sent.on('error', () => {}).write(Buffer.alloc(100_000));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.is(response.statusCode, 413);
  t.is(await text(response), 'large');
  sent.destroy();
});

test('an upload that the client aborts is aborted for the target', async (t) => {
  const begun = deferred<IncomingMessage>();
  const { url } = await proxied(t, (incoming) => begun.resolve(incoming));
  const sent = request(url, { method: 'PUT', headers: { 'Content-Length': 1000 }, agent: false });
  sent.on('error', () => {}).write('begin');
  const upload = await begun.promise;
  const aborted = buffer(upload);
  sent.destroy();
  await t.throwsAsync(aborted);
});

test('a client that does not read stops the target', async (t) => {
  const block = Buffer.alloc(1024 * 1024, 'x');
  let written = 0;
  const { url } = await proxied(t, (_, outgoing) => {
    outgoing.on('error', () => {}).writeHead(200);
    const write = (): void => {
      do written += 1;
      while (outgoing.write(block) && written < 300);
    };
    outgoing.on('drain', write);
    write();
  });
  const socket: Socket = connect(Number(url.port), url.hostname);
  t.teardown(() => socket.destroy());
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
  socket.pause();
  for (let before = -1; before !== written; await wait(300)) before = written;
  t.true(written < 100, `${written} MiB`);
});

test('a response without a length from a target that speaks HTTP/1.0 ends with its connection', async (t) => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nuntil the end'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { url } = await proxied(t, () => {}, { target });
  t.is((await send(url, '/')).body, 'until the end');
});

test('a response may be treated, and headers of a request left out', async (t) => {
  const { url } = await proxied(t, ({ headers }, outgoing) => outgoing.end(headers.cookie ?? 'no cookie'), {
    without: ['cookie'],
    onResponse: (response) => ({
      status: 418,
      body: (async function* () {
        for await (const part of response) yield `${String(part)}!`;
      })(),
    }),
  });
  const { response, body } = await send(url, '/', { headers: ['Cookie', 'a=b'] });
  t.is(response.statusCode, 418);
  t.is(body, 'no cookie!');
});
