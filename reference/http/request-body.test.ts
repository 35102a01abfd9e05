/** Valid and invalid request bodies. */
import { deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { basic, type Message } from '../testing/server.js';
import { sharedServer } from '../testing/shared-server.js';

const credentials = basic('admin', 'secret');

/** Tests write to a database of their own: what the server refuses must not change the other one. */
const withDatabases = sharedServer({}, async ({ asAdmin }) => {
  await asAdmin('PUT', '/recipes');
  await asAdmin('PUT', '/recipes/soup', { salt: 1 });
  await asAdmin('PUT', '/accepted');
});

const json = { 'content-type': 'application/json' };
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const bad: readonly [what: string, status: number, reason: RegExp, message: Message][] = [
  ['that is empty', 400, /body/, { headers: json, body: '' }],
  ['that is cut', 400, /JSON/, { body: '{"a":' }],
  ['of text', 400, /JSON/, { body: 'hello' }],
  ['with a comma too many', 400, /JSON/, { body: '{"a":1,}' }],
  ['that holds NaN', 400, /JSON/, { body: '{"a":NaN}' }],
  ['that is an array', 400, /array/, { body: '[]' }],
  ['that is null', 400, /body/, { body: 'null' }],
  ['that is a number', 400, /body/, { body: '1' }],
  ['that is a string', 400, /body/, { body: '"x"' }],
  ['that is not UTF-8', 400, /UTF-8/, { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
  ['with an overlong UTF-8 sequence', 400, /UTF-8/, { body: Buffer.from('7b22c0af223a317d', 'hex') }],
  ['with a surrogate in UTF-8', 400, /UTF-8/, { body: Buffer.from('7b22eda080223a317d', 'hex') }],
  ['with __proto__', 400, /__proto__/, { body: '{"__proto__":{"admin":true}}' }],
  ['with __proto__ inside', 400, /__proto__/, { body: '{"a":[{"__proto__":1}]}' }],
  ['with __proto__ escaped', 400, /__proto__/, { body: '{"\\u005f_proto__":1}' }],
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
    test(`${method} ${path} with a body ${what}: ${status}`, async (t) => {
      const server = await withDatabases();
      const before = await server.asAdmin('GET', '/recipes/_changes?include_docs=true');
      const headers = { ...credentials, ...message.headers };
      const reply = await server.send(method, path, { ...message, headers });
      t.is(reply.status, status);
      const body = reply.json as { error: string; reason: string };
      t.deepEqual(Object.keys(body), ['error', 'reason']);
      t.regex(body.reason, reason);
      t.is((await server.asAdmin('GET', '/recipes/_changes?include_docs=true')).text, before.text);
      t.like((await server.asAdmin('GET', '/_users/_all_docs')).json, { rows: [] });
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
  const multipart = { ...credentials, 'content-type': 'multipart/related; boundary=x' };
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
  t.is((await server.asAdmin('PUT', '/accepted/deep', nested(900))).status, 201);
  t.like(await server.asAdmin('PUT', '/accepted/text', { text: `\\"${'[{'.repeat(5000)}` }), { status: 201 });
  t.is((await server.asAdmin('GET', '/accepted/deep')).status, 200);
});
