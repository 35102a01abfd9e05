/** Attachments over HTTP: inline and separate. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

interface Stub {
  content_type: string;
  revpos: number;
  digest: string;
  length?: number;
  encoding?: string;
  encoded_length?: number;
  stub?: boolean;
  data?: string;
}
type Body = Record<string, unknown> & { _rev: string; _attachments?: Record<string, Stub> };

const photo = Buffer.from([0xff, 0xd8, 0, 1, 2, 0xfe]);
const note = Buffer.from('soup '.repeat(100));
const inline = (content_type: string, content: Buffer) => ({
  content_type,
  data: content.toString('base64'),
});
const digest = (content: Buffer) => `md5-${createHash('md5').update(content).digest('base64')}`;
const stub = (content_type: string, content: Buffer, revpos = 1): Stub => ({
  content_type,
  revpos,
  digest: digest(content_type.startsWith('text/') ? gzipSync(content) : content),
  length: content.length,
  stub: true,
});

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const { asAdmin, open } = server;
  await asAdmin('PUT', '/db');
  const write = async (path: string, body: object) => {
    const { status, json } = await asAdmin('PUT', `/db/${path}`, body);
    t.is(status, 201, JSON.stringify(json));
    return (json as { rev: string }).rev;
  };
  const read = async (path: string) => (await asAdmin('GET', `/db/${path}`)).json as Body;
  const stubs = async (path: string) => (await read(path))._attachments;
  const outcome = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await asAdmin(method, `/db/${path}`, body);
    return [status, (json as { error?: string } | undefined)?.error];
  };
  /** Returns the body as a buffer. */
  const raw = async (
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    path: string,
    headers: object = {},
    body?: Buffer,
  ) => {
    const response = await open(method, `/db/${path}`, {
      headers: { ...basic(admin.name, admin.password), 'content-type': undefined, ...headers },
      body,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, bytes };
  };
  const attachments = { 'photo.jpg': inline('image/jpeg', photo), 'a/note.txt': inline('text/plain', note) };
  return { ...server, write, read, stubs, outcome, raw, attachments };
}

test('a document has stubs, and the content on request', async (t) => {
  const { write, read, stubs, attachments } = await kitchen(t);
  await write('soup', { salt: 1, _attachments: attachments });
  const shown = { 'photo.jpg': stub('image/jpeg', photo), 'a/note.txt': stub('text/plain', note) };
  t.deepEqual(await stubs('soup'), shown);
  t.is((await read('soup')).salt, 1);

  const { data } = attachments['a/note.txt'];
  const expected = { content_type: 'text/plain', revpos: 1, digest: digest(gzipSync(note)), data };
  t.deepEqual((await stubs('soup?attachments=true'))!['a/note.txt'], expected);
  for (const [name, { data }] of Object.entries((await stubs('soup?attachments=true'))!))
    t.is(data, attachments[name as keyof typeof attachments].data);

  const { encoded_length, ...encoded } = (await stubs('soup?att_encoding_info=true'))!['a/note.txt']!;
  t.deepEqual(encoded, { ...shown['a/note.txt'], encoding: 'gzip' });
  t.true(encoded_length! < note.length);
  t.deepEqual((await stubs('soup?att_encoding_info=true'))!['photo.jpg'], shown['photo.jpg']);
});

test('lists, the feed and _bulk_get have attachments like documents', async (t) => {
  const { asAdmin, write, stubs, attachments } = await kitchen(t);
  const rev = await write('soup', { _attachments: attachments });
  for (const options of ['', '&attachments=true', '&att_encoding_info=true']) {
    const expected = await stubs(`soup?x${options}`);
    const list = await asAdmin('GET', `/db/_all_docs?include_docs=true${options}`);
    t.deepEqual((list.json as { rows: { doc: Body }[] }).rows[0]!.doc._attachments, expected);
    const byKey = await asAdmin('POST', `/db/_all_docs?include_docs=true${options}`, { keys: ['soup'] });
    t.deepEqual((byKey.json as { rows: { doc: Body }[] }).rows[0]!.doc._attachments, expected);
    const feed = await asAdmin('GET', `/db/_changes?include_docs=true${options}`);
    t.deepEqual((feed.json as { results: { doc: Body }[] }).results[0]!.doc._attachments, expected);
    const without = await asAdmin('GET', `/db/_changes?x${options}`);
    t.false('doc' in (without.json as { results: object[] }).results[0]!);
    if (options === '&att_encoding_info=true') continue;
    const bulk = await asAdmin('POST', `/db/_bulk_get?x${options}`, { docs: [{ id: 'soup', rev }] });
    const { results } = bulk.json as { results: { docs: { ok: Body }[] }[] };
    t.deepEqual(results[0]!.docs[0]!.ok._attachments, expected);
  }
});

