/** The live modes of the feed over HTTP. No test sleeps: each waits for data from the server. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import type { Dispatcher } from 'undici';
import type { ServerOptions } from '../index.js';
import type { Database } from '../store/database.js';
import type { Store } from '../store/store.js';
import { createDatabase, openDirectly, type Feed, type Row } from '../testing/feed.js';
import { isRow, readFeed } from '../testing/read-feed.js';
import { basic, testServer, type Message } from '../testing/server.js';
import { rowsOfFeeds } from './rendered-rows.js';

async function recipes(t: ExecutionContext, options: ServerOptions = {}) {
  let store: Store | undefined;
  const server = await testServer(t, {
    ...options,
    components: (components) => ({
      ...components,
      authorize(asked) {
        store = asked.store;
        components.authorize(asked);
      },
    }),
  });
  const { asAdmin, admin } = server;
  const { write, changes } = await createDatabase(t, server, 'recipes');
  const lastSeq = async () => (await changes('since=now')).last_seq;
  /** Resolves when the headers have arrived. */
  const open = (query: string, { headers, body }: Message = {}) =>
    server.open(body ? 'POST' : 'GET', `/recipes/_changes?${query}`, {
      headers: { ...basic(admin.name, admin.password), ...headers },
      body,
    });
  const database = (): Database => store!.database('recipes');
  return { server, asAdmin, write, lastSeq, open, database };
}

const feedOf = async ({ body }: Dispatcher.ResponseData) => (await body.json()) as Feed;

const live = ['longpoll', 'continuous', 'eventsource'] as const;

/** Waits until a number of feeds wait for changes of the database. */
async function waiting(database: Database, count: number) {
  while (database.events.listenerCount('change') !== count) await new Promise(setImmediate);
}

test('an ID of an event may have quotes, the header decides, and invalid IDs are rejected', async (t) => {
  const { write, open } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const { results } = await feedOf(await open(''));
  const [a, b] = results.map(({ seq }) => seq);
  const quoted = encodeURIComponent(JSON.stringify(a));
  const header = (value: string) => ({ headers: { 'last-event-id': value } });
  const resumed: [query: string, message: Message, ids: string[]][] = [
    ['', header(a!), ['b', 'c']],
    ['', header(JSON.stringify(a)), ['b', 'c']],
    [`last-event-id=${quoted}&since=${b}`, {}, ['b', 'c']],
    [`last-event-id=${a}`, header(b!), ['c']],
    [`Last-Event-ID=${quoted}&SINCE=${b}`, {}, ['b', 'c']],
  ];
  for (const [query, message, expected] of resumed) {
    const { body } = await open(`feed=eventsource&timeout=0&${query}`, message);
    const ids: string[] = [];
    for await (const part of readFeed('eventsource', body)) if (isRow(part)) ids.push(part.id);
    t.deepEqual(ids, expected, query);
  }
  for (const message of [header('bogus'), header(''), header('"')]) {
    const response = await open('feed=eventsource', message);
    t.is(response.statusCode, 400);
    t.regex(await response.body.text(), /last-event-id/);
  }
});

test('descending sends existing changes first, and then new ones', async (t) => {
  const { write, open, database } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const parts = readFeed('continuous', (await open('feed=continuous&descending=true')).body);
  const nextId = async () => ((await parts.next()).value as Row).id;
  t.deepEqual([await nextId(), await nextId(), await nextId()], ['c', 'b', 'a']);
  await waiting(database(), 1);
  await write({ _id: 'd' });
  t.is(await nextId(), 'd');
});

test('a disconnected client leaves no listeners', async (t) => {
  const { open, write, database, server } = await recipes(t);
  await write({ _id: 'a' });
  const feeds = await Promise.all(
    live.flatMap((feed) => [
      open(`feed=${feed}&since=now`),
      open(`feed=${feed}&since=now&heartbeat=10`),
      open(`feed=${feed}&since=now&heartbeat=100000`, { body: {} }),
    ]),
  );
  await waiting(database(), feeds.length);
  for (const { body } of feeds) body.destroy();
  await waiting(database(), 0);
  t.is(database().events.listenerCount('close'), 0);
  await write({ _id: 'b' });
  t.deepEqual(server.reports, []);
});

