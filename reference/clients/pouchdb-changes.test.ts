/** PouchDB reads the changes of the reference server over its http adapter, once and live. */
import { on, once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import PouchDB, { type Change } from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import { testServer } from '../testing/server.js';

PouchDB.plugin(http);

const design = {
  _id: '_design/with',
  filters: { at_least: 'function (doc, req) { return doc.eggs >= Number(req.query.eggs); }' },
  views: { eggs: { map: 'function (doc) { if (doc.eggs) emit(doc.eggs); }' } },
};

async function connect(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/recipes');
  const { name: username, password } = server.admin;
  const recipes = new PouchDB(`${server.url}/recipes`, { auth: { username, password } });
  /** Yields the changes one by one. */
  const live = (options: object) => {
    const changes = recipes.changes({ live: true, since: 0, ...options });
    t.teardown(() => changes.cancel());
    const rows = on(changes, 'change');
    const next = async () => ((await rows.next()).value as [Change])[0];
    return { changes, next };
  };
  return { ...server, recipes, live };
}

/** Two leaf revisions and a deleted one. */
const conflict = (id: string) =>
  [
    { _id: id, _rev: '2-b', _revisions: { start: 2, ids: ['b', 'a'] }, from: 'b', eggs: 1 },
    { _id: id, _rev: '2-c', _revisions: { start: 2, ids: ['c', 'a'] }, from: 'c', eggs: 1 },
    { _id: id, _rev: '3-d', _revisions: { start: 3, ids: ['d', 'e', 'a'] }, _deleted: true },
  ] as const;

test('once', async (t) => {
  const { recipes } = await connect(t);
  const { rev } = await recipes.put({ _id: 'gone' });
  await recipes.remove('gone', rev);
  const _attachments = {
    'note.txt': { content_type: 'text/plain', data: Buffer.from('x').toString('base64') },
  };
  await recipes.put({ _id: 'attached', _attachments });
  await recipes.bulkDocs([...conflict('conflict')], { new_edits: false });
  const { results, last_seq } = await recipes.changes({ include_docs: true, conflicts: true });
  t.is(results.at(-1)!.seq, last_seq);
  t.is(results.find(({ id }) => id === 'gone')?.deleted, true);
  t.deepEqual(results.find(({ id }) => id === 'conflict')?.doc?._conflicts, ['2-b']);
  t.true(results.find(({ id }) => id === 'attached')!.doc?._attachments?.['note.txt']?.stub);
  t.is((await recipes.changes({ since: last_seq })).results.length, 0);
  t.is((await recipes.changes({ limit: 2 })).results.length, 2);
  t.is((await recipes.changes({ batch_size: 1 })).results.length, 3);
  t.is((await recipes.changes({ descending: true, limit: 1 })).results[0]?.id, 'conflict');
});

test('live, until canceled', async (t) => {
  const { recipes, live, reports } = await connect(t);
  await recipes.put({ _id: 'before' });
  const { changes, next } = live({});
  t.is((await next()).id, 'before');
  const { rev } = await recipes.put({ _id: 'after' });
  t.like(await next(), { id: 'after', changes: [{ rev }] });
  await recipes.remove('after', rev);
  t.like(await next(), { id: 'after', deleted: true });
  const complete = once(changes, 'complete');
  changes.cancel();
  t.deepEqual(await complete, [{ status: 'cancelled' }]);
  t.deepEqual(reports, []);
});

test('live from a sequence, with a limit', async (t) => {
  const { recipes, live } = await connect(t);
  await recipes.put({ _id: 'before' });
  const { last_seq } = await recipes.changes({ since: 'now' });
  const { changes, next } = live({ since: last_seq, limit: 2 });
  const complete = once(changes, 'complete');
  for (const _id of ['a', 'b']) await recipes.put({ _id });
  t.deepEqual([(await next()).id, (await next()).id], ['a', 'b']);
  await complete;
});

test('live with each kind of filter', async (t) => {
  const { recipes, live } = await connect(t);
  await recipes.bulkDocs([design, { _id: 'water' }, { _id: 'pancakes', eggs: 3 }]);
  const filtered = [
    { filter: 'with/at_least', query_params: { eggs: 3 } },
    { view: 'with/eggs' },
    { doc_ids: ['pancakes', 'omelette'] },
    { selector: { eggs: { $gte: 3 } } },
  ].map((options) => live(options));
  for (const { next } of filtered) t.is((await next()).id, 'pancakes');
  await recipes.put({ _id: 'tea' });
  await recipes.put({ _id: 'omelette', eggs: 4 });
  for (const { next } of filtered) t.is((await next()).id, 'omelette');
});

test('live with documents, conflicts and all leaves', async (t) => {
  const { recipes, live } = await connect(t);
  const { next } = live({ include_docs: true, conflicts: true, style: 'all_docs' });
  await recipes.bulkDocs([...conflict('a')], { new_edits: false });
  const { changes, doc } = await next();
  t.deepEqual(
    changes.map(({ rev }) => rev),
    ['2-c', '2-b', '3-d'],
  );
  t.like(doc, { _id: 'a', _rev: '2-c', from: 'c' });
  t.deepEqual(doc?._conflicts, ['2-b']);
});

test('errors of the server are reported', async (t) => {
  const { recipes, url } = await connect(t);
  const failureOf = (database: PouchDB, options: object) =>
    database.changes(options).then(
      () => undefined,
      (error: unknown) => error,
    );
  t.like(await failureOf(recipes, { filter: 'no/filter' }), { status: 404, name: 'not_found' });
  const anonymous = new PouchDB(`${url}/recipes`, {});
  t.like(await failureOf(anonymous, {}), { status: 401, name: 'unauthorized' });
});
