/** Data folders after a kill, and with damaged files. */
import { chmod, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { Store } from '../store.js';
import { parseDocument, withRevisions } from '../parse-document.js';
import { DataFolderError } from './errors.js';

const folder = async (t: ExecutionContext): Promise<string> => join(await emptyFolder(t), 'data');

interface Opened {
  store: Store;
  lines: string[];
}

async function open(path: string, journalBytes?: number): Promise<Opened> {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  return { store: await Store.open(undefined, { path, journalBytes, log }), lines };
}

/** Separate writes of conflicts, a deletion, attachments, local documents, security, the limit of revisions, and a compaction. */
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
  recipes.revisionsLimit = 5;
  await afterEach();
  await recipes.compact();
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
    const { security, revisionsLimit } = database;
    return { name, documents, counts, local: database.local.find('checkpoint'), security, revisionsLimit };
  });
  return JSON.stringify({ uuid: store.uuid, databases });
}

/** Creates a folder as after a kill, and returns all states that were on disk. */
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

/** Creates a folder of a stopped server, which has snapshots. */
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
    if (!(error instanceof DataFolderError)) throw error;
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

const zeroFrom = (length: number) => async (file: string) =>
  writeFile(file, (await readFile(file)).fill(0, length));
/** A power failure can leave the new size of a file, or blocks of zeros, without the content. */
const zerosAfter = (length: number) => async (file: string) => {
  await truncate(file, length);
  await truncate(file, length + 3000);
};

for (const [what, damage] of [
  ['truncated', (length: number) => (file: string) => truncate(file, length)],
  ['zero at its end', zeroFrom],
  ['truncated and extended with zeros', zerosAfter],
] as const) {
  test(`a journal that is ${what} restores complete writes, is reported, and the rest is saved`, async (t) => {
    const { path, moments } = await killed(t);
    const [name] = (await filesOf(path)).filter((file) => file.startsWith('journal-')) as [string];
    const bytes = await readFile(join(path, name));
    const headEnd = 16 + bytes.readUInt32LE(4);
    let seen = 0;
    for (let length = 0; length < bytes.length; length += length < 200 ? 9 : 127) {
      const { content, said, left } = await spoil(t, path, (copy) => damage(length)(join(copy, name)));
      const place = `${length} of ${bytes.length} bytes`;
      t.regex(said, new RegExp(`${name} (is damaged|ends with .*,) at byte \\d+`), place);
      // The head was complete before the first write was acknowledged.
      t.is(content !== undefined, length >= headEnd, `${place}: ${said}`);
      if (content === undefined) continue;
      seen++;
      t.true(moments.includes(content), place);
      t.true(left.some((file) => file.startsWith(`${name}.incomplete-`)));
    }
    t.true(seen > 10);
  });
}

test('zeros after the end of a journal are an incomplete write; other data is damage', async (t) => {
  const { path, content } = await killed(t);
  const journal = 'journal-1';
  const { length } = await readFile(join(path, journal));
  const zeros = await spoil(t, path, (copy) => truncate(join(copy, journal), length + 70_000));
  t.is(zeros.content, content);
  t.regex(zeros.said, new RegExp(`at byte ${length}\\. .* 70000 bytes are saved`));
  const other = await spoil(t, path, async (copy) => {
    await truncate(join(copy, journal), length + 70_000);
    await writeFile(join(copy, journal), 'x', { flag: 'a' });
  });
  t.is(other.content, undefined);
  t.regex(other.said, new RegExp(`at byte ${length}: there is data after the end`));
});

/** What the message says after the name of a file with a changed byte. */
const problem =
  /is damaged at byte \d+: .*; nothing was changed; restore the folder from a copy, or copy what is undamaged with --salvage$|has the format docfeed-.*, which this version of docfeed does not support; use the version that wrote it$/;

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
        if (outcome.content === undefined) t.regex(outcome.said, new RegExp(`/${name} (${problem.source})`));
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
  // A folder with this name prevents renaming a file to it.
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

