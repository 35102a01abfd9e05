/** Limits for bodies, headers, URLs and open feeds over HTTP. */
import test from 'ava';
import { basic, testServer, type TestServer } from '../testing/server.js';

test('body size: 413, as soon as the limit is set', async (t) => {
  const server = await testServer(t);
  t.is((await server.asAdmin('PUT', '/recipes')).status, 201);
  const write = async () => (await server.asAdmin('POST', '/recipes', { text: 'x'.repeat(1000) })).status;
  t.is(await write(), 201);
  t.is(await server.set('chttpd/max_http_request_size', '1010'), 200);
  const { status, json } = await server.asAdmin('POST', '/recipes', { text: 'x'.repeat(1000) });
  t.deepEqual([status, json], [413, { error: 'too_large', reason: 'the request entity is too large' }]);
  t.is(await server.set('chttpd/max_http_request_size', '1011'), 200);
  t.is(await write(), 201, 'exactly this size');
});

test('URL length: 414', async (t) => {
  const server = await testServer(t);
  t.is((await server.send('GET', `/?${'x'.repeat(32_766)}`)).status, 200);
  const { status, json } = await server.send('GET', `/?${'x'.repeat(32_767)}`);
  const reason = 'The URL must be at most 32768 characters long; send a POST instead.';
  t.deepEqual([status, json], [414, { error: 'uri_too_long', reason }]);
  t.is(await server.set('docfeed/max_url_length', '256'), 200);
  t.is((await server.send('GET', `/?${'x'.repeat(255)}`)).status, 414);
});

test('headers: 431, with the limit at the start', async (t) => {
  const server = await testServer(t);
  const small = await testServer(t, { config: { docfeed: { max_header_size: '2000' } } });
  const status = async ({ send }: TestServer, length: number) =>
    (await send('GET', '/', { headers: { x: 'x'.repeat(length) } })).status;
  t.deepEqual([await status(server, 60_000), await status(server, 66_000)], [200, 431]);
  t.deepEqual([await status(small, 1500), await status(small, 2500)], [200, 431]);
});

test('open feeds of a client: 429 beyond the limit, until one of them ends', async (t) => {
  const server = await testServer(t, { config: { docfeed: { max_feeds_per_client: '2' } } });
  await server.asAdmin('PUT', '/recipes');
  const headers = basic('admin', 'secret');
  const open = (query: string) => server.open('GET', `/recipes/_changes?${query}`, { headers });
  const feeds = [await open('feed=continuous&heartbeat=true'), await open('feed=eventsource')];
  t.deepEqual(
    feeds.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  for (const method of ['GET', 'POST']) {
    const { status, json } = await server.asAdmin(
      method,
      '/recipes/_changes',
      method === 'POST' ? {} : undefined,
    );
    const reason = 'A client may have at most 2 open changes requests.';
    t.deepEqual([status, json], [429, { error: 'too_many_requests', reason }]);
  }
  t.is((await server.asAdmin('GET', '/recipes')).status, 200);
  feeds[0]!.body.destroy();
  let { status } = await server.asAdmin('GET', '/recipes/_changes');
  for (let tries = 0; status === 429 && tries < 1000; tries++) {
    ({ status } = await server.asAdmin('GET', '/recipes/_changes'));
  }
  t.is(status, 200);
  // A request with a complete response is no longer open.
  for (let n = 0; n < 5; n++) t.is((await server.asAdmin('GET', '/recipes/_changes')).status, 200);
});
