import test from 'ava';
import { execa } from 'execa';
import type { RecordedExchange } from '../../report.js';
import { requirePrograms } from '../../testing/programs.js';
import { complete, hostile } from '../../testing/sample.js';
import { curlCommand } from './curl.js';
import { feedEvents, openModeOf } from './feed-events.js';
import { compareValues, renderJson } from './json-view.js';
import { firstSentence, renderProse, renderReason } from './markup.js';
import { renderRevisionTree, shortRevision } from './revision-tree.js';
import { databaseOf, documentWrites } from './writes.js';

test.before((t) => requirePrograms(t, 'Tests of curl commands', ['bash']));

const request = (method: string, path: string, sent?: unknown, received: unknown = {}): RecordedExchange => ({
  request: { method, path, headers: {}, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) },
  response: { status: 200, headers: {}, chunks: [{ atMs: 1, text: JSON.stringify(received) }] },
});

test('prose gets markup for code and options, reasons of the baseline also links, and both stay escaped', (t) => {
  t.is(
    renderProse('`a<b>` & use --configure'),
    '<code>a&lt;b&gt;</code> &amp; use <code class="option">--configure</code>',
  );
  t.is(
    renderReason({ outcome: 'known', reason: 'see (https://a.test/?x=1&y=2).' }),
    'see (<a href="https://a.test/?x=1&amp;y=2">https://a.test/?x=1&amp;y=2</a>).',
  );
  t.notRegex(renderProse(hostile + `\`${hostile}\``), /<(?!\/?code)/);
  for (const reason of ['see https://a.test', '`x` https://a.test']) {
    t.notRegex(renderProse(reason) + renderReason({ outcome: 'error', reason }), /<a /);
  }
  t.is(firstSentence('One, e.g. this. Two.'), 'One, e.g. this.');
});

test('JSON has a mark at the path or where the value is missing', (t) => {
  const value = { results: [{ id: 'a' }], last_seq: '1-<x>' };
  t.true(renderJson(value, '.results[0].id').includes('<mark>&quot;a&quot;</mark>'));
  t.true(renderJson(value, '.pending').includes('<mark>pending is missing</mark>'));
  t.false(renderJson(value).includes('<x>'));
});

test('the first difference of two values is marked', (t) => {
  t.deepEqual(compareValues('2-b', '1-a'), { expected: '<mark>2-b</mark>', actual: '<mark>1-a</mark>' });
  t.deepEqual(compareValues(['a', 'b'], ['a', 'c']), {
    expected: '[\n  &quot;a&quot;,\n  &quot;<mark>b&quot;</mark>\n]',
    actual: '[\n  &quot;a&quot;,\n  &quot;<mark>c&quot;</mark>\n]',
  });
  t.deepEqual(compareValues('a number', undefined), { expected: 'a number', actual: 'nothing' });
});

test('a shell reads the words of a curl command as they were recorded', async (t) => {
  const exchange: RecordedExchange = {
    request: {
      method: 'PUT',
      path: `/db/it's?a=1&b=%22`,
      headers: { accept: '*/*', 'X-A': `"$HOME" 'b'` },
      body: `{"a":"it's"}`,
      as: 'admin',
      node: 1,
    },
    response: { status: 200, headers: {}, chunks: [], unfinished: true },
    time: { startMs: 10, endMs: 1500 },
  };
  const report = { ...complete, target: { ...complete.target, url: 'http://a:1/ http://b:2/prefix/' } };
  const { stdout } = await execa(
    'bash',
    ['-c', `curl() { printf '%s\\n' "$@"; }; ${curlCommand(report, exchange)}`],
    {
      env: { DOCFEED_ADMIN: 'name:secret' },
    },
  );
  t.deepEqual(stdout.split('\n'), [
    ...['-i', '-N', '--max-time', '3', '-u', 'name:secret', '-X', 'PUT', '-H', `X-A: "$HOME" 'b'`],
    ...['--data-binary', `{"a":"it's"}`, `http://b:2/db/it's?a=1&b=%22`],
  ]);
});