test('a foreign folder is rejected', async (t) => {
  const path = await folder(t);
  await mkdir(path);
  await writeFile(join(path, 'thesis.txt'), 'text');
  await t.throwsAsync(open(path), {
    instanceOf: DataFolderError,
    message: /has thesis\.txt but no store\.json/,
  });
  t.is(await readFile(join(path, 'thesis.txt'), 'utf8'), 'text');
});

/** The rights of a folder and of all its files. */
async function rightsOf(path: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(path))];
  const rights = names.map(async (name) => [name, ((await stat(join(path, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(rights)) as Record<string, string>;
}

const isPrivate = (rights: Record<string, string>): boolean =>
  Object.entries(rights).every(([name, mode]) => mode === (name === '.' ? '700' : '600'));

(process.platform === 'win32' ? test.skip : test)(
  'only the owner can read a folder and its files, whatever the umask is',
  async (t) => {
    const umask = process.umask(0);
    t.teardown(() => process.umask(umask));
    const { path } = await killed(t, 1);
    // A copy has the rights of the original.
    const before = await rightsOf(path);
    t.true(isPrivate(before), JSON.stringify(before));
    const journal = (await filesOf(path))
      .filter((name) => name.startsWith('journal-'))
      .sort()
      .at(-1)!;
    await truncate(join(path, journal), (await readFile(join(path, journal))).length - 5);
    const { store, lines } = await open(path);
    t.regex(lines[0]!, /are saved in/);
    const during = await rightsOf(path);
    t.true(isPrivate(during), JSON.stringify(during));
    t.true(Object.keys(during).some((name) => name.includes('.incomplete-')));
    await store.close();
    const after = await rightsOf(path);
    t.true(isPrivate(after), JSON.stringify(after));

    const salvaged = await folder(t);
    await Store.salvage({ from: path, to: salvaged, log: () => {} });
    t.true(isPrivate(await rightsOf(salvaged)), JSON.stringify(await rightsOf(salvaged)));
  },
);

(process.platform === 'win32' ? test.skip : test)(
  'a folder that others can read becomes private, and the log says so',
  async (t) => {
    const { path } = await stopped(t);
    await chmod(path, 0o755);
    for (const name of await readdir(path)) await chmod(join(path, name), 0o644);
    const { store, lines } = await open(path);
    await store.close();
    t.deepEqual(lines, [`other users could use ${path}; its rights are now those of its owner only`]);
    t.true(isPrivate(await rightsOf(path)), JSON.stringify(await rightsOf(path)));
    t.deepEqual((await open(path).then(async (opened) => (await opened.store.close(), opened))).lines, []);
  },
);

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

/** Salvages a folder into a new one. @returns also what the new folder contains */
async function salvaged(t: ExecutionContext, from: string) {
  const to = await folder(t);
  const lines: string[] = [];
  const before = await Promise.all((await filesOf(from)).map((name) => readFile(join(from, name), 'hex')));
  const result = await Store.salvage({ from, to, log: (line) => void lines.push(line) });
  const after = await Promise.all((await filesOf(from)).map((name) => readFile(join(from, name), 'hex')));
  t.deepEqual(after, before);
  return { ...result, lines, left: await filesOf(to), ...(await tryOut(to)) };
}

for (const [state, make] of [
  ['killed', killed],
  ['stopped', stopped],
] as const) {
  test(`salvaging a whole folder copies everything (${state})`, async (t) => {
    const { path, content } = await make(t);
    const result = await salvaged(t, path);
    t.like(result, { content, said: '', problems: [], lines: [] });
    t.deepEqual(result.copied, ['pans: 0 documents, 0 deleted', 'recipes: 3 documents, 0 deleted']);
  });
}

test('salvaging a damaged journal copies all writes before the damage', async (t) => {
  const { path, moments } = await killed(t);
  const journal = join(path, 'journal-1');
  const bytes = await readFile(journal);
  const seen = new Set<string>();
  for (let offset = 16 + bytes.readUInt32LE(4); offset < bytes.length - 16; offset += 997) {
    const spoiled = Buffer.from(bytes);
    spoiled[offset]! ^= 4;
    await writeFile(journal, spoiled);
    const { content, said, problems } = await salvaged(t, path);
    t.is(said, '');
    t.true(content !== undefined && moments.includes(content));
    t.is(problems.length, 1);
    t.regex(problems[0]!, /journal-1 is damaged at byte \d+: [^;]*$/);
    seen.add(content!);
  }
  t.true(seen.size > 3);
  await rm(journal);
  t.deepEqual((await salvaged(t, path)).problems, [`${journal} is missing`]);
});

test('salvaging lists an incomplete write and saves it in the copy', async (t) => {
  const { path, moments } = await killed(t);
  const journal = join(path, 'journal-1');
  await truncate(journal, (await readFile(journal)).length - 100);
  const { content, problems, lines, left } = await salvaged(t, path);
  t.deepEqual(problems, []);
  t.is(content, moments.at(-2));
  t.regex(lines.join(), /was not completed, at byte/);
  t.true(left.some((name) => name.startsWith('journal-1.incomplete-')));
});

test('salvaging leaves out a database with a damaged snapshot and its later changes', async (t) => {
  const { path } = await stopped(t);
  const { store } = await open(path);
  t.teardown(() => store.close());
  store.database('recipes').edit([parseDocument({ _id: 'salad' })]);
  store.database('pans').edit([parseDocument({ _id: 'wok' })]);
  await store.flushed();
  const copy = await folder(t);
  await cp(path, copy, { recursive: true });
  const { instance } = store.database('recipes');
  const name = (await filesOf(copy)).find((file) => file.startsWith(`database-${instance}`))!;
  const bytes = await readFile(join(copy, name));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(copy, name), bytes);
  const { copied, problems, said } = await salvaged(t, copy);
  t.deepEqual(copied, ['pans: 1 documents, 0 deleted']);
  t.deepEqual(problems, [`recipes: ${join(copy, name)} is damaged at byte 0: its checksum does not match`]);
  t.is(said, '');
});

test('salvaging uses a damaged manifest if it can be parsed', async (t) => {
  const { path, content } = await stopped(t);
  const manifest = join(path, 'store.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/\n.*\n$/, '\n00000000\n'));
  const { problems, ...result } = await salvaged(t, path);
  t.deepEqual(problems, [`${manifest} is damaged at byte 0: its checksum does not match`]);
  t.is(result.content, content);
  for (const broken of ['', text.slice(0, 40), text.replace('snapshots', 'snapshot_')]) {
    await writeFile(manifest, broken);
    await t.throwsAsync(salvaged(t, path), {
      instanceOf: DataFolderError,
      message: /store\.json is damaged and names the databases/,
    });
  }
});

test('salvaging never overwrites, and needs a folder that no server uses', async (t) => {
  const { path } = await killed(t);
  const log = () => {};
  const refusal = (from: string, to: string) =>
    t.throwsAsync(Store.salvage({ from, to, log }), { instanceOf: DataFolderError });
  const to = await folder(t);
  await mkdir(to);
  t.is((await refusal(path, to)).message, `${to} exists; name a new folder`);
  t.deepEqual(await readdir(to), []);
  t.regex((await refusal(to, join(to, 'copy'))).message, /store\.json is missing and names the databases/);
  t.regex((await refusal(path, join(to, 'no', 'copy'))).message, /copy: the path does not exist/);
  const { store } = await open(path);
  t.teardown(() => store.close());
  t.regex((await refusal(path, join(to, 'copy'))).message, /in use by another server/);
  t.deepEqual(await readdir(to), []);
});
