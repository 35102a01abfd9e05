import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

type Body = Record<string, unknown>;

async function recipes(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const { asAdmin, send } = server;
  await asAdmin('PUT', '/recipes');
  /** @returns the new revision */
  const write = async (path: string, body: object) => {
    const { status, json } = await asAdmin('PUT', `/recipes/${path}`, body);
    t.is(status, '_deleted' in body ? 200 : 201);
    return (json as { rev: string }).rev;
  };
  const read = async (path: string) => (await asAdmin('GET', `/recipes/${path}`)).json as Body;
  /** @returns status, error and reason */
  const outcome = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await asAdmin(method, `/recipes/${path}`, body);
    const { error, reason } = json as Body;
    return error === undefined ? status : [status, error, reason];
  };
  return { asAdmin, send, write, read, outcome };
}

const conflict = [409, 'conflict', 'Document update conflict.'];
const missing = [404, 'not_found', 'missing'];
const deleted = [404, 'not_found', 'deleted'];

test('a document can be written, read, changed and deleted', async (t) => {
  const { asAdmin, read, outcome } = await recipes(t);
  t.deepEqual(await outcome('GET', 'pancakes'), missing);

  const first = await asAdmin('PUT', '/recipes/pancakes', { eggs: 3, list: [1, { a: null }], ключ: 'é' });
  t.is(first.status, 201);
  const { ok, id, rev } = first.json as Body;
  t.deepEqual([ok, id], [true, 'pancakes']);
  t.regex(rev as string, /^1-[0-9a-f]{32}$/);
  t.is(first.headers.etag, `"${rev as string}"`);
  t.true(String(first.headers.location).endsWith('/recipes/pancakes'));
  t.deepEqual(await read('pancakes'), {
    _id: 'pancakes',
    _rev: rev,
    eggs: 3,
    list: [1, { a: null }],
    ключ: 'é',
  });

  t.deepEqual(await outcome('PUT', 'pancakes', { eggs: 4 }), conflict);
  t.deepEqual(await outcome('PUT', 'pancakes', { _rev: '1-abc', eggs: 4 }), conflict);
  const second = await asAdmin('PUT', '/recipes/pancakes', { _rev: rev, eggs: 4 });
  t.is(second.status, 201);
  const current = (second.json as Body).rev as string;
  t.regex(current, /^2-/);

  t.deepEqual(await outcome('DELETE', 'pancakes'), conflict);
  t.deepEqual(await outcome('DELETE', `pancakes?rev=${rev as string}`), conflict);
  const gone = await asAdmin('DELETE', `/recipes/pancakes?rev=${current}`);
  t.is(gone.status, 200);
  t.regex((gone.json as Body).rev as string, /^3-/);
  t.deepEqual(await outcome('GET', 'pancakes'), deleted);
  t.deepEqual(await outcome('DELETE', 'pancakes'), deleted);
  t.deepEqual(await outcome('DELETE', 'waffles'), missing);
  const tombstone = (gone.json as Body).rev as string;
  t.deepEqual(await read(`pancakes?rev=${tombstone}`), { _id: 'pancakes', _rev: tombstone, _deleted: true });

  const again = await asAdmin('PUT', '/recipes/pancakes', { eggs: 5 });
  t.regex((again.json as Body).rev as string, /^4-/);
});

test('the revision can be in the query or in If-Match', async (t) => {
  const { asAdmin, send, write, outcome } = await recipes(t);
  const one = await write('a', {});
  const two = await asAdmin('PUT', `/recipes/a?rev=${one}`, { n: 2 });
  const { rev } = two.json as { rev: string };
  const headers = basic(admin.name, admin.password);
  const ifMatch = (value: string) =>
    send('DELETE', '/recipes/a', { headers: { ...headers, 'if-match': value } });
  t.is((await ifMatch(`"${one}"`)).status, 409);
  t.is((await ifMatch(`"${rev}"`)).status, 200);
  const b = await write('b', {});
  t.is((await asAdmin('PUT', `/recipes/b?rev=${b}`, { _rev: b })).status, 201);
  t.like(await outcome('PUT', `b?rev=${b}`, { _rev: '1-other' }), [400, 'bad_request']);
});

