import test from 'ava';
import { execa } from 'execa';
import type { DocumentWrite, RecordedExchange } from '../../report.js';
import { requirePrograms } from '../../testing/programs.js';
import { complete, hostile } from '../../testing/sample.js';
import { curlCommand } from '../curl.js';
import { compareValues, renderJson } from './json-view.js';
import { firstSentence, renderProse, renderReason } from './markup.js';
import { renderRevisionTree, shortRevision } from './revision-tree.js';
import { readTimeline } from './timeline-data.js';

test.before((t) => requirePrograms(t, 'Tests of curl commands', ['bash']));

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

test('a shell reads the words of a curl command as they were recorded, whatever characters they have', async (t) => {
  const value = { text: "a\u0000\ue000\u202e\u{10ffff}é ##[error] it's" };
  const exchange: RecordedExchange = {
    request: {
      method: 'PUT',
      path: `/db/it's?a=1&b=%22`,
      headers: { accept: '*/*', 'X-A': `"$HOME" 'b'` },
      body: JSON.stringify(value),
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
  const words = stdout.split('\n');
  const [body] = words.splice(-2, 1);
  t.deepEqual(JSON.parse(body!), value);
  t.deepEqual(words, [
    '-i',
    '-N',
    '--max-time',
    '3',
    '-u',
    'name:secret',
    '-X',
    'PUT',
    '-H',
    `X-A: "$HOME" 'b'`,
    '--data-binary',
    `http://b:2/db/it's?a=1&b=%22`,
  ]);
});

test('a curl command has the whole body, or says that the report does not have it', (t) => {
  const request = { method: 'POST', path: '/db/_bulk_docs', headers: {}, body: '{"docs":[{"a":' };
  t.regex(curlCommand(complete, { request }), /--data-binary '\{"docs":\[\{"a":' http/);
  const command = curlCommand(complete, { request: { ...request, truncated: true } });
  t.regex(command, /--data-binary @BODY http\S+ # BODY: a file with the whole body, /);
});

test('a revision tree shows conflicts, and omits plain revisions between', (t) => {
  const revisions = [
    ...['1-a', '2-b', '3-c', '4-d'].map((rev, index, all) => ({
      rev,
      parent: all[index - 1],
      deleted: false,
    })),
    ...['2-x', '3-y', '4-z', '5-e'].map((rev, index, all) => ({
      rev,
      parent: all[index - 1] ?? '1-a',
      deleted: rev === '5-e',
    })),
  ].map(({ parent, ...revision }) => ({ ...revision, ...(parent !== undefined && { parent }) }));
  const write = (rev: string): DocumentWrite => ({
    id: 'a<',
    kind: 'replicate',
    rev,
    ancestors: [],
    deleted: false,
    fields: {},
  });
  const svg = renderRevisionTree({ id: 'a<', winner: '4-d', revisions }, [write('4-d'), write('5-e')])!;
  t.true(svg.includes('aria-label="Revision tree of a&lt;: 2 leaf revisions, the winning revision is 4-d"'));
  t.deepEqual(
    [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, label]) => label),
    ['1-a', '4-d · winner', '5-e · deleted'],
  );
  t.deepEqual(
    [...svg.matchAll(/(\d) revisions between/g)].map(([, count]) => count),
    ['2', '3'],
  );
  t.is(shortRevision('12-d0000000000000000000000000000007'), '12-d0…07');
});

test('a timeline has the writes that were made while the feed was open', (t) => {
  const exchange = (startMs: number, endMs: number) => ({
    request: { method: 'GET', path: '/', headers: {} },
    time: { startMs, endMs },
  });
  const write: DocumentWrite = { id: 'a', kind: 'create', ancestors: [], deleted: false, fields: {} };
  const feed = {
    mode: 'continuous',
    events: [],
    due: [{ atMs: 90, what: 'end', why: 'timeout=80' } as const],
  };
  const counterexample = {
    message: 'wrong',
    exchanges: [exchange(0, 5), exchange(10, 50), exchange(20, 30)],
    violating: 1,
    writes: [{ ...write, exchange: 0 }, { ...write, exchange: 2 }, write],
    feed,
  };
  t.like(readTimeline(counterexample), {
    startMs: 10,
    endMs: 50,
    lastMs: 90,
    due: feed.due,
    isOpen: false,
    writes: [{ startMs: 20, endMs: 30, ids: ['a'] }],
  });
  const { feed: left, ...other } = counterexample;
  t.is(left, feed);
  t.is(readTimeline(other), undefined);
});
