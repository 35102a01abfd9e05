/**
 * The replicator of a real CouchDB copies from and to the reference server. The environment variable `COUCHDB_URL` names
 * that CouchDB, with the credentials of an administrator: `http://admin:secret@127.0.0.1:5984`. If `COUCHDB_RESTART` is
 * a shell command that kills this CouchDB and starts it again, a replication must also go on after that.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { execa } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import { basic, sendTo } from '../../reports/testing/request.js';
import { serve } from '../testing/serve-process.js';
import { admin } from '../testing/server.js';

const couchdbUrl = process.env['COUCHDB_URL'];
const withCouchdb = couchdbUrl === undefined ? test.skip : test.serial;
const restartCommand = process.env['COUCHDB_RESTART'];
if (couchdbUrl === undefined) console.log('COUCHDB_URL is not set: the replicator of CouchDB is not tested');

/** A server, as its administrator. */
interface Side {
  /** With the credentials. */
  readonly url: string;
  readonly send: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
}

function side(base: string, { name, password } = admin): Side {
  const url = new URL(base);
  const headers = basic(name, password);
  const send: Side['send'] = async (method, path, body) => {
    const accept = { ...headers, accept: 'application/json' };
    const { status, json, text } = await sendTo(url.origin, method, path, { headers: accept, body });
    if (status >= 400 && !(method === 'DELETE' && status === 404))
      throw new Error(`${method} ${path}: ${text}`);
    return json as Record<string, unknown>;
  };
  return { url: `${url.protocol}//${name}:${password}@${url.host}`, send };
}

function couchdb(): Side {
  const { username, password, origin } = new URL(couchdbUrl!);
  return side(origin, { name: username, password });
}

const attachment = (content: Buffer, content_type = 'text/plain') => ({
  content_type,
  revpos: 1,
  data: content.toString('base64'),
});

/** Attachments of 0 bytes to 5 MB, design documents, conflicts, deletions and updates. */
async function fill({ send }: Side, db: string): Promise<void> {
  await send('PUT', `/${db}`);
  const replicated = (docs: object[]) => send('POST', `/${db}/_bulk_docs`, { docs, new_edits: false });
  const names = ['1', 'b', '0', 'ü "quoted"', 'a/b'];
  const _attachments = Object.fromEntries(names.map((name) => [name, attachment(Buffer.from(name))]));
  const stubs = Object.fromEntries(names.map((name) => [name, { stub: true, revpos: 1 }]));
  const added = { ...stubs, more: { ...attachment(Buffer.from('more')), revpos: 2 } };
  const filters = { all: 'function () { return true; }' };
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  // Between two CouchDBs too, the replicator waits five minutes for a message whose last content has no bytes.
  const empty = attachment(Buffer.alloc(0), 'image/png');
  await replicated([{ _id: 'text-0', _rev: `1-${a}`, _attachments: { text: attachment(Buffer.alloc(0)) } }]);
  for (const size of [1, 60_000, 5 * 1024 * 1024]) {
    const text = attachment(Buffer.alloc(size, 'soup\n'));
    const photo = attachment(randomBytes(size), 'image/png');
    await replicated([{ _id: `text-${size}`, _rev: `1-${a}`, _attachments: { text } }]);
    await replicated([{ _id: `photo-${size}`, _rev: `1-${a}`, _attachments: { empty, photo } }]);
  }
  await replicated([
    ...Array.from({ length: 100 }, (_, index) => ({ _id: `plain-${index}`, _rev: `1-${a}`, index })),
    { _id: '_design/filters', _rev: `1-${a}`, filters },
    { _id: '_design/icons', _rev: `1-${a}`, _attachments },
    { _id: 'names', _rev: `1-${a}`, _attachments },
    { _id: 'conflict', _rev: `1-${a}`, n: 1, _attachments },
    { _id: 'conflict', _rev: `1-${b}`, n: 2 },
    { _id: 'gone', _rev: `1-${a}` },
    { _id: 'gone-conflict', _rev: `1-${a}` },
    { _id: 'gone-conflict', _rev: `1-${c}`, _attachments },
  ]);
  // CouchDB does not find the attachments of stubs in the same request.
  await replicated([
    { _id: 'names', _revisions: { start: 2, ids: [b, a] }, _attachments: added },
    { _id: 'conflict', _revisions: { start: 2, ids: [c, a] }, n: 3, _attachments: added },
    { _id: 'gone', _revisions: { start: 2, ids: [b, a] }, _deleted: true, why: 'old' },
    { _id: 'gone-conflict', _revisions: { start: 2, ids: [b, a] }, _deleted: true },
  ]);
}

/** All leaves of all documents, with ancestors and the contents of attachments, whose digests differ between servers. */
async function contentOf({ send }: Side, db: string): Promise<object[]> {
  const { results } = (await send('GET', `/${db}/_changes?style=all_docs`)) as {
    results: { id: string; deleted?: true; changes: { rev: string }[] }[];
  };
  const leaves = [];
  for (const { id, deleted, changes } of results)
    for (const { rev } of changes) {
      // CouchDB redirects if the slash of a design document is encoded.
      const encoded = encodeURIComponent(id).replace('_design%2F', '_design/');
      const path = `/${db}/${encoded}?rev=${rev}&revs=true&attachments=true`;
      const { _attachments = {}, ...document } = await send('GET', path);
      const attachments = Object.entries(_attachments as Record<string, { digest: string }>).map(
        ([name, { digest: _, ...stored }]) => [name, stored],
      );
      const key = `${id} ${rev}`;
      leaves.push({ key, isDeleted: deleted ?? false, document, attachments: attachments.sort() });
    }
  return leaves.sort((a, b) => (a.key < b.key ? -1 : 1));
}

let databases = 0;

