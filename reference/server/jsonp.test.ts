import { once } from 'node:events';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../index.js';
import { admin, basic, testServer, type Message, type TestServer } from '../testing/server.js';

const headers = basic(admin.name, admin.password);

async function serverWithJsonp(t: ExecutionContext, options: ServerOptions = {}): Promise<TestServer> {
  const server = await testServer(t, { ...options, config: { chttpd: { allow_jsonp: 'true' } } });
  await server.asAdmin('PUT', '/recipes');
  await server.asAdmin('PUT', '/recipes/a', { title: 'Soup </script>', amount: 1.5 });
  return server;
}

/** Runs the script as a page does. @returns what the function was called with */
function calledWith(script: string): unknown {
  const calls: unknown[] = [];
  runInNewContext(script, { app: { handlers: [(value: unknown) => calls.push(value)] } });
  if (calls.length !== 1) throw new Error(`${calls.length} calls`);
  // The objects have the prototypes of the other context.
  return JSON.parse(JSON.stringify(calls[0]));
}

/** The same request with a callback calls it with the same JSON. */
async function isScript(t: ExecutionContext, { send }: TestServer, sent: string, message?: Message) {
  const [method, path] = sent.split(' ') as [string, string];
  const plain = await send(method, path, message);
  const callback = `callback=${encodeURIComponent('app.handlers[0]')}`;
  const script = await send(method, path + (path.includes('?') ? '&' : '?') + callback, message);
  t.is(script.status, plain.status, sent);
  t.is(plain.headers['content-type'], 'application/json', sent);
  t.is(script.headers['content-type'], 'application/javascript', sent);
  t.is(script.headers['x-content-type-options'], 'nosniff', sent);
  t.true(script.text.startsWith('/* CouchDB */app.handlers[0]('), sent);
  t.true(script.text.endsWith(');\n'), sent);
  t.deepEqual(calledWith(script.text), plain.json, sent);
  t.is(script.headers['content-length'] === undefined, plain.headers['content-length'] === undefined, sent);
}

test('without the setting, callback has no effect', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const plain = await send('GET', '/');
  for (const name of ['f', 'f-g', '%22']) {
    const { status, text, headers } = await send('GET', `/?callback=${name}`);
    t.deepEqual([status, text], [200, plain.text]);
    t.is(headers['content-type'], 'application/json');
  }
  t.is((await asAdmin('PUT', '/recipes?callback=(')).status, 201);
});

test('every JSON response becomes a script', async (t) => {
  const server = await serverWithJsonp(t);
  for (const path of [
    '/',
    '/_all_dbs',
    '/_up',
    '/_session',
    '/recipes',
    '/recipes/a',
    '/recipes/_revs_limit',
  ])
    await isScript(t, server, `GET ${path}`, { headers });
  await isScript(t, server, 'GET /recipes/_all_docs', { headers });
  await isScript(t, server, 'POST /recipes/_bulk_get', { headers, body: { docs: [{ id: 'a' }] } });
  await isScript(t, server, 'GET /recipes/a?open_revs=all', { headers });
  await isScript(t, server, 'GET /_node/_local/_config/chttpd/allow_jsonp', { headers });
});

test('streams become scripts', async (t) => {
  const server = await serverWithJsonp(t);
  const docs = Array.from({ length: 300 }, (_, n) => ({ _id: `d${n}`, text: 'ä€'.repeat(1000) }));
  await server.asAdmin('POST', '/recipes/_bulk_docs', { docs });
  for (const path of ['_all_docs', '_changes', '_changes?feed=longpoll']) {
    const query = `${path}${path.includes('?') ? '&' : '?'}include_docs=true`;
    t.is((await server.asAdmin('GET', `/recipes/${query}`)).headers['content-length'], undefined);
    await isScript(t, server, `GET /recipes/${query}`, { headers });
  }
  await isScript(t, server, 'POST /recipes/_changes?filter=_doc_ids', { headers, body: { doc_ids: ['a'] } });
  const position = '/recipes/_changes?since=now&feed=longpoll';
  await isScript(t, server, `GET ${position}&timeout=10`, { headers });
});

test('errors become scripts', async (t) => {
  const server = await serverWithJsonp(t);
  await isScript(t, server, 'GET /recipes/a');
  await isScript(t, server, 'GET /recipes/a', { headers: basic('admin', 'wrong') });
  await isScript(t, server, 'GET /recipes/missing', { headers });
  await isScript(t, server, 'GET /recipes/a?rev=x', { headers });
  await isScript(t, server, 'GET /nowhere/at/all/here', { headers });
  await isScript(t, server, 'GET /recipes/_changes?filter=none/none', { headers });
  await isScript(t, server, 'GET /recipes/_changes?style=none', { headers });
  await isScript(t, server, 'PATCH /recipes', { headers });
  await isScript(t, server, 'GET /_active_tasks', { headers });
  await isScript(t, server, `GET /?x=${'x'.repeat(40_000)}`, { headers });
});