test('with atts_since, only newer attachments have their content', async (t) => {
  const { write, stubs, attachments } = await kitchen(t);
  const first = await write('soup', { _attachments: { old: attachments['photo.jpg'] } });
  await write('soup', {
    _rev: first,
    _attachments: { old: { stub: true }, young: attachments['photo.jpg'] },
  });
  const since = async (...revisions: string[]) => {
    const found = (await stubs(`soup?atts_since=${JSON.stringify(revisions)}`))!;
    return Object.keys(found).filter((name) => found[name]!.data !== undefined);
  };
  t.deepEqual(await since(first), ['young']);
  t.deepEqual(await since('1-unknown'), ['old', 'young']);
  t.deepEqual(await since('1-unknown', first), ['young']);
});

test('a stub keeps an attachment, and attachments that are not listed are removed', async (t) => {
  const { asAdmin, write, stubs, outcome, raw, attachments } = await kitchen(t);
  const one = await write('soup', { _attachments: attachments });
  const two = await write('soup', { _rev: one, n: 2, _attachments: { 'photo.jpg': { stub: true } } });
  t.deepEqual(await stubs('soup'), { 'photo.jpg': stub('image/jpeg', photo) });
  t.deepEqual((await raw('GET', 'soup/photo.jpg')).bytes, photo);
  t.deepEqual((await raw('GET', `soup/a%2Fnote.txt?rev=${one}`)).bytes, note);
  t.deepEqual(await outcome('GET', 'soup/a/note.txt'), [404, 'not_found']);

  for (const [path, body] of [
    ['new', { _attachments: { x: { stub: true } } }],
    ['soup', { _rev: two, _attachments: { 'a/note.txt': { stub: true } } }],
    ['soup', { _rev: two, _attachments: { constructor: { stub: true } } }],
    ['soup', { _rev: two, _attachments: { 'photo.jpg': { stub: true, revpos: 2 } } }],
    ['soup?new_edits=false', { _rev: '1-other', _attachments: { 'photo.jpg': { stub: true } } }],
  ] as const)
    t.deepEqual(await outcome('PUT', path, body), [412, 'missing_stub'], path);
  const docs = [{ _id: 'fine' }, { _id: 'new', _attachments: { x: { stub: true } } }];
  t.deepEqual(await outcome('POST', '_bulk_docs', { docs }), [412, 'missing_stub']);
  t.is((await asAdmin('GET', '/db/fine')).status, 404);
  await write('soup', { _rev: two, n: 3, _attachments: { 'photo.jpg': { stub: true, revpos: 1 } } });
  t.is((await stubs('soup'))!['photo.jpg']!.revpos, 1);
});

test('a replicated revision has its own attachments or those of its ancestors', async (t) => {
  const { asAdmin, stubs, raw, attachments } = await kitchen(t);
  const replicate = async (doc: object) =>
    (await asAdmin('POST', '/db/_bulk_docs', { docs: [doc], new_edits: false })).status;
  const photoOf = { ...attachments['photo.jpg'], revpos: 1 };
  t.is(await replicate({ _id: 'a', _rev: '3-x', _attachments: { p: photoOf } }), 201);
  t.deepEqual(await stubs('a'), { p: stub('image/jpeg', photo, 1) });
  const _revisions = { start: 5, ids: ['z', 'y', 'x'] };
  const late = { ...attachments['a/note.txt'], revpos: 9 };
  t.is(await replicate({ _id: 'a', _revisions, _attachments: { p: { stub: true }, late } }), 201);
  t.deepEqual(await stubs('a'), { p: stub('image/jpeg', photo, 1), late: stub('text/plain', note, 5) });
  t.deepEqual((await raw('GET', 'a/p')).bytes, photo);
});

test('attachments affect the revision, and the same attachments lead to the same revision', async (t) => {
  const { write, attachments } = await kitchen(t);
  const { 'photo.jpg': p, 'a/note.txt': n } = attachments;
  const same = [await write('a', { _attachments: { p, n } }), await write('b', { _attachments: { p, n } })];
  t.is(same[0], same[1]);
  const others = [
    await write('c', { _attachments: { p } }),
    await write('d', { _attachments: { p: n } }),
    await write('e', { _attachments: { q: p } }),
    await write('f', { _attachments: { p: { ...p, content_type: 'image/png' } } }),
    await write('g', {}),
  ];
  t.is(new Set([...same, ...others]).size, 6);
});

