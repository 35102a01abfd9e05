/** Valid and invalid request bodies. */
import { deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { basic, testServer, type Message } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const credentials = basic('admin', 'secret');

/** Tests write to a database of their own: what the server refuses must not change the other one. */
const withDatabases = sharedServer({}, async ({ asAdmin }) => {
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/soup', { salt: 1 });
  await asAdmin('PUT', '/accepted');
});

const withNamesOfCouchdb = sharedServer({ dialect: 'couchdb' }, ({ asAdmin }) => asAdmin('PUT', '/recipes'));

const json = { 'content-type': 'application/json' };
const anObject = /must be an? (JSON )?object/;
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const bad: readonly [what: string, status: number, reason: RegExp, message: Message][] = [
  ['that is empty', 400, anObject, { headers: json, body: '' }],
  ['that is cut', 400, /JSON/, { body: '{"a":' }],
  ['of text', 400, /JSON/, { body: 'hello' }],
  ['with a comma too many', 400, /JSON/, { body: '{"a":1,}' }],
  ['that holds NaN', 400, /JSON/, { body: '{"a":NaN}' }],
  ['that is an array', 400, anObject, { body: '[]' }],
  ['that is null', 400, anObject, { body: 'null' }],
  ['that is a number', 400, anObject, { body: '1' }],
  ['that is a string', 400, anObject, { body: '"x"' }],
  ['that is not UTF-8', 400, /UTF-8/, { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
  ['with an overlong UTF-8 sequence', 400, /UTF-8/, { body: Buffer.from('7b22c0af223a317d', 'hex') }],
  ['with a surrogate in UTF-8', 400, /UTF-8/, { body: Buffer.from('7b22eda080223a317d', 'hex') }],
  ['with half of a surrogate pair', 400, /surrogate/, { body: '{"a":"\\ud800"}' }],
  ['with the other half', 400, /surrogate/, { body: '{"a":"\\ud83c\\udf72\\uDC00"}' }],
  ['with half of a pair in a name', 400, /surrogate/, { body: '{"\\\\\\ud800":1}' }],
  ['with a number out of range', 400, /1e400 is out of range/, { body: '{"a":1e400}' }],
  ['with a long number out of range', 400, /out of range/, { body: `{"a":[-${'9'.repeat(400)}.5]}` }],
  ['with an integer of 1001 digits', 400, /1000 digits/, { body: `{"a":${'9'.repeat(1001)}}` }],
  ['that is nested too deep', 400, /nested/, { body: nested(100_000) }],
  ['that is cut and nested too deep', 400, /nested/, { body: '['.repeat(1_000_000) }],
  ['that says gzip and is not', 400, /compressed/, { headers: { 'content-encoding': 'gzip' }, body: '{}' }],
  ['of an unknown encoding', 415, /gzip/, { headers: { 'content-encoding': 'br' }, body: '{}' }],
  ['larger than 8 MiB', 413, /too large/, { body: `"${'x'.repeat(8 * 1024 * 1024)}"` }],
  [
    'larger than 8 MiB when decompressed',
    413,
    /too large/,
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(50_000_000, ' ')) },
  ],
];

for (const [what, status, reason, message] of bad) {
  for (const [method, path] of [
    ['POST', '/recipes'],
    ['POST', '/_session'],
    ['PUT', '/_users/org.service.user:alice'],
  ] as const) {
    // Many large bodies at a time may take longer than a body may take to arrive.
    const run = status === 413 ? test.serial : test;
    run(`${method} ${path} with a body ${what}: ${status}`, async (t) => {
      const server = await withDatabases();
      const before = await server.asAdmin('GET', '/recipes/_changes?include_docs=true');
      const headers = { ...credentials, ...message.headers };
      const reply = await server.send(method, path, { ...message, headers });
      t.is(reply.status, status);
      const body = reply.json as { error: string; reason: string };
      t.deepEqual(Object.keys(body), ['error', 'reason']);
      t.regex(body.reason, reason);
      t.is((await server.asAdmin('GET', '/recipes/_changes?include_docs=true')).text, before.text);
      // The design document.
      t.like((await server.asAdmin('GET', '/_users/_all_docs')).json, { total_rows: 1 });
      t.deepEqual(server.reports, []);
    });
  }
}

for (const type of [
  'text/plain',
  'application/xml',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  '',
]) {
  test(`POST with the type "${type}": 415`, async (t) => {
    const server = await withDatabases();
    for (const path of ['/recipes', '/recipes/_bulk_docs', '/recipes/_changes', '/_session']) {
      const reply = await server.send('POST', path, {
        headers: { ...credentials, 'content-type': type },
        body: '{}',
      });
      t.is(reply.status, 415, path);
      t.like(reply.json, { error: 'bad_content_type' });
      t.regex((reply.json as { reason: string }).reason, /^Content-Type must be application\/json/);
    }
  });
}

test('PUT does not require the JSON content type, which curl does not send', async (t) => {
  const server = await withDatabases();
  const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
  t.is((await server.send('PUT', '/accepted/stew', { headers, body: '{"salt":2}' })).status, 201);
  t.like((await server.asAdmin('GET', '/accepted/stew')).json, { salt: 2 });
  const multipart = { ...credentials, 'content-type': 'multipart/form-data; boundary=x' };
  t.is((await server.send('PUT', '/accepted/broth', { headers: multipart, body: '{}' })).status, 415);
});

test('parameters and case of the content type are ignored', async (t) => {
  const server = await withDatabases();
  const headers = { ...credentials, 'content-type': 'Application/JSON; charset=utf-8' };
  t.is((await server.send('POST', '/accepted', { headers, body: '{}' })).status, 201);
});

for (const [encoding, compress] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['identity', (bytes: string) => Buffer.from(bytes)],
] as const) {
  test(`a body with the encoding ${encoding} is accepted`, async (t) => {
    const server = await withDatabases();
    const headers = { ...credentials, 'content-encoding': encoding };
    const body = compress('{"name":"Süppchen ☃ 🍲"}');
    t.is((await server.send('PUT', `/accepted/${encoding}`, { headers, body })).status, 201);
    t.like((await server.asAdmin('GET', `/accepted/${encoding}`)).json, { name: 'Süppchen ☃ 🍲' });
  });
}

