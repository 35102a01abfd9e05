import test from 'ava';
import fc from 'fast-check';
import { rules } from '../../openapi/generated/rules.js';
import { checksOf, type Check, type CheckContext } from '../session/scope/rule-checks.js';
import { pooled } from '../arbitraries/pool.js';
import { forAll } from './property.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { Finding } from './finding.js';
import { Inconclusive, Violation } from './outcomes.js';
import { outcomeOf } from './check-outcome.js';

test('a violation of a MUST is a failure, of a SHOULD a warning', (t) => {
  const violation = new Violation('The value is wrong');
  const circumstances = { isShared: false, mayBeLag: false };
  const finding = new Finding(violation, { exchanges: [] }, circumstances);
  const outcome = (level: 'MUST' | 'SHOULD') => {
    return outcomeOf(finding, level, { redact: (text) => text, replayOf: () => 'token' }).outcome;
  };
  t.is(outcome('MUST'), 'fail');
  t.is(outcome('SHOULD'), 'warn');
});

test('every check has a unique id and a rule of the catalogue', async (t) => {
  const { checks } = await import('../rules/checks.js');
  const ids = checks.map(({ id }) => id);
  t.is(new Set(ids).size, ids.length);
  const ruleIds = new Set<string>(rules.map(({ id }) => id));
  for (const { id, rule } of checks) {
    t.true(ruleIds.has(rule), id);
    t.true(id === rule || id.startsWith(`${rule}/`), id);
  }
});

test('one seed gives different cases to each check, and the same cases in each run', async (t) => {
  const server = await referenceServer(t);
  const generated = async (seed: number): Promise<number[]> => {
    const values: number[] = [];
    const run = forAll(fc.nat(), (_, value) => Promise.resolve(void values.push(value)));
    const checks = checksOf({ 'root-vendor': run, 'root-vendor/other': run });
    await runConformance({ urls: [server.url], admin, checks, seed, cases: 1, concurrency: 1 });
    return values;
  };
  const [one, other] = await generated(1);
  t.not(one, other);
  t.deepEqual(await generated(1), [one, other]);
});

test('the cases of a property choose evenly, also those of the pool', async (t) => {
  const server = await referenceServer(t);
  const values: { own: number; common: number }[] = [];
  // The pool of ten cases has thirteen values.
  const common = fc.constantFrom(...Array.from({ length: 13 }, (_, index) => index));
  const run = forAll(
    (context: CheckContext) =>
      fc.record({ own: fc.constantFrom(0, 1, 2, 3, 4), common: pooled(context, common) }),
    (_, value) => Promise.resolve(void values.push(value)),
  );
  const checks = checksOf({ 'root-vendor': run });
  await runConformance({ urls: [server.url], admin, checks, seed: 1, cases: 10 });
  t.deepEqual(values.map(({ own }) => own).sort(), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  t.is(new Set(values.map(({ common }) => common)).size, 10);
});

test('a property runs fewer cases if time is short, and the report warns about it', async (t) => {
  const server = await referenceServer(t);
  const few = forAll(fc.nat(), async () => {}, { cases: { default: 30 } });
  const failing = forAll(fc.nat(), (_, value) =>
    value > 5 ? Promise.reject(new Violation('The value is wrong')) : Promise.resolve(),
  );
  const short = (run: Check['run']): Check['run'] => {
    return (context) => run({ ...context, property: { ...context.property, reduceAfter: 0 } });
  };
  const checks = checksOf({
    'root-vendor/short': short(few),
    'root-vendor/whole': few,
    'root-vendor/failing': short(failing),
  });
  const report = await runConformance({ urls: [server.url], admin, checks, seed: 1 });
  t.deepEqual(
    report.checks.map(({ outcome, planned }) => [outcome, planned]),
    [
      ['pass', 30],
      ['pass', undefined],
      ['fail', undefined],
    ],
  );
  t.deepEqual(
    report.checks.slice(0, 2).map(({ cases }) => cases),
    [6, 30],
  );
  t.deepEqual(report.warnings, [
    'These checks had no time for all generated cases: root-vendor/short (6 of 30).',
  ]);
});

test('a violation that depends on timing is confirmed by running the check alone', async (t) => {
  const server = await referenceServer(t);
  const failing = (failures: number): Check['run'] => {
    let cases = 0;
    return () => {
      cases += 1;
      if (cases > failures) return Promise.resolve();
      return Promise.reject(new Violation('The period is too long', {}, { dependsOnTiming: true }));
    };
  };
  const checks = checksOf({
    'heartbeat-lines/once': { waits: 'period', run: failing(1) },
    'heartbeat-lines/always': { waits: 'period', run: failing(Infinity) },
  });
  const report = await runConformance({ urls: [server.url], admin, checks, seed: 1 });
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['inconclusive', 'fail'],
  );
  t.regex(report.checks[0]!.reason!, /passed when it ran alone.*The period is too long/);
  t.is(report.checks[0]!.counterexample!.message, 'The period is too long');
});