test('a document without an ID gets one', async (t) => {
  const { asAdmin, read } = await recipes(t);
  const made = await asAdmin('POST', '/recipes', { eggs: 1 });
  t.is(made.status, 201);
  const { id, rev } = made.json as { id: string; rev: string };
  t.regex(id, /^[0-9a-f]{32}$/);
  t.true(String(made.headers.location).endsWith(`/recipes/${id}`));
  t.deepEqual(await read(id), { _id: id, _rev: rev, eggs: 1 });
  t.is(((await asAdmin('POST', '/recipes', { _id: 'mine' })).json as Body).id, 'mine');
  t.is((await asAdmin('POST', '/recipes', { _id: 'mine' })).status, 409);
});

test('batch=ok is answered without a revision, also if the write is a conflict', async (t) => {
  const { asAdmin, read, outcome } = await recipes(t);
  const written = await asAdmin('PUT', '/recipes/soup?batch=ok', { n: 1 });
  t.deepEqual([written.status, written.json], [202, { ok: true, id: 'soup' }]);
  t.deepEqual([written.headers.etag, written.headers.location], [undefined, undefined]);
  const { _rev, n } = await read('soup');
  t.is(n, 1);
  t.is(await outcome('PUT', 'soup?batch=ok', { n: 2 }), 202);
  t.is((await read('soup')).n, 1);
  t.is((await asAdmin('POST', '/recipes?batch=ok', { _id: 'soup', n: 2 })).status, 202);
  t.is((await read('soup')).n, 1);
  t.is((await asAdmin('PUT', '/recipes/soup?batch=ok', { _unknown: 1 })).status, 400);
  t.is(await outcome('PUT', 'soup?batch=ok', { _rev, _deleted: true }), 202);
  t.deepEqual(await outcome('GET', 'soup'), deleted);
  t.is(await outcome('PUT', 'stew?batch=ok&new_edits=false', { _rev: '1-a' }), 202);
  t.like(await read('stew'), { _rev: '1-a' });

  const posted = await asAdmin('POST', '/recipes?batch=ok', { n: 3 });
  t.is(posted.status, 202);
  const { id, rev } = posted.json as Body;
  t.like(await read(id as string), { n: 3 });
  t.is(rev, undefined);
});

test('design documents are documents', async (t) => {
  const { asAdmin, write, read, outcome } = await recipes(t);
  const rev = await write('_design/lists', { language: 'javascript' });
  t.deepEqual(await read('_design/lists'), { _id: '_design/lists', _rev: rev, language: 'javascript' });
  t.deepEqual(await read('_design%2Flists'), { _id: '_design/lists', _rev: rev, language: 'javascript' });
  t.deepEqual(await outcome('PUT', '_design/lists', {}), conflict);
  t.is((await asAdmin('DELETE', `/recipes/_design/lists?rev=${rev}`)).status, 200);
  t.deepEqual(await outcome('GET', '_design/lists'), deleted);
});

test('conflicts are stored, listed and resolved', async (t) => {
  const { asAdmin, read, outcome } = await recipes(t);
  const replicate = (rev: string, members: object = {}) =>
    asAdmin('PUT', '/recipes/a?new_edits=false', { _rev: rev, ...members });
  t.is((await replicate('1-a', { n: 'a' })).status, 201);
  t.is((await replicate('2-c', { n: 'c', _revisions: { start: 2, ids: ['c', 'a'] } })).status, 201);
  t.is((await replicate('2-b', { n: 'b', _revisions: { start: 2, ids: ['b', 'a'] } })).status, 201);
  t.is((await replicate('2-d', { _deleted: true, _revisions: { start: 2, ids: ['d', 'a'] } })).status, 200);

  t.deepEqual(await read('a'), { _id: 'a', _rev: '2-c', n: 'c' });
  t.deepEqual(await read('a?conflicts=true'), { _id: 'a', _rev: '2-c', n: 'c', _conflicts: ['2-b'] });
  t.deepEqual((await read('a?deleted_conflicts=true'))._deleted_conflicts, ['2-d']);
  t.deepEqual(await read('a?rev=2-b'), { _id: 'a', _rev: '2-b', n: 'b' });
  t.deepEqual((await read('a?revs=true'))._revisions, { start: 2, ids: ['c', 'a'] });
  t.deepEqual((await read('a?revs_info=true'))._revs_info, [
    { rev: '2-c', status: 'available' },
    { rev: '1-a', status: 'available' },
  ]);
  const { _conflicts, _deleted_conflicts, _revs_info } = await read('a?meta=true');
  t.deepEqual([_conflicts, _deleted_conflicts, (_revs_info as []).length], [['2-b'], ['2-d'], 2]);
  t.is((await read('a?local_seq=true'))._local_seq, 4);

  t.is(await outcome('DELETE', 'a?rev=2-c'), 200);
  t.deepEqual(await read('a?conflicts=true'), { _id: 'a', _rev: '2-b', n: 'b' });
  t.is(await outcome('DELETE', 'a?rev=2-b'), 200);
  t.deepEqual(await outcome('GET', 'a'), deleted);
});

