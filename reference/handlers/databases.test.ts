import test from 'ava';
import { admin, basic, createUsers, testServer } from '../testing/server.js';

test('a database can be created, inspected and deleted', async (t) => {
  const { asAdmin, url } = await testServer(t);
  const made = await asAdmin('PUT', '/recipes');
  t.is(made.status, 201);
  t.deepEqual(made.json, { ok: true });
  t.is(made.headers.location, `${url}/recipes`);

  const info = await asAdmin('GET', '/recipes');
  t.is(info.status, 200);
  const { db_name, doc_count, doc_del_count, update_seq } = info.json as Record<string, unknown>;
  t.deepEqual([db_name, doc_count, doc_del_count], ['recipes', 0, 0]);
  const { sizes } = info.json as { sizes: { file: number; active: number } };
  t.true(sizes.active > 0 && sizes.active < sizes.file);
  t.regex(update_seq as string, /^0-./);
  t.is((await asAdmin('GET', '/recipes/')).status, 200, 'PouchDB asks with the slash');
  t.is((await asAdmin('HEAD', '/recipes')).status, 200);

  t.deepEqual((await asAdmin('DELETE', '/recipes')).json, { ok: true });
  t.is((await asAdmin('GET', '/recipes')).status, 404);
  t.is((await asAdmin('HEAD', '/recipes')).status, 404);
});

test('existing, unknown and invalid names', async (t) => {
  const { asAdmin } = await testServer(t, { dialect: 'couchdb' });
  await asAdmin('PUT', '/recipes');
  const taken = await asAdmin('PUT', '/recipes');
  t.is(taken.status, 412);
  t.is((taken.json as { error: string }).error, 'file_exists');
  for (const method of ['GET', 'DELETE']) {
    const unknown = await asAdmin(method, '/unknown');
    t.is(unknown.status, 404);
    t.deepEqual(unknown.json, { error: 'not_found', reason: 'Database does not exist.' });
  }
  for (const name of ['Recipes', '1recipes', '_recipes', 'a.b', 'a%20b', 'a%00', 'rezept%C3%A9', 'a%0A']) {
    const rejected = await asAdmin('PUT', `/${name}`);
    t.is(rejected.status, 400, name);
    t.is((rejected.json as { error: string }).error, 'illegal_database_name');
  }
  t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_users', 'recipes']);
});

test('names with all allowed characters, and a slash as %2F', async (t) => {
  const { asAdmin, url } = await testServer(t);
  for (const name of ['a_$()+-0', 'a/b/c', 'z']) {
    const path = `/${encodeURIComponent(name)}`;
    const made = await asAdmin('PUT', path);
    t.is(made.status, 201, name);
    t.is(made.headers.location, url + path);
    t.is(((await asAdmin('GET', path)).json as { db_name: string }).db_name, name);
  }
  t.is((await asAdmin('PUT', '/_replicator')).status, 201);
  t.deepEqual((await asAdmin('GET', '/_all_dbs')).json, ['_replicator', '_users', 'a/b/c', 'a_$()+-0', 'z']);
});

test('ranges of the list of databases', async (t) => {
  const { asAdmin } = await testServer(t);
  for (const name of ['a', 'b', 'c', 'd']) await asAdmin('PUT', `/${name}`);
  const list = async (query: string) => (await asAdmin('GET', `/_all_dbs?${query}`)).json;
  t.deepEqual(await list('startkey="b"&endkey="c"'), ['b', 'c']);
  t.deepEqual(await list('start_key="c"'), ['c', 'd']);
  t.deepEqual(await list('skip=1&limit=2'), ['a', 'b']);
  t.deepEqual(await list('descending=true&startkey="c"&endkey="b"'), ['c', 'b']);
  t.deepEqual(await list('limit=0'), []);
});

