import test from 'ava';
import { Database, storeComponents } from './database.js';
import { loadEngine } from './tables.js';
import { parseDocument, withRevisions } from './parse-document.js';

const engine = await loadEngine();
const megabyte = Buffer.alloc(1 << 20, 7);
const big = (content = megabyte) => ({ content_type: 'a/b', data: content.toString('base64') });

test('the same content is stored once', (t) => {
  const database = new Database(engine, 'test', storeComponents);
  database.edit([parseDocument({ _id: 'first', _attachments: { x: big() } })]);
  const before = database.sizes.active;
  for (let n = 0; n < 10; n++)
    database.edit([parseDocument({ _id: `doc-${n}`, _attachments: { x: big(), y: big() } })]);
  t.true(database.sizes.active - before < 100_000, `${database.sizes.active - before} bytes more`);
});

test('content is deleted with the last revision that uses it', (t) => {
  const database = new Database(engine, 'test', storeComponents);
  const names = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `r${n + from}`).reverse();
  const replicate = (id: string, start: number, ids: string[], _attachments: object) =>
    database.replicate([withRevisions(parseDocument({ _id: id, _revisions: { start, ids }, _attachments }))]);
  replicate('a', 1, ['r0'], { x: big() });
  replicate('b', 1, ['r0'], { x: big() });
  const attachment = database.revision(database.find('a')!, '1-r0')!.attachments!.x!;
  const isStored = () => {
    try {
      return database.contents.read(attachment).equals(megabyte);
    } catch {
      return false;
    }
  };
  replicate('a', 1001, names(1000, 1), {});
  replicate('a', 1000, names(1000), {});
  t.is(database.revision(database.find('a')!, '1-r0')?.attachments?.x?.length, undefined);
  t.true(isStored());
  replicate('b', 1001, names(1000, 1), {});
  replicate('b', 1000, names(1000), {});
  t.false(isStored());
});

test('compaction deletes the content that only removed revisions use', async (t) => {
  const database = new Database(engine, 'test', storeComponents);
  const edit = (document: object) => {
    const [result] = database.edit([parseDocument({ _id: 'a', ...document })]);
    return (result as { rev: string }).rev;
  };
  const first = edit({ _attachments: { kept: big(Buffer.from('kept')), gone: big() } });
  const { kept, gone } = database.revision(database.find('a')!, first)!.attachments!;
  edit({ _rev: first, _attachments: { kept: { stub: true } } });
  t.true(database.contents.read(gone!).equals(megabyte));
  const before = database.sizes.active;
  await database.compact();
  t.is(database.revision(database.find('a')!, first), undefined);
  t.is(database.contents.read(kept!).toString(), 'kept');
  t.throws(() => database.contents.read(gone!));
  t.true(before - database.sizes.active > 1_000_000, `${before - database.sizes.active} bytes less`);
});

test('a failed write stores no content', (t) => {
  const database = new Database(engine, 'test', storeComponents);
  const before = database.sizes.active;
  const docs = [
    { _id: 'a', _attachments: { x: big() } },
    { _id: 'b', _attachments: { x: { stub: true } } },
  ];
  t.throws(() => database.edit(docs.map((document) => parseDocument(document))), {
    message: 'Invalid attachment stub in b for x',
  });
  t.is(database.find('a'), undefined);
  t.true(database.sizes.active - before < megabyte.length || database.sizes.active === before);
});
