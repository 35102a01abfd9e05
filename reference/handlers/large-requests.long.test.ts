/** Requests with many items and responses with many rows, over HTTP. */
import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import test from 'ava';
import { basic, testServer, type TestServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

interface Row {
  readonly id?: string;
  readonly key: string;
  readonly error?: string;
  readonly doc?: { readonly text: string; readonly _attachments?: Record<string, { data?: string }> };
}
interface List {
  readonly total_rows: number;
  readonly offset: number | null;
  readonly rows: readonly Row[];
}

const range = (length: number) => Array.from({ length }, (_, index) => index);
const idOf = (index: number) => `document-${String(index).padStart(4, '0')}`;

const count = 1200;

const ids = range(count).map(idOf);

/** Reads a list. */
async function list({ asAdmin }: TestServer, query: string, body?: object): Promise<List> {
  const { status, json } = await asAdmin(body ? 'POST' : 'GET', `/recipes/_all_docs?${query}`, body);
  if (status !== 200) throw new Error(`status ${status}`);
  return json as List;
}

async function fill({ asAdmin }: TestServer, textLength: number): Promise<void> {
  await asAdmin('PUT', '/recipes');
  const text = 'x'.repeat(textLength);
  for (let first = 0; first < count; first += 400) {
    const docs = range(400).map((index) => ({ _id: idOf(first + index), text }));
    const { status } = await asAdmin('POST', '/recipes/_bulk_docs', { docs });
    if (status !== 201) throw new Error(`status ${status}`);
  }
}

/** Its documents never change. */
const withDocuments = sharedServer({}, (server) => fill(server, 1000));

const idsOf = ({ rows }: List) => rows.map(({ id }) => id);

test('a long list has each document once, in order', async (t) => {
  const server = await withDocuments();
  const all = await list(server, 'include_docs=true');
  t.deepEqual([all.total_rows, all.offset, idsOf(all)], [1200, 0, ids]);
  t.true(all.rows.every(({ doc }) => doc!.text.length === 1000));
  t.deepEqual(idsOf(await list(server, 'include_docs=true&descending=true')), ids.toReversed());
  t.deepEqual(idsOf(await list(server, 'include_docs=true&skip=3&limit=700')), ids.slice(3, 703));
  const bounds = `startkey="${ids[5]}"&endkey="${ids[900]}"`;
  t.deepEqual(idsOf(await list(server, `include_docs=true&${bounds}`)), ids.slice(5, 901));
  t.deepEqual(
    idsOf(await list(server, `include_docs=true&${bounds}&inclusive_end=false`)),
    ids.slice(5, 900),
  );
  const down = `startkey="${ids[900]}"&endkey="${ids[5]}"&descending=true&inclusive_end=false`;
  const part = await list(server, `include_docs=true&${down}`);
  t.deepEqual([part.offset, idsOf(part)], [299, ids.slice(6, 901).toReversed()]);
  t.deepEqual(idsOf(await list(server, '')), ids);
});

test('a long list by keys has a row for each key', async (t) => {
  const keys = ids.flatMap((id) => [id, `unknown-${id}`]);
  const { rows } = await list(await withDocuments(), 'include_docs=true', { keys });
  t.deepEqual(
    rows.map(({ key }) => key),
    keys,
  );
  t.is(rows.filter(({ error }) => error === 'not_found').length, ids.length);
});

test('a long list has the content of attachments', async (t) => {
  const server = await testServer(t);
  const data = Buffer.alloc(400_000, 'a').toString('base64');
  const _attachments = { picture: { content_type: 'image/png', data } };
  await server.asAdmin('PUT', '/recipes');
  for (const _id of ['a', 'b', 'c']) await server.asAdmin('PUT', `/recipes/${_id}`, { _attachments });
  const { rows } = await list(server, 'include_docs=true&attachments=true');
  t.deepEqual(
    rows.map(({ doc }) => doc!._attachments!.picture!.data === data),
    [true, true, true],
  );
});

test('a long _bulk_get has each document', async (t) => {
  const { asAdmin } = await withDocuments();
  const docs = [...ids, 'unknown'].map((id) => ({ id }));
  const { json } = await asAdmin('POST', '/recipes/_bulk_get', { docs });
  const { results } = json as { results: { id: string; docs: { ok?: object; error?: object }[] }[] };
  t.deepEqual(
    results.map(({ id, docs: [one] }) => [id, one!.ok !== undefined]),
    [...ids.map((id) => [id, true]), ['unknown', false]],
  );
});

/** A list of such documents is longer than what sockets accept while a reader stalls. */
const longText = 15_000;

/** Begins to read a long list. The returned function reads the rest. */
async function beginList({ open }: TestServer): Promise<() => Promise<string>> {
  const headers = basic('admin', 'secret');
  const { body } = await open('GET', '/recipes/_all_docs?include_docs=true', { headers });
  await once(body, 'readable');
  return () => body.text();
}

test('a list during which documents change has all others once, and is valid', async (t) => {
  const server = await testServer(t);
  const { asAdmin } = server;
  await fill(server, longText);
  const readRest = await beginList(server);
  const { json } = await asAdmin('GET', `/recipes/${ids.at(-1)}`);
  await asAdmin('PUT', `/recipes/${ids.at(-1)}`, { ...(json as object), text: 'new' });
  await asAdmin('PUT', '/recipes/zucchini', { text: 'added' });
  await asAdmin('PUT', '/recipes/apple', { text: 'added' });
  const { rows, total_rows } = JSON.parse(await readRest()) as List;
  t.is(total_rows, 1200);
  t.deepEqual(idsOf({ rows } as List), [...ids, 'zucchini']);
  t.is(rows[1199]!.doc!.text, 'new');
});

test('a list is cut if its database is deleted, and this is logged', async (t) => {
  const server = await testServer(t);
  await fill(server, longText);
  const readRest = await beginList(server);
  await server.asAdmin('DELETE', '/recipes');
  await t.throwsAsync(readRest);
  const aborted = { msg: 'the response was aborted', path: '/recipes/_all_docs', error: 'not_found' };
  t.like(
    server.logged.find(({ level }) => level === 'warn'),
    aborted,
  );
});

test('a long list is refused before it begins', async (t) => {
  const { send, asAdmin } = await withDocuments();
  t.is((await send('GET', '/recipes/_all_docs?include_docs=true')).status, 401);
  t.is((await send('POST', '/recipes/_bulk_get', { body: { docs: ids.map((id) => ({ id })) } })).status, 401);
  // Half of a surrogate pair is not valid JSON.
  const body = (name: string, last: string, items: readonly unknown[]) =>
    `{"${name}":${JSON.stringify(items).slice(0, -1)},${last}]}`;
  const keys = await asAdmin('POST', '/recipes/_all_docs?include_docs=true', body('keys', '"\\ud800"', ids));
  const docs = ids.map((id) => ({ id }));
  const reads = await asAdmin('POST', '/recipes/_bulk_get', body('docs', '{"id":"\\ud800"}', docs));
  for (const { status, json } of [keys, reads]) {
    t.is(status, 400);
    t.like(json, { error: 'bad request' });
  }
});

for (const [path, bodyOf] of [
  ['_bulk_docs', (count: number) => ({ docs: range(count).map(() => ({})), new_edits: true })],
  ['_bulk_get', (count: number) => ({ docs: range(count).map((index) => ({ id: `${index}` })) })],
  ['_all_docs', (count: number) => ({ keys: range(count).map(String), include_docs: true })],
  ['_changes?filter=_doc_ids', (count: number) => ({ doc_ids: range(count).map(String) })],
  ['_revs_diff', (count: number) => Object.fromEntries(range(count).map((index) => [index, ['1-a']]))],
  ['_missing_revs', (count: number) => Object.fromEntries(range(count).map((index) => [index, ['1-a']]))],
  ['_all_docs/queries', (count: number) => ({ queries: range(count).map(() => ({})) })],
  ['_revs_diff', (count: number) => ({ a: range(count).map((index) => `1-${index}`) })],
] as const) {
  test(`413: ${path} with more items than allowed, such as ${JSON.stringify(bodyOf(1))}`, async (t) => {
    const { asAdmin } = await testServer(t, { config: { docfeed: { max_items_per_request: '500' } } });
    await asAdmin('PUT', '/recipes');
    const sent = async (count: number) => asAdmin('POST', `/recipes/${path}`, bodyOf(count));
    t.true((await sent(500)).status < 300);
    const { status, json } = await sent(501);
    const reason = 'The body has more than 500 items (see the setting docfeed/max_items_per_request).';
    t.deepEqual([status, json], [413, { error: 'too_large', reason }]);
    await asAdmin('PUT', '/_node/_local/_config/docfeed/max_items_per_request', '"501"');
    t.true((await sent(501)).status < 300);
  });
}

test('the error for an invalid item names its index', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const reasonFor = async (path: string, body: object) => {
    const { status, json } = await asAdmin('POST', `/recipes/${path}`, body);
    return [status, (json as { reason: string }).reason.replace(/ is .*/, '')];
  };
  const docs = [...range(450).map(() => ({})), { _attachments: { a: 5 } }, {}];
  t.deepEqual(await reasonFor('_bulk_docs', { docs }), [400, '`docs[450]._attachments.a`']);
  // As in CouchDB.
  const revisions = { a: [...range(300).map(() => '1-a'), 7] };
  t.deepEqual(await reasonFor('_revs_diff', revisions), [400, 'Invalid rev format']);
  const many = Object.fromEntries(range(900).map((index) => [`k${index}`, index === 850 ? 'x' : ['1-a']]));
  t.deepEqual(await reasonFor('_revs_diff', many), [400, '`k850`']);
  t.like((await asAdmin('GET', '/recipes')).json, { doc_count: 0 });
});

