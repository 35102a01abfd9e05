import test, { type ExecutionContext } from 'ava';
import { testServer } from '../testing/server.js';

type Body = Record<string, unknown>;

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const { asAdmin } = server;
  await asAdmin('PUT', '/recipes');
  const bulk = (body: unknown) => asAdmin('POST', '/recipes/_bulk_docs', body);
  const list = async (query: string, body?: object) => {
    const { json } = await asAdmin(body ? 'POST' : 'GET', `/recipes/_all_docs?${query}`, body);
    return json as { total_rows: number; offset: number | null; update_seq?: string; rows: Body[] };
  };
  const ids = async (query: string) => (await list(query)).rows.map(({ id }) => id);
  return { asAdmin, bulk, list, ids, server };
}

test('each document is written or rejected independently', async (t) => {
  const { asAdmin, bulk } = await recipes(t);
  await asAdmin('PUT', '/recipes/taken', {});
  const { status, json } = await bulk({
    docs: [{ _id: 'a' }, { _id: 'taken' }, { n: 1 }, { _id: 'a', n: 2 }],
  });
  t.is(status, 201);
  const [a, taken, made, again] = json as Body[];
  t.like(a, { ok: true, id: 'a' });
  t.regex(a!.rev as string, /^1-/);
  t.deepEqual(taken, { id: 'taken', error: 'conflict', reason: 'Document update conflict.' });
  t.regex(made!.id as string, /^[0-9a-f]{32}$/);
  t.like(again, { id: 'a', error: 'conflict' });

  const change = await bulk({ docs: [{ _id: 'a', _rev: a!.rev, _deleted: true }] });
  t.like((change.json as Body[])[0], { ok: true, id: 'a' });
  t.is((await asAdmin('GET', '/recipes/a')).status, 404);
});

test('with new_edits=false, revisions are stored unchanged', async (t) => {
  const { asAdmin, bulk } = await recipes(t);
  const docs = [
    { _id: 'a', _rev: '2-b', _revisions: { start: 2, ids: ['b', 'a'] }, n: 1 },
    { _id: 'a', _rev: '2-c', _revisions: { start: 2, ids: ['c', 'a'] }, n: 2 },
    { _id: 'b', _rev: '5-x', _deleted: true },
  ];
  for (const time of ['once', 'again']) {
    const { status, json } = await bulk({ docs, new_edits: false });
    t.is(status, 201, time);
    t.deepEqual(json, []);
  }
  t.deepEqual((await asAdmin('GET', '/recipes/a?conflicts=true')).json, {
    _id: 'a',
    _rev: '2-c',
    n: 2,
    _conflicts: ['2-b'],
  });
  t.like((await asAdmin('GET', '/recipes')).json, { doc_count: 1, doc_del_count: 1 });
});

test('a malformed document rejects the whole request', async (t) => {
  const { asAdmin, bulk, server } = await recipes(t);
  const before = (await asAdmin('GET', '/recipes')).text;
  const rejected = async (body: unknown) => {
    const { status, json } = await bulk(body);
    return [status, (json as Body).error];
  };
  const good = { _id: 'good' };
  t.deepEqual(await rejected({ docs: [good, { _id: '_bad' }] }), [400, 'illegal_docid']);
  t.deepEqual(await rejected({ docs: [good, { _bad: 1 }] }), [400, 'doc_validation']);
  t.deepEqual(await rejected({ docs: [good, null] }), [400, 'bad_request']);
  t.deepEqual(await rejected({ docs: [good], new_edits: false }), [400, 'bad_request']);
  t.is((await asAdmin('GET', '/recipes')).text, before);
  t.deepEqual((await bulk({ docs: [] })).json, []);
  t.deepEqual(server.reports, []);
});