test('_dbs_info has the state of all databases, or of those in the body', async (t) => {
  const { asAdmin, send } = await testServer(t);
  for (const name of ['pans', 'pots']) await asAdmin('PUT', `/${name}`);
  await asAdmin('PUT', '/pots/soup', {});
  const infoOf = async (key: string) => ({ key, info: (await asAdmin('GET', `/${key}`)).json });
  const [pans, pots] = [await infoOf('pans'), await infoOf('pots')];
  t.deepEqual((await asAdmin('GET', '/_dbs_info?startkey="p"')).json, [pans, pots]);
  t.deepEqual((await asAdmin('GET', '/_dbs_info?descending=true&endkey="p"&limit=1')).json, [pots]);
  const post = async (body: unknown) => {
    const { status, json } = await asAdmin('POST', '/_dbs_info', body);
    return [status, json];
  };
  const unknown = (key: unknown) => ({ key, error: 'not_found' });
  t.deepEqual(await post({ keys: ['pots', 'lids', 5] }), [200, [pots, unknown('lids'), unknown(5)]]);
  for (const body of [{}, { keys: 5 }, []]) t.is((await post(body))[0], 400, JSON.stringify(body));
  t.is(
    (await asAdmin('PUT', '/_node/_local/_config/chttpd/max_db_number_for_dbs_info_req', '"1"')).status,
    200,
  );
  t.is((await post({ keys: ['pots', 'pans'] }))[0], 400);
  t.is((await post({ keys: ['pots'] }))[0], 200);
  for (const method of ['GET', 'POST'])
    t.is((await send(method, '/_dbs_info', method === 'POST' ? { body: { keys: [] } } : {})).status, 401);
});

test('compaction removes the content of revisions that are not leaves', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const data = (text: string) => ({ data: Buffer.from(text).toString('base64') });
  const revisions = [
    { _rev: '1-a', n: 1, _attachments: { shared: data('shared'), old: data('old') } },
    { _rev: '2-b', _attachments: { shared: { stub: true } } },
    { _rev: '2-c', n: 3 },
    { _rev: '2-d', _deleted: true, n: 4 },
  ];
  for (const revision of revisions) {
    const [start, hash] = revision._rev.split('-');
    const ids = start === '1' ? [hash] : [hash, 'a'];
    const docs = [{ _id: 'soup', ...revision, _revisions: { start: Number(start), ids } }];
    t.deepEqual((await asAdmin('POST', '/recipes/_bulk_docs', { docs, new_edits: false })).json, []);
  }
  // Enough documents for several slices.
  const docs = Array.from({ length: 450 }, (_, n) => ({ _id: `other-${n}` }));
  const written = (await asAdmin('POST', '/recipes/_bulk_docs', { docs })).json as {
    id: string;
    rev: string;
  }[];
  const next = written.map(({ id, rev }) => ({ _id: id, _rev: rev }));
  await asAdmin('POST', '/recipes/_bulk_docs', { docs: next });
  const { update_seq } = (await asAdmin('GET', '/recipes')).json as Record<string, unknown>;

  const compacted = await asAdmin('POST', '/recipes/_compact', {});
  t.deepEqual([compacted.status, compacted.json], [202, { ok: true }]);

  const read = async (path: string) => {
    const { status, json } = await asAdmin('GET', `/recipes/${path}`);
    return status === 200 ? (json as Record<string, unknown>) : status;
  };
  t.is(await read('soup?rev=1-a'), 404);
  t.like(await read('soup?rev=2-c'), { n: 3 });
  t.like(await read('soup?rev=2-d'), { n: 4 });
  t.like(await read('soup?rev=2-b&attachments=true'), { _attachments: { shared: data('shared') } });
  t.is((await asAdmin('GET', '/recipes/soup/old?rev=1-a')).status, 404);
  t.like(await read('soup?rev=2-c&revs=true'), { _revisions: { start: 2, ids: ['c', 'a'] } });
  t.deepEqual((await asAdmin('POST', '/recipes/_revs_diff', { soup: ['1-a', '2-b'] })).json, {});
  for (const { id, rev } of written) t.is(await read(`${id}?rev=${rev}`), 404);
  t.like(await read(''), { doc_count: 451, update_seq });
  t.is((await asAdmin('POST', '/recipes/_compact', {})).status, 202, 'repeatable');
});