test('deep nesting is accepted, and brackets in strings do not count', async (t) => {
  const server = await withDatabases();
  t.is((await server.asAdmin('PUT', '/accepted/deep', nested(2100))).status, 201);
  t.like(await server.asAdmin('PUT', '/accepted/text', { text: `\\"${'[{'.repeat(5000)}` }), { status: 201 });
  t.is((await server.asAdmin('GET', '/accepted/deep')).status, 200);
});

test('a member __proto__ of the options of a list means nothing, and its value in _revs_diff is validated', async (t) => {
  const { asAdmin, reports } = await testServer(t);
  await asAdmin('PUT', '/db');
  for (const list of ['_all_docs', '_design_docs', '_local_docs']) {
    const { status, json } = await asAdmin('POST', `/db/${list}`, '{"__proto__":{"limit":1}}');
    t.is(status, 200, list);
    t.deepEqual((json as { rows: object[] }).rows, []);
  }
  for (const value of ['{"x":1}', '[7]', '["x"]', '"1-a"', 'null', `[${'"1-a",'.repeat(500)}7]`]) {
    const { status } = await asAdmin('POST', '/db/_revs_diff', `{"__proto__":${value}}`);
    t.is(status, 400, value);
  }
  const valid = await asAdmin('POST', '/db/_revs_diff', '{"a":["1-a"],"__proto__":["1-a"]}');
  t.is(valid.text, '{"a":{"missing":["1-a"]},"__proto__":{"missing":["1-a"]}}');
  t.deepEqual(reports, []);
});

const exact = {
  'a long integer': '12345678901234567890',
  'a negative one': '-9007199254740993',
  'an integer of 1000 digits': '9'.repeat(1000),
  'members named __proto__': '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}',
  'several values, and the last of two with one name':
    '{"b":[1,100000000000000000001,"\\ud83c\\udf72"],"b":[true]}',
  'text that looks like an escape sequence': '"\\\\ud800"',
} as const;

for (const [what, value] of Object.entries(exact)) {
  test(`${what} comes back as it was sent, wherever a document does`, async (t) => {
    const { asAdmin, reports } = await testServer(t);
    const body = `{"_id":"a","value":${value}}`;
    const expected = `"value":${what.startsWith('several') ? '{"b":[true]}' : value}`;
    const filters = {
      all: 'function () { return true; }',
      sent: 'function (doc, req) { return req.body.x; }',
    };
    for (const path of ['/one', '/bulk', '/replica', '/local']) {
      await asAdmin('PUT', path);
      await asAdmin('PUT', `${path}/_design/d`, { filters });
    }
    t.is((await asAdmin('PUT', '/one/a', body)).status, 201);
    t.is((await asAdmin('POST', '/bulk/_bulk_docs', `{"docs":[${body}]}`)).status, 201);
    const replica = body.replace('{', '{"_rev":"1-a",');
    t.is((await asAdmin('PUT', '/replica/a?new_edits=false', replica)).status, 201);
    for (const database of ['/one', '/bulk', '/replica'])
      for (const path of [
        '/a',
        '/a?open_revs=all',
        '/_all_docs?include_docs=true',
        '/_changes?include_docs=true',
        '/_changes?include_docs=true&descending=true',
        '/_changes?include_docs=true&filter=d/all',
      ])
        t.true((await asAdmin('GET', database + path)).text.includes(expected), database + path);
    t.true((await asAdmin('POST', '/one/_bulk_get', { docs: [{ id: 'a' }] })).text.includes(expected));

    t.is((await asAdmin('PUT', '/local/_local/a', `{"value":${value}}`)).status, 201);
    t.true((await asAdmin('GET', '/local/_local/a')).text.includes(expected));
    t.is((await asAdmin('PUT', '/local/_security', `{"value":${value}}`)).status, 200);
    t.is((await asAdmin('GET', '/local/_security')).text, `{${expected}}`);
    for (const [filter, sent] of [
      ['d/sent', `{"x":${value}}`],
      ['_selector', `{"selector":{"value":${value}}}`],
    ] as const)
      t.is((await asAdmin('POST', `/one/_changes?filter=${filter}`, sent)).status, 200);
    t.deepEqual(reports, []);
  });
}

