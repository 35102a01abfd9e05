import test from 'ava';
import type { CheckResult, Outcome, Report } from '../report.js';
import { complete, reportOf as reportWith, result as resultOf } from '../testing/sample.js';
import { adviceFor, groupByReason } from '../reasons.js';
import { formatNextStep, formatVerdict } from './next-step.js';

const result = (id: string, outcome: Outcome, more: Partial<CheckResult> = {}): CheckResult => ({
  ...resultOf(id, outcome),
  ...more,
});

const capability = (name: string, available: boolean, remedy?: string) => ({
  name,
  available,
  how: 'a probe',
  ...(remedy !== undefined && { remedy }),
});

const reportOf = (checks: CheckResult[], capabilities = [capability('admin', true)]): Report =>
  reportWith(checks, { target: { ...complete.target, capabilities } });

test('what nobody can provide is no next step', (t) => {
  const checks = [result('feed-shape', 'pass'), result('feed-limit', 'skipped')];
  t.is(formatNextStep(reportOf(checks)), undefined);
  const needing = result('jwt-accepts', 'skipped', { missing: 'jwt-hmac' });
  const report = reportOf([...checks, needing], [capability('jwt-hmac', false, 'use --configure')]);
  t.is(formatNextStep(report), '1 rule needs jwt-hmac: use --configure');
  t.is(formatNextStep(reportOf([...checks, result('a', 'skipped', { remedy: 'do it' })])), 'do it (1 rule)');
});

test('an outdated entry of the baseline is to be removed, and the run has decided', (t) => {
  const remedy = 'remove feed-limit from bl.yaml';
  const report = reportOf([result('feed-shape', 'pass'), result('feed-limit', 'error', { remedy })]);
  t.is(formatNextStep(report), remedy);
  t.is(adviceFor(groupByReason(report)[0]!), remedy);
  t.is(
    formatVerdict(report),
    'All checked rules hold, but the baseline is out of date: 1 check that it expects to fail passes.',
  );
});

test('a capability that is required is to be provided', (t) => {
  const remedy = 'use --target with the files of `docfeed setup`';
  const checks = [result('jwt-accepts/hmac', 'blocked', { missing: 'jwt-hmac' })];
  for (const admin of [true, false]) {
    t.is(
      formatNextStep(reportOf(checks, [capability('admin', admin), capability('jwt-hmac', false, remedy)])),
      remedy,
    );
  }
});

test('a target that lacks something is to be brought up, with or without an administrator', (t) => {
  const obstacle = 'POST /{db}/_changes is not implemented (404)';
  const exchange = {
    request: { method: 'POST', path: '/db/_changes', headers: {} },
    response: { status: 404, headers: {}, chunks: [] },
  };
  const checks = [result('feed-shape', 'blocked', { obstacle, exchange }), result('root-greeting', 'fail')];
  for (const admin of [true, false]) {
    t.is(
      formatNextStep(reportOf(checks, [capability('admin', admin)])),
      'npx docfeed check http://127.0.0.1:5984/ --bring-up',
    );
  }
});

test('an administrator is asked for if the target refuses', (t) => {
  const exchange = {
    request: { method: 'PUT', path: '/db', headers: {} },
    response: { status: 401, headers: {}, chunks: [] },
  };
  const obstacle = 'PUT /{db} returns 401';
  const checks = [result('feed-shape', 'blocked', { obstacle, exchange })];
  t.is(formatNextStep(reportOf(checks, [capability('admin', false)])), 'use --admin name:password');
});