test('a name has no characters that could do anything but name a function', async (t) => {
  const { send, asAdmin } = await serverWithJsonp(t);
  for (const name of ['f', 'F_9', 'a.b', 'a[0]', '_', '.', '[', '0']) {
    const { text } = await send('GET', `/?callback=${encodeURIComponent(name)}`);
    t.true(text.startsWith(`/* CouchDB */${name}({`), name);
  }
  const refused = [
    ...'"\'()<>;,:+-*/\\=!?&|`{}$#%@~^ \0\t\n\r\u2028é😀',
    'f\n',
    '\nf',
    'f\r\nx: y',
    'f(',
    'alert(1)//',
  ];
  for (const name of refused) {
    const { status, headers, text, json } = await send('GET', `/?callback=f${encodeURIComponent(name)}`);
    t.is(status, 400, name);
    t.deepEqual(json, { error: 'bad request', reason: 'invalid_callback' });
    t.is(headers['content-type'], 'application/json');
    t.is(text, '{"error":"bad request","reason":"invalid_callback"}');
  }
  t.is((await send('GET', '/?callback=%FF')).status, 400);
  t.is((await asAdmin('PUT', '/recipes/b?callback=f-', {})).status, 400);
  t.is((await asAdmin('GET', '/recipes/b')).status, 404);
});

test('an empty name is none, and the first of several counts', async (t) => {
  const { send } = await serverWithJsonp(t);
  const opening = async (query: string) => (await send('GET', `/?${query}`)).text.slice(0, 15);
  for (const query of ['callback=', 'callback', 'callback=&callback=f', 'Callback=f'])
    t.true((await opening(query)).startsWith('{"'), query);
  t.is(await opening('callback=f&callback=g-'), '/* CouchDB */f(');
});

test('what is not JSON of the server stays as it is', async (t) => {
  const { asAdmin, send } = await serverWithJsonp(t);
  const attached = { 'j.json': { content_type: 'application/json', data: 'e30=' } };
  await asAdmin('PUT', '/recipes/b', { _attachments: attached });
  const attachment = await asAdmin('GET', '/recipes/b/j.json?callback=f');
  t.is(attachment.text, '{}');
  t.is(attachment.headers['content-type'], 'application/json');
  const multipart = { headers: { ...headers, accept: 'multipart/mixed' } };
  const message = await send('GET', '/recipes/b?open_revs=all&callback=f', multipart);
  t.regex(String(message.headers['content-type']), /^multipart\/mixed/);
  t.true(message.text.startsWith('--'));
  for (const feed of ['continuous', 'eventsource']) {
    const path = `/recipes/_changes?feed=${feed}&timeout=10`;
    const [plain, called] = [await asAdmin('GET', path), await asAdmin('GET', `${path}&callback=f`)];
    t.is(called.text, plain.text);
    t.is(called.headers['content-type'], plain.headers['content-type']);
  }
});

test('HEAD and 304 are those of the script', async (t) => {
  const { asAdmin, send } = await serverWithJsonp(t);
  const path = '/recipes/a?callback=f';
  const get = await asAdmin('GET', path);
  const head = await asAdmin('HEAD', path);
  t.is(head.headers['content-length'], get.headers['content-length']);
  t.is(head.headers['content-length'], String(Buffer.byteLength(get.text)));
  t.is(head.headers['content-type'], 'application/javascript');
  const etag = String(get.headers.etag);
  const unchanged = await send('GET', path, { headers: { ...headers, 'if-none-match': etag } });
  t.deepEqual([unchanged.status, unchanged.text], [304, '']);
});

test('a feed ends when the client of its script goes away', async (t) => {
  const feeds: (Readable | Buffer)[] = [];
  const { open, logged } = await serverWithJsonp(t, {
    components: (components) => ({
      ...components,
      openFeed: async (feed) => {
        const body = await components.openFeed(feed);
        feeds.push(body);
        return body;
      },
    }),
  });
  const { body } = await open('GET', '/recipes/_changes?feed=longpoll&since=now&callback=f', { headers });
  const closed = once(feeds[0] as Readable, 'close');
  const first: unknown = (await body[Symbol.asyncIterator]().next()).value;
  t.true(String(first).startsWith('/* CouchDB */f('));
  body.destroy();
  await closed;
  t.false(logged.some(({ msg }) => msg === 'the response was aborted'));
});

test('a stream that fails after its beginning is no whole script', async (t) => {
  async function* pieces() {
    yield '{"service":';
    await Promise.resolve();
    throw new Error('disk on fire');
  }
  const { send, logged } = await serverWithJsonp(t, {
    components: ({ handlers, ...components }) => ({
      ...components,
      handlers: {
        ...handlers,
        getRoot: (() =>
          Promise.resolve({
            status: 200,
            body: Readable.from(pieces(), { objectMode: false }),
          })) as unknown as typeof handlers.getRoot,
      },
    }),
  });
  await t.throwsAsync(send('GET', '/?callback=f'));
  t.true(logged.some(({ msg, error }) => msg === 'the response was aborted' && error === 'disk on fire'));
});
