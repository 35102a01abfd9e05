import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { CheckResult, Outcome } from '../../reports/report.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { check } from '../check.js';
import { readBaseline, withBaseline } from './baseline.js';
import { Refusal } from '../verdict/refusal.js';

const run = async (): Promise<void> => {};
const checks = [check({ rule: 'root-vendor', run }), check({ rule: 'session-shape', variant: 'user', run })];

async function writeBaseline(t: ExecutionContext, content: string): Promise<string> {
  const path = join(await emptyFolder(t), 'baseline.yaml');
  await writeFile(path, content);
  return path;
}

test('reads entries', async (t) => {
  const path = await writeBaseline(
    t,
    '- check: root-vendor\n  reason: has a name only\n  link: https://example.org/1\n',
  );
  t.deepEqual(await readBaseline(path, checks), [
    { check: 'root-vendor', reason: 'has a name only', link: 'https://example.org/1' },
  ]);
  t.deepEqual(await readBaseline(await writeBaseline(t, '# nothing\n'), checks), []);
});

for (const [what, content, message] of [
  ['invalid YAML', '- [', /^cannot read baseline .*baseline\.yaml: \S/],
  ['a mapping', 'check: root-vendor', /: \$ must be an array$/],
  [
    'an entry without reason',
    '- check: root-vendor',
    /: \$\[0\]\.reason must be a string that is not empty$/,
  ],
  [
    'an unknown check',
    '- { check: root-vender, reason: x }',
    /: check "root-vender" does not exist; did you mean root-vendor\?$/,
  ],
  [
    'a rule instead of its check',
    '- { check: session-shape, reason: x }',
    /check "session-shape" does not exist; did you mean session-shape\/user\?$/,
  ],
  [
    'a duplicate entry',
    '[{ check: root-vendor, reason: x }, { check: root-vendor, reason: y }]',
    /listed twice$/,
  ],
] as const) {
  test(`refuses a file with ${what}, in one line`, async (t) => {
    const path = await writeBaseline(t, content);
    const refusal = await t.throwsAsync(readBaseline(path, checks), { instanceOf: Refusal, message });
    t.is(refusal.exitCode, 2);
    t.false(refusal.message.includes('\n'));
  });
}

test('refuses a missing file', async (t) => {
  await t.throwsAsync(readBaseline('/nowhere/baseline.yaml', checks), {
    instanceOf: Refusal,
    message: /^cannot read baseline \/nowhere\/baseline\.yaml: ENOENT/,
  });
});

function result(outcome: Outcome, id = 'root-vendor'): CheckResult {
  return { id, rule: id, level: 'MUST', outcome, durationMs: 1, runs: 1, requests: 1 };
}

test('an expected failure is known, an unexpected pass is an error, other outcomes stay', (t) => {
  const baseline = [{ check: 'root-vendor', reason: 'has a name only', link: 'https://example.org/1' }];
  t.like(withBaseline(result('fail'), baseline), {
    outcome: 'known',
    reason: 'has a name only (https://example.org/1)',
  });
  t.is(withBaseline(result('warn'), baseline).outcome, 'known');
  const sometimes = [{ ...baseline[0]!, sometimes: true }];
  t.is(withBaseline(result('fail'), sometimes).outcome, 'known');
  t.is(withBaseline(result('pass'), sometimes).outcome, 'pass');
  t.like(withBaseline(result('pass'), baseline), { outcome: 'error' });
  for (const outcome of ['skipped', 'blocked', 'inconclusive', 'error'] as const) {
    t.deepEqual(withBaseline(result(outcome), baseline), result(outcome));
  }
  t.deepEqual(
    withBaseline(result('fail', 'session-shape/user'), baseline),
    result('fail', 'session-shape/user'),
  );
});
