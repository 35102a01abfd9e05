/** A baseline for the suite also explains what passes through the proxy. */
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { result } from '../../reports/testing/sample.js';
import { checks } from '../rules/checks.js';
import { readBaseline } from '../engine/baseline.js';
import type { FoundViolation } from './findings.js';
import { applyBaseline } from './traffic-report.js';

const file = fileURLToPath(new URL('../baselines/couchdb-3.5.yaml', import.meta.url));
const baseline = await readBaseline(file, checks);

const negativePending = (rule: string, message: string, ids: readonly string[]): FoundViolation => ({
  ...result(rule, 'fail'),
  counterexample: {
    message,
    path: '$.pending',
    expected: 'to be >= 0',
    actual: -1,
    violating: 0,
    exchanges: [
      {
        request: {
          method: 'GET',
          path: `/db/_changes?filter=_doc_ids&doc_ids=${encodeURIComponent(JSON.stringify(ids))}`,
          headers: {},
        },
      },
    ],
  },
});

for (const [rule, message] of [
  ['response-schema', 'The response to GET /{db}/_changes does not match its schema'],
  ['feed-pending', 'pending is not a number of rows'],
] as const) {
  test(`${rule}: an entry for a feed with some parameters explains a response that has passed`, (t) => {
    const found = negativePending(rule, message, ['a', 'b', 'a']);
    t.is(applyBaseline(found).outcome, 'fail');
    t.is(applyBaseline(found, baseline).outcome, 'known');
  });
}

test('an entry for other parameters does not', (t) => {
  const message = 'The response to GET /{db}/_changes does not match its schema';
  const found = negativePending('response-schema', message, ['a', 'b']);
  t.is(applyBaseline(found, baseline).outcome, 'fail');
});
