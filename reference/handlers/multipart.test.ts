/** Documents as messages of several parts: PUT with multipart/related, and the responses to clients that do not read JSON. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { admin, basic, testServer } from '../testing/server.js';

type Document = Record<string, unknown> & { _id: string; _rev: string; _attachments?: object };

const note = Buffer.from('soup '.repeat(100));
const zippedNote = gzipSync(note);
const photo = Buffer.from([0xff, 0xd8, 0x0d, 0x0a, 0x2d, 0x2d, 0x63, 2, 0xfe]);
const md5 = (content: Buffer) => `md5-${createHash('md5').update(content).digest('base64')}`;
const follows = (content: Buffer, more: object = {}) => ({
  content_type: 'text/plain',
  length: content.length,
  follows: true,
  ...more,
});

interface SentPart {
  readonly head?: string;
  readonly content: Buffer;
}

function messageOf(document: object | string, parts: readonly SentPart[], end = '\r\n--b--'): Buffer {
  const json = typeof document === 'string' ? document : JSON.stringify(document);
  const first = { head: 'Content-Type: application/json', content: Buffer.from(json) };
  return Buffer.concat([
    ...[first, ...parts].flatMap(({ head = 'X: y', content }, index) => [
      Buffer.from(`${index === 0 ? '' : '\r\n'}--b\r\n${head === '' ? '' : `${head}\r\n`}\r\n`),
      content,
    ]),
    Buffer.from(end),
  ]);
}

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  await server.asAdmin('PUT', '/db');
  const send = async (
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: Buffer | string,
  ) => {
    const response = await server.open(method, `/db/${path}`, {
      headers: { ...basic(admin.name, admin.password), ...headers },
      body,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, type: String(response.headers['content-type']), bytes };
  };
  const put = (path: string, body: Buffer, type = 'multipart/related; boundary="b"') =>
    send('PUT', path, { 'content-type': type }, body);
  const contentOf = async (path: string) => (await send('GET', path, {})).bytes;
  const read = async (path: string) => JSON.parse(String(await contentOf(path))) as Document;
  return { ...server, put, send, contentOf, read };
}

/** A part of a response. */
interface ReceivedPart {
  readonly head: string;
  readonly content: Buffer;
}

/** Splits a message, as a client does that knows only the boundary. */
function partsOf(type: string, bytes: Buffer): ReceivedPart[] {
  const boundary = /boundary="([^"]+)"/.exec(type)![1]!;
  const pieces = `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`);
  if (pieces[0] !== '' || pieces.at(-1) !== '--') throw new Error('The message has no start or no end.');
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    return { head: piece.slice(2, end), content: Buffer.from(piece.slice(end + 4), 'latin1') };
  });
}

const typeOf = ({ head }: ReceivedPart): string => /^Content-Type: (.*)$/m.exec(head)![1]!;
const jsonOf = ({ content }: ReceivedPart): Document => JSON.parse(String(content)) as Document;

test('PUT stores the contents that follow, by the names of the parts', async (t) => {
  const { put, contentOf, read } = await kitchen(t);
  // JavaScript sorts "0" before "b".
  const document = { n: 1, _attachments: { b: follows(note, { digest: md5(note) }), 0: follows(photo) } };
  const named = (name: string, content: Buffer) => ({
    head: `Content-Disposition: attachment; filename="${name}"`,
    content,
  });
  const { status } = await put('soup', messageOf(document, [named('b', note), named('0', photo)]));
  t.is(status, 201);
  t.deepEqual(await contentOf('soup/b'), note);
  t.deepEqual(await contentOf('soup/0'), photo);
  t.like(await read('soup'), { n: 1, _attachments: { b: { length: note.length, revpos: 1, stub: true } } });
});

test('without names, the contents have the order of the attachments', async (t) => {
  const { put, contentOf } = await kitchen(t);
  const document = { _attachments: { c: follows(note), a: follows(photo), none: follows(Buffer.alloc(0)) } };
  const parts = [note, photo, Buffer.alloc(0)].map((content) => ({ content }));
  t.is((await put('soup', messageOf(document, parts))).status, 201);
  t.deepEqual(await contentOf('soup/c'), note);
  t.deepEqual(await contentOf('soup/a'), photo);
  t.is((await contentOf('soup/none')).length, 0);
});

