/**
 * Filters of the changes feed, over HTTP: what the service document does not say, and functions that fail. The checks of
 * the conformance suite verify which documents pass.
 */
import test, { type ExecutionContext } from 'ava';
import { dialects, type Dialect } from '../../openapi/generated/dialects.js';
import type { ServerOptions } from '../index.js';
import { idsOf as ids, createDatabase } from '../testing/feed.js';
import { basic, testServer } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const shared = { service: sharedServer(), couchdb: sharedServer({ dialect: 'couchdb' }) };

let databases = 0;

/** Creates a database for one test, with helper functions. */
async function recipes(t: ExecutionContext, dialect: Dialect = 'service', own?: ServerOptions) {
  const server = await (own ? testServer(t, own) : shared[dialect]());
  const { asAdmin } = server;
  const db = `recipes-${++databases}`;
  const database = await createDatabase(t, server, db);
  const design = (members: object) => asAdmin('PUT', `/${db}/_design/lists`, members);
  return { server, db, asAdmin, design, ...database };
}

const filters = (members: Record<string, unknown>) => ({ filters: members });
const quick = { filters: { quick: 'function (doc, req) { return doc.minutes < 10; }' } };
test('the body takes precedence over the query, and IDs without their filter have no effect', async (t) => {
  const { write, changes } = await recipes(t);
  await write({ _id: 'a' }, { _id: 'soup' });
  const listed = `doc_ids=${encodeURIComponent('["soup"]')}`;
  t.deepEqual(ids(await changes(`filter=_doc_ids&${listed}`, { doc_ids: ['a'] })), ['a']);
  t.deepEqual(ids(await changes('filter=_doc_ids', { doc_ids: [] })), []);
  t.is((await changes(listed)).results.length, 2);
});

test('_design has another name, which PouchDB sends', async (t) => {
  const { write, changes } = await recipes(t);
  await write({ _id: '_design/a' }, { _id: 'design' });
  t.deepEqual(ids(await changes('filter=_design%2F_design')), ['_design/a']);
});

test('a selector can test whether a document is deleted, and its revision', async (t) => {
  const { write, changes } = await recipes(t);
  const [soup] = await write({ _id: 'soup' }, { _id: 'tea' });
  await write({ _id: 'soup', _rev: soup, _deleted: true, reason: 'cold' });
  const bySelector = async (selector: object) => ids(await changes('filter=_selector', { selector }));
  t.deepEqual(await bySelector({ _deleted: { $exists: false } }), ['tea']);
  t.deepEqual(await bySelector({ _deleted: true, reason: 'cold' }), ['soup']);
  t.deepEqual(await bySelector({ _rev: { $beginsWith: '2-' } }), ['soup']);
});

test('a selector tells long integers apart', async (t) => {
  const { db, server, asAdmin } = await recipes(t);
  for (const [id, value] of ['9007199254740992', '9007199254740993', '12345678901234567890'].entries())
    await asAdmin('PUT', `/${db}/${id}`, `{"value":${value}}`);
  for (const [condition, expected] of [
    ['{"$eq":9007199254740993}', ['1']],
    ['9007199254740992', ['0']],
    ['{"$gt":9007199254740993}', ['2']],
    ['{"$lte":9007199254740992.5}', ['0']],
    ['{"$in":[12345678901234567891,12345678901234567890]}', ['2']],
    ['{"$mod":[10,3]}', ['1']],
    ['{"$type":"number"}', ['0', '1', '2']],
  ] as const) {
    const { json } = await server.send('POST', `/${db}/_changes?filter=_selector`, {
      headers: { ...basic(server.admin.name, server.admin.password), 'content-type': 'application/json' },
      body: `{"selector":{"value":${condition}}}`,
    });
    t.deepEqual(ids(json as Parameters<typeof ids>[0]), [...expected], condition);
  }
});

/** Returns the arguments of a filter function, which throws them. */
const shown = (reason: string) => JSON.parse(/: (\{.*\})$/.exec(reason)![1]!) as Record<string, unknown>;

test('functions see documents as in CouchDB', async (t) => {
  const { db, asAdmin, design, requestChanges, replicate } = await recipes(t);
  const body = { _id: 'soup', minutes: 30, _attachments: { n: { content_type: 'a/b', data: 'AAAA' } } };
  await replicate({ ...body, _revisions: { start: 3, ids: ['c', 'b', 'a'] } });
  await design(filters({ show: 'function (doc) { throw doc; }' }));
  const ofSoup = async () =>
    shown(((await requestChanges('filter=lists/show&limit=1')).json as { reason: string }).reason);
  const { _attachments: attachments, ...soup } = await ofSoup();
  t.deepEqual(soup, {
    _id: 'soup',
    _rev: '3-c',
    minutes: 30,
    _revisions: { start: 3, ids: ['c', 'b', 'a'] },
  });
  t.like(attachments, { n: { content_type: 'a/b', length: 3, revpos: 3, stub: true } });
  const { json } = await asAdmin('DELETE', `/${db}/soup?rev=3-c`);
  const seen = await requestChanges('filter=lists/show&descending=true');
  const { rev } = json as { rev: string };
  t.deepEqual(shown((seen.json as { reason: string }).reason), {
    _id: 'soup',
    _rev: rev,
    _deleted: true,
    _revisions: { start: 4, ids: [rev.slice(2), 'c', 'b', 'a'] },
  });
});

