import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { Database, storeComponents } from '../store/database.js';
import { loadEngine } from '../store/tables.js';
import { parseDocument } from '../store/parse-document.js';
import { rowsOfFeeds } from './rendered-rows.js';
import { idsOf, openDirectly, type Feed, type FeedChoice } from '../testing/feed.js';
import type { RenderRow } from './rows.js';

const engine = await loadEngine();

function databaseOf(count: number, members: object = {}): Database {
  const database = new Database(engine, 'test', storeComponents);
  const ids = Array.from({ length: count }, (_, n) => `doc-${n}`);
  database.edit(ids.map((_id) => parseDocument({ _id, ...members })));
  return database;
}

function update(database: Database, id: string): void {
  database.edit([parseDocument({ _id: id, _rev: database.find(id)!.leaves.winner, again: true })]);
}

const startAfter = (since: string) => ({ since, parameter: 'since' });

async function open(...request: Parameters<typeof openDirectly>): Promise<Readable> {
  const body = await openDirectly(...request);
  return Buffer.isBuffer(body) ? Readable.from([body]) : body;
}

const read = async (database: Database, options?: FeedChoice) =>
  JSON.parse(await text(await open(database, options))) as Feed;

/** Opens a feed, and reads its first two chunks. */
async function begin(database: Database, options: FeedChoice) {
  const counted = { rows: 0 };
  const count: RenderRow = (...row) => {
    counted.rows++;
    return rowsOfFeeds.renderRow(...row);
  };
  const feed = await open(database, options, { rows: rowsOfFeeds.with({ renderRow: count }) });
  const chunks = feed[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  await chunks.next();
  await chunks.next();
  return { feed, chunks, counted };
}

test('rows, last_seq and pending are consistent for all options', async (t) => {
  const count = 1200;
  const database = databaseOf(count);
  for (let n = 0; n < count; n += 7) update(database, `doc-${n}`);
  const { results } = await read(database);
  t.is(results.length, count);
  const places = results.map(({ id }) => database.find(id)!.position);
  await t.notThrowsAsync(() =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(database.position),
        fc.oneof(fc.nat(count), fc.constant(Infinity)),
        fc.boolean(),
        async (after, limit, descending) => {
          const part = results.filter((_, n) => places[n]! > after);
          const expected = (descending ? part.toReversed() : part).slice(0, limit);
          const start = startAfter(database.sequenceOf(after) as string);
          const feed = await read(database, { start, limit, descending });
          t.deepEqual(feed.results, expected);
          t.is(feed.last_seq, expected.at(-1)?.seq ?? (database.sequenceOf(after) as string));
          t.is(feed.pending, part.length - expected.length);
        },
      ),
      { numRuns: 50 },
    ),
  );
});

test('each row is on its own line', async (t) => {
  const database = databaseOf(700);
  const lines = (await text(await open(database))).split('\n');
  t.is(lines[0], '{"results":[');
  for (const line of lines.slice(1, 701)) t.notThrows(() => void JSON.parse(line.replace(/,$/, '')));
  t.is(lines[701], '],');
  t.regex(lines[702]!, /^"last_seq":"700-[^"]+","pending":0}$/);
});

test('a feed only reads more when its rows are consumed', async (t) => {
  const { chunks, counted } = await begin(databaseOf(5000), {});
  t.true(counted.rows <= 1500, `${counted.rows} rows are in memory`);
  while (!(await chunks.next()).done);
  t.is(counted.rows, 5000);
});

test('batches of large documents are small', async (t) => {
  const database = databaseOf(40, { text: 'x'.repeat(100_000) });
  const { feed, counted } = await begin(database, { include_docs: true });
  t.true(counted.rows <= 9, `${counted.rows} documents are in memory`);
  feed.destroy();
});

test('a document that changes while the feed is read is not lost', async (t) => {
  const database = databaseOf(2000);
  const feed = await open(database);
  const chunks: Buffer[] = [];
  for await (const chunk of feed) {
    if (chunks.length === 1) update(database, 'doc-1999');
    chunks.push(chunk as Buffer);
  }
  const { results, last_seq, pending } = JSON.parse(Buffer.concat(chunks).toString()) as Feed;
  t.is(results.length, 1999);
  t.is(last_seq, results.at(-1)!.seq);
  t.is(pending, 1);
  const next = await read(database, { start: startAfter(last_seq) });
  t.deepEqual(idsOf(next), ['doc-1999']);
});

test('many feeds are woken one after the other, and then send all changes so far in one chunk', async (t) => {
  const database = databaseOf(1);
  const feeds = await Promise.all(
    Array.from({ length: 100 }, () =>
      open(database, { start: startAfter('now'), limit: 3 }, { mode: 'continuous' }),
    ),
  );
  const received = feeds.map(async (feed) => (await feed.toArray()) as Buffer[]);
  while (database.events.listenerCount('change') < feeds.length) await setImmediate();
  for (let write = 0; write < 3; write++) {
    database.edit([parseDocument({ _id: `new-${write}` })]);
    await setImmediate();
  }
  const chunks = await Promise.all(received);
  for (const texts of chunks)
    t.deepEqual(texts.join('').match(/(?<="id":")[^"]*/g), ['new-0', 'new-1', 'new-2']);
  const rowsAndEnd = 2;
  t.true(chunks[0]!.length > rowsAndEnd);
  t.is(chunks.at(-1)!.length, rowsAndEnd);
});

test('a batch that fails after its client has left does not end the process', async (t) => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listener);
  t.teardown(() => process.off('unhandledRejection', listener));
  let batches = 0;
  let reject!: (reason: Error) => void;
  const failing = new Promise<never>((_, rejectFailing) => (reject = rejectFailing));
  const feed = await open(databaseOf(1), undefined, {
    mode: 'continuous',
    idleTimeout: { ms: 1, then: 'heartbeat' },
    rows: rowsOfFeeds.with({
      openReader: (...request) => {
        const reader = rowsOfFeeds.openReader(...request);
        reader.next = () => {
          batches += 1;
          if (batches === 1) return Promise.resolve([]);
          // A heartbeat is due before the feed waits for this batch.
          const start = performance.now();
          while (performance.now() - start < 5);
          process.nextTick(() => {
            feed.destroy();
            reject(new Error('Database does not exist.'));
          });
          return failing;
        };
        return reader;
      },
    }),
  });
  await t.throwsAsync(text(feed), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  await setImmediate();
  t.deepEqual(unhandled, []);
});