test('a violation of a property that depends on timing is confirmed by its case, otherwise by all cases', async (t) => {
  const server = await referenceServer(t);
  const inputs = { always: [] as number[], once: [] as number[] };
  const property = (name: keyof typeof inputs, isLate: (input: number) => boolean): Check['run'] =>
    forAll(fc.nat({ max: 99 }), (_, input) => {
      inputs[name].push(input);
      if (!isLate(input)) return Promise.resolve();
      return Promise.reject(new Violation('The period is too long', {}, { dependsOnTiming: true }));
    });
  const checks = checksOf({
    'heartbeat-lines/always': { waits: 'period', run: property('always', (input) => input >= 50) },
    'heartbeat-lines/once': { waits: 'period', run: property('once', () => inputs.once.length === 1) },
  });
  const report = await runConformance({ urls: [server.url], admin, checks, seed: 1 });
  t.deepEqual(
    report.checks.map(({ outcome, counterexample }) => [outcome, counterexample?.input]),
    [
      ['fail', 50],
      ['inconclusive', inputs.once[0]],
    ],
  );
  const { always, once } = inputs;
  t.is(always.filter((input) => input === always[0]).length, 1, 'no other case runs again');
  t.deepEqual(always.slice(-1), [50]);
  t.deepEqual(once.slice(-11, -9), [once[0], once[0]], 'the case, and then all ten from the first one on');
});

test('a waiting check that stays inconclusive beside others runs again alone', async (t) => {
  const server = await referenceServer(t);
  let isBusy = true;
  const undecidedWhile = (isStalled: () => boolean): Check['run'] => {
    return () => (isStalled() ? Promise.reject(new Inconclusive('The machine stalls')) : Promise.resolve());
  };
  const checks = checksOf({
    'heartbeat-lines/beside': { waits: 'period', run: undecidedWhile(() => isBusy) },
    'heartbeat-lines/always': { waits: 'period', run: undecidedWhile(() => true) },
    'root-vendor': async ({ target }) => {
      for (let requests = 0; requests < 20; requests += 1) await target.request({ path: '/' });
      isBusy = false;
    },
  });
  const report = await runConformance({ urls: [server.url], admin, checks, seed: 1 });
  t.deepEqual(
    report.checks.map(({ outcome }) => outcome),
    ['pass', 'inconclusive', 'pass'],
  );
});

test('a target that stops responding ends the run with one finding', async (t) => {
  const server = await referenceServer(t);
  let started = 0;
  const other = (): Promise<void> => Promise.resolve(void (started += 1));
  const checks = checksOf({
    'root-greeting': async (context) => {
      await server.stop();
      await context.target.request({ path: '/_session' });
    },
    'root-vendor/a': other,
    'root-vendor/b': other,
  });
  const report = await runConformance({
    urls: [server.url],
    admin,
    checks,
    concurrency: 1,
  });
  t.is(started, 0);
  t.regex(
    report.suite.stopped!,
    /^The target stopped responding, .* is root-greeting: no response to GET \/_session: connection refused$/,
  );
  for (const { outcome, reason } of report.checks) {
    t.is(outcome, 'inconclusive');
    t.is(reason, report.suite.stopped);
  }
});
