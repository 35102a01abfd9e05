import test, { type ExecutionContext } from 'ava';
import { testServer } from '../testing/server.js';

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/db');
  const outcome = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await server.asAdmin(method, `/db/${path}`, body);
    return [status, json];
  };
  return { ...server, outcome };
}

const missing = [404, { error: 'not_found', reason: 'missing' }];

test('a local document can be written, changed and deleted without conflicts', async (t) => {
  const { asAdmin, outcome } = await kitchen(t);
  const id = '_local/a';
  const written = (rev: string) => [201, { ok: true, id, rev }];
  t.deepEqual(await outcome('GET', id), missing);
  t.deepEqual(await outcome('PUT', id, { n: 1 }), written('0-1'));
  t.deepEqual(await outcome('PUT', id, { _id: id, _rev: '0-1', n: 2 }), written('0-2'));
  t.deepEqual(await outcome('PUT', id, { _rev: '0-7', n: 3 }), written('0-8'));
  t.deepEqual(await outcome('PUT', id, { n: 4 }), written('0-1'));
  t.deepEqual(await outcome('GET', id), [200, { _id: id, _rev: '0-1', n: 4 }]);
  t.is((await asAdmin('GET', `/db/${id}`)).headers.etag, '"0-1"');
  t.deepEqual(await outcome('DELETE', id), [200, { ok: true, id, rev: '0-0' }]);
  t.deepEqual(await outcome('GET', id), missing);
  t.deepEqual(await outcome('DELETE', `${id}?rev=0-1`), missing);
  t.deepEqual(await outcome('PUT', id, { n: 5 }), written('0-1'));
  t.deepEqual(await outcome('PUT', id, { _rev: '0-1', _deleted: true }), written('0-0'));
  t.deepEqual(await outcome('GET', id), missing);
});

test('a local document may have any name, and its slash may be encoded', async (t) => {
  const { outcome } = await kitchen(t);
  for (const name of ['a/b', '\ufeff', 'ü', '_x', '_local/a']) {
    const id = `_local/${name}`;
    const [plain, encoded] = [`_local/${encodeURIComponent(name)}`, encodeURIComponent(id)];
    t.deepEqual(await outcome('PUT', encoded, { name }), [201, { ok: true, id, rev: '0-1' }]);
    t.deepEqual(await outcome('GET', plain), [200, { _id: id, _rev: '0-1', name }]);
    t.deepEqual(await outcome('GET', encoded), [200, { _id: id, _rev: '0-1', name }]);
    t.deepEqual(await outcome('DELETE', `${encoded}?rev=0-1`), [200, { ok: true, id, rev: '0-0' }]);
  }
});

test('local documents are not listed, counted or part of the feed', async (t) => {
  const { outcome } = await kitchen(t);
  const state = async () => [
    await outcome('GET', '_all_docs'),
    await outcome('GET', '_changes?include_docs=true'),
    (await outcome('GET', ''))[1],
  ];
  const before = await state();
  await outcome('PUT', '_local/a', { n: 1 });
  t.deepEqual(await state(), before);
});

test('invalid local documents are rejected', async (t) => {
  const { outcome } = await kitchen(t);
  for (const body of [[], 'x', { _attachments: 1 }, { _x: 1 }, { _deleted: 1 }, { _rev: '1-a' }]) {
    const [status] = await outcome('PUT', '_local/a', body);
    t.is(status, 400, JSON.stringify(body));
  }
  t.is((await outcome('PUT', '_local', {}))[0], 400);
  t.deepEqual(await outcome('GET', '_local/a'), missing);
});

test('attachments of local documents are ignored, and cannot be read or written', async (t) => {
  const { outcome } = await kitchen(t);
  const attachments = { photo: { data: 'aGk=' } };
  t.is((await outcome('PUT', '_local/a', { n: 1, _attachments: attachments }))[0], 201);
  t.deepEqual(await outcome('GET', '_local/a?attachments=true'), [
    200,
    { _id: '_local/a', _rev: '0-1', n: 1 },
  ]);
  for (const [method, path] of [
    ['GET', '_local/a/photo'],
    ['PUT', '_local%2Fa/photo'],
    ['DELETE', '_local/a/photo'],
    ['GET', '_local/unknown/photo'],
  ] as const)
    t.deepEqual(await outcome(method, path), [
      400,
      { error: 'bad_request', reason: '_local documents do not accept attachments.' },
    ]);
});

test('_bulk_docs and POST write local documents', async (t) => {
  const { outcome } = await kitchen(t);
  const [status, results] = await outcome('POST', '_bulk_docs', {
    docs: [
      { _id: '_local/a', n: 1 },
      { _id: 'soup' },
      { _id: '_local/b', _rev: '1-x' },
      { _id: '_local/c', _x: 1 },
    ],
  });
  t.is(status, 201);
  t.like(results, [
    { ok: true, id: '_local/a', rev: '0-1' },
    { ok: true, id: 'soup' },
    { id: '_local/b', error: 'bad_request', reason: 'Invalid rev format' },
    { id: '_local/c', error: 'doc_validation' },
  ]);
  t.deepEqual(await outcome('GET', '_local/a'), [200, { _id: '_local/a', _rev: '0-1', n: 1 }]);
  t.deepEqual(await outcome('POST', '', { _id: '_local/d', n: 2 }), [
    201,
    { ok: true, id: '_local/d', rev: '0-1' },
  ]);

  const replicated = {
    docs: [
      { _id: '_local/a', _rev: '0-5', n: 3 },
      { _id: '_local/b', _rev: 'x' },
    ],
    new_edits: false,
  };
  t.like(await outcome('POST', '_bulk_docs', replicated), { 0: 400 }, 'the schema of `_rev` applies to all');
  replicated.docs.pop();
  t.deepEqual(await outcome('POST', '_bulk_docs', replicated), [201, []]);
  t.like(await outcome('GET', '_local/a'), { 1: { _rev: '0-6', n: 3 } });

  const deleted = ['_local/a', '_local/unknown'].map((id) => ({ _id: id, _deleted: true }));
  t.deepEqual(await outcome('POST', '_bulk_docs', { docs: deleted }), [
    201,
    deleted.map(({ _id: id }) => ({ ok: true, id, rev: '0-0' })),
  ]);
  t.deepEqual(await outcome('GET', '_local/a'), missing);
});
