import test from 'ava';
import { diffReports } from './diff.js';
import type { Outcome } from './report.js';
import { reportOf, result, sample } from './testing/sample.js';

type Result = Outcome | 'absent';
const reportWith = (outcome: Result) => reportOf(outcome === 'absent' ? [] : [result('a-b/c', outcome)]);

const transitions: [before: Result, after: Result, verdict: string][] = [
  ['pass', 'fail', 'worse'],
  ['pass', 'warn', 'worse'],
  ['pass', 'known', 'worse'],
  ['pass', 'skipped', 'worse'],
  ['pass', 'absent', 'worse'],
  ['pass', 'inconclusive', 'worse'],
  ['skipped', 'blocked', 'worse'],
  ['absent', 'fail', 'worse'],
  ['error', 'fail', 'worse'],
  ['fail', 'pass', 'better'],
  ['fail', 'known', 'better'],
  ['warn', 'pass', 'better'],
  ['absent', 'pass', 'better'],
  ['inconclusive', 'pass', 'better'],
  ['fail', 'inconclusive', 'other'],
  ['fail', 'skipped', 'other'],
  ['fail', 'absent', 'other'],
  ['warn', 'known', 'other'],
  ['absent', 'skipped', 'other'],
];

for (const [before, after, verdict] of transitions) {
  test(`${before} to ${after} is ${verdict}`, (t) => {
    t.deepEqual(diffReports(reportWith(before), reportWith(after)), [
      { id: 'a-b/c', rule: 'a-b', before, after, verdict },
    ] as ReturnType<typeof diffReports>);
  });
}

test('does not list unchanged checks', (t) => {
  t.deepEqual(diffReports(sample, sample), []);
});

test('lists changes in the order of the later report, then the checks that only the earlier report has', (t) => {
  const before = reportOf([result('gone-one', 'pass'), result('a-a', 'pass'), result('b-b', 'pass')]);
  const after = reportOf([result('b-b', 'fail'), result('new-one', 'pass'), result('a-a', 'warn')]);
  t.deepEqual(
    diffReports(before, after).map(({ id }) => id),
    ['b-b', 'new-one', 'a-a', 'gone-one'],
  );
});