test('a long _bulk_docs writes each document, in order, and reports failures of single documents', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', `/recipes/${idOf(2500)}`, {});
  const docs = range(5000).map((index) => ({ _id: idOf(index), index }));
  const { status, json } = await asAdmin('POST', '/recipes/_bulk_docs', { docs });
  const results = json as { id: string; error?: string; rev?: string }[];
  t.is(status, 201);
  t.deepEqual(
    results.map(({ id }) => id),
    docs.map(({ _id }) => _id),
  );
  t.deepEqual(
    results.flatMap(({ error }, index) => (error === undefined ? [] : [[error, index]])),
    [['conflict', 2500]],
  );
  const feed = (await asAdmin('GET', '/recipes/_changes')).json as { results: { id: string }[] };
  t.deepEqual(
    feed.results.map(({ id }) => id),
    [idOf(2500), ...docs.map(({ _id }) => _id).filter((id) => id !== idOf(2500))],
  );
  const revisions = Object.fromEntries(results.map(({ id, rev = '1-a' }) => [id, [rev, '1-b']]));
  const missing = (await asAdmin('POST', '/recipes/_revs_diff', revisions)).json as Record<string, object>;
  t.is(Object.keys(missing).length, 5000);
  t.deepEqual(missing[idOf(7)], { missing: ['1-b'] });
});

