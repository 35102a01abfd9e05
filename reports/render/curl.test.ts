import test from 'ava';
import type { RecordedExchange } from '../report.js';
import { curlFromScratch, describeExchange } from './curl.js';

const sent = (method: string, path: string, as?: 'admin'): RecordedExchange => ({
  request: { method, path, headers: {}, ...(as && { as }) },
  response: { status: 404, headers: {}, chunks: [] },
});
const report = { target: { url: 'http://a/base/ http://b' } };

test('a command about a database of the run follows one that makes the database', (t) => {
  t.deepEqual(describeExchange(report, sent('GET', '/base/docfeed-1/_changes?limit=1', 'admin')), [
    [
      'first',
      'curl -X PUT -u "$DOCFEED_ADMIN" http://a/base/docfeed-1 # The run has removed this database, with its documents.',
    ],
    ['request', `curl -i -u "$DOCFEED_ADMIN" 'http://a/base/docfeed-1/_changes?limit=1'`],
    ['answer', '404 '],
  ]);
});

test('other commands stand alone', (t) => {
  for (const [method, path] of [
    ['GET', '/base/'],
    ['GET', '/base/_session'],
    ['GET', '/base/db/docfeed-1'],
    ['PUT', '/base/docfeed-1'],
  ] as const) {
    t.is(curlFromScratch(report, sent(method, path)).length, 1, path);
  }
});
