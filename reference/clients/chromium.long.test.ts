/** EventSource and fetch in Chromium, in a page from another origin: CORS and event streams. */
import { on, once, EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { chromium, type Browser } from 'playwright-core';
import { throughProxy } from '../testing/tcp-proxy.js';
import { testServer } from '../testing/server.js';

let browser: Browser | undefined;
test.before(async (t) => {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    return t.fail('Tests with a browser need Chromium: apt-get install chromium, or set CHROMIUM=/path');
  }
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  t.pass();
});
test.after.always(() => browser?.close());

interface PageEvent {
  type: string;
  data?: string;
  lastEventId?: string;
  readyState: number;
}

/** Sends all events of its EventSource to `report`. */
const html = `<!doctype html><title>feed</title><script>
  function follow(url, options) {
    const source = new EventSource(url, options);
    for (const type of ['message', 'heartbeat', 'error'])
      source.addEventListener(type, ({ data, lastEventId }) =>
        report({ type, data, lastEventId, readyState: source.readyState }));
  }
</script>`;
const closed = 2;

/** Opens a page with its own origin and cookies. */
async function openPage(t: ExecutionContext) {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const page = await browser!.newPage();
  t.teardown(async () => {
    await page.close();
    site.close();
    site.closeAllConnections();
  });
  const reports = new EventEmitter();
  await page.exposeFunction('report', (event: PageEvent) => reports.emit(`on${event.type}`, event));
  await page.goto(origin);
  const nextOf = (type: string) => {
    const events = on(reports, `on${type}`);
    return async () => ((await events.next()).value as [PageEvent])[0];
  };
  const follow = async (url: string, options = {}) => {
    const next = { message: nextOf('message'), heartbeat: nextOf('heartbeat'), error: nextOf('error') };
    await page.evaluate(`follow(${JSON.stringify(url)}, ${JSON.stringify(options)})`);
    return next;
  };
  /** Returns status, a header and the body of a response, or the error if the browser blocks the request. */
  const send = (url: string, options: object) =>
    page.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).then(
      async (response) => [response.status, response.headers.get('etag'), await response.json()],
      (error) => error.name)`);
  return { origin, follow, send };
}

async function recipes(t: ExecutionContext, cors: object | undefined) {
  const page = await openPage(t);
  const config = cors && { chttpd: { enable_cors: 'true' }, cors: { origins: page.origin, ...cors } };
  const server = await testServer(t, { dialect: 'couchdb', ...(config && { config }) });
  await server.asAdmin('PUT', '/recipes');
  const makePublic = () => server.asAdmin('PUT', '/recipes/_security', {});
  const write = (...ids: string[]) =>
    server.asAdmin('POST', '/recipes/_bulk_docs', { docs: ids.map((_id) => ({ _id })) });
  return { ...server, page, write, makePublic };
}

const idOf = ({ data }: PageEvent) => (JSON.parse(data!) as { id: string }).id;

for (const { title, cors } of [
  { title: 'without CORS', cors: undefined },
  { title: 'with CORS for another origin', cors: { origins: 'http://127.0.0.1:1' } },
]) {
  test(`${title}, a page from another origin cannot read anything`, async (t) => {
    const { url, page, write, makePublic, asAdmin } = await recipes(t, cors);
    await makePublic();
    await write('a');
    const next = await page.follow(`${url}/recipes/_changes?feed=eventsource`);
    t.is((await next.error()).readyState, closed);
    t.is(await page.send(`${url}/recipes/a`, {}), 'TypeError');
    t.is(await page.send(`${url}/recipes/b`, { method: 'PUT', body: '{}' }), 'TypeError');
    t.is((await asAdmin('GET', '/recipes/b')).status, 404);
  });
}

test('with CORS, a page from another origin receives rows and heartbeats', async (t) => {
  const { url, page, write, makePublic } = await recipes(t, {});
  await makePublic();
  await write('a');
  const next = await page.follow(`${url}/recipes/_changes?feed=eventsource&heartbeat=50`);
  t.is(idOf(await next.message()), 'a');
  t.is((await next.heartbeat()).data, '');
  await write('b');
  t.is(idOf(await next.message()), 'b');
});

test('after a broken connection, the feed resumes without loss', async (t) => {
  const { url, page, write, makePublic } = await recipes(t, {});
  const proxy = await throughProxy(t, url);
  await makePublic();
  await write('a', 'b');
  const next = await page.follow(`${proxy.url}/recipes/_changes?feed=eventsource&since=0`);
  t.is(idOf(await next.message()), 'a');
  const last = await next.message();
  proxy.cut();
  t.not((await next.error()).readyState, closed);
  await write('c', 'd');
  t.is(idOf(await next.message()), 'c');
  t.is(idOf(await next.message()), 'd');
  t.true(proxy.sent().includes(`Last-Event-ID: ${last.lastEventId}\r\n`));
});

for (const credentials of ['true', 'false']) {
  test(`a page logs in and reads the feed with its cookie: credentials = ${credentials}`, async (t) => {
    const { url, admin, page, write } = await recipes(t, { credentials });
    await write('a');
    const login = await page.send(`${url}/_session`, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    });
    const next = await page.follow(`${url}/recipes/_changes?feed=eventsource`, { withCredentials: true });
    if (credentials === 'true') {
      t.deepEqual(login, [200, null, { ok: true, name: 'admin', roles: ['_admin'] }]);
      t.is(idOf(await next.message()), 'a');
    } else {
      t.is(login, 'TypeError');
      t.is((await next.error()).readyState, closed);
    }
  });
}

test('a page from another origin can write and read errors', async (t) => {
  const { url, page, makePublic } = await recipes(t, {});
  await makePublic();
  const headers = { 'content-type': 'application/json' };
  const written = await page.send(`${url}/recipes/a`, { method: 'PUT', headers, body: '{"eggs":3}' });
  t.like(written, { 0: 201, 2: { ok: true, id: 'a' } });
  const [, etag, { rev }] = written as [number, string, { rev: string }];
  t.is(etag, `"${rev}"`);
  t.like(await page.send(`${url}/recipes/b`, {}), { 0: 404, 2: { error: 'not_found' } });
  t.like(await page.send(`${url}/_all_dbs`, {}), { 0: 401, 2: { error: 'unauthorized' } });
});