/** @returns names of databases, which are deleted on this side at the end of the test */
function newDatabases(t: ExecutionContext, { send }: Side): { source: string; target: string } {
  const prefix = `docfeed-replicator-${process.pid}-${databases++}`;
  const names = { source: `${prefix}-source`, target: `${prefix}-target` };
  t.teardown(() => Promise.all(Object.values(names).map((name) => send('DELETE', `/${name}`))));
  return names;
}

/** The reference server, which can be killed and started again with the same data and URL. */
interface Reference extends Side {
  readonly restart: () => Promise<void>;
}

async function start(t: ExecutionContext): Promise<Reference> {
  const administrator = `${admin.name}:${admin.password}`;
  const options = ['--dialect', 'couchdb', '--admin', administrator];
  const args = ['--port', String(await freePort()), '--data', await emptyFolder(t), ...options];
  const { url, ...first } = await serve(t, args);
  let { child } = first;
  const restart = async () => {
    child.kill('SIGKILL');
    await child;
    ({ child } = await serve(t, args));
  };
  return { ...side(url), restart };
}

async function restartCouchdb({ send }: Side): Promise<void> {
  await execa({ shell: true, stdio: 'ignore' })`${restartCommand!}`;
  while (!(await send('GET', '/_up').catch(() => undefined))) await pause(100);
}

/** Which sides the replicator reads from and writes to. */
const directions = {
  'from the reference server to CouchDB': (reference: Side, couch: Side) => [reference, couch],
  'from CouchDB to the reference server': (reference: Side, couch: Side) => [couch, reference],
} as const;

for (const [direction, order] of Object.entries(directions)) {
  withCouchdb(`_replicate copies everything ${direction}, and the second time nothing`, async (t) => {
    const [reference, couch] = [await start(t), couchdb()];
    const [from, to] = order(reference, couch) as [Side, Side];
    const { source, target } = newDatabases(t, couch);
    await fill(from, source);
    const request = { source: `${from.url}/${source}`, target: `${to.url}/${target}`, create_target: true };
    const first = await couch.send('POST', '/_replicate', request);
    t.like(first, { ok: true, history: { 0: { doc_write_failures: 0 } } });
    t.deepEqual(await contentOf(to, target), await contentOf(from, source));
    const { create_target: _, ...again } = request;
    t.like(await couch.send('POST', '/_replicate', again), { ok: true, no_changes: true });
  });
}

/** All leaves of all documents. */
async function leavesOf({ send }: Side, db: string): Promise<{ leaves: string[]; end: string }> {
  const { results, last_seq } = (await send('GET', `/${db}/_changes?style=all_docs`)) as {
    results: { id: string; changes: { rev: string }[] }[];
    last_seq: string;
  };
  const leaves = results.flatMap(({ id, changes }) => changes.map(({ rev }) => `${id} ${rev}`));
  return { leaves: leaves.sort(), end: encodeURIComponent(last_seq) };
}

/** Waits until the target has what the source has. */
async function untilCopied(from: Side, source: string, to: Side, target: string): Promise<void> {
  const expected = String((await leavesOf(from, source)).leaves);
  for (;;) {
    const { leaves, end } = await leavesOf(to, target);
    if (String(leaves) === expected) return;
    await to.send('GET', `/${target}/_changes?feed=longpoll&timeout=10000&since=${end}`);
  }
}

for (const [direction, order] of Object.entries(directions))
  withCouchdb(`a document of _replicator copies ${direction}, also after kills, and resumes`, async (t) => {
    t.timeout(600_000);
    const [reference, couch] = [await start(t), couchdb()];
    const [from, to] = order(reference, couch) as [Side, Side];
    const { source, target } = newDatabases(t, couch);
    await fill(from, source);
    await to.send('PUT', `/${target}`);
    // It exists already.
    await couch.send('PUT', '/_replicator').catch(() => undefined);
    const path = `/_replicator/${target}`;
    const description = { source: `${from.url}/${source}`, target: `${to.url}/${target}`, continuous: true };
    const startReplication = () => couch.send('PUT', path, { ...description, checkpoint_interval: 500 });
    const stopReplication = async () => {
      const { _rev } = await couch.send('GET', path);
      await couch.send('DELETE', `${path}?rev=${String(_rev)}`);
      // It ends later, and writes its last checkpoint then.
      const isRunning = async () => {
        const { jobs } = await couch.send('GET', '/_scheduler/jobs');
        return (jobs as { doc_id: string }[]).some(({ doc_id }) => doc_id === target);
      };
      while (await isRunning()) await pause(100);
    };
    const copied = () => untilCopied(from, source, to, target);
    await startReplication();
    t.teardown(() => stopReplication().catch(() => undefined));
    await copied();

    await reference.restart();
    await from.send('PUT', `/${source}/after-a-kill-of-the-reference-server`, {});
    await copied();
    if (restartCommand === undefined) t.log('COUCHDB_RESTART is not set: CouchDB is not killed');
    else {
      await restartCouchdb(couch);
      await from.send('PUT', `/${source}/after-a-kill-of-couchdb`, {});
      await copied();
    }
    t.deepEqual(await contentOf(to, target), await contentOf(from, source));

    await stopReplication();
    const checkpoints = async () => {
      const { rows } = await from.send('GET', `/${source}/_local_docs?include_docs=true`);
      return (rows as { doc: { history: { start_last_seq: unknown }[] } }[]).map(({ doc }) => doc.history);
    };
    const before = (await checkpoints()).map((history) => history.length);
    await from.send('PUT', `/${source}/after-a-stop`, {});
    await startReplication();
    await copied();
    await stopReplication();
    const [after] = await checkpoints();
    t.is(after!.length, before[0]! + 1);
    t.not(after![0]!.start_last_seq, 0, 'the replication began at its checkpoint');
  });