test('a single attachment can be written, read and deleted', async (t) => {
  const { read, stubs, outcome, raw, write } = await kitchen(t);
  const put = await raw('PUT', 'soup/photos/top%20view.jpg', { 'content-type': 'image/jpeg' }, photo);
  t.is(put.status, 201);
  const { ok, id, rev } = JSON.parse(put.bytes.toString()) as Record<string, unknown>;
  t.deepEqual([ok, id, put.headers.etag], [true, 'soup', undefined]);
  t.true(String(put.headers.location).endsWith('/db/soup/photos%2Ftop%20view.jpg'));
  t.deepEqual(await stubs('soup'), { 'photos/top view.jpg': stub('image/jpeg', photo) });

  const got = await raw('GET', 'soup/photos%2Ftop%20view.jpg');
  t.deepEqual([got.status, got.bytes, got.headers['content-type']], [200, photo, 'image/jpeg']);
  t.is(got.headers.etag, `"${digest(photo).slice(4)}"`);
  t.is(got.headers['content-security-policy'], 'sandbox');
  const head = await raw('HEAD', 'soup/photos/top%20view.jpg');
  t.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, '6']);
  const tagged = await raw('GET', 'soup/photos/top%20view.jpg', { 'if-none-match': got.headers.etag });
  t.deepEqual([tagged.status, tagged.bytes.length], [304, 0]);

  const second = await write('soup', { _rev: rev, salt: 1, _attachments: await stubs('soup') });
  t.is((await raw('PUT', 'soup/empty', {}, Buffer.alloc(0))).status, 409);
  t.is((await raw('PUT', `soup/empty?rev=${rev as string}`, {}, Buffer.alloc(0))).status, 409);
  t.is((await raw('PUT', 'soup/empty', { 'if-match': second }, Buffer.alloc(0))).status, 201);
  t.deepEqual(await stubs('soup'), {
    'photos/top view.jpg': stub('image/jpeg', photo, 1),
    empty: stub('application/octet-stream', Buffer.alloc(0), 3),
  });
  t.is((await read('soup')).salt, 1);

  const { _rev: third } = await read('soup');
  t.deepEqual(await outcome('DELETE', 'soup/empty'), [409, 'conflict']);
  t.deepEqual(await outcome('DELETE', `soup/empty?rev=${second}`), [404, 'not_found']);
  t.deepEqual(await outcome('DELETE', `soup/nothing?rev=${third}`), [404, 'not_found']);
  t.deepEqual(await outcome('DELETE', `nobody/x?rev=${third}`), [409, 'not_found']);
  t.is((await raw('PUT', 'soup/empty?rev=4-unknown', {}, Buffer.alloc(0))).status, 409);
  t.deepEqual(await outcome('DELETE', 'nobody/x'), [404, 'not_found']);
  t.is((await raw('DELETE', `soup/empty?rev=${third}`)).status, 200);
  t.deepEqual(Object.keys((await stubs('soup'))!), ['photos/top view.jpg']);
  for (const path of ['soup/empty', 'soup/nothing', 'nobody/x', 'soup/photos', 'soup/constructor'])
    t.deepEqual(await outcome('GET', path), [404, 'not_found'], path);
});

test('text is stored compressed, and sent compressed if the client accepts it', async (t) => {
  const { stubs, raw } = await kitchen(t);
  for (const [type, compressed] of [
    ['text/plain; charset=utf-8', true],
    ['application/json', true],
    ['application/javascript', true],
    ['application/xml', true],
    ['image/svg', false],
    ['application/zip', false],
  ] as const) {
    const name = encodeURIComponent(type);
    t.is((await raw('PUT', `${name}/x`, { 'content-type': type }, note)).status, 201);
    t.is((await stubs(`${name}?att_encoding_info=true`))!.x!.encoding, compressed ? 'gzip' : undefined);
    const plain = await raw('GET', `${name}/x`);
    t.deepEqual([plain.bytes, plain.headers['content-encoding']], [note, undefined]);
    t.is(plain.headers['content-type'], type);
    const packed = await raw('GET', `${name}/x`, { 'accept-encoding': 'br, gzip' });
    t.is(packed.headers['content-encoding'], compressed ? 'gzip' : undefined);
    t.deepEqual(compressed ? gunzipSync(packed.bytes) : packed.bytes, note);
    const rejected = await raw('GET', `${name}/x`, { 'accept-encoding': 'gzip;q=0' });
    t.is(rejected.headers['content-encoding'], undefined);
  }
});

