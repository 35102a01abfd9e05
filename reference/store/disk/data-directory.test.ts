/** Data directories after a kill, and with damaged files. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Store } from '../store.js';
import { parseDocument, withRevisions } from '../parse-document.js';
import { DataDirectoryError } from './errors.js';

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return join(path, 'data');
}

interface Opened {
  store: Store;
  lines: string[];
}

async function open(path: string, journalBytes?: number): Promise<Opened> {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  return { store: await Store.open(undefined, { path, journalBytes, log }), lines };
}

/** Separate writes of conflicts, a deletion, attachments, local documents and security. */
async function write(store: Store, afterEach: () => unknown = () => {}): Promise<void> {
  const recipes = store.create('recipes');
  for (let n = 0; n < 3; n++) {
    const data = Buffer.from(`content ${n}`).toString('base64');
    const soup = { _id: `soup-${n}`, n };
    recipes.edit([parseDocument({ ...soup, _attachments: { image: { data } } })]);
    const rev = recipes.find(soup._id)!.leaves.winner;
    await afterEach();
    recipes.replicate([
      withRevisions(parseDocument({ _id: `soup-${n}`, _revisions: { start: 2, ids: ['b', 'a'] } })),
    ]);
    await afterEach();
    recipes.edit([parseDocument({ _id: `soup-${n}`, _rev: rev, _deleted: n === 1 })]);
    await afterEach();
  }
  recipes.local.put('checkpoint', 0, '{"seq":1}');
  await afterEach();
  recipes.security = { admins: { names: ['chef'] } };
  await afterEach();
  store.create('pots');
  store.create('pans');
  store.delete('pots');
  await afterEach();
}

/** Returns the content of a store as text. */
function contentOf(store: Store): string {
  const everything = { rows: 1000, characters: Infinity };
  const databases = store.names().map((name) => {
    const database = store.database(name);
    const rows = database.changes({ after: 0, upTo: database.position }, false, true, everything);
    const documents = rows.map((head) => ({
      head,
      seq: database.sequenceOf(head.position),
      tree: database.tree(head),
      revisions: [...database.revisions(head).keys()].map((revision) => {
        const found = database.revision(head, revision)!;
        const contents = Object.values(found.attachments ?? {}).map((one) =>
          database.contents.read(one).toString('hex'),
        );
        return { found, contents };
      }),
    }));
    const counts = [
      database.documentCount,
      database.deletedCount,
      database.countChanges({ after: 0, upTo: 1e9 }),
    ];
    return { name, documents, counts, local: database.local.find('checkpoint'), security: database.security };
  });
  return JSON.stringify({ uuid: store.uuid, databases });
}

/** Creates a directory as after a kill, and returns all states that were on disk. */
async function killed(t: ExecutionContext, journalBytes?: number) {
  const path = await folder(t);
  const { store } = await open(path, journalBytes);
  t.teardown(() => store.close());
  const moments = [contentOf(store)];
  await write(store, async () => {
    await store.flushed();
    moments.push(contentOf(store));
  });
  const copy = await folder(t);
  await cp(path, copy, { recursive: true });
  return { path: copy, content: moments.at(-1)!, moments };
}

/** Creates a directory of a stopped server, which has snapshots. */
async function stopped(t: ExecutionContext) {
  const path = await folder(t);
  const { store } = await open(path);
  await write(store);
  const content = contentOf(store);
  await store.close();
  return { path, content };
}

/** Opens a damaged copy. @returns its content and the log, or the error */
async function tryOut(path: string): Promise<{ content?: string; said: string }> {
  try {
    const { store, lines } = await open(path);
    const content = contentOf(store);
    await store.close();
    return { content, said: lines.join('\n') };
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return { said: error.message };
  }
}

async function spoil(t: ExecutionContext, path: string, damage: (copy: string) => Promise<void>) {
  const copy = await folder(t);
  await cp(path, copy, { recursive: true });
  await damage(copy);
  const outcome = await tryOut(copy);
  const again = await readdir(copy);
  await rm(copy, { recursive: true });
  return { ...outcome, left: again };
}

const filesOf = async (path: string) => (await readdir(path)).filter((name) => name !== 'lock');

for (const journalBytes of [undefined, 1]) {
  test(`data on disk survives a kill (journalBytes ${journalBytes})`, async (t) => {
    const { path, content } = await killed(t, journalBytes);
    for (let start = 0; start < 2; start++) {
      const { store, lines } = await open(path, journalBytes);
      t.is(contentOf(store), content);
      t.deepEqual(lines, []);
      await store.close();
    }
  });
}

test('closing a store leaves one snapshot for each database and an empty journal', async (t) => {
  const { path, content } = await stopped(t);
  const names = (await filesOf(path)).map((name) => name.replace(/-.*/, ''));
  t.deepEqual(names.sort(), ['database', 'database', 'journal', 'store.json']);
  const { store } = await open(path);
  t.is(contentOf(store), content);
  await store.close();
});

test('writes after a restart continue the sequences', async (t) => {
  const { path } = await killed(t);
  const { store } = await open(path);
  const recipes = store.database('recipes');
  const { position, instance } = recipes;
  recipes.edit([parseDocument({ _id: 'salad' })]);
  await store.close();
  const { store: again } = await open(path);
  t.like(again.database('recipes'), { position: position + 1, instance });
  await again.close();
});

