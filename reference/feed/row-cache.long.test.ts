import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import type { Filter } from '../filters/filter.js';
import { Database, storeComponents } from '../store/database.js';
import { parseDocument, withRevisions } from '../store/parse-document.js';
import { loadEngine } from '../store/tables.js';
import { documentIdFilter } from '../filters/id-filters.js';
import type { Mode } from './feed.js';
import { openDirectly, type FeedChoice } from '../testing/feed.js';
import { rowsOfFeeds, type RowSource } from './rendered-rows.js';

const engine = await loadEngine();
/** A database that counts the documents that feeds read from its tables. */
class CountingDatabase extends Database {
  read = 0;

  constructor() {
    super(engine, 'test', storeComponents);
  }

  override changes(...request: Parameters<Database['changes']>) {
    const rows = super.changes(...request);
    this.read += rows.length;
    return rows;
  }
}

function write(database: Database, ids: Iterable<string>, members: object = {}): void {
  const documents = Array.from(ids, (_id) => {
    const _rev = database.find(_id)?.leaves.winner;
    return parseDocument({ _id, ...(_rev !== undefined && { _rev }), ...members });
  });
  database.edit(documents);
}

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `doc-${n}`);

interface Request {
  mode?: Mode;
  options?: FeedChoice;
  filter?: Filter;
  rows?: RowSource;
  timeoutMs?: number;
}

async function read(database: Database, { options, timeoutMs = 0, ...rest }: Request = {}): Promise<string> {
  const idleTimeout = { ms: timeoutMs, then: 'end' } as const;
  const body = await openDirectly(database, options, { ...rest, idleTimeout });
  return Buffer.isBuffer(body) ? body.toString() : text(body);
}

let programs = 0;

/** A filter that evaluates the texts of documents. */
const textFilterOf = (passes: (id: string) => boolean, isPure = false) => {
  const rendered: string[] = [];
  const evaluated: string[] = [];
  const filter: Filter = {
    ...filterOf(passes).filter,
    texts: {
      key: 'ids',
      render: ({ id }) => {
        rendered.push(id);
        return id;
      },
      program: `program ${++programs}`,
      accept(texts) {
        evaluated.push(...texts);
        return Promise.resolve({ passes: texts.map(passes), isPure });
      },
    },
  };
  return { filter, rendered, evaluated };
};

/** A filter whose results can be used again if it has a key. */
const filterOf = (passes: (id: string) => boolean, key?: string) => {
  const evaluated: string[] = [];
  const filter: Filter = {
    key,
    needsBodies: false,
    accept(batch) {
      evaluated.push(...batch.map(({ head }) => head.id));
      return Promise.resolve(batch.map(({ head, revisions }) => revisions.map(() => passes(head.id))));
    },
    close() {},
  };
  return { filter, evaluated };
};

test('cached rows are the rows that the tables have', async (t) => {
  const documents = fc.uniqueArray(fc.nat(2500), { maxLength: 40 });
  const optionsOf = (database: Database) =>
    fc.record({
      start: fc
        .nat(database.position)
        .map((after) => ({ since: database.sequenceOf(after) as string, parameter: 'since' })),
      limit: fc.oneof(fc.nat(2500), fc.constant(Infinity)),
      include_docs: fc.boolean(),
      conflicts: fc.boolean(),
      attachments: fc.boolean(),
      att_encoding_info: fc.boolean(),
      style: fc.constantFrom('main_only', 'all_docs'),
    });
  await t.notThrowsAsync(() =>
    fc.assert(
      fc.asyncProperty(fc.array(documents, { maxLength: 5 }), fc.gen(), async (writes, generate) => {
        const database = new CountingDatabase();
        write(database, idsOf(2400));
        const note = { content_type: 'text/plain', data: Buffer.from('a note').toString('base64') };
        write(database, idsOf(2500).slice(2400), { _attachments: { note } });
        for (const numbers of writes) {
          for (let reads = 0; reads < 3; reads++) {
            const options = generate(() => optionsOf(database));
            const mode = generate(() =>
              fc.constantFrom<Mode>('normal', 'longpoll', 'continuous', 'eventsource'),
            );
            const passes = (id: string) => id.endsWith('1');
            const kind = generate(() => fc.constantFrom('none', 'pure', 'texts', 'ids'));
            const plain = kind !== 'none' && { filter: filterOf(passes).filter };
            const shared = {
              none: {},
              pure: { filter: filterOf(passes, 'ends with 1').filter },
              texts: { filter: textFilterOf(passes).filter },
              ids: { filter: documentIdFilter([...idsOf(2500).filter(passes), 'none', '\ud800']) },
            }[kind];
            const expected = await read(database, {
              mode,
              options,
              ...plain,
              rows: rowsOfFeeds.with({}),
            });
            t.is(await read(database, { mode, options, ...shared }), expected);
          }
          write(
            database,
            numbers.map((n) => `doc-${n}`),
            { again: true },
          );
          const conflicts = numbers.map((n) => ({ _id: `doc-${n}`, _rev: '1-conflict' }));
          database.replicate(conflicts.map((document) => withRevisions(parseDocument(document))));
        }
      }),
      { numRuns: 15 },
    ),
  );
});

