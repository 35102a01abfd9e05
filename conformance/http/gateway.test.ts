import type { RequestListener, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Blocked, Unreachable } from '../engine/outcomes.js';
import { connected, served } from '../testing/server.js';
import type { HttpClient } from './client.js';

async function clientOf(t: ExecutionContext, listener: RequestListener): Promise<HttpClient> {
  const { url } = await served(t, listener);
  return connected(t, url).client(new AbortController().signal, []);
}

const page = '<html><body><h1>Bad Gateway</h1></body></html>';
const feed = { path: '/db/_changes', query: { feed: 'longpoll' } };

for (const status of [502, 504]) {
  test(`a page of a gateway with ${status} is no response of the target, and is asked for again once`, async (t) => {
    let requests = 0;
    const client = await clientOf(t, (_, response) => {
      requests += 1;
      response.writeHead(status, { Server: 'nginx/1.22.1', 'Content-Type': 'text/html' }).end(page);
    });
    const error = await t.throwsAsync(client.request({ path: '/' }), { instanceOf: Unreachable });
    t.is(
      error.obstacle,
      `no response from the target, but ${status} from something between (\`Server: nginx/1.22.1\`), whose log says why`,
    );
    t.is(requests, 2);
  });
}

test('a 502 with an error body is a response of the target', async (t) => {
  const client = await clientOf(t, (_, response) => {
    response.writeHead(502, { 'Content-Type': 'application/json' });
    response.end('{"error":"bad_gateway","reason":"The database does not exist."}');
  });
  t.is((await client.request({ path: '/' })).status, 502);
});

/** Ends the response after a silence, as a gateway does whose patience is over. */
const cutAfter = (ms: number, end: (response: ServerResponse) => void) => (response: ServerResponse) => {
  response.flushHeaders();
  response.write('{"results":[\n');
  setTimeout(() => end(response), ms);
};

/** Without chunks, so that the end of the connection is that of the response. */
function asInHttp10(response: ServerResponse): void {
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
}

for (const [what, begin, end] of [
  ['', () => {}, (response: ServerResponse) => response.socket!.destroy()],
  [' without chunks', asInHttp10, (response: ServerResponse) => response.end()],
] as const) {
  test(`feeds${what} that are cut off after the same silence are one cause`, async (t) => {
    const cut = cutAfter(600, end);
    const client = await clientOf(t, (_, response) => {
      response.setHeader('Server', 'nginx/1.22.1');
      begin(response);
      cut(response);
    });
    const failure = () =>
      client.request(feed).then(
        () => undefined,
        (error: unknown) => error,
      );
    let error = await failure();
    // On a busy machine, a silence may seem to be shorter or longer than another one.
    while (!(error instanceof Blocked)) error = await failure();
    t.is(
      error.obstacle?.replace(/\d+\.\d+/, 'N'),
      'feeds that send nothing for N s are cut off, as a gateway does (`Server: nginx/1.22.1`); for nginx `proxy_read_timeout`',
    );
    t.is(error.shownBy?.response?.unfinished, true);
  });
}

test('a response that was silent for longer shows that there is no such limit', async (t) => {
  let requests = 0;
  const client = await clientOf(t, (_, response) => {
    requests += 1;
    if (requests > 1) cutAfter(600, () => response.socket!.destroy())(response);
    else setTimeout(() => response.end('{"results":[]}'), 1_200);
  });
  await client.request(feed);
  await t.throwsAsync(client.request(feed), { instanceOf: Unreachable });
});

test('without chunks, an event stream that ends shortly before its timeout may be cut off', async (t) => {
  const client = await clientOf(t, (_, response) => {
    asInHttp10(response);
    cutAfter(850, () => response.end())(response);
  });
  const query = { feed: 'eventsource', timeout: 1000 };
  const failure = () => client.request({ path: '/db/_changes', query }).then(() => undefined, String);
  let error = await failure();
  // On a busy machine, the silence may seem to be as long as the timeout.
  while (error === undefined) error = await failure();
  t.regex(error, /are cut off, as a gateway does/);
});

test('without chunks, a whole feed and an event stream after its timeout have their end', async (t) => {
  const bodies = ['{"results":[],\n"last_seq":"1"}\n', '{"seq":1}\n{"last_seq":"1"}\n', 'data: {}\n\n'];
  for (const [index, mode] of ['longpoll', 'continuous', 'eventsource'].entries()) {
    const client = await clientOf(t, (_, response) => {
      asInHttp10(response);
      response.write(bodies[index]);
      // The client may get the first bytes later than the others.
      setTimeout(() => response.end(), 700);
    });
    const query = { feed: mode, timeout: 600 };
    t.is((await client.request({ path: '/db/_changes', query })).text, bodies[index]!);
  }
});
