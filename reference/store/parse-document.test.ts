import test from 'ava';
import { isBoom } from '@hapi/boom';
import { parseDocument, withRevisions } from './parse-document.js';

/** Returns status and error name of a rejected document. */
function refusal(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (!isBoom(error)) throw error;
    return `${error.output.statusCode} ${error.output.payload.error}`;
  }
}

test('a document is parsed', (t) => {
  const { body, ...rest } = parseDocument({ _id: 'a', _rev: '2-b', _deleted: true, x: { _y: 1 }, z: null });
  t.deepEqual(rest, { id: 'a', revisions: { start: 2, ids: ['b'] }, deleted: true, attachments: new Map() });
  t.deepEqual(JSON.parse(body), { x: { _y: 1 }, z: null });
});

test('the ID can be in the request', (t) => {
  t.is(parseDocument({ x: 1 }, 'a').id, 'a');
  t.is(parseDocument({ _id: 'a' }, 'a').id, 'a');
});

test('IDs may have any valid Unicode', (t) => {
  for (const id of ['a', ' ', '0', 'ä/ö', '\u{1f600}', 'a\u0000b', '_design/x', 'x'.repeat(5000)])
    t.is(parseDocument({ _id: id }).id, id);
});

test('members that only responses have are ignored', (t) => {
  for (const member of ['_revs_info', '_local_seq', '_conflicts', '_deleted_conflicts'])
    t.is(parseDocument({ [member]: [] }, 'a').body, '{}', member);
});

test('attachments have content or are stubs', (t) => {
  const attachments = (_attachments: unknown) => parseDocument({ _attachments }, 'a').attachments;
  t.is(attachments({}).size, 0);
  t.deepEqual(attachments({ x: { stub: true, digest: 'md5-x' } }).get('x'), { stub: true });
  t.deepEqual(attachments({ x: { stub: true, revpos: 2 } }).get('x'), { stub: true, revpos: 2 });
  t.like(attachments({ x: { content_type: 'a/b', data: 'aGk=' } }).get('x'), {
    content_type: 'a/b',
    digest: 'md5-SfaKXIST7CwL9ImCHCH8Ow==',
    length: 2,
  });
});

test('_revisions decides', (t) => {
  const history = { start: 3, ids: ['c', 'b'] };
  for (const _rev of [undefined, '3-c', '9-x'])
    t.deepEqual(parseDocument({ _revisions: history, _rev }, 'a').revisions, history);
});

test('a replicated document must name its revision', (t) => {
  t.is(
    refusal(() => withRevisions(parseDocument({}, 'a'))),
    '400 bad_request',
  );
  t.deepEqual(withRevisions(parseDocument({ _rev: '4-x' }, 'a')).revisions, { start: 4, ids: ['x'] });
});

const ids = ['', '_', '_x', '_local/x', '_design', '_design/', '\ud800', 'a\udc00', 5, null, {}, [], true];
const attachments: readonly (readonly [name: string, attachment: unknown])[] = [
  ...[{}, null, { stub: false }, { data: 'a' }, { data: 'aGk' }, { data: 'a?==' }, { data: 5 }].map(
    (attachment) => ['x', attachment] as const,
  ),
  ['x', { data: '', content_type: 'a\r\nb: c' }],
  ['x', { data: '', content_type: 'é' }],
  ['x', { follows: true, length: 2 }],
  ...['_x', '', '\ud83d'].map((name) => [name, { data: '' }] as const),
];
const histories = [
  { start: 1, ids: ['c', 'b'] },
  { start: 1.5, ids: ['c'] },
  { start: 1, ids: [] },
  { start: 1, ids: [1] },
  { start: 1, ids: ['a b'] },
  { start: '1', ids: ['a'] },
  { start: 1e20, ids: ['a'] },
  { start: 1, ids: { 0: 'a', length: 1 } },
  [],
  null,
];
const unknown = ['_', '__', '_x', '_ID', '_deleted_', '_attachment'];
const revs = ['', '1', 'x-1', '0-a', '1-a b', 5, null, {}];

/** Invalid documents by their errors. The path has the ID `a`, unless the document has one. */
const invalid: Readonly<Record<string, readonly unknown[]>> = {
  '400 illegal_docid': ids.map((_id) => ({ _id })),
  '400 bad_request': [
    null,
    5,
    'x',
    true,
    [],
    [{}],
    ...attachments.map(([name, attachment]) => ({ _attachments: { [name]: attachment } })),
    ...revs.map((_rev) => ({ _rev })),
  ],
  '400 doc_validation': [
    { _attachments: [] },
    ...unknown.map((member) => ({ [member]: 1 })),
    ...[1, 'true', null, {}].map((_deleted) => ({ _deleted })),
    ...histories.map((_revisions) => ({ _revisions })),
  ],
};

for (const [error, documents] of Object.entries(invalid))
  test(`${error} for invalid documents`, (t) => {
    for (const document of documents) {
      const hasId = typeof document === 'object' && document !== null && '_id' in document;
      t.is(
        refusal(() => parseDocument(document, hasId ? undefined : 'a')),
        error,
        JSON.stringify(document),
      );
    }
  });

test('a document needs an ID, and that of the path counts', (t) => {
  t.is(
    refusal(() => parseDocument({ x: 1 })),
    '400 illegal_docid',
  );
  t.is(parseDocument({ _id: 'b' }, 'a').id, 'a');
  t.is(
    refusal(() => parseDocument({ _id: '_b' }, 'a')),
    '400 illegal_docid',
  );
  t.is(
    refusal(() => parseDocument({ _id: 'b' }, '_a')),
    '400 illegal_docid',
  );
});