test('rows are read and rendered once', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(3000));
  const first = await read(database);
  t.is(database.read, 3000);
  t.is(await read(database), first);
  t.is(database.read, 3000);
  write(database, ['doc-7', 'doc-1500', 'new']);
  t.is((await read(database, { mode: 'continuous' })).split('\r\n').length, 3003);
  t.is(database.read, 3003);
});

test('a filter that only depends on the document evaluates each revision once', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(2000));
  const pure = filterOf((id) => id === 'doc-3', 'pure');
  const request = { filter: pure.filter };
  const first = await read(database, request);
  t.is(await read(database, request), first);
  t.is(pure.evaluated.length, 2000);
  write(database, ['doc-3', 'doc-4']);
  t.regex(await read(database, request), /"id":"doc-3"/);
  t.deepEqual(pure.evaluated.slice(2000), ['doc-3', 'doc-4']);
  const impure = filterOf((id) => id === 'doc-3');
  for (let reads = 0; reads < 2; reads++) await read(database, { filter: impure.filter });
  t.is(impure.evaluated.length, 4000);
});

test('a filter that depends on the request evaluates texts that are rendered once', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(2000));
  const { filter, rendered } = textFilterOf((id) => id === 'doc-3');
  const first = await read(database, { filter });
  t.regex(first, /^\{"results":\[\n\{"seq":"4-.*"id":"doc-3",.*\}\n\],/);
  t.is(
    await read(database, { filter, options: { include_docs: true, limit: 0 } }),
    await read(database, { options: { limit: 0 } }),
  );
  t.is(await read(database, { filter }), first);
  t.is(rendered.length, 2000);
});

test('feeds that wait for the same change share its row and the results of the filter', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(10));
  const pure = filterOf((id) => id === 'wanted', 'wanted');
  const options = { start: { since: 'now', parameter: 'since' }, limit: 1 };
  const feeds = Array.from({ length: 20 }, () =>
    read(database, { mode: 'continuous', options, timeoutMs: 60_000, filter: pure.filter }),
  );
  while (database.events.listenerCount('change') < feeds.length) await setImmediate();
  write(database, ['wanted']);
  const [first, ...others] = await Promise.all(feeds);
  t.regex(first!, /^\{"seq":"11-.*","id":"wanted".*\r\n\{"last_seq":"11-.*\r\n$/);
  for (const other of others) t.is(other, first!);
  t.deepEqual([database.read, pure.evaluated], [1, ['wanted']]);
  t.is(database.events.listenerCount('change'), 0);
});

test('feeds share the verdicts of a function that only uses the document', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(10));
  const even = (id: string) => Number(id.slice(4)) % 2 === 0;
  for (const [isPure, times] of [
    [true, 1],
    [false, 5],
  ] as const) {
    const { filter, evaluated } = textFilterOf(even, isPure);
    const expected = await read(database, { filter });
    t.is(expected.split('"id"').length - 1, 5);
    const others = Array.from({ length: 4 }, () => read(database, { filter }));
    for (const other of await Promise.all(others)) t.is(other, expected);
    t.is(evaluated.length, times * 10);
  }
  const { filter, evaluated } = textFilterOf(even, true);
  await read(database, { filter });
  write(database, ['doc-4']);
  t.regex(await read(database, { filter }), /^[^]*"id":"doc-8"[^]*"id":"doc-4"[^]*$/);
  t.deepEqual(evaluated.slice(10).sort(), idsOf(10));
});

test('if a filter fails for one of several feeds, the others evaluate it again', async (t) => {
  const database = new CountingDatabase();
  write(database, ['a']);
  const { filter } = filterOf(() => true, 'shared');
  const failing: Filter = {
    ...filter,
    accept: () => setImmediate().then(() => Promise.reject(new Error('aborted'))),
  };
  const [failed, ...others] = [failing, filter, filter].map((filter) => read(database, { filter }));
  await t.throwsAsync(failed!, { message: 'aborted' });
  for (const other of others) t.regex(await other, /"id":"a"/);
});

test('a feed reads nothing of the positions that no document has any more', async (t) => {
  const database = new CountingDatabase();
  for (let round = 0; round < 60; round++) write(database, idsOf(100));
  t.is(database.position, 6000);
  t.is((await read(database, { mode: 'continuous' })).split('\r\n').length, 102);
  t.is(database.read, 100);
});

test('the cost of _doc_ids depends on the number of IDs', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(2000));
  const filter = documentIdFilter(['doc-1700', 'doc-3', 'other']);
  t.regex(await read(database, { filter }), /^[^]*"id":"doc-3"[^]*"id":"doc-1700"[^]*"pending":0\}\n$/);
  t.is(database.read, 0);
});

test('a feed with a limit renders one batch of large documents', async (t) => {
  const database = new CountingDatabase();
  write(database, idsOf(50), { text: 'x'.repeat(100_000) });
  await read(database, { options: { include_docs: true, limit: 1 } });
  t.true(database.read <= 3, `${database.read} documents were read`);
});