test('documents are listed by ID', async (t) => {
  const { asAdmin, bulk, list, ids } = await recipes(t);
  const written = await bulk({ docs: ['d', 'a', 'c', 'b', 'e'].map((_id) => ({ _id, n: _id })) });
  const revs = new Map((written.json as { id: string; rev: string }[]).map(({ id, rev }) => [id, rev]));
  await asAdmin('DELETE', `/recipes/e?rev=${revs.get('e')!}`);

  t.deepEqual(await list(''), {
    total_rows: 4,
    offset: 0,
    rows: ['a', 'b', 'c', 'd'].map((id) => ({ id, key: id, value: { rev: revs.get(id) } })),
  });
  t.deepEqual((await list('include_docs=true&limit=1')).rows, [
    { id: 'a', key: 'a', value: { rev: revs.get('a') }, doc: { _id: 'a', _rev: revs.get('a'), n: 'a' } },
  ]);
  t.deepEqual(await ids('startkey="b"&endkey="c"'), ['b', 'c']);
  t.deepEqual(await ids('start_key="b"&end_key="c"&inclusive_end=false'), ['b']);
  t.deepEqual(await ids('descending=true'), ['d', 'c', 'b', 'a']);
  t.deepEqual(await ids('descending=true&startkey="c"&endkey="a"&inclusive_end=false'), ['c', 'b']);
  t.deepEqual(await ids('key="c"'), ['c']);
  t.deepEqual(await ids('key="e"'), []);
  t.deepEqual(await ids('skip=1&limit=2'), ['b', 'c']);
  t.deepEqual(await ids('limit=0'), []);
  t.is((await list('startkey="c"&skip=1')).offset, 3);
  t.is((await list('descending=true&startkey="b"')).offset, 2);
  t.regex((await list('update_seq=true')).update_seq!, /^6-/);
});

test('a list by keys has a row for each', async (t) => {
  const { asAdmin, bulk, list } = await recipes(t);
  const written = (await bulk({ docs: [{ _id: 'a' }, { _id: 'gone' }] })).json as { rev: string }[];
  const { rev } = (await asAdmin('DELETE', `/recipes/gone?rev=${written[1]!.rev}`)).json as { rev: string };
  const keys = ['gone', 'unknown', 'a', 'a'];
  const a = { id: 'a', key: 'a', value: { rev: written[0]!.rev }, doc: { _id: 'a', _rev: written[0]!.rev } };
  const rows = [
    { id: 'gone', key: 'gone', value: { rev, deleted: true }, doc: null },
    { key: 'unknown', error: 'not_found' },
    a,
    a,
  ];
  t.deepEqual((await list('include_docs=true', { keys })).rows, rows);
  t.deepEqual((await list(`include_docs=true&keys=${JSON.stringify(keys)}`)).rows, rows);
  t.deepEqual((await list('include_docs=true&descending=true&skip=1&limit=2', { keys })).rows, [a, rows[1]]);
  t.is((await list('', { keys: [] })).rows.length, 0);
  t.is((await list('', {})).rows.length, 1);
});

test('several lists in one response are the same as alone, also long ones', async (t) => {
  const { asAdmin, bulk, list } = await recipes(t);
  await bulk({
    docs: [{ _id: 'a', text: 'x'.repeat(300_000) }, { _id: '_design/b' }, { _id: '_local/c' }],
  });
  const several = async (path: string, queries: unknown) => {
    const { status, json } = await asAdmin('POST', `/recipes/${path}`, { queries });
    return status === 200 ? (json as { results: unknown[] }).results : status;
  };
  const long = { include_docs: true, keys: ['a', 'unknown'] };
  t.deepEqual(await several('_all_docs/queries', [{}, long, { limit: 1, skip: 1 }, long]), [
    await list(''),
    await list('', long),
    await list('limit=1&skip=1'),
    await list('', long),
  ]);
  const one = await list('limit=1');
  const overridden = await several('_all_docs/queries?limit=1', [{}, { limit: 2 }]);
  t.deepEqual(overridden, [one, await list('limit=2')], 'a query overrides the URL');
  for (const [name, id] of [
    ['_design_docs', '_design/b'],
    ['_local_docs', '_local/c'],
  ] as const) {
    const alone = (await asAdmin('GET', `/recipes/${name}`)).json as { rows: { id: string }[] };
    t.deepEqual(
      alone.rows.map((row) => row.id),
      [id],
    );
    t.deepEqual(await several(`${name}/queries`, [{}]), [alone]);
  }
  t.deepEqual(await several('_all_docs/queries', []), []);
  for (const queries of [undefined, 'x', [5], [{ limit: -1 }], [{}, { keys: ['a', 'b'], key: 'a' }]])
    t.is(await several('_all_docs/queries', queries), 400, JSON.stringify(queries));
});

