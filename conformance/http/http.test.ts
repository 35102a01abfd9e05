import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Inconclusive, Unreachable } from '../engine/outcomes.js';
import { closedUrl, connected, served } from '../testing/server.js';
import { connect } from './http.js';
import { BodyLimits } from './oversized.js';
import { Rate } from './rate.js';
import { createRedactor } from './redact.js';
import type { Exchange, HttpClient } from './client.js';

const admin = { name: 'admin', password: 'top:secret' };

/** A client that is connected to a server with the given handler, and the exchanges that finish. */
async function connectedTo(
  t: ExecutionContext,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { prefix = '', signal = new AbortController().signal } = {},
): Promise<{ client: HttpClient; finished: Exchange[] }> {
  const server = await served(t, handler);
  const connection = connect([new URL(server.url + prefix)], admin, createRedactor([admin.password]));
  t.teardown(() => connection.close());
  const finished: Exchange[] = [];
  return {
    client: connection.client(signal, [{ onFinished: (exchange) => void finished.push(exchange) }]),
    finished,
  };
}

test('sends the path unchanged, the query encoded and the body unchanged', async (t) => {
  const requests: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const { client } = await connectedTo(
    t,
    (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        requests.push({ method: request.method, url: request.url, headers: request.headers, body });
        response.end('{}');
      });
    },
    { prefix: '/couch/' },
  );
  await client.request({
    path: '/a%2Fb/../%C3%A9',
    query: { since: { a: 1 }, filter: 'x/y', skip: undefined, descending: true },
  });
  await client.request({ method: 'POST', path: '/db', json: { password: 'ü' }, as: 'admin' });
  await client.request({ path: '/', as: { cookie: 'abc' }, headers: { Accept: 'text/plain' } });

  t.is(requests[0]?.url, '/couch/a%2Fb/../%C3%A9?since=%7B%22a%22%3A1%7D&filter=x%2Fy&descending=true');
  t.is(requests[0]?.headers.accept, 'application/json');
  t.is(requests[0]?.headers.authorization, undefined);
  t.is(requests[1]?.body, '{"password":"ü"}');
  t.is(requests[1]?.headers['content-type'], 'application/json');
  t.is(requests[1]?.headers.authorization, `Basic ${Buffer.from('admin:top:secret').toString('base64')}`);
  t.is(requests[2]?.headers.cookie, 'AuthSession=abc');
  t.is(requests[2]?.headers.accept, 'text/plain');
});

test('records an exchange with raw headers and arrival times but without secrets', async (t) => {
  const { client } = await connectedTo(t, (_, response) => {
    response.setHeader('X-Mixed-Case', '1');
    response.setHeader('Set-Cookie', ['AuthSession=abc; Path=/', 'other=1']);
    response.write('{"password":"x",');
    response.end('"note":"top:secret"}');
  });
  const exchange = await client.request({
    method: 'POST',
    path: '/_session',
    json: { name: 'anna', password: 'hidden' },
    as: 'admin',
  });
  t.deepEqual(exchange.headers.get('set-cookie'), ['AuthSession=abc; Path=/', 'other=1']);
  t.deepEqual(exchange.json(), { password: 'x', note: 'top:secret' });
  t.true(exchange.complete);
  t.true(exchange.chunks.every(({ atMs }) => atMs >= exchange.headersAtMs && atMs <= exchange.durationMs));

  const { request, response } = exchange.record();
  t.is(request.body, '{"name":"anna","password":"hidden"}');
  t.is(request.headers['authorization'], 'Basic [redacted]');
  t.is(request.as, 'admin');
  t.is(response?.headers['X-Mixed-Case'], '1');
  t.regex(response!.headers['Set-Cookie']!, /^AuthSession=\[redacted \w{8}\]; Path=\/\nother=1$/);
  t.is(response?.chunks.map(({ text }) => text).join(''), '{"password":"[redacted]","note":"[redacted]"}');
});

test('records a long body with a chunk that ends inside a character', async (t) => {
  const { client } = await connectedTo(t, (_, response) => {
    const bytes = Buffer.from('é'.repeat(70_000));
    response.write(bytes.subarray(0, 1));
    response.end(bytes.subarray(1));
  });
  const exchange = await client.request({ path: '/' });
  t.is(exchange.text, 'é'.repeat(70_000));
  const recorded = exchange.record().response;
  t.true(recorded?.truncated);
  t.regex(recorded!.chunks.map(({ text }) => text).join(''), /^é{65000,66000}$/);
});

test('reads a stream while it arrives, and closes it', async (t) => {
  let ended: Promise<unknown> = Promise.resolve();
  const { client, finished } = await connectedTo(t, (_, response) => {
    ended = once(response, 'close');
    response.write('one');
  });
  const opened = await client.open({ path: '/' });
  t.is(opened.status, 200);
  let text = '';
  for await (const { bytes } of opened.chunks) {
    text += Buffer.from(bytes).toString();
    opened.close();
  }
  t.is(text, 'one');
  await ended;
  t.is(finished.length, 1);
  t.false(finished[0]?.complete);
});