test('HEAD does not wait', async (t) => {
  const { asAdmin, database } = await recipes(t);
  for (const feed of live)
    t.is((await asAdmin('HEAD', `/recipes/_changes?feed=${feed}&since=now`)).status, 200);
  await waiting(database(), 0);
  t.pass();
});

test('a client that does not read occupies only one batch of memory', async (t) => {
  const { open, write, database, server } = await recipes(t);
  let rendered = 0;
  await write(...Array.from({ length: 12 }, (_, n) => ({ _id: `large-${n}`, text: 'x'.repeat(300_000) })));
  const options = { include_docs: true };
  const stream = (await openDirectly(database(), options, {
    mode: 'continuous',
    idleTimeout: { ms: 1, then: 'heartbeat' },
    rows: rowsOfFeeds.with({
      renderRow: (...row) => {
        rendered++;
        return rowsOfFeeds.renderRow(...row);
      },
    }),
  })) as Readable;
  stream.read(0);
  await once(stream, 'readable');
  // Heartbeats and changes are not buffered either.
  await server.asAdmin('PUT', '/recipes/more', {});
  t.true(rendered <= 2, `${rendered} documents are in memory`);
  stream.destroy();
  // Nobody reads it.
  await open('feed=continuous&include_docs=true&heartbeat=10');
  t.is((await server.asAdmin('GET', '/recipes/_changes?limit=1')).status, 200);
});

test('deleting the database ends its feeds', async (t) => {
  const { open, asAdmin, write, lastSeq, database } = await recipes(t);
  await write({ _id: 'a' });
  const seq = await lastSeq();
  const feeds = await Promise.all(live.map((feed) => open(`feed=${feed}&since=now&heartbeat=50000`)));
  const watched = database();
  await waiting(watched, 3);
  await asAdmin('DELETE', '/recipes');
  const [longpoll, continuous, eventsource] = await Promise.all(feeds.map(({ body }) => body.text()));
  t.deepEqual(JSON.parse(longpoll!), { results: [], last_seq: seq, pending: 0 });
  t.deepEqual(JSON.parse(continuous!), { last_seq: seq, pending: 0 });
  t.is(eventsource, '\n');
  t.is(watched.events.listenerCount('change'), 0);
});

test('stopping the server ends its feeds', async (t) => {
  const { open, write, database, server } = await recipes(t);
  await write({ _id: 'a' });
  const feeds = await Promise.all(live.map((feed) => open(`feed=${feed}&since=now&heartbeat=50000`)));
  await waiting(database(), 3);
  const stopped = server.stop();
  const [longpoll, continuous] = await Promise.all(feeds.map(({ body }) => body.text()));
  t.deepEqual((JSON.parse(longpoll!) as Feed).results, []);
  t.is((JSON.parse(continuous!) as Feed).pending, 0);
  await stopped;
  t.deepEqual(server.reports, []);
});

test('the normal mode supports If-None-Match', async (t) => {
  const { open, write, asAdmin, server } = await recipes(t);
  await write({ _id: 'a' });
  const { etag } = (await asAdmin('GET', '/recipes/_changes')).headers;
  t.regex(String(etag), /^"[^"]+"$/);
  const conditional = (method: string) =>
    server.send(method, '/recipes/_changes', {
      headers: { ...basic(server.admin.name, server.admin.password), 'if-none-match': String(etag) },
    });
  for (const method of ['GET', 'HEAD']) {
    const { status, text, headers } = await conditional(method);
    t.deepEqual([status, text, headers.etag], [304, '', etag]);
  }
  await write({ _id: 'b' });
  t.is((await conditional('GET')).status, 200);
  for (const feed of live) t.is((await open(`feed=${feed}&timeout=0`)).headers.etag, undefined);
});

test('a filtered longpoll without rows resumes after the rejected changes', async (t) => {
  const { write, open, lastSeq } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' });
  const filtered = `feed=longpoll&filter=_doc_ids&doc_ids=${encodeURIComponent('["c"]')}`;
  const { results, last_seq } = await feedOf(await open(`${filtered}&timeout=0`));
  t.deepEqual([results, last_seq], [[], await lastSeq()]);
});
