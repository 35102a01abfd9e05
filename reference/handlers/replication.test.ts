/** Requests of replicators: missing revisions, and bulk reads of revisions. */
import test, { type ExecutionContext } from 'ava';
import { testServer } from '../testing/server.js';

/** `a` has the leaf revisions 3-c (after 2-b, 1-a) and 2-d (deleted, after 1-a); `b` has 1-x. */
async function source(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/db');
  const docs = [
    { _id: 'a', _revisions: { start: 2, ids: ['b', 'a'] }, n: 2 },
    { _id: 'a', _revisions: { start: 3, ids: ['c', 'b', 'a'] }, n: 3 },
    { _id: 'a', _revisions: { start: 2, ids: ['d', 'a'] }, _deleted: true },
    { _id: 'b', _rev: '1-x' },
  ];
  t.is((await server.asAdmin('POST', '/db/_bulk_docs', { docs, new_edits: false })).status, 201);
  const post = async (path: string, body: unknown) => {
    const { status, json } = await server.asAdmin('POST', `/db/${path}`, body);
    return [status, json];
  };
  return { ...server, post };
}

test('_revs_diff returns the missing revisions and their possible ancestors', async (t) => {
  const { post } = await source(t);
  t.deepEqual(await post('_revs_diff', {}), [200, {}]);
  t.deepEqual(await post('_revs_diff', { a: ['1-a', '2-b', '3-c', '2-d'], b: ['1-x'], c: [] }), [200, {}]);
  t.deepEqual(
    await post('_revs_diff', {
      a: ['3-c', '3-e', '2-f', '3-e'],
      b: ['1-y'],
      c: ['2-z'],
      constructor: ['1-q'],
    }),
    [
      200,
      {
        a: { missing: ['3-e', '2-f'], possible_ancestors: ['2-d'] },
        b: { missing: ['1-y'] },
        c: { missing: ['2-z'] },
        constructor: { missing: ['1-q'] },
      },
    ],
  );
  t.deepEqual(await post('_revs_diff', { a: ['4-e'] }), [
    200,
    { a: { missing: ['4-e'], possible_ancestors: ['3-c', '2-d'] } },
  ]);
  for (const body of [[], 'x', null, { a: '1-a' }, { a: ['x'] }, { a: [1] }, '{"\\ud800":["1-a"]}'])
    t.is((await post('_revs_diff', body))[0], 400, JSON.stringify(body));
});

test('_missing_revs returns the missing revisions only', async (t) => {
  const { post } = await source(t);
  const sent = { a: ['3-c', '3-e', '2-f', '3-e'], b: ['1-x'], c: ['2-z'], d: [] };
  t.deepEqual(await post('_missing_revs', sent), [200, { missing_revs: { a: ['3-e', '2-f'], c: ['2-z'] } }]);
  t.deepEqual(await post('_missing_revs', {}), [200, { missing_revs: {} }]);
  for (const body of [[], { a: '1-a' }, { a: ['x'] }])
    t.is((await post('_missing_revs', body))[0], 400, JSON.stringify(body));
});

test('_bulk_get reads the requested revisions, or all leaf revisions', async (t) => {
  const { post } = await source(t);
  const c = { _id: 'a', _rev: '3-c', n: 3 };
  const d = { _id: 'a', _rev: '2-d', _deleted: true };
  const failure = (id: string, rev: string | null) => ({
    error: { id, rev, error: 'not_found', reason: 'missing' },
  });
  const docs = [
    { id: 'a', rev: '2-b' },
    { id: 'a' },
    { id: 'a', rev: '1-a' },
    { id: 'nobody' },
    { id: 'nobody', rev: '1-a' },
  ];
  t.deepEqual(await post('_bulk_get', { docs }), [
    200,
    {
      results: [
        { id: 'a', docs: [{ ok: { _id: 'a', _rev: '2-b', n: 2 } }] },
        { id: 'a', docs: [{ ok: c }, { ok: d }] },
        { id: 'a', docs: [failure('a', '1-a')] },
        { id: 'nobody', docs: [failure('nobody', null)] },
        { id: 'nobody', docs: [failure('nobody', '1-a')] },
      ],
    },
  ]);
  t.deepEqual(await post('_bulk_get?revs=true&latest=true', { docs: [docs[0], docs[2]] }), [
    200,
    {
      results: [
        { id: 'a', docs: [{ ok: { ...c, _revisions: { start: 3, ids: ['c', 'b', 'a'] } } }] },
        {
          id: 'a',
          docs: [
            { ok: { ...c, _revisions: { start: 3, ids: ['c', 'b', 'a'] } } },
            { ok: { ...d, _revisions: { start: 2, ids: ['d', 'a'] } } },
          ],
        },
      ],
    },
  ]);
  for (const body of [{}, { docs: {} }, { docs: [{ rev: '1-a' }] }, { docs: [{ id: 'a', rev: 'x' }] }])
    t.is((await post('_bulk_get', body))[0], 400, JSON.stringify(body));
});
