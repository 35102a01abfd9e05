import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Inconclusive } from '../verdict/outcomes.js';
import { serve } from '../testing/server.js';
import { connect, Unreachable, type TrafficObserver } from './http.js';
import { createRedactor } from './redact.js';
import type { Exchange, HttpClient } from './client.js';

const admin = { name: 'admin', password: 'top:secret' };

interface Served {
  client: HttpClient;
  seen: Exchange[];
  url: string;
}

async function served(
  t: ExecutionContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { prefix = '', signal = new AbortController().signal, witness = {} } = {},
): Promise<Served> {
  const server = await serve(answer);
  const connection = connect([new URL(server.url + prefix)], admin, createRedactor([admin.password]));
  t.teardown(async () => {
    await connection.close();
    await server.stop();
  });
  const seen: Exchange[] = [];
  const recorder: TrafficObserver = { onFinished: (exchange) => void seen.push(exchange) };
  return { client: connection.client(signal, [recorder, witness]), seen, url: server.url };
}

test('sends the path byte for byte, the query encoded, and the body as given', async (t) => {
  const requests: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const { client } = await served(
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

test('records an exchange with raw headers, arrival times and no secrets', async (t) => {
  const { client } = await served(t, (_, response) => {
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

test('a chunk border inside a character and a long body do no harm to the record', async (t) => {
  const { client } = await served(t, (_, response) => {
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

test('reads a stream while it lasts, and ends it', async (t) => {
  let ended: Promise<unknown> = Promise.resolve();
  const { client, seen } = await served(t, (_, response) => {
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
  t.is(seen.length, 1);
  t.false(seen[0]?.complete);
});

test('a reader that stops early leaves the exchange recorded as incomplete', async (t) => {
  const { client, seen } = await served(t, (_, response) => void response.write('one'));
  const opened = await client.open({ path: '/' });
  for await (const chunk of opened.chunks) {
    t.truthy(chunk);
    break;
  }
  t.is(seen.length, 1);
  t.false(seen[0]?.complete);
});

test('a broken connection is tried again once when that does no harm, and never blamed on the kit', async (t) => {
  let requests = 0;
  const { client } = await served(t, (request, response) => {
    requests += 1;
    if (requests === 1 || request.method === 'POST') response.socket?.destroy();
    else response.end('{}');
  });
  t.is((await client.request({ path: '/' })).status, 200);
  t.is(requests, 2);
  await t.throwsAsync(client.request({ method: 'POST', path: '/db' }), {
    instanceOf: Inconclusive,
    message: /^no answer to POST \/db: /,
  });
  t.is(requests, 3);
});

test('a body that is cut is inconclusive, not an answer', async (t) => {
  const { client } = await served(t, (_, response) => {
    response.write('{"results":[');
    response.socket?.destroySoon();
  });
  await t.throwsAsync(client.request({ path: '/' }), { instanceOf: Unreachable });
});

test('nobody listening is told in one line', async (t) => {
  const gone = await serve(() => {});
  await gone.stop();
  const connection = connect([new URL(gone.url)], undefined, createRedactor([]));
  t.teardown(() => connection.close());
  await t.throwsAsync(connection.client(new AbortController().signal, []).request({ path: '/' }), {
    instanceOf: Unreachable,
    message: 'no answer to GET /: connection refused',
  });
});

for (const [what, urlOf, message] of [
  ['a host that there is not', () => 'http://nobody.invalid', /^no answer to GET \/: there is no such host/],
  [
    'https where http is spoken',
    (url: string) => url.replace('http:', 'https:'),
    /^no answer to GET \/: what listens there does not speak TLS; is it http:[^\n]*$/,
  ],
] as const) {
  test(`${what} is told in one line`, async (t) => {
    const server = await serve((_, response) => response.end('{}'));
    t.teardown(() => server.stop());
    const connection = connect([new URL(urlOf(server.url))], undefined, createRedactor([]));
    t.teardown(() => connection.close());
    const request = connection.client(new AbortController().signal, []).request({ path: '/' });
    await t.throwsAsync(request, { instanceOf: Unreachable, message });
  });
}

test('the end of the time ends a request with its reason', async (t) => {
  const time = new AbortController();
  const { client } = await served(t, () => time.abort(new Inconclusive('too late')), { signal: time.signal });
  await t.throwsAsync(client.request({ path: '/' }), { instanceOf: Inconclusive, message: 'too late' });
});

test('a witness can refuse a request before it is sent', async (t) => {
  let requests = 0;
  const { client } = await served(t, () => void (requests += 1), {
    witness: {
      inspect() {
        throw new Error('not like this');
      },
    },
  });
  await t.throwsAsync(client.request({ path: '/' }), { message: 'not like this' });
  t.is(requests, 0);
});

test('an answer that is no JSON, or no object, is a violation with the text', async (t) => {
  const { client } = await served(t, (request, response) =>
    response.end(request.url === '/a' ? '[1]' : 'oops'),
  );
  const array = await client.request({ path: '/a' });
  const text = await client.request({ path: '/b' });
  t.throws(() => array.object(), { name: 'Violation', message: 'GET /a is not answered with an object' });
  t.throws(() => text.json(), { name: 'Violation', message: 'GET /b is not answered with JSON' });
});