test('writes come from all requests that write documents', (t) => {
  const exchanges = [
    request('PUT', '/docfeed-1f-2'),
    request('PUT', '/docfeed-1f-2/a%2Fb', { n: 1 }, { rev: '1-a' }),
    request('POST', '/docfeed-1f-2/_bulk_docs', { docs: [{ _id: 'c', _rev: '1-x' }] }, [
      { error: 'conflict' },
    ]),
    request('POST', '/docfeed-1f-2/_bulk_docs', {
      docs: [{ _id: 'd', _rev: '2-y', _revisions: { start: 2, ids: ['y', 'x'] }, _deleted: true }],
      new_edits: false,
    }),
    request('DELETE', '/docfeed-1f-2/a%2Fb?rev=1-a', undefined, { rev: '2-b' }),
    request('PUT', '/docfeed-1f-3/other', {}, { rev: '1-a' }),
    request('GET', '/docfeed-1f-2/_changes'),
  ];
  t.is(databaseOf(exchanges[6]!), '/docfeed-1f-2');
  t.deepEqual(documentWrites(exchanges, '/docfeed-1f-2'), [
    { id: 'a/b', kind: 'create', deleted: false, fields: { n: 1 }, ancestors: [], rev: '1-a' },
    { id: 'c', kind: 'update', deleted: false, fields: {}, ancestors: ['1-x'], error: 'conflict' },
    { id: 'd', kind: 'replicate', deleted: true, fields: {}, ancestors: ['1-x'], rev: '2-y' },
    { id: 'a/b', kind: 'delete', deleted: true, fields: {}, ancestors: ['1-a'], rev: '2-b' },
  ]);
});

test('a revision tree shows conflicts, and omits plain revisions between', (t) => {
  const write = (rev: string, ancestors: string[], deleted = false) =>
    ({ id: 'a', kind: 'replicate', rev, ancestors, deleted, fields: {} }) as const;
  t.is(renderRevisionTree('a', [write('1-a', []), write('2-b', ['1-a'])]), undefined);
  const svg = renderRevisionTree('a<', [
    write('4-d', ['3-c', '2-b', '1-a']),
    write('5-e', ['4-z', '3-y', '2-x', '1-a'], true),
  ])!;
  t.true(svg.includes('aria-label="Revision tree of a&lt;: 2 leaf revisions, the winning revision is 4-d"'));
  t.deepEqual(
    [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, label]) => label),
    ['4-d · winner', '1-a', '5-e · deleted'],
  );
  t.deepEqual(
    [...svg.matchAll(/(\d) revisions between/g)].map(([, count]) => count),
    ['2', '3'],
  );
  t.is(shortRevision('12-d0000000000000000000000000000007'), '12-d0…07');
});

const body = (...chunks: [atMs: number, text: string][]): RecordedExchange => ({
  request: { method: 'GET', path: '/db/_changes?since=0&feed=eventsource', headers: {} },
  response: { status: 200, headers: {}, chunks: chunks.map(([atMs, text]) => ({ atMs, text })) },
});

test('events of a feed have the time of their last byte', (t) => {
  t.deepEqual(
    feedEvents(body([5, '\r\n{"id":"a","cha'], [9, 'nges":[]}\n{"last_seq":"1"}\n']), 'continuous'),
    [
      { atMs: 5, kind: 'heartbeat' },
      { atMs: 9, kind: 'row', id: 'a' },
      { atMs: 9, kind: 'end' },
    ],
  );
  t.deepEqual(
    feedEvents(
      body(
        [1, 'data: {"id":"a","changes":[]}\nid: 1\n\n'],
        [2, 'event: heartbeat\ndata:\n\n'],
        [3, ': x\n\n'],
      ),
      'eventsource',
    ),
    [
      { atMs: 1, kind: 'row', id: 'a' },
      { atMs: 2, kind: 'heartbeat' },
      { atMs: 3, kind: 'heartbeat' },
    ],
  );
  t.deepEqual(
    feedEvents(
      body([1, '{"results":[\n'], [2, '\n{"id":"a","changes":[]},\n'], [3, '],"last_seq":1}']),
      'longpoll',
    ),
    [
      { atMs: 2, kind: 'heartbeat' },
      { atMs: 2, kind: 'row', id: 'a' },
      { atMs: 3, kind: 'end' },
    ],
  );
  t.is(openModeOf(body()), 'eventsource');
  t.is(openModeOf(request('GET', '/db/_changes?feed=normal')), undefined);
});