test('design documents may have attachments, local documents may not', async (t) => {
  const { stubs, outcome, raw } = await kitchen(t);
  for (const path of ['_design/d/page.html', '_design%2Fe/page.html']) {
    t.is((await raw('PUT', path, { 'content-type': 'text/html' }, note)).status, 201);
    t.deepEqual((await raw('GET', path)).bytes, note);
  }
  t.deepEqual(await stubs('_design/d'), { 'page.html': stub('text/html', note) });
  t.is((await raw('PUT', '_local/a/x', {}, photo)).status, 400);
  t.deepEqual(await outcome('GET', '_local/a/x'), [400, 'bad_request']);
});

test('invalid attachments are rejected without any change', async (t) => {
  const { asAdmin, outcome, raw, write, attachments, reports } = await kitchen(t);
  const rev = await write('soup', { _attachments: attachments });
  const before = (await asAdmin('GET', '/db')).json;
  const _attachments = { _x: attachments['photo.jpg'] };
  t.is((await outcome('PUT', 'soup', { _rev: rev, _attachments }))[0], 400);
  t.is((await raw('PUT', `soup/_x?rev=${rev}`, {}, photo)).status, 400);
  t.is((await raw('PUT', 'soup/x?rev=bogus', {}, photo)).status, 400);
  t.deepEqual((await asAdmin('GET', '/db')).json, before);
  t.deepEqual(reports, []);
});

test('a client reads a part of an attachment', async (t) => {
  const { write, raw } = await kitchen(t);
  await write('soup', { _attachments: { 'photo.jpg': inline('image/jpeg', photo) } });
  const etag = `"${digest(photo).slice('md5-'.length)}"`;
  const part = async (range: string, headers: object = {}) => {
    const { status, headers: its, bytes } = await raw('GET', 'soup/photo.jpg', { range, ...headers });
    return [status, its['content-range'], its['content-length'], status === 416 ? undefined : [...bytes]];
  };
  const whole = [200, undefined, '6', [...photo]];
  const cases: Record<string, unknown> = {
    'bytes=0-5': [206, 'bytes 0-5/6', '6', [...photo]],
    'bytes=2-': [206, 'bytes 2-5/6', '4', [0, 1, 2, 0xfe]],
    'bytes=1-1': [206, 'bytes 1-1/6', '1', [0xd8]],
    'bytes=4-99': [206, 'bytes 4-5/6', '2', [2, 0xfe]],
    'bytes=-2': [206, 'bytes 4-5/6', '2', [2, 0xfe]],
    'bytes=-99': [206, 'bytes 0-5/6', '6', [...photo]],
    'bytes=0-': whole,
    'bytes=-': whole,
    'bytes=0-1,3-4': whole,
    'bytes=a-b': whole,
    'bytes:0-1': whole,
    'lines=0-1': whole,
  };
  for (const [range, expected] of Object.entries(cases)) t.deepEqual(await part(range), expected, range);
  for (const range of ['bytes=6-', 'bytes=3-2', 'bytes=-0'])
    t.like(await part(range), [416, 'bytes */6'], range);
  t.like(await part('bytes=0-1', { 'if-range': etag }), [206]);
  t.deepEqual(await part('bytes=0-1', { 'if-range': '"other"' }), whole, 'the content has changed');
  t.like(await part('bytes=0-1', { 'if-none-match': etag }), [304, undefined]);
  t.like(await raw('HEAD', 'soup/photo.jpg', { range: 'bytes=0-1' }), {
    status: 200,
    headers: { 'accept-ranges': 'bytes', 'content-length': '6' },
  });
});

test('an attachment without bytes has no parts, and neither has one that is stored compressed', async (t) => {
  const { write, raw } = await kitchen(t);
  await write('soup', {
    _attachments: { empty: inline('image/jpeg', Buffer.alloc(0)), note: inline('text/plain', note) },
  });
  const headers = { range: 'bytes=0-1' };
  t.is((await raw('GET', 'soup/empty', headers)).status, 416);
  const { status, bytes, headers: its } = await raw('GET', 'soup/note', headers);
  t.deepEqual([status, bytes.equals(note), its['accept-ranges']], [200, true, 'none']);
});