test('a part needs no header, and content that looks like the start of one stays as it is', async (t) => {
  const { put, contentOf } = await kitchen(t);
  const content = Buffer.from('x--b\r\n\r\nsoup');
  const document = { _attachments: { a: follows(content) } };
  t.is((await put('soup', messageOf(document, [{ head: '', content }]))).status, 201);
  t.deepEqual(await contentOf('soup/a'), content);
});

test('a replicated revision has stubs, attachments in the document, and compressed contents', async (t) => {
  const { put, contentOf, read } = await kitchen(t);
  const path = 'soup?new_edits=false';
  const first = { _rev: '1-a', _attachments: { old: follows(photo) } };
  t.is((await put(path, messageOf(first, [{ content: photo }]))).status, 201);
  // Another server compresses in another way.
  const zipped = gzipSync(note, { level: 0 });
  const encoding = { encoding: 'gzip', encoded_length: zipped.length, digest: md5(zipped), revpos: 2 };
  const second = {
    _revisions: { start: 2, ids: ['b', 'a'] },
    _attachments: {
      old: { stub: true, revpos: 1 },
      zipped: follows(note, encoding),
      inline: { content_type: 'text/plain', data: note.toString('base64') },
    },
  };
  t.is((await put(path, messageOf(second, [{ content: zipped }]))).status, 201);
  t.is((await read('soup'))._rev, '2-b');
  t.deepEqual(await contentOf('soup/old'), photo);
  t.deepEqual(await contentOf('soup/zipped'), note);
  // It is stored as it was sent, so the digest is the same on both servers.
  const stubs = (await read('soup?att_encoding_info=true'))._attachments;
  t.like(stubs, { zipped: { ...encoding, length: note.length, stub: true } });
  t.deepEqual(await contentOf('soup/inline'), note);
});

test('a design document can be a message, and a stub without content is 412', async (t) => {
  const { put, contentOf } = await kitchen(t);
  const document = { views: {}, _attachments: { a: follows(note) } };
  t.is((await put('_design/d', messageOf(document, [{ content: note }]))).status, 201);
  t.deepEqual(await contentOf('_design/d/a'), note);
  const stub = { _attachments: { a: { stub: true }, b: follows(note) } };
  t.is((await put('soup', messageOf(stub, [{ content: note }]))).status, 412);
});

const one = { _attachments: { a: follows(note) } };
const withContent = [{ content: note }];
const zipped = (content: Buffer, bytes = gzipSync(content)) =>
  messageOf({ _attachments: { a: follows(content, { encoding: 'gzip', encoded_length: bytes.length }) } }, [
    { content: bytes },
  ]);
