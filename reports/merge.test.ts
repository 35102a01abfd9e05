import test from 'ava';
import { mergeReports, type NamedReport } from './merge.js';
import type { CheckResult, Report } from './report.js';
import { reportOf, result, sample } from './testing/sample.js';

function shard(
  index: number,
  count: number,
  checks: CheckResult[],
  changes: Partial<Omit<Report, 'suite'>> & { suite?: Partial<Report['suite']> } = {},
): NamedReport {
  const suite = { ...sample.suite, shard: { index, count }, ...changes.suite };
  return { name: `${index}.json`, report: reportOf(checks, { ...changes, suite }) };
}

const a = result('a-a', 'pass');
const b = result('b-b', 'pass');
const c = result('c-c', 'pass');

test('merges the shards of a run in any order', (t) => {
  const observation = { id: 'x', value: 1 };
  const merged = mergeReports([
    shard(2, 2, [b], {
      suite: { startedAt: '2026-01-02T03:04:00Z', durationMs: 9_000 },
      warnings: ['both', 'second'],
      observations: [observation, { id: 'x', value: 2 }],
    }),
    shard(1, 2, [a, c], {
      suite: { startedAt: '2026-01-02T03:05:00Z', durationMs: 4_000 },
      warnings: ['both'],
      observations: [observation],
    }),
  ]);
  t.deepEqual(merged.checks, [a, b, c]);
  t.is(merged.summary.pass, 3);
  t.is(merged.suite.shard, undefined);
  t.is(merged.suite.startedAt, '2026-01-02T03:04:00Z');
  t.is(merged.suite.durationMs, 9_000);
  t.deepEqual(merged.warnings, ['both', 'second']);
  t.deepEqual(merged.observations, [observation, { id: 'x', value: 2 }]);
});

test('an endpoint is there if a shard has seen it, and the checks of all shards count', (t) => {
  const seen = (state: 'there' | 'refused', ...violatedBy: string[]) => ({
    target: { ...sample.target, endpoints: [{ operation: 'GET /', state, violatedBy }] },
  });
  const merged = mergeReports([
    shard(1, 2, [a], seen('refused', 'a-a')),
    shard(2, 2, [b], seen('there', 'a-a', 'b-b')),
  ]);
  t.deepEqual(merged.target.endpoints, [{ operation: 'GET /', state: 'there', violatedBy: ['a-a', 'b-b'] }]);
});

test('a check of every shard gets its most urgent outcome', (t) => {
  const of = (...outcomes: CheckResult['outcome'][]) =>
    mergeReports(
      outcomes.map((outcome, index) => shard(index + 1, outcomes.length, [result('error-shape', outcome)])),
    ).checks;
  t.like(of('pass', 'fail', 'pass')[0], { outcome: 'fail', cases: 3, requests: 6, durationMs: 15 });
  t.is(of('skipped', 'pass')[0]?.outcome, 'pass');
  t.is(of('inconclusive', 'pass')[0]?.outcome, 'inconclusive');
  t.is(of('skipped', 'skipped')[0]?.outcome, 'skipped');
});

const invalid: Record<string, [NamedReport[], RegExp]> = {
  'no report': [[], /no reports to merge/],
  'the report of a whole run': [
    [{ name: 'whole.json', report: { ...sample, suite: { ...sample.suite, shard: undefined } } }],
    /^whole\.json is the report of a whole run, not of a shard$/,
  ],
  'a missing shard': [[shard(1, 3, [a]), shard(3, 3, [c])], /^shard 2 of 3 is missing$/],
  'a shard given twice': [
    [shard(1, 2, [a]), shard(2, 2, [b]), { ...shard(2, 2, [b]), name: 'again.json' }],
    /^shard 2 of 2 is given twice: 2\.json and again\.json$/,
  ],
  'different numbers of shards': [
    [shard(1, 2, [a]), shard(2, 3, [b])],
    /number of shards is 2 in 1\.json, 3 in 2\.json$/,
  ],
  'a different seed': [
    [shard(1, 2, [a]), shard(2, 2, [b], { suite: { seed: 7 } })],
    /^the reports are not shards of one run: seed is -42 in 1\.json, 7 in 2\.json$/,
  ],
  'a different target': [
    [shard(1, 2, [a]), shard(2, 2, [b], { target: { ...sample.target, url: 'http://b/' } })],
    /target is http:\/\/127\.0\.0\.1:5984\/ in 1\.json, http:\/\/b\/ in 2\.json$/,
  ],
  'a different version of docfeed': [
    [shard(1, 2, [a]), shard(2, 2, [b], { suite: { version: '1.2.4' } })],
    /docfeed version is 1\.2\.3 in 1\.json, 1\.2\.4 in 2\.json$/,
  ],
  'a different profile': [
    [shard(1, 2, [a]), shard(2, 2, [b], { suite: { profile: 'smoke' } })],
    /profile is/,
  ],
  'an unknown version of the target': [
    [shard(1, 2, [a]), shard(2, 2, [b], { target: { ...sample.target, version: undefined } })],
    /target version is 3\.5\.0 in 1\.json, unknown in 2\.json$/,
  ],
};

for (const [what, [shards, message]] of Object.entries(invalid)) {
  test(`rejects ${what}`, (t) => {
    t.like(
      t.throws(() => mergeReports(shards), { message }),
      { exitCode: 2 },
    );
  });
}