test('the limit of revisions cuts histories when they are read, and the next write forgets the rest', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const write = async (rev?: string) =>
    ((await asAdmin('PUT', '/recipes/soup', { _rev: rev })).json as { rev: string }).rev;
  const read = async (query: string) =>
    (await asAdmin('GET', `/recipes/soup?${query}`)).json as Record<string, unknown>;
  const limit = async () => (await asAdmin('GET', '/recipes/_revs_limit')).json;
  const setLimit = (body: unknown) => asAdmin('PUT', '/recipes/_revs_limit', body);
  t.is(await limit(), 1000);
  let rev: string | undefined;
  for (let n = 0; n < 6; n++) rev = await write(rev);
  const changed = await setLimit('3');
  t.deepEqual([changed.status, changed.json], [200, { ok: true }]);
  t.is(await limit(), 3);
  const { ids } = (await read('revs=true'))._revisions as { ids: string[] };
  t.is(ids.length, 3);
  t.is(((await read('revs_info=true'))._revs_info as unknown[]).length, 6, 'as in CouchDB');
  const first = (await read('revs_info=true'))._revs_info as { rev: string }[];
  t.is((await asAdmin('GET', `/recipes/soup?rev=${first[5]!.rev}`)).status, 200);

  rev = await write(rev);
  t.deepEqual(((await read('revs=true'))._revisions as { ids: string[] }).ids.slice(1), ids.slice(0, 2));
  t.is(((await read('revs_info=true'))._revs_info as unknown[]).length, 3);
  t.is((await asAdmin('GET', `/recipes/soup?rev=${first[5]!.rev}`)).status, 404, 'forgotten');
  await setLimit('1');
  await write(rev);
  t.deepEqual(await read('conflicts=true&revs=true'), {
    ...(await read('')),
    _revisions: { start: 8, ids: [((await read(''))._rev as string).slice(2)] },
  });
  for (const body of ['0', '-1', '1.5', '"5"', 'null', '{}', '1001', ''])
    t.is((await setLimit(body)).status, 400, body);
  t.is(await limit(), 1);
  t.is((await asAdmin('PUT', '/unknown/_revs_limit', '5')).status, 404);
});

test('a replicated history that is longer than the limit of revisions continues the one that is there', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/_revs_limit', '2');
  for (const ids of [['a'], ['d', 'c', 'b', 'a']]) {
    const docs = [{ _id: 'soup', _revisions: { start: ids.length, ids } }];
    t.deepEqual((await asAdmin('POST', '/recipes/_bulk_docs', { docs, new_edits: false })).json, []);
  }
  t.deepEqual((await asAdmin('GET', '/recipes/soup?conflicts=true&revs=true')).json, {
    _id: 'soup',
    _rev: '4-d',
    _revisions: { start: 4, ids: ['d', 'c'] },
  });
});

test('compaction needs an administrator of the database, its media type and a database', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/recipes');
  const body = { admins: { names: ['ann'] }, members: { roles: [] } };
  await server.asAdmin('PUT', '/recipes/_security', body);
  await createUsers(server, { ann: [], bob: [] });
  const compact = async (headers: Record<string, string>) =>
    (await server.send('POST', '/recipes/_compact', { headers, body: '{}' })).status;
  t.is(await compact({}), 401);
  t.is(await compact(basic('bob', 'bob')), 403);
  t.is(await compact(basic('ann', 'ann')), 202);
  t.is(await compact({ ...basic('ann', 'ann'), 'content-type': 'text/plain' }), 415);
  t.is((await server.asAdmin('POST', '/unknown/_compact', {})).status, 404);
  t.is((await server.asAdmin('GET', '/recipes/_compact')).status, 405);
});

