import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { CheckResult, Outcome } from '../../reports/report.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { checksOf } from '../session/scope/rule-checks.js';
import { readBaseline, withBaseline } from './baseline.js';
import { Refusal } from './refusal.js';

const run = async (): Promise<void> => {};
const checks = checksOf({ 'root-vendor': run, 'session-shape/user': run });

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
    { check: 'root-vendor', reason: 'has a name only', link: 'https://example.org/1', file: path },
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
    /check "root-vendor" is listed twice with the same cause$/,
  ],
  [
    'an invalid regular expression',
    '- { check: root-vendor, reason: x, message: /(/ }',
    /: \$\[0\]\.message must be a text, or a valid regular expression in slashes$/,
  ],
  [
    'an unknown field',
    '- { check: root-vendor, reason: x, mesage: y }',
    /check "root-vendor" has an unknown field "mesage"; did you mean message\?$/,
  ],
  [
    'an occasional failure without a cause',
    '- { check: root-vendor, reason: x, sometimes: true }',
    /check "root-vendor" has "sometimes" without a cause; add message, at, actual or input$/,
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

/** A failure whose cause an entry can name. */
const counterexample = {
  message: 'The vendor is malformed',
  path: '$.vendor.version',
  actual: 3.5,
  input: { history: [], limit: 1 },
  exchanges: [],
};

function result(outcome: Outcome, id = 'root-vendor'): CheckResult {
  return { id, rule: id, area: 'feed', level: 'MUST', outcome, durationMs: 1, cases: 1, requests: 1 };
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

test('an entry also explains the failure of a check that then passed alone', (t) => {
  const inconclusive = { ...result('inconclusive'), counterexample };
  const entry = { check: 'root-vendor', reason: 'x', sometimes: true };
  t.is(withBaseline(inconclusive, [{ ...entry, message: 'malformed' }]).outcome, 'known');
  t.is(withBaseline(inconclusive, [{ ...entry, message: 'another' }]).outcome, 'inconclusive');
});

test('an entry that explains some cases excuses no greater share of them', (t) => {
  const entry = { check: 'root-vendor', reason: 'has a name only', message: 'malformed', sometimes: 0.25 };
  const resultOf = (frequency: { failed: number; of: number }) =>
    withBaseline({ ...result('fail'), reason: 'x.', counterexample: { ...counterexample, frequency } }, [
      entry,
    ]);
  t.is(resultOf({ failed: 1, of: 2 }).outcome, 'known');
  t.is(resultOf({ failed: 2, of: 8 }).outcome, 'known');
  t.like(resultOf({ failed: 2, of: 4 }), {
    outcome: 'fail',
    reason: 'x. The baseline explains this in at most 25 % of the cases, but 2 of 4 show it.',
  });
});

test('an entry with a cause excuses no other failure', (t) => {
  const failed = { ...result('fail'), counterexample };
  const outcomeWith = (...causes: object[]) =>
    withBaseline(
      failed,
      causes.map((cause) => ({ check: 'root-vendor', reason: 'x', ...cause })),
    ).outcome;
  for (const cause of [
    { message: 'vendor is malformed' },
    { message: '/^The \\w+ is malformed$/' },
    { at: '$.vendor.version' },
    { at: '/version$/' },
    { actual: '/^3\\.5$/' },
    { input: '"limit":1' },
    { message: 'vendor', at: 'version', input: '/"limit":\\d/' },
  ]) {
    t.is(outcomeWith(cause), 'known', JSON.stringify(cause));
  }
  for (const cause of [
    { message: 'another' },
    { at: '$.vendor.name' },
    { actual: '4' },
    { input: '"limit":2' },
    { message: 'vendor', at: 'name' },
  ]) {
    t.is(outcomeWith(cause), 'fail', JSON.stringify(cause));
  }
  t.is(outcomeWith({ at: 'name' }, { at: 'version' }), 'known');
  t.is(withBaseline(result('fail'), [{ check: 'root-vendor', reason: 'x', at: 'version' }]).outcome, 'fail');
});