const bad: readonly [what: string, status: number, reason: RegExp, body: Buffer, type?: string][] = [
  ['without a boundary', 400, /boundary/, messageOf(one, withContent), 'multipart/related'],
  ['with another boundary', 400, /multipart/, messageOf(one, withContent), 'multipart/related; boundary=c'],
  ['without an end', 400, /not finished/, messageOf(one, withContent, '')],
  ['without parts', 400, /no parts/, Buffer.from('--b--')],
  ['that is cut in a header', 400, /multipart/, Buffer.from('--b\r\nContent-Ty')],
  ['with a header of 9,000 bytes', 400, /header/i, Buffer.from(`--b\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)],
  [
    'with a header that is not UTF-8',
    400,
    /utf-8/i,
    Buffer.from('--b\r\nX: \xff\r\n\r\n{}\r\n--b--', 'latin1'),
  ],
  ['with 10,001 parts', 400, /10000/, messageOf({}, Array(10_000).fill({ content: Buffer.alloc(0) }))],
  [
    'that begins with a text',
    415,
    /first part/,
    Buffer.from('--b\r\nContent-Type: text/plain\r\n\r\n{}\r\n--b--'),
  ],
  ['whose document is not JSON', 400, /JSON/, messageOf('{', [])],
  ['whose document is a list', 400, /object/, messageOf('[]', [])],
  ['whose attachments are a list', 400, /_attachments/, messageOf({ _attachments: [] }, [])],
  ['with a content too few', 400, /1 attachments.*0 parts/, messageOf(one, [])],
  ['with a content too many', 400, /0 attachments.*1 parts/, messageOf({}, withContent)],
  [
    'whose content is shorter',
    400,
    /has 3 bytes, not 500/,
    messageOf(one, [{ content: Buffer.from('abc') }]),
  ],
  [
    'whose content has another digest',
    400,
    /digest/,
    messageOf({ _attachments: { a: follows(note, { digest: md5(photo) }) } }, withContent),
  ],
  [
    'of an unknown encoding',
    400,
    /gzip/,
    messageOf({ _attachments: { a: { follows: true, encoding: 'br' } } }, withContent),
  ],
  ['that says gzip and is not', 400, /not compressed/, zipped(note, note)],
  ['whose content is too large when decompressed', 413, /too large/, zipped(Buffer.alloc(9_000_000, ' '))],
  ['with an invalid name', 400, /_a/, messageOf({ _attachments: { _a: follows(note) } }, withContent)],
  ['of forms', 415, /multipart\/related/, messageOf(one, withContent), 'multipart/form-data; boundary=b'],
];
for (const [what, status, reason, body, type] of bad)
  test(`PUT of a message ${what}: ${status}`, async (t) => {
    const { put, send } = await kitchen(t);
    const { bytes, ...response } = await put('soup', body, type);
    t.is(response.status, status, String(bytes));
    t.regex((JSON.parse(String(bytes)) as { reason: string }).reason, reason);
    t.is((await send('GET', 'soup', {})).status, 404);
  });

/** Two leaves: one has attachments, of which one has no bytes. */
async function conflict({ asAdmin }: { asAdmin: (method: string, path: string, body: object) => unknown }) {
  const attachment = (content_type: string, content: Buffer) => ({
    content_type,
    data: content.toString('base64'),
  });
  const _attachments = {
    'a "1"\r\n.txt': attachment('text/plain', note),
    empty: attachment('image/jpeg', Buffer.alloc(0)),
    p: attachment('image/jpeg', photo),
  };
  const docs = [
    { _id: 'soup', _rev: '1-b', n: 1, _attachments },
    { _id: 'soup', _rev: '1-a', n: 2 },
  ];
  await asAdmin('POST', '/db/_bulk_docs', { docs, new_edits: false });
}

/** The JSON and the contents of a message with the attachments of `conflict`. */
function checkMessage(t: ExecutionContext, type: string, bytes: Buffer): void {
  t.regex(type, /^multipart\/related; boundary="/);
  const [first, ...contents] = partsOf(type, bytes);
  t.is(typeOf(first!), 'application/json');
  const document = jsonOf(first!);
  t.is(document._rev, '1-b');
  t.deepEqual(document._attachments, {
    'a "1"\r\n.txt': {
      ...follows(note),
      digest: md5(zippedNote),
      revpos: 1,
      encoding: 'gzip',
      encoded_length: zippedNote.length,
    },
    // CouchDB waits in vain for a content without bytes.
    empty: { content_type: 'image/jpeg', data: '', digest: md5(Buffer.alloc(0)), revpos: 1 },
    p: { ...follows(photo), content_type: 'image/jpeg', digest: md5(photo), revpos: 1 },
  });
  t.deepEqual(
    contents.map(({ content }) => content),
    [zippedNote, photo],
  );
  t.is(
    contents[0]!.head,
    `Content-Disposition: attachment; filename="a %221%22%0D%0A.txt"\r\nContent-Type: text/plain\r\nContent-Length: ${zippedNote.length}\r\nContent-Encoding: gzip`,
  );
}

test('a client that only reads multipart/mixed gets open revisions as parts', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  const accept = { accept: 'multipart/mixed' };
  const all = await server.send('GET', 'soup?revs=true&open_revs=all', accept);
  t.regex(all.type, /^multipart\/mixed; boundary="/);
  const [winner, other, ...rest] = partsOf(all.type, all.bytes);
  t.deepEqual(rest, []);
  checkMessage(t, typeOf(winner!), winner!.content);
  t.is(typeOf(other!), 'application/json');
  t.deepEqual(jsonOf(other!), { _id: 'soup', _rev: '1-a', n: 2, _revisions: { start: 1, ids: ['a'] } });

  const some = await server.send('GET', 'soup?open_revs=["1-a","7-x"]', accept);
  const [found, missing] = partsOf(some.type, some.bytes);
  t.is(jsonOf(found!)._rev, '1-a');
  t.is(typeOf(missing!), 'application/json; error="true"');
  t.deepEqual(jsonOf(missing!) as object, { missing: '7-x' });

  const since = await server.send('GET', 'soup?open_revs=["1-b"]&atts_since=["1-b"]', accept);
  const [stubs] = partsOf(since.type, since.bytes);
  t.is(typeOf(stubs!), 'application/json');
  t.like(jsonOf(stubs!)._attachments, { p: { stub: true } });

  t.is((await server.send('GET', 'other?open_revs=all', accept)).status, 404);
});

test('a client that only reads multipart/related gets a document with its attachments as parts', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  const accept = { accept: 'multipart/related' };
  const { type, bytes } = await server.send('GET', 'soup?attachments=true', accept);
  checkMessage(t, type, bytes);
  const since = await server.send('GET', 'soup?atts_since=["9-z"]', accept);
  checkMessage(t, since.type, since.bytes);
  for (const path of ['soup', 'soup?attachments=true&rev=1-a'])
    t.is((await server.send('GET', path, accept)).type, 'application/json');
});

test('what one server sends, another stores', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  const accept = { accept: 'multipart/related' };
  const { type, bytes } = await server.send('GET', 'soup?attachments=true&revs=true', accept);
  const other = await kitchen(t);
  t.is((await other.put('soup?new_edits=false', bytes, type)).status, 201);
  const path = 'soup?attachments=true&rev=1-b';
  t.deepEqual(await other.read(path), await server.read(path));
});

for (const subtype of ['mixed', 'related'])
  test(`a client that only reads multipart/${subtype} gets the results of _bulk_get as parts`, async (t) => {
    const server = await kitchen(t);
    await conflict(server);
    const docs = [{ id: 'soup', rev: '1-b' }, { id: 'soup', rev: '1-a' }, { id: 'none' }];
    const headers = { accept: `multipart/${subtype}`, 'content-type': 'application/json' };
    const { type, bytes } = await server.send('POST', '_bulk_get', headers, JSON.stringify({ docs }));
    t.true(type.startsWith(`multipart/${subtype}; boundary="`));
    const [first, second, failure] = partsOf(type, bytes);
    checkMessage(t, typeOf(first!), first!.content);
    t.true(first!.head.startsWith('X-Doc-Id: soup\r\nX-Rev-Id: 1-b\r\n'));
    t.is(jsonOf(second!)._rev, '1-a');
    t.is(typeOf(failure!), 'application/json; error="true"');
    t.like(jsonOf(failure!), { id: 'none', error: 'not_found' });
  });

test('a client that reads JSON gets JSON', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  for (const accept of ['*/*', 'application/json'])
    for (const path of ['soup?open_revs=all', 'soup?attachments=true'])
      t.is((await server.send('GET', path, { accept })).type, 'application/json', accept);
});