test('a list can include conflicts', async (t) => {
  const { bulk, list } = await recipes(t);
  await bulk({
    docs: [
      { _id: 'a', _rev: '1-a' },
      { _id: 'a', _rev: '1-b' },
    ],
    new_edits: false,
  });
  const [row] = (await list('include_docs=true&conflicts=true')).rows;
  t.deepEqual(row!.doc, { _id: 'a', _rev: '1-b', _conflicts: ['1-a'] });
});

test('invalid parameters of a list', async (t) => {
  const { asAdmin, server } = await recipes(t);
  for (const query of [
    'limit=x',
    'limit=-2',
    'skip=-1',
    'startkey=a',
    'key=5',
    'keys={}',
    'descending=maybe',
    'keys="a"',
  ]) {
    const { status, json } = await asAdmin('GET', `/recipes/_all_docs?${query}`);
    t.is(status, 400, query);
    t.regex((json as Body).reason as string, new RegExp(query.split('=')[0]!));
  }
  t.deepEqual(server.reports, []);
});

test('a list has keys or a range, not both', async (t) => {
  const { asAdmin } = await recipes(t);
  const error = {
    error: 'query_parse_error',
    reason: '`keys` is incompatible with `key`, `start_key` and `end_key`',
  };
  for (const [query, body] of [
    ['key="a"', { keys: ['b'] }],
    ['', { keys: ['a', 'b'], key: 'a' }],
    ['start_key="a"', { keys: ['b'] }],
    ['', { keys: ['a', 'a'], startkey: 'a' }],
    ['end_key="b"', { keys: ['a'], startkey: 'a' }],
    ['keys=["a","b"]&endkey="a"', undefined],
  ] as const) {
    const { status, json } = await asAdmin(body ? 'POST' : 'GET', `/recipes/_all_docs?${query}`, body);
    t.is(status, 400, query);
    t.deepEqual(json, error);
  }
  for (const body of [
    { keys: ['a'], key: 'a' },
    { keys: [], key: 'a' },
    { key: 'a', startkey: 'b' },
  ])
    t.is((await asAdmin('POST', '/recipes/_all_docs', body)).status, 200);
});

test('with new_edits=false, _revisions decides, and a hash can be empty', async (t) => {
  const { asAdmin, bulk } = await recipes(t);
  const docs = [
    { _id: 'a', _rev: '7-x', _revisions: { start: 2, ids: ['b', 'a'] } },
    { _id: 'b', _rev: '1-', n: 1 },
  ];
  t.deepEqual((await bulk({ docs, new_edits: false })).json, []);
  t.like((await asAdmin('GET', '/recipes/a?revs=true')).json, {
    _rev: '2-b',
    _revisions: { start: 2, ids: ['b', 'a'] },
  });
  t.like((await asAdmin('GET', '/recipes/b?rev=1-')).json, { _rev: '1-', n: 1 });
  t.deepEqual((await asAdmin('POST', '/recipes/_revs_diff', { b: ['1-'] })).json, {});
  t.regex(((await asAdmin('PUT', '/recipes/b?rev=1-', {})).json as { rev: string }).rev, /^2-/);
});
