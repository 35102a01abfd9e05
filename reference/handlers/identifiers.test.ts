/** Document IDs with any characters over HTTP. */
import test, { type ExecutionContext } from 'ava';
import { testServer } from '../testing/server.js';

const unusual = [
  'a b',
  'a/b',
  'a.b',
  '?&#',
  '%',
  '%20',
  '+',
  '"',
  'a\u0000b',
  'a\u0001',
  'é',
  '\u2028',
  '\ufeff',
  '\ufeffx',
  '\uffff',
  '😀',
  '😀\ufeff',
].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

async function filled(t: ExecutionContext) {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/db');
  const docs = unusual.map((_id) => ({ _id, name: _id }));
  const { json } = await server.asAdmin('POST', '/db/_bulk_docs', { docs: docs.toReversed() });
  t.deepEqual(
    (json as { id: string }[]).map(({ id }) => id),
    unusual.toReversed(),
  );
  const ids = async (query: string, body?: object) => {
    const method = body ? 'POST' : 'GET';
    const { json } = await server.asAdmin(method, `/db/_all_docs?${query}`, body);
    return (json as { rows: { id: string }[] }).rows.map(({ id }) => id);
  };
  return { ...server, ids };
}

test('each document is found by its path, and listed with its ID', async (t) => {
  const { asAdmin, ids } = await filled(t);
  for (const id of unusual) {
    const { status, json } = await asAdmin('GET', `/db/${encodeURIComponent(id)}`);
    t.is(status, 200, JSON.stringify(id));
    t.like(json, { _id: id, name: id });
  }
  t.deepEqual(await ids(''), unusual);
  t.deepEqual(await ids('descending=true'), unusual.toReversed());
  t.deepEqual(await ids('', { keys: unusual }), unusual);
  const { json } = await asAdmin('GET', '/db/_changes');
  const { results } = json as { results: { id: string }[] };
  t.deepEqual(
    results.map(({ id }) => id),
    unusual.toReversed(),
  );
});

test('ranges can start and end at any ID', async (t) => {
  const { ids } = await filled(t);
  t.deepEqual(await ids('startkey=""'), unusual);
  t.deepEqual(await ids('endkey=""'), []);
  for (const [at, id] of unusual.entries()) {
    const key = encodeURIComponent(JSON.stringify(id));
    t.deepEqual(await ids(`startkey=${key}`), unusual.slice(at));
    t.deepEqual(await ids(`endkey=${key}`), unusual.slice(0, at + 1));
    t.deepEqual(await ids(`endkey=${key}&inclusive_end=false`), unusual.slice(0, at));
    t.deepEqual(await ids(`key=${key}`), [id]);
  }
});

test('an unpaired surrogate is rejected everywhere', async (t) => {
  const { asAdmin, ids } = await filled(t);
  const half = '"\\ud83d"';
  for (const [method, path, body] of [
    ['POST', '/db', `{"_id":${half}}`],
    ['POST', '/db/_bulk_docs', `{"docs":[{"_id":"fine"},{"_id":${half}}]}`],
    ['POST', '/db/_all_docs', `{"keys":[${half}]}`],
    ['GET', `/db/_all_docs?startkey=${half}`],
    ['GET', `/db/_all_docs?key=${half}`],
    ['GET', '/db/%ED%A0%BD'],
    ['PUT', '/db/%ED%A0%BD', '{}'],
  ] as const) {
    const { status, json } = await asAdmin(method, encodeURI(path).replaceAll('%25', '%'), body);
    t.is(status, 400, `${method} ${path}`);
    t.deepEqual(Object.keys(json as object), ['error', 'reason']);
  }
  t.deepEqual(await ids(''), unusual);
});
