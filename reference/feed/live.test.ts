/** The live modes of the feed over HTTP. No test sleeps: each waits for data from the server. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../index.js';
import type { Database } from '../store/database.js';
import type { Store } from '../store/store.js';
import { basic, testServer } from '../testing/server.js';

interface Row {
  id: string;
  seq: string | null;
  changes: { rev: string }[];
  doc?: Record<string, unknown>;
}

interface Feed {
  results: Row[];
  last_seq: string;
  pending: number;
}

interface Message {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

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
  await asAdmin('PUT', '/recipes');
  const write = async (...docs: object[]) => {
    const { json } = await asAdmin('POST', '/recipes/_bulk_docs', { docs });
    return (json as { rev: string }[]).map(({ rev }) => rev);
  };
  const lastSeq = async () => ((await asAdmin('GET', '/recipes/_changes?since=now')).json as Feed).last_seq;
  /** Resolves when the headers have arrived. */
  const open = async (query: string, { method = 'GET', headers, body }: Message = {}) => {
    const sent = request(`${server.url}/recipes/_changes?${query}`, {
      method,
      agent: false,
      headers: {
        ...basic(admin.name, admin.password),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    t.teardown(() => response.destroy());
    return response;
  };
  const database = (): Database => store!.database('recipes');
  return { server, asAdmin, write, lastSeq, open, database };
}

const feedOf = async (response: IncomingMessage) => JSON.parse(await text(response)) as Feed;

/** Yields the lines of a response. (node:readline also splits at other line ends than LF.) */
function linesOf(response: IncomingMessage) {
  const lines = split(response.setEncoding('utf8'));
  const next = async () => (await lines.next()).value as string | undefined;
  /** Parses the next nonempty line. */
  const row = async (): Promise<Row & Partial<Feed>> => {
    for (;;) {
      const line = await next();
      if (line === undefined) throw new Error('The feed has ended.');
      if (line !== '') return JSON.parse(line) as Row & Partial<Feed>;
    }
  };
  return { next, row };
}

async function* split(response: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of response) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

interface Event {
  event: string;
  data: string;
  id?: string;
}

/** Yields the events of an event stream. It only parses what the server sends. */
function eventsOf(response: IncomingMessage) {
  const { next } = linesOf(response);
  return async (): Promise<Event | undefined> => {
    let event: Event | undefined;
    for (;;) {
      const line = await next();
      if (line === undefined) return undefined;
      if (line === '' && event) return event;
      const [, field, value] = /^(\w+): (.*)$/s.exec(line) ?? [];
      if (field !== undefined) event = { event: 'message', data: '', ...event, [field]: value };
    }
  };
}

/** Returns a function that returns the milliseconds since the call. */
function stopwatch() {
  const start = performance.now();
  return () => performance.now() - start;
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
const live = ['longpoll', 'continuous', 'eventsource'] as const;

/** Waits until a number of feeds wait for changes of the database. */
async function waiting(database: Database, count: number) {
  while (database.events.listenerCount('change') !== count) await new Promise(setImmediate);
}

test('longpoll with existing changes responds immediately, like the normal mode', async (t) => {
  const { write, asAdmin, open } = await recipes(t);
  await write({ _id: 'a', n: 1 }, { _id: 'b' }, { _id: 'c' });
  for (const query of ['', 'limit=2', 'include_docs=true', 'descending=true', 'limit=0', 'heartbeat=60000']) {
    const normal = await asAdmin('GET', `/recipes/_changes?${query}`);
    const response = await open(`feed=longpoll&${query}`);
    t.is(response.headers['content-type'], 'application/json');
    t.is(response.headers['cache-control'], 'must-revalidate');
    t.is(await text(response), normal.text);
    const post = await open(`feed=longpoll&${query}`, { method: 'POST', body: {} });
    t.is(await text(post), normal.text);
  }
});

test('longpoll waits for the first change', async (t) => {
  const { write, open, database } = await recipes(t);
  await write({ _id: 'a' });
  const feeds = await Promise.all([
    open('feed=longpoll&since=now'),
    open('feed=longpoll&since=now&include_docs=true', { method: 'POST', body: {} }),
    open('feed=longpoll&since=now&limit=1'),
  ]);
  await waiting(database(), 3);
  const [rev] = await write({ _id: 'b', n: 1 }, { _id: 'c' });
  const [plain, withDocs, limited] = await Promise.all(feeds.map(feedOf));
  t.deepEqual([ids(plain!.results), plain!.pending], [['b', 'c'], 0]);
  t.is(plain!.results[1]!.seq, plain!.last_seq);
  t.deepEqual(withDocs!.results[0]!.doc, { _id: 'b', _rev: rev, n: 1 });
  t.deepEqual([ids(limited!.results), limited!.pending], [['b'], 1]);
  t.deepEqual(ids((await feedOf(await open(`feed=longpoll&since=${limited!.last_seq}`))).results), ['c']);
  await waiting(database(), 0);
  t.is(database().events.listenerCount('close'), 0);
});

test('a timeout ends each mode, and not too early', async (t) => {
  const { write, open, lastSeq } = await recipes(t);
  await write({ _id: 'a' });
  const seq = await lastSeq();
  const ends = {
    longpoll: `{"results":[\n\n],\n"last_seq":"${seq}","pending":0}\n`,
    continuous: `{"last_seq":"${seq}","pending":0}\r\n`,
    eventsource: '\n',
  };
  for (const feed of live) {
    const elapsed = stopwatch();
    const response = await open(`feed=${feed}&since=now&timeout=50`);
    t.is(await text(response), ends[feed]);
    t.true(elapsed() >= 50);
  }
  for (const feed of live) t.is(await text(await open(`feed=${feed}&since=now&timeout=0`)), ends[feed]);
});

test('the setting is the default and maximum of the timeout', async (t) => {
  const { open } = await recipes(t, { config: { chttpd: { changes_timeout: '40' } } });
  for (const query of ['', '&timeout=3000000']) {
    for (const feed of live) {
      const elapsed = stopwatch();
      await text(await open(`feed=${feed}&since=now${query}`));
      t.true(elapsed() >= 40);
    }
  }
});

test('continuous sends new changes', async (t) => {
  const { write, open, database } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' });
  const response = await open('feed=continuous');
  t.is(response.headers['content-type'], 'text/plain');
  const { row } = linesOf(response);
  t.deepEqual([(await row()).id, (await row()).id], ['a', 'b']);
  for (const id of ['c', 'd']) {
    await waiting(database(), 1);
    const [rev] = await write({ _id: id });
    t.like(await row(), { id, changes: [{ rev }] });
  }
});

test('lines of continuous end with CRLF', async (t) => {
  const { write, open } = await recipes(t);
  await write({ _id: 'a', text: 'a\r\nb\n' }, { _id: 'b' });
  const body = await text(await open('feed=continuous&include_docs=true&timeout=1'));
  t.regex(body, /^(\{[^\r\n]*\}\r\n){3}$/);
  t.like(JSON.parse(body.split('\r\n')[0]!), { id: 'a', doc: { text: 'a\r\nb\n' } });
});

test('a limit ends each mode', async (t) => {
  const { write, open, database } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const past = linesOf(await open('feed=continuous&limit=2'));
  const rows = [await past.row(), await past.row()];
  t.deepEqual(ids(rows), ['a', 'b']);
  t.deepEqual(await past.row(), { last_seq: rows[1]!.seq!, pending: 1 } as never);
  t.is(await past.next(), undefined);

  const event = eventsOf(await open('feed=eventsource&limit=1'));
  t.is((JSON.parse((await event())!.data) as Row).id, 'a');
  t.is(await event(), undefined);

  const coming = linesOf(await open('feed=continuous&limit=2&since=now'));
  for (const _id of ['d', 'e']) {
    await waiting(database(), 1);
    await write({ _id });
    t.is((await coming.row()).id, _id);
  }
  t.is((await coming.row()).pending, 0);
  t.is(await coming.next(), undefined);

  const none = JSON.parse(await text(await open('feed=continuous&limit=0'))) as Feed;
  t.regex(none.last_seq, /^0-/);
  t.is(none.pending, 5);
  t.is(await text(await open('feed=eventsource&limit=0')), '\n');
});

test('with heartbeats, a feed ignores the timeout', async (t) => {
  const { write, open } = await recipes(t);
  for (const [feed, skipped] of [
    ['longpoll', 1],
    ['continuous', 0],
  ] as const) {
    const elapsed = stopwatch();
    const { next, row } = linesOf(await open(`feed=${feed}&since=now&heartbeat=20&timeout=1`));
    for (let n = 0; n < skipped; n++) t.is(await next(), '{"results":[');
    for (let n = 1; n <= 3; n++) {
      t.is(await next(), '');
      t.true(elapsed() >= n * 20);
    }
    await write({ _id: `after-${feed}` });
    t.is((await row()).id, `after-${feed}`);
  }
  const next = eventsOf(await open('feed=eventsource&since=now&heartbeat=20&timeout=1'));
  for (let n = 0; n < 3; n++) t.deepEqual(await next(), { event: 'heartbeat', data: '' });
  await write({ _id: 'after' });
  let event = await next();
  while (event!.event === 'heartbeat') event = await next();
  t.is((JSON.parse(event!.data) as Row).id, 'after');
});

test('a longpoll with heartbeats is JSON', async (t) => {
  const { write, open } = await recipes(t);
  const response = await open('feed=longpoll&heartbeat=10');
  const chunks: string[] = [];
  response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  while (chunks.join('').length < 20) await once(response, 'data');
  const ended = once(response, 'end');
  await write({ _id: 'a' });
  await ended;
  t.deepEqual(ids((JSON.parse(chunks.join('')) as Feed).results), ['a']);
});

test('a row restarts the timeout', async (t) => {
  const { write, open } = await recipes(t);
  // On a busy machine, the timeout may end before the first row. Try a longer one then.
  for (let timeout = 1000, inTime = false; !inTime; timeout *= 2) {
    const sinceOpening = stopwatch();
    const { row, next } = linesOf(await open(`feed=continuous&since=now&timeout=${timeout}`));
    await text(await open('feed=longpoll&since=now&timeout=300'));
    const sinceWriting = stopwatch();
    const id = `a${timeout}`;
    await write({ _id: id });
    inTime = sinceOpening() < timeout;
    if (!inTime) continue;
    t.is((await row()).id, id);
    t.is((await row()).pending, 0);
    t.true(sinceWriting() >= timeout);
    t.is(await next(), undefined);
  }
});

test('eventsource sends events with the sequence as ID', async (t) => {
  const { write, open, lastSeq } = await recipes(t);
  await write({ _id: 'a', text: '\r\n\u2028é' }, { _id: 'b' });
  const response = await open('feed=eventsource&include_docs=true');
  t.is(response.headers['content-type'], 'text/event-stream');
  t.is(response.headers['cache-control'], 'no-cache');
  const next = eventsOf(response);
  const first = (await next())!;
  const row = JSON.parse(first.data) as Row;
  t.like(row, { id: 'a', doc: { text: '\r\n\u2028é' } });
  t.is(first.id, JSON.stringify(row.seq));
  t.is((await next())!.id, JSON.stringify(await lastSeq()));
});

test('Last-Event-ID resumes a feed in every mode', async (t) => {
  const { write, open } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const { results } = await feedOf(await open(''));
  const [a, b] = results.map(({ seq }) => seq!);
  const quoted = encodeURIComponent(JSON.stringify(a));
  const header = (value: string) => ({ headers: { 'last-event-id': value } });
  const resumed: [query: string, message: Message, ids: string[]][] = [
    ['', header(a!), ['b', 'c']],
    ['', header(JSON.stringify(a)), ['b', 'c']],
    ['since=now', header(a!), ['b', 'c']],
    [`last-event-id=${a}`, {}, ['b', 'c']],
    [`last-event-id=${quoted}&since=${b}`, {}, ['b', 'c']],
    [`last-event-id=${a}`, header(b!), ['c']],
    ['since=now&last-event-id=0', {}, ['a', 'b', 'c']],
  ];
  for (const [query, message, expected] of resumed) {
    const body = await text(await open(`feed=eventsource&timeout=0&${query}`, message));
    t.deepEqual(
      [...body.matchAll(/"id":"(.)"/g)].map(([, id]) => id),
      expected,
      query,
    );
  }
  for (const message of [header('bogus'), header(''), header('"')]) {
    const response = await open('feed=eventsource', message);
    t.is(response.statusCode, 400);
    t.regex(await text(response), /last-event-id/);
  }
  for (const feed of ['normal', 'longpoll', 'continuous']) {
    t.notRegex(await text(await open(`feed=${feed}&timeout=0`, header(b!))), /"id":"a"/, feed);
    t.notRegex(await text(await open(`feed=${feed}&timeout=0&last-event-id=${b}`)), /"id":"a"/, feed);
  }
});

test('with seq_interval, only every n-th row has a sequence', async (t) => {
  const { write, open } = await recipes(t);
  await write(...['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id })));
  const whole = await feedOf(await open(''));
  const expected = whole.results.map((row, n) => (n % 2 === 0 ? row : { ...row, seq: null }));
  for (const feed of ['normal', 'longpoll']) {
    const { results, last_seq } = await feedOf(await open(`feed=${feed}&seq_interval=2`));
    t.deepEqual(results, expected);
    t.is(last_seq, whole.last_seq);
  }
  const lines = (await text(await open('feed=continuous&seq_interval=2&timeout=0'))).split('\r\n');
  t.deepEqual(
    lines.slice(0, 5).map((line) => JSON.parse(line) as Row),
    expected,
  );
  t.is((JSON.parse(lines[5]!) as Feed).last_seq, whole.last_seq);
  const events = await text(await open('feed=eventsource&seq_interval=2&timeout=0'));
  t.deepEqual(
    [...events.matchAll(/^id: (.*)$/gm)].map(([, id]) => JSON.parse(id!) as string),
    [0, 2, 4].map((n) => whole.results[n]!.seq),
  );
});

test('descending sends existing changes first, and then new ones', async (t) => {
  const { write, open, database } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
  const { row } = linesOf(await open('feed=continuous&descending=true'));
  t.deepEqual([(await row()).id, (await row()).id, (await row()).id], ['c', 'b', 'a']);
  await waiting(database(), 1);
  await write({ _id: 'd' });
  t.is((await row()).id, 'd');
});

test('a disconnected client leaves no listeners', async (t) => {
  const { open, write, database, server } = await recipes(t);
  await write({ _id: 'a' });
  const feeds = await Promise.all(
    live.flatMap((feed) => [
      open(`feed=${feed}&since=now`),
      open(`feed=${feed}&since=now&heartbeat=10`),
      open(`feed=${feed}&since=now&heartbeat=100000`, { method: 'POST', body: {} }),
    ]),
  );
  await waiting(database(), feeds.length);
  for (const feed of feeds) feed.destroy();
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
  const { openReader } = await import('./reader.js');
  const { renderRow } = await import('./rows.js');
  const { modes, openFeed } = await import('./feed.js');
  const stream = (await openFeed({
    database: database(),
    mode: modes.continuous,
    options: {
      start: { since: '0', parameter: 'since' },
      limit: Infinity,
      descending: false,
      include_docs: true,
      conflicts: false,
      attachments: false,
      att_encoding_info: false,
      style: 'main_only',
      feed: 'normal',
    },
    idleTimeout: { ms: 1, then: 'heartbeat' },
    openReader,
    renderRow: (...row) => {
      rendered++;
      return renderRow(...row);
    },
    flushed: () => Promise.resolve(),
    stopping: new AbortController().signal,
    disconnected: new AbortController().signal,
  })) as Readable;
  stream.read(0);
  await once(stream, 'readable');
  // Heartbeats and changes are not buffered either.
  await server.asAdmin('PUT', '/recipes/more', {});
  t.true(rendered <= 2, `${rendered} documents are in memory`);
  stream.destroy();
  const slow = await open('feed=continuous&include_docs=true&heartbeat=10');
  slow.pause();
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
  const [longpoll, continuous, eventsource] = await Promise.all(feeds.map((feed) => text(feed)));
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
  const [longpoll, continuous] = await Promise.all(feeds.map((feed) => text(feed)));
  t.deepEqual((JSON.parse(longpoll!) as Feed).results, []);
  t.is((JSON.parse(continuous!) as Feed).pending, 0);
  await stopped;
  t.deepEqual(server.reports, []);
});

test('the normal mode does not wait, and supports If-None-Match', async (t) => {
  const { open, write, asAdmin, server } = await recipes(t);
  await write({ _id: 'a' });
  t.is((await feedOf(await open('since=now&timeout=50000&heartbeat=50000'))).pending, 0);
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

test('with a filter that rejects everything, there are heartbeats, and the timeout is not extended', async (t) => {
  const { write, open } = await recipes(t);
  const filtered = `feed=continuous&since=now&filter=_doc_ids&doc_ids=${encodeURIComponent('["wanted"]')}`;
  const beating = linesOf(await open(`${filtered}&heartbeat=20`));
  const ending = text(await open(`${filtered}&timeout=300`));
  let isOver = false;
  void ending.then(() => (isOver = true));
  for (let n = 0; !isOver; n++) await write({ _id: `rejected-${n}` });
  t.regex(await ending, /^\{"last_seq":"[^"]+","pending":\d+\}\r\n$/);
  for (let n = 0; n < 3; n++) t.is(await beating.next(), '');
  await write({ _id: 'wanted' });
  t.is((await beating.row()).id, 'wanted');
});

test('a filtered longpoll waits for the first row', async (t) => {
  const { write, open, lastSeq, database } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'b' });
  const filtered = `feed=longpoll&filter=_doc_ids&doc_ids=${encodeURIComponent('["c"]')}`;
  const { results, last_seq } = await feedOf(await open(`${filtered}&timeout=0`));
  // Rejected changes are not read again.
  t.deepEqual([results, last_seq], [[], await lastSeq()]);
  const response = await open(filtered);
  await waiting(database(), 1);
  await write({ _id: 'a2' });
  await write({ _id: 'c' });
  t.deepEqual(ids((await feedOf(response)).results), ['c']);
});
