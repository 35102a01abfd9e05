import test from 'ava';
import fc from 'fast-check';
import { rules } from '../../openapi/generated/rules.js';
import { check, forAll, type Check } from '../check.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { ruleOf, verdictOf } from './run.js';
import { Violation } from '../verdict/outcomes.js';

test('what must hold and does not is a failure, what should hold a warning', (t) => {
  const violation = new Violation('It is wrong');
  const outcome = (level: 'MUST' | 'SHOULD') => {
    const one = check({ rule: 'root-vendor', run: async () => {} });
    const state = { redact: (text: string) => text, replayOptions: [] };
    const property = { seed: 1, profile: 'default', shrinkMs: 0 } as const;
    return verdictOf(violation, one, { ...ruleOf(one), level }, property, state).outcome;
  };
  t.is(outcome('MUST'), 'fail');
  t.is(outcome('SHOULD'), 'warn');
});

test('every check has a rule of the catalogue and an id of its own', async (t) => {
  const { checks } = await import('../checks/index.js');
  const ids = checks.map(({ id }) => id);
  t.is(new Set(ids).size, ids.length);
  const known = new Set<string>(rules.map(({ id }) => id));
  for (const { id, rule } of checks) {
    t.true(known.has(rule), id);
    t.true(id === rule || id.startsWith(`${rule}/`), id);
  }
});

test('checks see different cases of one seed, and the same ones in each run', async (t) => {
  const server = await referenceServer(t);
  const seen = async (seed: number): Promise<number[]> => {
    const values: number[] = [];
    const run = forAll(fc.nat(), (_, value) => Promise.resolve(void values.push(value)));
    const checks = [
      check({ rule: 'root-vendor', run }),
      check({ rule: 'root-vendor', variant: 'other', run }),
    ];
    await runConformance({ urls: [server.url], admin, checks, seed, runs: 1, concurrency: 1 });
    return values;
  };
  const [one, other] = await seen(1);
  t.not(one, other);
  t.deepEqual(await seen(1), [one, other]);
});

test('when time is short a property does with fewer cases, and the report says so', async (t) => {
  const server = await referenceServer(t);
  const few = forAll(fc.nat(), async () => {}, { runs: { default: 30 } });
  const failing = forAll(fc.nat(), (_, value) =>
    value > 5 ? Promise.reject(new Violation('It is wrong')) : Promise.resolve(),
  );
  const short = (run: Check['run']): Check['run'] => {
    return (context) => run({ ...context, property: { ...context.property, reduceAfter: 0 } });
  };
  const checks = [
    check({ rule: 'root-vendor', variant: 'short', run: short(few) }),
    check({ rule: 'root-vendor', variant: 'whole', run: few }),
    check({ rule: 'root-vendor', variant: 'failing', run: short(failing) }),
  ];
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
    report.checks.slice(0, 2).map(({ runs }) => runs),
    [6, 30],
  );
  t.deepEqual(report.warnings, ['Time was short: fewer cases than planned for root-vendor/short (6 of 30).']);
});