test('revisions without stored content are missing', async (t) => {
  const { asAdmin, read, outcome } = await recipes(t);
  await asAdmin('PUT', '/recipes/a?new_edits=false', { _revisions: { start: 2, ids: ['b', 'a'] } });
  t.deepEqual((await read('a?revs_info=true'))._revs_info, [
    { rev: '2-b', status: 'available' },
    { rev: '1-a', status: 'missing' },
  ]);
  t.deepEqual(await outcome('GET', 'a?rev=1-a'), missing);
  t.deepEqual(await outcome('GET', 'a?rev=7-z'), missing);
});

test('open revisions', async (t) => {
  const { asAdmin, read, outcome } = await recipes(t);
  for (const ids of ['a', 'ba', 'ca', 'dca'])
    await asAdmin('PUT', '/recipes/x?new_edits=false', {
      ids,
      _revisions: { start: ids.length, ids: [...ids] },
    });
  const open = async (query: string) => {
    const entries = (await read(`x?${query}`)) as unknown as { ok?: { _rev: string }; missing?: string }[];
    return entries.map(({ ok, missing }) => ok?._rev ?? `no ${missing}`);
  };
  t.deepEqual(await open('open_revs=all'), ['3-d', '2-b']);
  t.deepEqual(await open('open_revs=["2-b","1-a","9-z"]'), ['2-b', '1-a', 'no 9-z']);
  t.deepEqual(await open('open_revs=["1-a","9-z"]&latest=true'), ['3-d', '2-b', 'no 9-z']);
  t.deepEqual(await open('open_revs=["2-c","3-d"]&latest=true'), ['3-d']);
  t.is((await read('x?rev=2-c&latest=true'))._rev, '3-d');
  t.deepEqual(await outcome('GET', 'unknown?open_revs=all'), missing);
  t.deepEqual(await read('unknown?open_revs=["1-a"]'), [{ missing: '1-a' }] as unknown as Body);
  const [first] = (await read('x?open_revs=["3-d"]&revs=true')) as unknown as { ok: Body }[];
  t.deepEqual(first!.ok._revisions, { start: 3, ids: ['d', 'c', 'a'] });
});

test('the revision is the entity tag if the response only depends on it', async (t) => {
  const { asAdmin, send, write } = await recipes(t);
  const rev = await write('a', {});
  const headers = { ...basic(admin.name, admin.password), 'if-none-match': `"${rev}"` };
  t.is((await asAdmin('GET', '/recipes/a')).headers.etag, `"${rev}"`);
  t.is((await asAdmin('HEAD', '/recipes/a')).headers.etag, `"${rev}"`);
  t.is((await send('GET', '/recipes/a', { headers })).status, 304);
  await asAdmin('PUT', '/recipes/a?new_edits=false', { _rev: '1-0' });
  t.is((await send('GET', '/recipes/a', { headers })).status, 304);
  t.is((await send('GET', '/recipes/a?conflicts=true', { headers })).status, 200);
});

test('members of a replication are stored', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const members = {
    _replication_id: 'x',
    _replication_state: 'triggered',
    _replication_state_reason: 'why',
    _replication_state_time: 1,
    _replication_stats: {},
  };
  t.is((await asAdmin('PUT', '/recipes/a', members)).status, 201);
  t.like((await asAdmin('GET', '/recipes/a')).json, members);
  t.is((await asAdmin('PUT', '/recipes/b', { _replication_other: 1 })).status, 400);
});
