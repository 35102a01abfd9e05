import test from 'ava';
import fc from 'fast-check';
import { rules } from '../../openapi/generated/rules.js';
import { check, forAll } from '../checks/check.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { ruleOf, verdictOf } from './run.js';
import { Violation } from './verdict.js';

test('what must hold and does not is a failure, what should hold a warning', (t) => {
  const violation = new Violation('It is wrong');
  const outcome = (level: 'MUST' | 'SHOULD') => {
    const one = check({ rule: 'root-vendor', run: async () => {} });
    return verdictOf(violation, one, { ...ruleOf(one), level }, { seed: 1, profile: 'default', shrinkMs: 0 })
      .outcome;
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
    const checks = [check({ rule: 'root-vendor', run }), check({ rule: 'root-vendor', what: 'other', run })];
    await runConformance({ urls: [server.url], admin, checks, seed, runs: 1, concurrency: 1 });
    return values;
  };
  const [one, other] = await seen(1);
  t.not(one, other);
  t.deepEqual(await seen(1), [one, other]);
});
