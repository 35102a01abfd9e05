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
  t.is(
    refusal(() => parseDocument({ _id: 'b' }, 'a')),
    '400 bad_request',
  );
  t.is(
    refusal(() => parseDocument({ x: 1 })),
    '400 illegal_docid',
  );
});

test('invalid IDs are rejected', (t) => {
  for (const id of ['a', ' ', '0', 'ä/ö', '\u{1f600}', 'a\u0000b', '_design/x', 'x'.repeat(5000)])
    t.is(parseDocument({ _id: id }).id, id);
  for (const id of [
    '',
    '_',
    '_x',
    '_local/x',
    '_design',
    '_design/',
    '\ud800',
    'a\udc00',
    5,
    null,
    {},
    [],
    true,
  ])
    t.is(
      refusal(() => parseDocument({ _id: id })),
      '400 illegal_docid',
      JSON.stringify(id),
    );
});

test('a document must be a JSON object', (t) => {
  for (const document of [null, 5, 'x', true, [], [{}]])
    t.is(
      refusal(() => parseDocument(document, 'a')),
      '400 bad_request',
      JSON.stringify(document),
    );
});

test('unknown members with an underscore are rejected', (t) => {
  for (const member of ['_', '__', '_x', '_ID', '_deleted_', '_attachment'])
    t.is(
      refusal(() => parseDocument({ [member]: 1 }, 'a')),
      '400 doc_validation',
      member,
    );
  for (const deleted of [1, 'true', null, {}])
    t.is(
      refusal(() => parseDocument({ _deleted: deleted }, 'a')),
      '400 doc_validation',
    );
  for (const member of ['_revs_info', '_local_seq', '_conflicts', '_deleted_conflicts'])
    t.is(parseDocument({ [member]: [] }, 'a').body, '{}', member);
});

test('attachments have content or are stubs', (t) => {
  const attachments = (_attachments: unknown) => parseDocument({ _attachments }, 'a').attachments;
  t.is(attachments({}).size, 0);
  t.is(attachments({ x: { stub: true, digest: 'md5-x' } }).get('x'), 'stub');
  t.like(attachments({ x: { content_type: 'a/b', data: 'aGk=' } }).get('x'), {
    content_type: 'a/b',
    digest: 'md5-SfaKXIST7CwL9ImCHCH8Ow==',
    length: 2,
  });
  for (const [name, attachment] of [
    ['x', {}],
    ['x', null],
    ['x', { stub: false }],
    ['x', { data: 'a' }],
    ['x', { data: 'aGk' }],
    ['x', { data: 'a?==' }],
    ['x', { data: 5 }],
    ['x', { data: '', content_type: 'a\r\nb: c' }],
    ['x', { data: '', content_type: 'é' }],
    ['x', { follows: true, length: 2 }],
    ['_x', { data: '' }],
    ['', { data: '' }],
    ['\ud83d', { data: '' }],
  ] as const)
    t.is(
      refusal(() => attachments({ [name]: attachment })),
      '400 bad_request',
      JSON.stringify([name, attachment]),
    );
  t.is(
    refusal(() => attachments([])),
    '400 doc_validation',
  );
});

test('_rev and _revisions must be valid; _revisions decides', (t) => {
  for (const rev of ['', '1', 'x-1', '0-a', '1-a b', 5, null, {}])
    t.is(
      refusal(() => parseDocument({ _rev: rev }, 'a')),
      '400 bad_request',
      JSON.stringify(rev),
    );
  const history = { start: 3, ids: ['c', 'b'] };
  t.deepEqual(parseDocument({ _revisions: history }, 'a').revisions, history);
  t.deepEqual(parseDocument({ _revisions: history, _rev: '3-c' }, 'a').revisions, history);
  t.deepEqual(parseDocument({ _revisions: history, _rev: '9-x' }, 'a').revisions, history);
  for (const document of [
    { _revisions: { start: 1, ids: ['c', 'b'] } },
    { _revisions: { start: 1.5, ids: ['c'] } },
    { _revisions: { start: 1, ids: [] } },
    { _revisions: { start: 1, ids: [1] } },
    { _revisions: { start: 1, ids: ['a b'] } },
    { _revisions: { start: '1', ids: ['a'] } },
    { _revisions: { start: 1e20, ids: ['a'] } },
    { _revisions: { start: 1, ids: { 0: 'a', length: 1 } } },
    { _revisions: [] },
    { _revisions: null },
  ])
    t.is(
      refusal(() => parseDocument(document, 'a')),
      '400 doc_validation',
      JSON.stringify(document),
    );
});

test('a replicated document must name its revision', (t) => {
  t.is(
    refusal(() => withRevisions(parseDocument({}, 'a'))),
    '400 doc_validation',
  );
  t.deepEqual(withRevisions(parseDocument({ _rev: '4-x' }, 'a')).revisions, { start: 4, ids: ['x'] });
});