test('if the reader stops early, the exchange is incomplete', async (t) => {
  const { client, finished } = await connectedTo(t, (_, response) => void response.write('one'));
  const opened = await client.open({ path: '/' });
  for await (const chunk of opened.chunks) {
    t.truthy(chunk);
    break;
  }
  t.is(finished.length, 1);
  t.false(finished[0]?.complete);
});

test('after a broken connection, safe requests are repeated once and others are inconclusive', async (t) => {
  let requests = 0;
  const { client } = await connectedTo(t, (request, response) => {
    requests += 1;
    if (requests === 1 || request.method === 'POST') response.socket?.destroy();
    else response.end('{}');
  });
  t.is((await client.request({ path: '/' })).status, 200);
  t.is(requests, 2);
  await t.throwsAsync(client.request({ method: 'POST', path: '/db' }), {
    instanceOf: Inconclusive,
    message: /^no response to POST \/db: /,
  });
  t.is(requests, 3);
});

test('names the request that has no time left', async (t) => {
  const controller = new AbortController();
  const { client } = await connectedTo(t, () => {}, { signal: controller.signal });
  const request = client.request({ method: 'PUT', path: '/a', query: { q: 1 } });
  controller.abort(new Unreachable('no response within 30 s'));
  await t.throwsAsync(request, { instanceOf: Unreachable, message: 'no response within 30 s to PUT /a' });
});

for (const [what, urlOf, message] of [
  ['a refused connection', closedUrl, /^no response to GET \/: connection refused$/],
  ['an unknown host', () => 'http://nobody.invalid', /^no response to GET \/: host not found/],
  [
    'https for an http server',
    (url: string) => url.replace('http:', 'https:'),
    /^no response to GET \/: the server does not use TLS; try http:\/\/ instead of https:\/\/$/,
  ],
] as const) {
  test(`explains ${what} in one line`, async (t) => {
    const server = await served(t, (_, response) => response.end('{}'));
    const connection = connected(t, await urlOf(server.url));
    const request = connection.client(new AbortController().signal, []).request({ path: '/' });
    await t.throwsAsync(request, { instanceOf: Unreachable, message });
  });
}

test('a request rejects with the reason of the signal', async (t) => {
  const deadline = new AbortController();
  const abort = (): void => deadline.abort(new Inconclusive('too late'));
  const { client } = await connectedTo(t, abort, { signal: deadline.signal });
  await t.throwsAsync(client.request({ path: '/' }), { instanceOf: Inconclusive, message: 'too late' });
});

test('a response that is not JSON, or not an object, is a violation', async (t) => {
  const { client } = await connectedTo(t, (request, response) =>
    response.end(request.url === '/a' ? '[1]' : 'oops'),
  );
  const array = await client.request({ path: '/a' });
  const text = await client.request({ path: '/b' });
  t.throws(() => array.object(), { name: 'Violation', message: 'The response to GET /a is not an object' });
  t.throws(() => text.json(), { name: 'Violation', message: 'The response to GET /b is not JSON' });
});

test('sends a request again that the target refuses because of a rate limit', async (t) => {
  const refusals = [
    { status: 429, headers: { 'Retry-After': '0' } },
    { status: 503, headers: { 'Retry-After': '0' } },
  ];
  const { client } = await connectedTo(t, (_, response) => {
    const { status, headers } = refusals.shift() ?? { status: 201, headers: {} };
    response.writeHead(status, headers).end('{}');
  });
  t.is((await client.request({ method: 'POST', path: '/db' })).status, 201);
});

test('a request can have a connection of its own, which closes after the response', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { client } = await connectedTo(t, ({ socket }, response) => {
    closed.push(once(socket, 'close').then(() => socket.remotePort));
    response.end(JSON.stringify({ port: socket.remotePort }));
  });
  const first = await client.request({ path: '/' });
  // It would use the open connection otherwise.
  const own = await client.request({ path: '/', onNewConnection: true });
  t.notDeepEqual(own.json(), first.json());
  await closed[1];
  const aborted = new AbortController();
  aborted.abort(new Inconclusive('over'));
  await t.throwsAsync(client.request({ path: '/', onNewConnection: true, signal: aborted.signal }), {
    message: 'over',
  });
});

test('all clients of a connection share its rate', async (t) => {
  const server = await served(t, (_, response) => response.end('{}'));
  const rate = new Rate(50);
  const connection = connect(
    [new URL(server.url)],
    admin,
    createRedactor([]),
    new BodyLimits(),
    undefined,
    rate,
  );
  t.teardown(() => connection.close());
  const clients = [1, 2].map(() => connection.client(AbortSignal.any([]), []));
  const startedAt = performance.now();
  await Promise.all(clients.flatMap((client) => [1, 2, 3].map(() => client.request({ path: '/' }))));
  t.true(performance.now() - startedAt >= 5 * 20 - 5);
});

test('requests become slower until the target refuses none of them', async (t) => {
  let last = -Infinity;
  const { client } = await connectedTo(t, (_, response) => {
    const now = performance.now();
    const isTooSoon = now - last < 10;
    if (!isTooSoon) last = now;
    response.writeHead(isTooSoon ? 503 : 200, { 'content-type': 'text/html' }).end('<h1>Wait</h1>');
  });
  const responses = await Promise.all(Array.from({ length: 15 }, () => client.request({ path: '/' })));
  t.true(responses.every(({ status }) => status === 200));
});
