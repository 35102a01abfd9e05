/** Validation functions of design documents, over HTTP. The expected values are those of CouchDB 3.5. */
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../index.js';
import { createDatabase } from '../testing/feed.js';
import { basic, testServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const shared = sharedServer();

let databases = 0;

/** Creates a database with validation functions, by name of the design document. */
async function recipes(
  t: ExecutionContext,
  functions: Readonly<Record<string, string>>,
  options?: ServerOptions,
) {
  const server = await (options ? testServer(t, options) : shared());
  const db = `validated-${++databases}`;
  const { replicate } = await createDatabase(t, server, db);
  for (const [name, source] of Object.entries(functions)) {
    const { status, text } = await server.asAdmin('PUT', `/${db}/_design/${name}`, {
      validate_doc_update: source,
    });
    t.is(status, 201, text);
  }
  const put = (id: string, document: object, query = '') =>
    server.asAdmin('PUT', `/${db}/${id}${query}`, document);
  const bulk = async (...docs: object[]) =>
    (await server.asAdmin('POST', `/${db}/_bulk_docs`, { docs })).json;
  const read = async (id: string) => (await server.asAdmin('GET', `/${db}/${id}`)).status;
  return { ...server, db, put, bulk, replicate, read };
}

const revOf = ({ json }: { json: unknown }) => (json as { rev: string }).rev;

/** Throws what the document says. */
const throwing = `function (doc) {
  if (doc.throws === 'an Error') throw new RangeError('boom');
  if (doc.throws !== undefined) throw doc.throws;
}`;
/** Rejects documents that say so, and reports its arguments. */
const reporting = `function (doc, before, user, security) {
  if (doc.report) throw { forbidden: toJSON([doc, before, user, security, this._id, arguments.length]) };
}`;
const reported = ({ json }: { json: unknown }) =>
  JSON.parse((json as { reason: string }).reason) as [doc: object, before: object | null, ...unknown[]];

const thrown: [value: unknown, status: number, error: string, reason: string][] = [
  [{ forbidden: 'no soup' }, 403, 'forbidden', 'no soup'],
  [{ unauthorized: 'log in' }, 401, 'unauthorized', 'log in'],
  [{ forbidden: { a: 1 } }, 403, 'forbidden', '{"a":1}'],
  [{ other: 'thing' }, 500, 'unknown_error', 'thing'],
  [{ forbidden: 'a', more: 'b' }, 500, 'unknown_error', '{"forbidden":"a","more":"b"}'],
  ['text', 500, 'unknown_error', 'text'],
  [null, 500, 'unknown_error', 'null'],
  ['an Error', 500, 'RangeError', 'boom'],
  [['error', 'kind', 'text'], 500, 'kind', 'text'],
];

for (const [value, status, error, reason] of thrown)
  test(`${JSON.stringify(value)} rejects writes with ${status}`, async (t) => {
    const { put, bulk, replicate, read } = await recipes(t, { rules: throwing });
    const single = await put('soup', { throws: value });
    t.is(single.status, status);
    t.deepEqual(single.json, { error, reason });
    const [first, second, third] = (await bulk(
      { _id: 'a' },
      { _id: 'soup', throws: value },
      { _id: 'b' },
    )) as object[];
    t.like(first, { ok: true, id: 'a' });
    t.deepEqual(second, { id: 'soup', error, reason });
    t.like(third, { ok: true, id: 'b' });
    const { json } = await replicate({ _id: 'soup', _rev: '3-c', throws: value }, { _id: 'c', _rev: '1-x' });
    t.deepEqual(json, [{ id: 'soup', rev: '3-c', error, reason }]);
    const replicated = await put('soup', { _rev: '3-c', throws: value }, '?new_edits=false');
    t.deepEqual([replicated.status, replicated.json], [status, { error, reason }]);
    t.deepEqual([await read('soup'), await read('c')], [404, 200]);
  });

for (const value of [true, 1])
  test(`throwing ${value} accepts a write`, async (t) => {
    const { put } = await recipes(t, { rules: throwing });
    t.is((await put('soup', { throws: value })).status, 201);
  });

test('a function sees the new document, the previous revision, the user and the security object', async (t) => {
  const { db, put, asAdmin, send } = await recipes(t, { rules: reporting });
  const security = { members: { names: [] }, admins: { names: ['boss'] } };
  await asAdmin('PUT', `/${db}/_security`, security);
  const user = { db, name: 'admin', roles: ['_admin'] };
  const rest = [user, security, '_design/rules', 4];
  t.deepEqual(reported(await put('soup', { report: 1 })), [{ _id: 'soup', report: 1 }, null, ...rest]);

  const rev = revOf(await put('soup', { minutes: 30 }));
  const _revisions = { start: 1, ids: [rev.slice(2)] };
  const before = { _id: 'soup', _rev: rev, _revisions, minutes: 30 };
  t.deepEqual(reported(await put('soup', { _rev: rev, report: 1 })), [
    { _id: 'soup', _rev: rev, _revisions, report: 1 },
    before,
    ...rest,
  ]);
  await asAdmin('PUT', '/_users/org.service.user:ann', {
    name: 'ann',
    password: 'x',
    roles: ['cook'],
    type: 'user',
  });
  const asAnn = { headers: basic('ann', 'x'), body: { report: 1 } };
  t.deepEqual(reported(await send('PUT', `/${db}/tea`, asAnn))[2], { db, name: 'ann', roles: ['cook'] });
  const anonymous = await send('PUT', `/${db}/tea`, { body: { report: 1 } });
  t.deepEqual(reported(anonymous)[2], { db, name: null, roles: [] });
});

test('the previous revision of a replicated document is its nearest stored ancestor', async (t) => {
  const { replicate } = await recipes(t, { rules: reporting });
  await replicate({ _id: 'soup', _revisions: { start: 2, ids: ['b', 'a'] }, minutes: 30 });
  const report = async (document: object) => {
    const { json } = await replicate({ _id: 'soup', report: 1, ...document });
    return reported({ json: (json as unknown[])[0] });
  };
  const [doc, before] = await report({ _revisions: { start: 4, ids: ['d', 'c', 'b', 'a'] } });
  t.like(doc, { _rev: '4-d', _revisions: { start: 4, ids: ['d', 'c', 'b', 'a'] } });
  t.deepEqual(before, { _id: 'soup', _rev: '2-b', _revisions: { start: 2, ids: ['b', 'a'] }, minutes: 30 });
  t.is((await report({ _rev: '1-z' }))[1], null);
  // A known revision is not stored again.
  t.deepEqual((await replicate({ _id: 'soup', _rev: '2-b', report: 1 })).json, []);
});

test('deletions and attachments are validated', async (t) => {
  const { db, put, asAdmin, bulk, send, read } = await recipes(t, {
    rules: `function (doc, before) {
      if (doc._deleted) throw { forbidden: 'deletes ' + before.minutes };
      if (doc._attachments) throw { forbidden: 'attaches ' + doc._attachments.note.length + toJSON(!before) };
      if (before && before._attachments) throw { forbidden: 'detaches' };
    }`,
  });
  const rev = revOf(await put('soup', { minutes: 30 }));
  const reasonOf = ({ status, json }: { status: number; json: unknown }) => {
    t.is(status, 403);
    return (json as { reason: string }).reason;
  };
  t.is(reasonOf(await asAdmin('DELETE', `/${db}/soup?rev=${rev}`)), 'deletes 30');
  t.is(reasonOf(await put('soup', { _rev: rev, _deleted: true })), 'deletes 30');
  t.like(await bulk({ _id: 'soup', _rev: rev, _deleted: true }), { 0: { reason: 'deletes 30' } });
  const headers = { ...basic('admin', 'secret'), 'content-type': 'text/plain' };
  const attach = (path: string) => send('PUT', `/${db}/${path}`, { headers, body: 'hello' });
  t.is(reasonOf(await attach(`soup/note?rev=${rev}`)), 'attaches 5false');
  t.is(reasonOf(await attach('tea/note')), 'attaches 5true');
  t.is(
    reasonOf(await put('tea', { _attachments: { note: { data: 'aGk=', content_type: 'a/b' } } })),
    'attaches 2true',
  );
  t.deepEqual([await read('soup'), await read('tea')], [200, 404]);
});

test('all functions must accept a write; the first one that rejects it decides', async (t) => {
  const rule = (name: string) => `(doc) => { if (doc.${name}) throw { forbidden: '${name}' }; }`;
  const { put, bulk, db, asAdmin } = await recipes(t, { b: rule('b'), a: rule('a') });
  t.is((await put('soup', { minutes: 1 })).status, 201);
  const reasons = (await bulk({ a: 1 }, { b: 1 }, { a: 1, b: 1 }, {})) as { reason?: string }[];
  t.deepEqual(
    reasons.map(({ reason }) => reason),
    ['a', 'b', 'a', undefined],
  );
  const { json } = await asAdmin('GET', `/${db}/_design/a`);
  await asAdmin('DELETE', `/${db}/_design/a?rev=${(json as { _rev: string })._rev}`);
  t.deepEqual(
    ((await bulk({ a: 1 }, { b: 1 })) as { reason?: string }[]).map(({ reason }) => reason),
    [undefined, 'b'],
  );
});

test('design documents and _local documents are not validated', async (t) => {
  const { put, asAdmin, db } = await recipes(t, { rules: "() => { throw { forbidden: 'all' }; }" });
  t.is((await put('soup', {})).status, 403);
  t.is((await asAdmin('POST', `/${db}`, {})).status, 403);
  t.is((await put('_local/soup', {})).status, 201);
  t.is((await put('_design/more', {})).status, 201);
});

test('a conflict is reported as such', async (t) => {
  const { put, bulk } = await recipes(t, { rules: "(doc) => { if (doc.no) throw { forbidden: 'no' }; }" });
  await put('soup', {});
  t.is((await put('soup', { no: 1 })).status, 409);
  t.is((await put('tea', { _rev: '1-a' })).status, 409);
  const conflict = { id: 'soup', error: 'conflict', reason: 'Document update conflict.' };
  t.deepEqual(await bulk({ _id: 'soup' }), [conflict]);
  t.is((await put('tea', { _attachments: { a: { stub: true } } })).status, 412);
});

test('a function that cannot be executed rejects all writes', async (t) => {
  const { db, put, asAdmin, bulk } = await recipes(t, { broken: 'function (' });
  const reply = await put('soup', {});
  t.is(reply.status, 500);
  t.like(reply.json, { error: 'compilation_error' });
  t.like(await bulk({}, {}), { 0: { error: 'compilation_error' }, 1: { error: 'compilation_error' } });
  await asAdmin('PUT', `/${db}/_design/broken-too`, { validate_doc_update: 5 }).then(({ status, json }) => {
    t.is(status, 400);
    t.like(json, { error: 'invalid_design_doc' });
  });
  const erlang = { language: 'erlang', validate_doc_update: 'fun' };
  await asAdmin('PUT', `/${db}/_design/a`, erlang);
  t.like((await put('soup', {})).json, { error: 'unknown_query_language' });
});

test('a function that exceeds a limit rejects the request', async (t) => {
  const source = `function (doc) {
    if (doc.loops) for (;;);
    if (doc.hoards) new Uint8Array(268435456);
  }`;
  const config = { docfeed: { filter_cpu_ms: '500' } };
  const { put, bulk, read, reports } = await recipes(t, { rules: source }, { config });
  const { status, json } = await put('soup', { loops: true });
  t.is(status, 500);
  const fails = (json: unknown, reason: RegExp) => {
    t.like(json, { error: 'os_process_error' });
    t.regex((json as { reason: string }).reason, reason);
  };
  fails(json, /"soup": it needs more than 0.5 s of CPU time$/);
  fails(
    await bulk({ _id: 'a' }, { _id: 'soup', hoards: true }),
    /"soup": it needs more than 128 MiB of memory$/,
  );
  t.deepEqual([await read('soup'), await read('a')], [404, 404]);
  t.is((await put('soup', {})).status, 201);
  t.deepEqual(reports, []);
});

test('the users database is validated too', async (t) => {
  const { asAdmin } = await recipes(t, {}, {});
  const rule = "(doc) => { if (doc.name.length < 4) throw { forbidden: 'a short name' }; }";
  await asAdmin('PUT', '/_users/_design/names', { validate_doc_update: rule });
  const create = (name: string) =>
    asAdmin('PUT', `/_users/org.service.user:${name}`, { name, password: 'x', roles: [], type: 'user' });
  t.like((await create('ann')).json, { error: 'forbidden', reason: 'a short name' });
  t.is((await create('anna')).status, 201);
});