test('a commit confirms that writes are complete', async (t) => {
  const server = await testServer(t);
  await server.asAdmin('PUT', '/recipes');
  await server.asAdmin('PUT', '/recipes/_security', { members: { names: ['ann'] } });
  await createUsers(server, { ann: [], bob: [] });
  const commit = (headers: Record<string, string>) =>
    server.send('POST', '/recipes/_ensure_full_commit', { headers });
  const json = { 'content-type': 'application/json' };
  const reply = await commit({ ...basic('ann', 'ann'), ...json });
  const { instance_start_time } = (await server.asAdmin('GET', '/recipes')).json as Record<string, unknown>;
  t.true(Math.abs(Number(instance_start_time) - Date.now() / 1000) < 60, 'as in CouchDB, when it was made');
  t.deepEqual([reply.status, reply.json], [201, { ok: true, instance_start_time }]);
  t.is((await commit(json)).status, 401);
  t.is((await commit({ ...basic('bob', 'bob'), ...json })).status, 403);
  t.is((await commit(basic('ann', 'ann'))).status, 415);
  t.is((await server.asAdmin('POST', '/unknown/_ensure_full_commit', {})).status, 404);
  t.is((await server.asAdmin('GET', '/recipes/_ensure_full_commit')).status, 405);
});

test('a path may have empty segments, as after a base URL with a slash at its end', async (t) => {
  const { asAdmin, send } = await testServer(t);
  for (const [method, path, status] of [
    ['PUT', '//recipes', 201],
    ['PUT', '/recipes//soup', 201],
    ['PUT', '//recipes/_design//d', 201],
    ['PUT', '/recipes//_local//l/', 201],
    ['PUT', '/recipes//soup//photo.jpg?rev=1-a', 409],
    ['GET', '//', 200],
    ['GET', '//recipes//soup//', 200],
    ['GET', '/recipes//_changes?since=0', 200],
    ['GET', '//_session?x=//y', 200],
    ['GET', '//_find', 404],
    ['PATCH', '//recipes//', 405],
    ['DELETE', '/recipes//', 200],
  ] as const) {
    const body = method === 'PUT' ? {} : undefined;
    t.is((await asAdmin(method, path, body)).status, status, `${method} ${path}`);
  }
  t.deepEqual((await asAdmin('GET', '//_all_dbs')).json, ['_users']);
  t.is((await send('POST', '/_session?next=//evil.example', { body: admin })).status, 400);
});

test('the users database has a design document from its first use on, also when it is made again', async (t) => {
  const { asAdmin, send } = await testServer(t);
  const design = async () => (await asAdmin('GET', '/_users/_design/_auth')).json;
  const count = async () => ((await asAdmin('GET', '/_users')).json as { doc_count: number }).doc_count;
  t.is(await count(), 0);
  t.is((await send('GET', '/_users/_all_docs')).status, 401);
  t.is(await count(), 0, 'a request that is refused is no use');
  const first = await design();
  t.like(first, { _id: '_design/_auth', language: 'javascript' });
  t.is(await count(), 1);
  await asAdmin('DELETE', '/_users');
  t.is((await asAdmin('PUT', '/_users')).status, 201);
  t.is(await count(), 0);
  t.like((await asAdmin('GET', '/_users/_changes')).json, { results: [{ id: '_design/_auth' }] });
  t.deepEqual(await design(), first);
  t.is(await count(), 1);
  const user = { name: 'alice', password: 'x', roles: [], type: 'user' };
  t.is((await asAdmin('PUT', '/_users/org.service.user:alice', user)).status, 201);
});

test('the nodes have names, which paths of the configuration accept', async (t) => {
  const { asAdmin } = await testServer(t, { nodes: 2 });
  const { status, json } = await asAdmin('GET', '/_membership');
  t.is(status, 200);
  const { all_nodes, cluster_nodes } = json as Record<'all_nodes' | 'cluster_nodes', string[]>;
  t.deepEqual(all_nodes, cluster_nodes);
  t.is(all_nodes.length, 1);
  t.is((await asAdmin('GET', `/_node/${all_nodes[0]}/_config/chttpd`)).status, 200);
});