test('a client that names multipart messages gets them, also if it reads JSON', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  const headers = { accept: 'multipart/mixed, multipart/related, application/json' };
  const paths = { 'soup?open_revs=all': 'multipart/mixed', 'soup?attachments=true': 'multipart/related' };
  for (const [path, expected] of Object.entries(paths))
    t.true((await server.send('GET', path, headers)).type.startsWith(expected), path);
  for (const accept of ['multipart/related, */*', 'multipart/*'])
    t.true(
      (await server.send('GET', 'soup?open_revs=all', { accept })).type.startsWith('multipart/mixed'),
      accept,
    );
  const other = { accept: 'multipart/related, application/json' };
  t.is((await server.send('GET', 'soup?open_revs=all', other)).type, 'application/json');
});

test('a media type that a client accepts can have empty parameters', async (t) => {
  const server = await kitchen(t);
  await conflict(server);
  for (const [accept, expected] of Object.entries({
    'multipart/related,*/*;': /^multipart\/related;/,
    'multipart/related; ;q=0.9, text/plain; ,': /^multipart\/related;/,
    'application/json;': /^application\/json$/,
  }))
    t.regex((await server.send('GET', 'soup?attachments=true', { accept })).type, expected, accept);
  t.is((await server.send('GET', 'soup?attachments=true', { accept: 'application/json;x' })).status, 400);
});