test('a body whose member is a long integer in the place of another type is invalid', async (t) => {
  const server = await withDatabases();
  for (const [path, member] of [
    ['/_session', 'password'],
    ['/recipes/_bulk_get', 'docs'],
  ] as const) {
    const { status, json } = await server.asAdmin('POST', path, `{"${member}":12345678901234567890}`);
    t.is(status, 400);
    t.regex((json as { reason: string }).reason, /12345678901234567890/);
  }
});

const malformed: [method: string, path: string, body: string, error: string, reason: string][] = [
  ['PUT', '/recipes/a', '[]', 'bad_request', 'Document must be a JSON object'],
  ['PUT', '/recipes/_local/a', '"x"', 'bad_request', 'Document must be a JSON object'],
  ['POST', '/recipes', '{"_id":1}', 'illegal_docid', 'Document id must be a string'],
  ['POST', '/recipes/_bulk_docs', '{"docs":[{"_id":null}]}', 'illegal_docid', 'Document id must be a string'],
  ['PUT', '/recipes/a', '{"_deleted":1}', 'doc_validation', 'Bad special document member: _deleted'],
  ['PUT', '/recipes/a', '{"_attachments":[]}', 'doc_validation', 'Bad special document member: _attachments'],
  ['PUT', '/recipes/a', '{"_revisions":[]}', 'doc_validation', 'Bad special document member: _revisions'],
  ['PUT', '/recipes/a', '{"_revisions":{}}', 'doc_validation', "_revisions.start isn't an integer."],
  [
    'PUT',
    '/recipes/a',
    '{"_revisions":{"start":1,"ids":1}}',
    'doc_validation',
    "_revisions.ids isn't a array.",
  ],
  ['PUT', '/recipes/a', '{"_revisions":{"start":1,"ids":[1]}}', 'doc_validation', "RevId isn't a string"],
  ['POST', '/recipes/_bulk_docs', '[]', 'bad_request', 'Request body must be a JSON object'],
  ['POST', '/recipes/_bulk_docs', '{}', 'bad_request', 'POST body must include `docs` parameter.'],
  ['POST', '/recipes/_bulk_docs', '{"docs":null}', 'bad_request', '`docs` parameter must be an array.'],
  ['POST', '/recipes/_bulk_get', '{}', 'bad_request', "Missing JSON list of 'docs'."],
  ['POST', '/recipes/_all_docs', '[]', 'bad_request', 'Request body must be a JSON object'],
  ['POST', '/recipes/_all_docs', '{"keys":1}', 'bad_request', '`keys` body member must be an array.'],
  ['POST', '/recipes/_all_docs/queries', '{}', 'bad_request', 'POST body must include `queries` parameter.'],
  ['POST', '/recipes/_changes', '[]', 'bad_request', 'Request body must be a JSON object'],
  ['GET', '/recipes/_changes?seq_interval=0', '', 'bad_request', 'invalid_seq_interval'],
  ['GET', '/_uuids?count=-1', '', 'bad_request', 'count must be a positive integer'],
  ['GET', '/_uuids?count=1001', '', 'bad_request', 'count parameter too large'],
  [
    'GET',
    '/recipes/_all_docs?key=x',
    '',
    'bad_request',
    'query parameter `key` is "x"; it must be a string, written as JSON',
  ],
  ['PUT', '/new?q=0', '', 'bad_request', 'The `q` value should be a positive integer.'],
];

for (const [method, path, body, error, reason] of malformed) {
  test(`${method} ${path} ${body} has the error ${error}`, async (t) => {
    const server = await withNamesOfCouchdb();
    const reply = await server.asAdmin(method, path, body === '' ? undefined : body);
    t.is(reply.status, 400);
    t.deepEqual(reply.json, { error, reason });
  });
}

test('`__proto__` is no special document member, and gives a body no members', async (t) => {
  const server = await withDatabases();
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const body = `{"${name}":{"password":"secret","name":"admin","_deleted":true}}`;
    for (const [method, path, sent] of [
      ['PUT', '/recipes/x', body],
      ['POST', '/recipes', body],
      ['POST', '/recipes/_bulk_docs', `{"docs":[${body}]}`],
    ] as const)
      t.deepEqual((await server.asAdmin(method, path, sent)).json, {
        error: 'doc_validation',
        reason: 'Bad special document member: __proto__',
      });
    t.is((await server.send('POST', '/_session', { body })).status, 400);
    t.is((await server.asAdmin('POST', '/recipes/_bulk_get', `{"docs":[${body}]}`)).status, 400);
    const difference = await server.asAdmin('POST', '/recipes/_revs_diff', `{"${name}":["1-a"]}`);
    t.is(difference.text, '{"__proto__":{"missing":["1-a"]}}');
  }
});