test('POST of the feed without a body is the same as GET', async (t) => {
  const { asAdmin, send } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  for (const id of ['soup', 'stew']) await asAdmin('PUT', `/recipes/${id}`, {});
  const headers = { ...basic(admin.name, admin.password), 'content-type': 'application/json' };
  for (const query of [
    '',
    '?limit=1&descending=true',
    '?filter=_doc_ids&doc_ids=["stew"]',
    '?feed=longpoll',
  ]) {
    const post = await send('POST', `/recipes/_changes${query}`, { headers });
    t.deepEqual([post.status, post.text], [200, (await asAdmin('GET', `/recipes/_changes${query}`)).text]);
  }
  const selector = await send('POST', '/recipes/_changes?filter=_selector', { headers });
  t.deepEqual(
    [selector.status, (selector.json as { reason: string }).reason],
    [400, 'Selector must be specified in POST payload'],
  );
});

test('system databases can be created; other reserved names are for administrators', async (t) => {
  const server = await testServer(t);
  await createUsers(server, { alice: [] });
  for (const name of ['_replicator', '_global_changes', '_metadata'])
    t.is((await server.asAdmin('PUT', `/${name}`)).status, 201);
  for (const path of ['/_global_changes', '/_metadata/_all_docs', '/_unknown', '/_unknown/x'])
    for (const headers of [{}, basic('alice', 'alice')]) {
      const { status, json } = await server.send('GET', path, { headers });
      t.deepEqual([status, json], [401, { error: 'unauthorized', reason: 'You are not a server admin.' }]);
    }
  t.is((await server.asAdmin('GET', '/_unknown')).status, 404);
});

test('the path has the ID of a document; a plus sign in it is a space', async (t) => {
  const { asAdmin } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  for (const [path, id] of [
    ['/soup', 'soup'],
    ['/soup+1', 'soup 1'],
    ['/soup%2B1', 'soup+1'],
    ['/_design/a+b', '_design/a b'],
    ['/_local/a+b', '_local/a b'],
  ] as const) {
    const { status, json, headers } = await asAdmin('PUT', `/recipes${path}`, { _id: 'stew' });
    t.is(status, 201);
    t.like(json, { id });
    t.like((await asAdmin('GET', `/recipes/${encodeURIComponent(id)}`)).json, { _id: id });
    t.is(headers.etag, `"${(json as { rev: string }).rev}"`);
  }
  t.is((await asAdmin('GET', '/recipes/stew')).status, 404);
  const removed = await asAdmin('DELETE', '/recipes/_local/a+b');
  t.deepEqual([removed.status, removed.headers.etag], [200, '"0-0"']);
  t.like((await asAdmin('DELETE', '/recipes/soup/photo.jpg')).json, {
    reason: 'Document is missing attachment',
  });
});

test('the path has the ID of a user document, too', async (t) => {
  const { asAdmin } = await testServer(t);
  const user = { password: 'x', roles: [], type: 'user' };
  const path = '/_users/org.service.user:alice';
  const body = { ...user, name: 'bob', _id: 'org.service.user:bob' };
  t.is((await asAdmin('PUT', path, body)).status, 403);
  t.is((await asAdmin('PUT', path, { ...body, name: 'alice' })).status, 201);
  t.is((await asAdmin('GET', '/_users/org.service.user:bob')).status, 404);
});

test('tags are compared weakly, and booleans may be written in any case', async (t) => {
  const { asAdmin, send } = await testServer(t);
  await asAdmin('PUT', '/recipes');
  const { headers } = await asAdmin('PUT', '/recipes/soup', { salt: 1 });
  const etag = String(headers.etag);
  for (const [tag, status] of [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"1-x", W/${etag}`, 304],
    ['W/"1-x"', 200],
  ] as const) {
    const conditional = { ...basic(admin.name, admin.password), 'if-none-match': tag };
    t.is((await send('GET', '/recipes/soup', { headers: conditional })).status, status, tag);
  }
  for (const path of ['_all_docs', '_changes'])
    t.regex((await asAdmin('GET', `/recipes/${path}?include_docs=True`)).text, /"salt"/);
  t.regex((await asAdmin('GET', '/recipes/soup?revs=TRUE')).text, /_revisions/);
  t.is((await asAdmin('GET', '/recipes/soup?revs=yes')).status, 400);
});