for (const dialect of ['service', 'couchdb'] satisfies Dialect[]) {
  const names = dialects[dialect];

  test(`filter functions see the request without credentials (${dialect})`, async (t) => {
    const { server, db, asAdmin, write, design } = await recipes(t, dialect);
    const user = `${names.userIdPrefix}ann`;
    await asAdmin('PUT', `/_users/${user}`, { name: 'ann', password: 'x', roles: ['cook'], type: 'user' });
    await asAdmin('PUT', `/${db}/_security`, { members: { names: ['ann'] } });
    await write({ _id: 'soup' });
    const part = (source: string) => `function (doc, req) { throw { seen: ${source} }; }`;
    await design(
      filters({
        who: part('[req.userCtx, req.secObj]'),
        what: part('[req.method, req.path, req.raw_path, req.query, req.body, req.id, req.form, req.cookie]'),
        headers: part('req.headers'),
        info: part('[req.info.db_name, req.info.doc_count, typeof req.uuid, req.peer]'),
      }),
    );
    const headers = {
      ...basic('ann', 'x'),
      cookie: 'other=1',
      'proxy-authorization': 'secret',
      [names.proxyUserName]: 'bob',
      [names.proxyRoles]: '_admin',
      [names.proxyToken]: 'secret',
      'x-requested-with': 'nano',
    };
    const see = async (method: string, path: string, body?: object) => {
      const reply = await server.send(method, `/${db}/_changes?${path}`, { headers, body });
      t.is(reply.status, 400, reply.text);
      return shown((reply.json as { reason: string }).reason).seen;
    };
    t.deepEqual(await see('GET', 'filter=lists/who'), [
      { db, name: 'ann', roles: ['cook'] },
      { members: { names: ['ann'] } },
    ]);
    t.deepEqual(await see('GET', 'filter=lists/what&since=0&x=a%26b'), [
      'GET',
      [db, '_changes'],
      `/${db}/_changes?filter=lists/what&since=0&x=a%26b`,
      { filter: 'lists/what', since: '0', x: 'a&b' },
      'undefined',
      null,
      {},
      {},
    ]);
    const posted = (await see('POST', 'filter=lists/what', { mine: [1] })) as unknown[];
    t.deepEqual([posted[0], posted[4]], ['POST', { mine: [1] }]);
    const seen = (await see('GET', 'filter=lists/headers')) as Record<string, string>;
    t.is(seen['X-Requested-With'], 'nano');
    t.deepEqual(
      Object.keys(seen).filter((name) => /auth|cookie/i.test(name)),
      [],
    );
    t.deepEqual(await see('GET', 'filter=lists/info'), [db, 2, 'string', '127.0.0.1']);
  });

  test(`requests with invalid filters are rejected (${dialect})`, async (t) => {
    const { db, asAdmin, design, requestChanges, write } = await recipes(t, dialect);
    await design({
      filters: { object: {}, broken: 'function (', twice: 'function () {} function () {}' },
      views: { lib: {}, broken: { map: 'function (doc) { emit(' } },
    });
    await asAdmin('PUT', `/${db}/_design/erlang`, {
      language: 'erlang',
      filters: { f: 'fun() -> ok end.' },
    });
    const [gone] = await write({ _id: '_design/gone', ...quick });
    await asAdmin('DELETE', `/${db}/_design/gone?rev=${gone}`);
    const { badRequest } = names;
    const noIds = '`doc_ids` filter parameter is not a list of doc ids.';
    const noView = '`view` must be of the form `designname/viewname`';
    const noFilter = '`filter` must be of the form `designname/filtername`';
    const broken = /^The filter function lists\/broken does not compile: SyntaxError/;
    type Rejected = [filter: string, reason: string | RegExp, body?: object];
    const rejected: Record<string, Rejected[]> = {
      [`400 ${badRequest}`]: [
        ['_doc_ids', noIds],
        ['_doc_ids', noIds, {}],
        ['_doc_ids', noIds, { doc_ids: 'soup' }],
        ['_doc_ids', /a string/, { doc_ids: [5] }],
        ['_doc_ids&doc_ids=soup', /doc_ids/],
        ['_selector', /^Selector error: .* \$foo$/, { selector: { minutes: { $foo: 1 } } }],
        ['_view', '`view` filter parameter is not provided.'],
        ['_view&view=', /`view`/],
        ['_view&view=lists', noView],
        ['_view&view=lists/a/b', noView],
        ['nope', noFilter],
        ['lists/a/b', noFilter],
        ['_bogus', 'unknown builtin filter name'],
        ['_bogus/more', 'unknown builtin filter name'],
      ],
      '404 not_found': [
        ['_view&view=none/any', 'missing'],
        ['_view&view=lists/none', 'missing json key: none'],
        ['_view&view=lists/toString', 'missing json key: toString'],
        ['_view&view=lists/lib', 'missing json key: map'],
        ['none/any', 'missing'],
        ['gone/quick', 'deleted'],
        ['lists/none', 'missing json key: none'],
      ],
      '400 unknown_query_language': [['erlang/f', /not in JavaScript/]],
      '400 compilation_error': [
        ['_view&view=lists/broken', /^The map function lists\/broken /],
        ['lists/object', /not a string/],
        ['lists/broken', broken],
        ['lists/twice', /SyntaxError/],
      ],
    };
    for (const feed of ['normal', 'continuous'])
      for (const [answer, requests] of Object.entries(rejected))
        for (const [filter, reason, body] of requests) {
          const { status, json, text } = await requestChanges(`feed=${feed}&filter=${filter}`, body);
          const said = json as { error: string; reason: string };
          t.is(`${status} ${said.error}`, answer, `${filter} ${JSON.stringify(body)}: ${text}`);
          if (typeof reason === 'string') t.is(said.reason, reason, filter);
          else t.regex(said.reason, reason, filter);
        }
  });
}

