/** PouchDB replicates with the reference server over its http adapter. */
import { on, type EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';
import { throughProxy } from '../testing/tcp-proxy.js';
import { testServer } from '../testing/server.js';

PouchDB.plugin(http).plugin(memory).plugin(replication);

const photo = Buffer.from([0xff, 0xd8, 0, 1, 2, 0xfe]);
const note = Buffer.from('soup '.repeat(100));
const directions = ['from', 'to'] as const;
let databases = 0;

async function connect(t: ExecutionContext, options: object = {}) {
  const server = await testServer(t, { dialect: 'couchdb', ...options });
  await server.asAdmin('PUT', '/recipes');
  const { name: username, password } = server.admin;
  const open = (name: string, base = server.url): PouchDB =>
    new PouchDB(`${base}/${name}`, { auth: { username, password } });
  const local = (): PouchDB => {
    const database = new PouchDB(`local-${databases++}`, { adapter: 'memory' });
    t.teardown(() => database.destroy());
    return database;
  };
  return { ...server, remote: open('recipes'), open, local };
}

/**
 * All leaf revisions of all documents, with ancestors, members and contents of attachments. Their digests differ, since only
 * the server compresses contents.
 */
async function contentOf(database: PouchDB) {
  const { results } = await database.changes({ style: 'all_docs' });
  const content = new Map<string, object[]>();
  for (const { id, changes } of results) {
    const leaves = [];
    for (const { rev } of changes) {
      const document = await database.get(id, { rev, revs: true, attachments: true });
      const attachments = Object.entries(document._attachments ?? {}).map(
        ([name, { content_type, data }]) => [name, content_type, data],
      );
      leaves.push({ ...document, _attachments: attachments.sort() });
    }
    const winner = await database.get(id).then(
      ({ _rev }) => _rev,
      () => 'deleted',
    );
    leaves.sort((a, b) => (a._rev < b._rev ? -1 : 1));
    content.set(id, [{ winner }, ...leaves]);
  }
  return [...content].sort();
}

/** Documents, an update, a deletion, conflicts, a deleted conflict, attachments and a design document. */
async function fill(database: PouchDB): Promise<void> {
  const { rev } = await database.put({ _id: 'updated', n: 1 });
  await database.put({ _id: 'updated', _rev: rev, n: 2 });
  const gone = await database.put({ _id: 'gone' });
  await database.remove('gone', gone.rev);
  await database.put({ _id: '_design/d', filters: { f: 'function () { return true; }' } });
  await database.put({ _id: 'ü/\u{1f35d} ?&', text: 'é\u2028' });
  await database.bulkDocs(
    [
      { _id: 'conflict', _rev: '2-b', _revisions: { start: 2, ids: ['b', 'a'] }, from: 'b' },
      { _id: 'conflict', _rev: '2-c', _revisions: { start: 2, ids: ['c', 'a'] }, from: 'c' },
      { _id: 'conflict', _rev: '3-d', _revisions: { start: 3, ids: ['d', 'e', 'a'] }, _deleted: true },
    ],
    { new_edits: false },
  );
  const stored = await database.put({
    _id: 'attached',
    _attachments: {
      'photo.jpg': { content_type: 'image/jpeg', data: photo.toString('base64') },
      'a/note.txt': { content_type: 'text/plain', data: note.toString('base64') },
    },
  });
  await database.putAttachment('attached', 'late', stored.rev, Buffer.from('x'), 'text/plain');
}

async function change(database: PouchDB): Promise<void> {
  const attached = await database.get('attached');
  await database.put({ ...attached, n: 2 });
  await database.removeAttachment('attached', 'late', (await database.get('attached'))._rev);
  await database.remove(await database.get('updated'));
  await database.put({ _id: 'gone', again: true });
  await database.remove('conflict', '2-c');
  await database.put({ _id: 'new' });
}

/** Connects a database of the server and a local one, in this order or in the opposite one. */
async function connectPair(t: ExecutionContext, direction: (typeof directions)[number]) {
  const { remote, local, reports } = await connect(t);
  const [original, copy] = direction === 'from' ? [remote, local()] : [local(), remote];
  await fill(original);
  return { original, copy, reports };
}

for (const direction of directions)
  test(`replication ${direction} the server, twice, gives equal databases`, async (t) => {
    const { original, copy, reports } = await connectPair(t, direction);
    const first = await PouchDB.replicate(original, copy);
    t.like(first, { ok: true, doc_write_failures: 0, errors: [] });
    t.deepEqual(await contentOf(copy), await contentOf(original));
    await change(original);
    const second = await PouchDB.replicate(original, copy);
    t.true(second.docs_written > 0 && second.docs_read < first.docs_read);
    t.deepEqual(await contentOf(copy), await contentOf(original));
    t.is((await PouchDB.replicate(original, copy)).docs_written, 0);
    t.deepEqual(reports, []);
  });

test('two copies with different changes converge through the server', async (t) => {
  const { remote, local } = await connect(t);
  const [one, other] = [local(), local()];
  await fill(one);
  await PouchDB.sync(one, remote);
  await PouchDB.sync(other, remote);
  await change(one);
  await other.put({ ...(await other.get('updated')), elsewhere: true });
  await other.put({ ...(await other.get('attached')), elsewhere: true });
  for (const copy of [one, other, one]) await PouchDB.sync(copy, remote);
  const content = await contentOf(remote);
  t.deepEqual(await contentOf(one), content);
  t.deepEqual(await contentOf(other), content);
  t.like(await remote.get('attached', { conflicts: true }), { _id: 'attached' });
  t.is((await remote.get('attached', { conflicts: true }))._conflicts?.length, 1);
});

/** Resolves when the running replication has made two databases equal. */
async function untilEqual(replication: EventEmitter, one: PouchDB, other: PouchDB): Promise<void> {
  const pauses = on(replication, 'paused');
  while (!isDeepStrictEqual(await contentOf(one), await contentOf(other))) await pauses.next();
}

for (const direction of directions)
  test(`live replication ${direction} the server passes on new changes`, async (t) => {
    const { original, copy, reports } = await connectPair(t, direction);
    const replication = PouchDB.replicate(original, copy, { live: true });
    await untilEqual(replication, original, copy);
    await change(original);
    await untilEqual(replication, original, copy);
    replication.cancel();
    t.like(await replication, { status: 'cancelled', doc_write_failures: 0, errors: [] });
    t.deepEqual(await contentOf(copy), await contentOf(original));
    t.deepEqual(reports, []);
  });

test('live replication in both directions, with broken connections', async (t) => {
  const { remote, local, open, url } = await connect(t);
  const proxy = await throughProxy(t, url);
  const copy = local();
  const sync = PouchDB.sync(copy, open('recipes', proxy.url), {
    live: true,
    retry: true,
    back_off_function: () => 10,
  });
  await fill(remote);
  await untilEqual(sync, remote, copy);
  proxy.cut();
  await Promise.all([change(copy), remote.put({ _id: 'elsewhere' })]);
  await untilEqual(sync, remote, copy);
  sync.cancel();
  await sync;
  t.deepEqual(await contentOf(copy), await contentOf(remote));
});

test('a member can replicate without being an administrator', async (t) => {
  const { asAdmin, url, remote, local } = await connect(t);
  const user = { name: 'alice', password: 'x', roles: ['cooks'], type: 'user' };
  await asAdmin('PUT', '/_users/org.couchdb.user:alice', user);
  await asAdmin('PUT', '/recipes/_security', { admins: {}, members: { roles: ['cooks'] } });
  const asAlice = new PouchDB(`${url}/recipes`, { auth: { username: 'alice', password: 'x' } });
  const original = local();
  await original.bulkDocs([{ _id: 'a' }, { _id: '_design/d' }]);
  const { doc_write_failures, docs_written } = await PouchDB.replicate(original, asAlice);
  t.deepEqual([docs_written, doc_write_failures], [1, 1]);
  t.deepEqual(
    (await remote.allDocs()).rows.map(({ id }) => id),
    ['a'],
  );
});
