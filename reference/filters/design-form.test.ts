import test from 'ava';
import { testServer } from '../testing/server.js';

const map = 'function (doc) { emit(doc._id); }';
const valid = {
  filters: { soups: 'function () { return true; }', modules: {} },
  language: 'javascript',
  lists: { all: 'function () {}' },
  options: { include_design: true, partitioned: false },
  rewrites: [],
  shows: {},
  updates: { count: 'function () {}' },
  validate_doc_update: 'function () {}',
  views: { all: { map, reduce: '_count' }, lib: { tools: 'exports.a = 1;' } },
  anything: 5,
};

for (const [design, reason] of [
  [{ filters: [] }, '`filters` field must have object type'],
  [{ filters: { a: map, b: 5 } }, '`filters.b` field must have string or object type'],
  [{ language: null }, '`language` field must have string type'],
  [{ lists: { a: [] } }, '`lists.a` field must have string or object type'],
  [{ options: { local_seq: 'true' } }, '`options.local_seq` field must have boolean type'],
  [{ options: { partitioned: true } }, 'partitioned option cannot be true in a non-partitioned database.'],
  [{ rewrites: {} }, '`rewrites` field must have array or string type'],
  [{ validate_doc_update: {} }, '`validate_doc_update` field must have string type'],
  [{ views: { a: map } }, '`views.a` field must have object type'],
  [{ views: { a: { map: {} } } }, '`views.a.map` field must have string type'],
  [{ language: 'query', views: { a: { map } } }, '`views.a.map` field must have object type'],
  [{ views: { a: { map, reduce: {} } } }, '`views.a.reduce` field must have string type'],
  [{ views: { a: { reduce: '_count' } } }, 'View `a` must contain map function'],
] as const) {
  test(`a design document is refused: ${reason}`, async (t) => {
    const { asAdmin } = await testServer(t);
    await asAdmin('PUT', '/recipes');
    const refused = await asAdmin('PUT', '/recipes/_design/d', design);
    t.is(refused.status, 400);
    t.like(refused.json, { error: 'invalid_design_doc', reason });
    t.is((await asAdmin('PUT', '/recipes/d', design)).status, 201);
  });
}

test('a design document with all members is written, and deleted', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const written = await asAdmin('PUT', '/recipes/_design/d', valid);
  t.is(written.status, 201);
  const { rev } = written.json as { rev: string };
  t.is((await asAdmin('DELETE', `/recipes/_design/d?rev=${rev}`)).status, 200);
  const query = { language: 'query', views: { a: { map: { fields: {} }, reduce: '_count' } } };
  t.is((await asAdmin('PUT', '/recipes/_design/q', query)).status, 201);
});

test('of several documents, only a design document with a wrong form is refused', async (t) => {
  const { asAdmin } = await testServer(t, { dialect: 'couchdb' });
  await asAdmin('PUT', '/recipes');
  const bulk = async (body: object) => (await asAdmin('POST', '/recipes/_bulk_docs', body)).json;
  const error = { error: 'invalid_design_doc', reason: '`views` field must have object type' };
  const [first, second] = (await bulk({
    docs: [{ _id: 'soup' }, { _id: '_design/d', views: 5 }],
  })) as object[];
  t.like(first, { ok: true, id: 'soup' });
  t.deepEqual(second, { id: '_design/d', ...error });
  const docs = [
    { _id: 'tea', _rev: '1-a' },
    { _id: '_design/d', _rev: '1-a', views: 5 },
  ];
  t.deepEqual(await bulk({ docs, new_edits: false }), [{ id: '_design/d', rev: '1-a', ...error }]);
  t.is((await asAdmin('GET', '/recipes/tea')).status, 200);
});