// So many items that a server that answers in between answers far more than five.
for (const [path, body] of [
  ['_bulk_docs', { docs: range(20_000).map(() => ({})) }],
  ['_revs_diff', Object.fromEntries(range(20_000).map((index) => [index, ['1-a']]))],
  ['_all_docs', { keys: range(20_000).map(String) }],
  ['_bulk_get', { docs: range(20_000).map((index) => ({ id: `${index}` })) }],
] as const) {
  test(`other requests are answered during a long ${path}`, async (t) => {
    const { asAdmin, send } = await testServer(t, {
      config: { docfeed: { max_items_per_request: '20000' } },
    });
    await asAdmin('PUT', '/recipes');
    let isDone = false;
    const attack = asAdmin('POST', `/recipes/${path}`, body).finally(() => (isDone = true));
    let others = 0;
    for (; !isDone; others++) t.is((await send('GET', '/')).status, 200);
    t.true((await attack).status < 300);
    t.log(`${others} other requests`);
    t.true(others >= 5, `only ${others} other requests`);
  });
}

test('a body that took too long and then proves too large stops nobody', async (t) => {
  const { url, asAdmin } = await testServer(t);
  const late = send(`${url}/_session`, { method: 'POST', headers: { 'content-type': 'application/json' } });
  late.on('error', () => {});
  late.write('{"name":"');
  const [response] = (await once(late, 'response')) as [IncomingMessage];
  t.is(response.statusCode, 408);
  late.end('x'.repeat(20_000_000));
  await new Promise((resolve) => late.once('close', resolve));
  t.is((await asAdmin('GET', '/')).status, 200);
});
