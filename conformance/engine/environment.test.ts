/** The engine runs the checks of any suite: here, one whose checks only add numbers. */
import test from 'ava';
import fc from 'fast-check';
import type { CheckResult } from '../../reports/report.js';
import { pooled } from '../arbitraries/pool.js';
import type { CheckOf, ScopeContext } from './check.js';
import type { Environment } from './environment.js';
import { Finding } from './finding.js';
import { must } from './matchers.js';
import type { RunOptions } from './run-options.js';
import { planRun, runPlan } from './plan.js';
import { forAll } from './property.js';
import { buildReport } from './report.js';

interface Adding extends ScopeContext<Adding> {
  readonly add: (a: number, b: number) => number;
}

const environment: Environment<Adding, CheckOf<Adding>> = {
  redact: (text) => text,
  describe: ({ rule }) => ({ rule, area: 'adding', level: 'MUST', statement: 'Sums.', source: ['1'] }),
  openScope: (base) => ({
    context: { ...base, add: (a, b) => (b > 9 ? 0 : a + b) },
    evidence: {
      include() {},
      findingOf: (violation) =>
        new Finding(violation, { exchanges: [] }, { isShared: false, mayBeLag: false }),
    },
    close: () => Promise.resolve(),
  }),
};

const rule = 'sums';
const kind = { rule, runsLast: false, waits: false, isLong: false } as const;
const checks: readonly CheckOf<Adding>[] = [
  {
    ...kind,
    id: rule,
    run: forAll(fc.tuple(fc.nat(), fc.nat()), (context, [a, b]) => {
      must(context.add(a, b) === a + b, 'The sum is wrong');
      return Promise.resolve();
    }),
  },
  {
    ...kind,
    id: `${rule}/zero`,
    run: (context) => Promise.resolve(context.observe('zero', context.add(0, 0))),
  },
];

async function run(options: RunOptions, of = checks) {
  const plan = await planRun(options, of, []);
  const { signal } = new AbortController();
  const target = { url: 'none', dialect: 'service' } as const;
  const outcome = await runPlan(plan, environment, options, { target, signal, adapt: (inputs) => inputs });
  return { plan, outcome };
}

test('a suite without a target has results, counterexamples, replays and a report', async (t) => {
  const { plan, outcome } = await run({ seed: 1 });
  const [failed, passed] = outcome.results as [CheckResult, CheckResult];
  t.is(failed.outcome, 'fail');
  t.deepEqual(failed.counterexample!.input, [0, 10]);
  t.is(passed.outcome, 'pass');
  t.deepEqual([...outcome.observations], [['zero', 0]]);

  const replayed = await run({ replay: failed.replay! });
  t.deepEqual(
    replayed.outcome.results.map(({ id, counterexample }) => [id, counterexample!.input]),
    [[rule, [0, 10]]],
  );

  const { summary, suite } = buildReport({
    startedAt: new Date(),
    plan,
    run: outcome,
    options: [],
    shard: undefined,
    specification: '1',
    cost: { requests: 0, databases: 0, sentBytes: 0, receivedBytes: 0, processorMs: 0, waiting: 0 },
    rules: [rule, 'associates'].map((id) => ({ id, area: 'adding' })),
    sent: { requests: 0, resends: { broken: 0, limited: 0 } },
    target: { url: 'none', greeting: {}, dialect: 'service', capabilities: [] },
    warnings: (ofEngine) => [...ofEngine],
    redact: (text) => text,
  });
  t.like(summary, { pass: 1, fail: 1 });
  t.deepEqual(suite.unselected, [{ rule: 'associates', area: 'adding' }]);
});

test('what a case takes from the pool, and what depends on a value, shrinks to the smallest and is replayed', async (t) => {
  const numbers = fc.nat();
  const dependent: CheckOf<Adding> = {
    ...kind,
    id: rule,
    run: forAll(
      (context) =>
        fc
          .tuple(pooled(context, numbers), fc.nat({ max: 99 }))
          .chain(([a, b]) =>
            fc.record({ a: fc.constant(a), b: fc.constant(b), more: fc.array(fc.boolean()) }),
          ),
      (context, { a, b, more }) => {
        const sum = more.reduce((total, one) => context.add(total, Number(one)), context.add(a, b));
        must(sum >= b, 'The sum is too small');
        return Promise.resolve();
      },
    ),
  };
  for (const seed of [1, 2, 3, 4, 5]) {
    const { outcome } = await run({ seed }, [dependent]);
    const [failed] = outcome.results;
    t.deepEqual(failed!.counterexample!.input, { a: 0, b: 10, more: [] });
    const replayed = await run({ replay: failed!.replay! }, [dependent]);
    t.deepEqual(replayed.outcome.results[0]!.counterexample!.input, { a: 0, b: 10, more: [] });
  }
});