test('a failing function ends only its own request', async (t) => {
  const { server, write, design, requestChanges, changes } = await recipes(t, 'service', {
    config: { docfeed: { filter_cpu_ms: '500' } },
  });
  await write({ _id: 'soup', minutes: 30 }, { _id: 'tea', minutes: 5 });
  const functions = {
    throws: [
      'function (doc) { if (doc._id === "tea") throw new Error("too hot"); }',
      /"tea": Error: too hot$/,
    ],
    loops: ['function () { for (;;); }', /0\.5 s of CPU time/],
    // Allocates at once: on a busy machine, many small allocations could reach the time limit first.
    hoards: ['function () { return new Uint8Array(268435456).length > 0; }', /128 MiB/],
  } as const;
  const sources: Record<string, string> = { quick: quick.filters.quick };
  for (const [name, [source]] of Object.entries(functions)) sources[name] = source;
  await design({ filters: sources, views: { throws: { map: sources.throws } } });
  const failing = Object.entries(functions).map(([name, [, reason]]) => [`lists/${name}`, reason] as const);
  for (const [filter, reason] of [...failing, ['_view&view=lists/throws', functions.throws[1]] as const]) {
    const response = requestChanges(`filter=${filter}`);
    const other = changes('filter=lists/quick');
    const { status, json } = await response;
    t.is(status, 400);
    t.is((json as { error: string }).error, 'filter_error');
    t.regex((json as { reason: string }).reason, reason);
    t.deepEqual(ids(await other), ['tea']);
  }
  t.deepEqual(server.reports, []);
});

test('if a filter fails after the first rows, the response is aborted, and the log has the reason', async (t) => {
  const { server, db, write, design } = await recipes(t, 'service', {});
  await design({
    filters: { late: 'function (doc) { if (doc._id === "z") throw new Error("secret"); return true; }' },
  });
  await write(...Array.from({ length: 2000 }, (_, n) => ({ _id: `n${n}` })), { _id: 'z' });
  for (const feed of ['normal', 'continuous']) {
    await t.throwsAsync(server.asAdmin('GET', `/${db}/_changes?filter=lists/late&feed=${feed}`));
    const line = server.logged.findLast(({ level }) => level === 'warn');
    t.like(line, { msg: 'the response was aborted', error: 'filter_error', path: `/${db}/_changes` });
    t.false(JSON.stringify(line).includes('secret'));
  }
});

test('limit, last_seq, pending and descending with a filter', async (t) => {
  const { write, design, changes } = await recipes(t);
  const numbers = Array.from({ length: 1200 }, (_, n) => ({ _id: `n${n}`, minutes: n % 400 === 0 ? 5 : 50 }));
  for (let n = 0; n < numbers.length; n += 400) await write(...numbers.slice(n, n + 400));
  await design({ filters: { ...quick.filters, none: '() => false' } });
  for (const filter of ['lists/quick', '_selector']) {
    const read = (query: string) =>
      changes(`filter=${filter}&${query}`, { selector: { minutes: { $lt: 10 } } });
    const all = await read('');
    t.deepEqual(ids(all), ['n0', 'n400', 'n800']);
    t.is(all.last_seq, all.results[2]!.seq);
    t.is(all.pending, 0);
    const first = await read('limit=2');
    t.deepEqual(ids(first), ['n0', 'n400']);
    t.is(first.last_seq, first.results[1]!.seq);
    t.true(first.pending >= 1 && first.pending <= 800);
    const rest = await read(`since=${first.last_seq}`);
    t.deepEqual(ids(rest), ['n800']);
    t.deepEqual(ids(await read('descending=true&limit=2')), ['n800', 'n400']);
    t.deepEqual(ids(await read('limit=0')), []);
  }
  const none = await changes('filter=lists/none');
  t.deepEqual([none.results, none.pending], [[], 0]);
  t.deepEqual((await changes(`since=${none.last_seq}`)).results, []);
});
