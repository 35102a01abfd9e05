/** Invalid HTTP, sent over a socket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { testServer, type TestServer } from '../testing/server.js';

/** Sends text and returns everything until the server closes the connection. */
async function raw({ url }: TestServer, request: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) as unknown };
}

const host = 'Host: x\r\n';
const close = 'Connection: close\r\n';
for (const [what, request, status] of [
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['an unknown method', `FETCH / HTTP/1.1\r\n${host}\r\n`, 400],
  ['an unknown version', `GET / HTTP/9.9\r\n${host}\r\n`, 400],
  ['a header without a colon', `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400],
  ['two lengths', `POST /_session HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`, 400],
  [
    'length and chunks',
    `POST /_session HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['invalid chunks', `POST /_session HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['a header that is too large', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ['a URL that is too long', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n${host}${close}\r\n`, 414],
  ['a URL that is beyond measure', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`, 431],
  ['a path with an invalid escape', `GET /%zz HTTP/1.1\r\n${host}${close}\r\n`, 400],
  ['a path with a truncated escape', `GET /recipes/%f HTTP/1.1\r\n${host}${close}\r\n`, 400],
  ['a path that is not UTF-8', `GET /recipes/%ff%fe HTTP/1.1\r\n${host}${close}\r\n`, 400],
  ['an absolute URL that is none', `GET http://[ HTTP/1.1\r\n${host}${close}\r\n`, 400],
  ['a URL without a path', `GET http:// HTTP/1.1\r\n${host}${close}\r\n`, 400],
  ['no Host header', `GET / HTTP/1.1\r\n${close}\r\n`, 400],
  ['a negative length', `POST /_session HTTP/1.1\r\n${host}Content-Length: -2\r\n\r\n{}`, 400],
  ['a request for a tunnel', `CONNECT example.com:80 HTTP/1.1\r\n${host}\r\n`, 405],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${host}Expect: 200-maybe\r\n\r\n`, 417],
] as const) {
  test(`${what}: ${status} with error and reason, and the server continues`, async (t) => {
    const server = await testServer(t);
    const reply = await raw(server, request);
    t.is(reply.status, status);
    t.regex(reply.head, /content-type: application\/json/);
    t.deepEqual(Object.keys(reply.body as object), ['error', 'reason']);
    t.true(server.logged.some((line) => line.status === status));
    t.is((await server.send('GET', '/_up')).status, 200);
    t.deepEqual(server.reports, []);
  });
}

test('these errors have the names of the couchdb dialect, too', async (t) => {
  const server = await testServer(t, { dialect: 'couchdb' });
  t.like((await raw(server, 'hello\r\n\r\n')).body, { error: 'bad_request' });
});

test('a request for a tunnel on a connection that has ended, or that the client breaks, stops nobody', async (t) => {
  const server = await testServer(t);
  const { hostname, port } = new URL(server.url);
  const tunnel = `CONNECT example.com:80 HTTP/1.1\r\n${host}\r\n`;
  const ending = `GET / HTTP/1.1\r\n${host}${close}\r\n`;
  for (const requests of [
    tunnel + tunnel,
    ending + tunnel,
    `PROPFIND / HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\nab${tunnel}`,
  ]) {
    const socket = connect(Number(port), hostname);
    socket.end(requests);
    await text(socket);
  }
  const broken = connect(Number(port), hostname);
  await once(broken, 'connect');
  broken.write(tunnel);
  broken.resetAndDestroy();
  await once(broken, 'close');
  t.is((await server.send('GET', '/_up')).status, 200);
  t.deepEqual(server.reports, []);
});

test('an aborted request has no effect', async (t) => {
  const server = await testServer(t);
  const { hostname, port } = new URL(server.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `PUT /recipes HTTP/1.1\r\n${host}Authorization: Basic ${btoa('admin:secret')}\r\nContent-Length: 9\r\n\r\n{`,
      );
      socket.end(() => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  t.deepEqual((await server.asAdmin('GET', '/_all_dbs')).json, ['_users']);
  t.deepEqual(server.reports, []);
});

test('a stopping server still responds to open requests', async (t) => {
  const server = await testServer(t);
  const socket = await openRequest(server);
  const stopped = server.stop();
  socket.write('}');
  t.regex(await text(socket), /^HTTP\/1\.1 400 .*`password` is missing/s);
  await stopped;
});

test('an endless request does not prevent the server from stopping', async (t) => {
  const server = await testServer(t);
  const socket = await openRequest(server);
  const closed = once(socket, 'close');
  await server.stop();
  await closed;
  t.pass();
});

/** Sends a login without its last byte. */
async function openRequest({ url, send }: TestServer) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST /_session HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
  );
  // When this request gets a response, the server has received the earlier one.
  await send('GET', '/_up');
  return socket;
}
