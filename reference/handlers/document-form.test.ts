/** Forms of pages, as browsers send them. */
import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

interface Field {
  readonly name: string;
  readonly value: string;
  /** Of a file. */
  readonly filename?: string;
  readonly type?: string;
}

const formOf = (fields: readonly Field[]): string =>
  `${fields
    .map(({ name, value, filename, type }) => {
      const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: ${type}`;
      return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    })
    .join('')}--b--\r\n`;

const file = (filename: string, value: string, type = 'text/plain'): Field => ({
  name: '_attachments',
  filename,
  value,
  type,
});
const doc = (value: unknown): Field => ({ name: '_doc', value: JSON.stringify(value) });

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/db');
  const post = (path: string, fields: readonly Field[], headers: Readonly<Record<string, string>> = {}) =>
    server.send('POST', path, {
      headers: {
        ...basic(admin.name, admin.password),
        referer: `${server.url}/db/page.html`,
        'content-type': 'multipart/form-data; boundary=b',
        ...headers,
      },
      body: formOf(fields),
    });
  const read = async (id: string) =>
    (await server.asAdmin('GET', `/db/${id}`)).json as Record<string, unknown>;
  const text = async (path: string) => (await server.asAdmin('GET', `/db/${path}`)).text;
  return { ...server, post, read, text };
}

test('a form writes a document with its files', async (t) => {
  const { post, read, text } = await kitchen(t);
  const stub = { data: 'AAAA', content_type: 'image/jpeg' };
  const fields = [
    doc({ n: 1, _attachments: { photo: stub, 'note.txt': stub } }),
    file('note.txt', 'salt\r\n'),
    file('', '', 'application/octet-stream'),
    { name: '_attachments', value: 'no file' },
    { name: 'other', value: 'ignored' },
  ];
  const { status, headers, json } = await post('/db/soup', fields);
  t.is(status, 201, JSON.stringify(json));
  const { _attachments, ...document } = await read('soup');
  t.deepEqual(document, { _id: 'soup', _rev: (json as { rev: string }).rev, n: 1 });
  t.deepEqual(headers.etag, `"${document['_rev'] as string}"`);
  t.deepEqual(Object.keys(_attachments as object), ['note.txt', 'photo']);
  t.is(await text('soup/note.txt'), 'salt\r\n');
  t.is((await post('/db/soup', fields)).status, 409, 'the document has no revision');
});

test('a form with a revision adds files to it, and replaces those of the same name', async (t) => {
  const { post, read, text, asAdmin } = await kitchen(t);
  const old = { data: 'AAAA', content_type: 'text/plain' };
  const written = await asAdmin('PUT', '/db/soup', { n: 1, _attachments: { a: old, b: old } });
  const { rev } = written.json as { rev: string };
  const fields = [{ name: '_rev', value: rev }, file('b', 'new'), file('c', 'more')];
  t.is((await post('/db/soup', fields)).status, 201);
  const { n, _attachments } = await read('soup');
  t.is(n, 1);
  t.like(_attachments, { a: { revpos: 1 }, b: { revpos: 2 }, c: { revpos: 2 } });
  t.is(await text('soup/b'), 'new');
  t.is((await post('/db/soup', fields)).status, 409);
});

const bad: readonly [what: string, status: number, reason: RegExp, fields: readonly Field[]][] = [
  ['without a document', 400, /`_doc` or `_rev`/, [file('a', 'x')]],
  ['whose document is not JSON', 400, /JSON/, [{ name: '_doc', value: '{' }]],
  ['whose document is a list', 400, /object/, [doc([])]],
  ['whose attachments are a number', 400, /_attachments/, [doc({ _attachments: 1 })]],
  ['with an unknown revision', 404, /missing/, [{ name: '_rev', value: '1-a' }]],
  ['with a reserved name of a file', 400, /_x/, [doc({}), file('_x', 'x')]],
  ['with a malformed type of a file', 400, /content_type/, [doc({}), file('x', 'x', 'é')]],
];
for (const [what, status, reason, fields] of bad)
  test(`a form ${what}: ${status}`, async (t) => {
    const { post, asAdmin } = await kitchen(t);
    const response = await post('/db/soup', fields);
    t.is(response.status, status, response.text);
    t.regex((response.json as { reason: string }).reason, reason);
    t.is((await asAdmin('GET', '/db/soup')).status, 404);
  });

test('a form must come from a page of this host', async (t) => {
  const { post, url } = await kitchen(t);
  const from = async (referer: string, headers = {}) => {
    const { status, json } = await post('/db/soup', [doc({})], { referer, ...headers });
    return [status, (json as { reason?: string }).reason];
  };
  const port = Number(new URL(url).port);
  const refused = [400, 'Referer header must match host.'];
  t.deepEqual(await from('http://elsewhere/'), refused);
  t.deepEqual(await from(`http://127.0.0.1:${port + 1}/`), refused);
  t.deepEqual(await from(`http://elsewhere/?${url}`), refused);
  t.deepEqual(await from('null'), refused);
  t.deepEqual(await from(`https://docs.example/`), refused);
  const [status] = await from('https://docs.example/', { 'x-forwarded-host': 'docs.example' });
  t.is(status, 201, 'a proxy says where the page is');
  const { status: without, json } = await post('/db/soup', [doc({})], { referer: undefined! });
  t.deepEqual([without, json], [400, { error: 'bad_request', reason: 'Referer header required.' }]);
});

test('only forms with files are taken', async (t) => {
  const { post } = await kitchen(t);
  for (const type of [
    'application/x-www-form-urlencoded',
    'application/json',
    'multipart/related; boundary=b',
  ])
    t.like(await post('/db/soup', [doc({})], { 'content-type': type }), {
      status: 415,
      json: { error: 'bad_content_type', reason: 'Content-Type must be multipart/form-data' },
    });
});

test('a form has the access of PUT', async (t) => {
  const { post, asAdmin } = await kitchen(t);
  const ann = { _id: 'org.couchdb.user:ann', name: 'ann', password: 'apple', roles: [], type: 'user' };
  const { json } = await asAdmin('PUT', `/_users/${ann._id}`, ann);
  await asAdmin('PUT', '/db/_security', { members: { names: ['ben'] } });
  const asAnn = basic('ann', 'apple');
  t.is((await post('/db/soup', [doc({})], asAnn)).status, 403);
  t.is((await post('/db/soup', [doc({})], { authorization: undefined! })).status, 401);
  t.is((await post('/_users/org.couchdb.user:ben', [doc({})], asAnn)).status, 404);
  const { rev: _rev } = json as { rev: string };
  const changed = { ...ann, _rev, roles: ['chef'] };
  t.is((await post(`/_users/${ann._id}`, [doc(changed)], asAnn)).status, 403, 'users have no right to roles');
  t.is((await post(`/_users/${ann._id}`, [doc({ ...ann, _rev, password: 'pear' })], asAnn)).status, 201);
  const stored = (await asAdmin('GET', `/_users/${ann._id}`)).json as object;
  t.false('password' in stored, 'the password is hashed');
});