test('a truncated journal restores complete writes, is reported, and the rest is saved', async (t) => {
  const { path, moments } = await killed(t);
  const [name] = (await filesOf(path)).filter((file) => file.startsWith('journal-')) as [string];
  const bytes = await readFile(join(path, name));
  let seen = 0;
  for (let length = 0; length < bytes.length; length += length < 200 ? 9 : 61) {
    const { content, said, left } = await spoil(t, path, (copy) => truncate(join(copy, name), length));
    t.regex(
      said,
      new RegExp(`${name} (is damaged|ends with .*,) at byte \\d+`),
      `${length} of ${bytes.length} bytes`,
    );
    if (content === undefined) continue;
    seen++;
    t.true(moments.includes(content), `${length} of ${bytes.length} bytes`);
    t.true(left.some((file) => file.startsWith(`${name}.incomplete-`)));
  }
  t.true(seen > 10);
});

for (const [state, make] of [
  ['killed', killed],
  ['stopped', stopped],
] as const) {
  test(`a changed byte is detected (${state})`, async (t) => {
    const { path, content } = await make(t);
    for (const name of await filesOf(path)) {
      const bytes = await readFile(join(path, name));
      const step = Math.max(1, Math.floor(bytes.length / 40));
      for (let offset = 0; offset < bytes.length; offset += step) {
        const spoiled = Buffer.from(bytes);
        spoiled[offset]! ^= 1 << (offset % 8);
        const outcome = await spoil(t, path, (copy) => writeFile(join(copy, name), spoiled));
        if (outcome.content === undefined) t.true(outcome.said.includes(name), outcome.said);
        // The end frame of a journal has no content.
        else t.is(outcome.content, content, `${name}, byte ${offset}`);
      }
    }
  });

  test(`a missing, truncated or extended file is detected (${state})`, async (t) => {
    const { path, content } = await make(t);
    for (const name of await filesOf(path)) {
      const missing = await spoil(t, path, (copy) => rm(join(copy, name)));
      t.is(missing.content, undefined);
      t.regex(missing.said, /; restore (it|that file) or/);
      const longer = await spoil(t, path, (copy) => writeFile(join(copy, name), 'x', { flag: 'a' }));
      t.is(longer.content, undefined);
      t.true(longer.said.includes(name), longer.said);
      const half = Math.floor((await readFile(join(path, name))).length / 2);
      const cut = await spoil(t, path, (copy) => truncate(join(copy, name), half));
      if (cut.content === content) t.fail(`${name}, cut to ${half} bytes`);
      t.true(cut.said.includes(name), cut.said);
    }
  });
}

test('if compaction fails, further journals follow, and all of them are required', async (t) => {
  const path = await folder(t);
  const { store, lines } = await open(path, 1);
  t.teardown(() => store.close());
  const recipes = store.create('recipes');
  await store.flushed();
  // A directory with this name prevents renaming a file to it.
  const manifest = await readFile(join(path, 'store.json'));
  await rm(join(path, 'store.json'));
  await mkdir(join(path, 'store.json'));
  for (let n = 0; lines.length < 3; n++) {
    recipes.edit([parseDocument({ _id: `soup-${n}` })]);
    await store.flushed();
  }
  t.regex(lines[0]!, /cannot compact the journal/);

  const copy = await folder(t);
  await cp(path, copy, { recursive: true });
  await rm(join(copy, 'store.json'), { recursive: true });
  await writeFile(join(copy, 'store.json'), manifest);
  t.deepEqual(await tryOut(copy), { content: contentOf(store), said: '' });
  const journals = (await filesOf(path)).filter((name) => name.startsWith('journal-'));
  t.true(journals.length >= 3);
  for (const name of journals) {
    const { content, said } = await spoil(t, path, async (copy) => {
      await rm(join(copy, 'store.json'), { recursive: true });
      await writeFile(join(copy, 'store.json'), manifest);
      await rm(join(copy, name));
    });
    t.is(content, undefined);
    t.regex(said, new RegExp(`${name} is missing`));
  }
});

test('only one server at a time can use a directory', async (t) => {
  const path = await folder(t);
  const { store } = await open(path);
  await t.throwsAsync(open(path), { instanceOf: DataDirectoryError, message: /in use by another server/ });
  await store.close();
  const { store: next } = await open(path);
  await next.close();
});

test('a foreign directory or a later version is rejected', async (t) => {
  const path = await folder(t);
  await mkdir(path);
  await writeFile(join(path, 'thesis.txt'), 'text');
  await t.throwsAsync(open(path), {
    instanceOf: DataDirectoryError,
    message: /has thesis\.txt but no store\.json/,
  });
  t.is(await readFile(join(path, 'thesis.txt'), 'utf8'), 'text');

  const later = await stopped(t);
  await writeFile(join(later.path, 'store.json'), '{"format":"docfeed-data/2","parts":[]}\n');
  await t.throwsAsync(open(later.path), {
    instanceOf: DataDirectoryError,
    message: /format docfeed-data\/2/,
  });
});

test('a path that cannot be a directory is rejected', async (t) => {
  const path = await folder(t);
  await writeFile(path, '');
  await t.throwsAsync(open(path), {
    instanceOf: DataDirectoryError,
    message: /cannot use the data directory .*: a part of the path is a file/,
  });
  await t.throwsAsync(open(join(path, 'below')), {
    instanceOf: DataDirectoryError,
    message: /part of the path is a file/,
  });
});

test('an interrupted first start leaves no data', async (t) => {
  const path = await folder(t);
  const { store } = await open(path);
  const copy = await folder(t);
  await cp(path, copy, { recursive: true });
  await store.close();
  // The manifest is written last.
  await rm(join(copy, 'store.json'));
  await writeFile(join(copy, 'store.json.12345'), '{');
  const { store: made } = await open(copy);
  t.deepEqual(made.names(), []);
  await made.close();
  t.false((await filesOf(copy)).includes('store.json.12345'));
});
