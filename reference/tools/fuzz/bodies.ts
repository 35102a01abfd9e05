/** Request bodies: valid, invalid, and with various encodings. */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { alice, totpUser } from './fixtures.js';
import { identifier, mix, names, revision, someJson, userName, word, type Headers } from './text.js';

const field = word(
  `_id _rev _deleted _revisions _attachments _x docs new_edits keys doc_ids selector name username password token type
  roles totp admins members filters views a id rev atts_since start ids data stub content_type key map $gt $or $regex`,
);
export const { value: similarJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(someJson, revision, identifier, userName),
    fc.dictionary(field, tie('value'), { maxKeys: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));
const validJson = fc.constantFrom<unknown>(
  { name: alice.name, password: alice.password },
  { name: totpUser.name, password: totpUser.password, token: '000000' },
  { docs: [{ _id: 'soup' }, { _id: 'new' }] },
  { docs: [{ _id: 'soup', _rev: '1-a' }], new_edits: false },
  { docs: [{ id: 'soup' }, { id: 'soup', rev: '1-a' }] },
  { doc_ids: ['soup'] },
  { selector: { salt: { $gt: 0 } } },
  { keys: ['soup', 'missing'] },
  { _attachments: { note: { data: 'eHh4', content_type: 'a\r\nb' } } },
  { _attachments: { photo: { stub: true } } },
  { soup: ['1-a'] },
  { ...alice, _id: `${names.userIdPrefix}alice` },
  { admins: { names: [], roles: [] }, members: { names: [], roles: [] } },
  'a setting',
);
/** Documents with one member that the server interprets. */
const documentJson = fc
  .tuple(
    word('_id _rev _deleted _revisions _attachments filters views'),
    fc.oneof(fc.constant(null), someJson, revision, similarJson),
  )
  .map(([name, value]) => ({ [name]: value }));
const oddJson = fc.oneof(
  word(
    `{ {}} [ nul 01 {"a":1,"a":2} {"__proto__":{"x":1}} {"a":1e999} "\\ud800" {a:1} {'a':1} {"a":} [1,] NaN`,
  ),
  fc.constantFrom('', ' ', '\0', '"\u0001"', '\ufeff{}', '['.repeat(3000), '{"a":'.repeat(2000)),
  fc.constant(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
);
export const json = mix(
  [4, validJson.map((value) => JSON.stringify(value))],
  [5, similarJson.map((value) => JSON.stringify(value) ?? '')],
  [1, documentJson.map((value) => JSON.stringify(value))],
  [1, oddJson],
);
const content = mix<Buffer>(
  [8, json.map((text) => Buffer.from(text))],
  [1, json.map((text) => Buffer.from(text).subarray(0, text.length >> 1))],
  [1, json.map((text) => Buffer.from(text, 'utf16le'))],
  [1, word('name=alice&password=x name % a=%zz&&& name=a&name=b').map((form) => Buffer.from(form))],
  [2, fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))],
);

export interface EncodedBody {
  readonly body: Buffer;
  readonly headers: Headers;
}

const as = (encoding: string, body: Buffer): EncodedBody => ({
  body,
  headers: [['Content-Encoding', encoding]],
});

/** Encoded bodies with a correct or incorrect Content-Encoding header. */
export const encodedBody = content.chain((plain) => {
  const zipped = gzipSync(plain);
  return mix<EncodedBody>(
    [16, fc.constant({ body: plain, headers: [] })],
    [1, fc.constantFrom(as('gzip', zipped), as('deflate', deflateSync(plain)), as('GZIP', zipped))],
    [1, fc.nat(zipped.length).map((length) => as('gzip', zipped.subarray(0, length)))],
    [1, fc.nat(zipped.length - 1).map((at) => as('gzip', Buffer.from(zipped.with(at, zipped[at]! ^ 255))))],
    [1, word('gzip deflate br identity x gzip,gzip').map((name) => as(name, plain))],
    [1, fc.constantFrom(as('', plain), as('gzip', Buffer.concat([zipped, zipped, Buffer.from('x')])))],
  );
});

/** 20 MiB after decompression, which is more than the limit. */
export const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));

export const contentType = mix<string>(
  [12, fc.constant('application/json')],
  [1, word('application/x-www-form-urlencoded text/plain application/ application/json;;; x \xff */*')],
  [
    1,
    fc.constantFrom(
      '',
      'multipart/related; boundary=x',
      'multipart/form-data',
      'application/json; charset=utf-16',
    ),
  ],
);
