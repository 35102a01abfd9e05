/** Tests checks that share the databases of a pool of histories. */
import test from 'ava';
import fc from 'fast-check';
import type { RunningServer } from '../reference/index.js';
import type { Report } from '../reports/report.js';
import { histories } from './arbitraries/histories.js';
import { pooled } from './arbitraries/pool.js';
import { checksOf, type CheckContext, type Run } from './session/scope/rule-checks.js';
import { forAll } from './engine/property.js';
import { type Check, type ConformanceOptions, runConformance } from './index.js';
import type { DatabaseState, History } from './oracle/history.js';
import { readFeed } from './play/read-feed.js';
import { playShared } from './play/shared.js';
import { stateOf } from './session/testing/target-state.js';
import { admin, referenceServer } from './testing/reference.js';
import { Violation } from './engine/outcomes.js';

type Verify = (context: CheckContext, state: DatabaseState, name: string) => void | Promise<void>;

/** Reads the feed of shared databases. */
const reading = (verify: Verify): Run =>
  forAll(
    (context) => fc.record({ history: pooled(context, histories) }),
    async (context, { history }) => {
      const { database, state } = await playShared(context, history);
      await readFeed(database);
      await verify(context, state, database.name);
    },
  );

async function runOn(
  server: RunningServer,
  checks: readonly Check[],
  options: Partial<ConformanceOptions> = {},
): Promise<Report> {
  return runConformance({ urls: [server.url], admin, checks, seed: 1, ...options });
}

/** The method and last segment of the path of each request that is evidence of the first check. */
const evidenceIn = ({ checks }: Report): string[] =>
  checks[0]!.counterexample!.exchanges.map(
    ({ request: { method, path } }) => `${method} ${path.split('/').slice(2).join('/')}`,
  );

const hasDocuments = (state: DatabaseState): boolean => state.size > 0;

test('checks read the same databases, of which each chooses others, and which the run removes', async (t) => {
  const server = await referenceServer(t);
  const before = await stateOf(server.url);
  const used = new Map<string, Set<string>>();
  const checks = ['a', 'b', 'c', 'd'].flatMap((variant) => {
    const names = new Set<string>();
    used.set(variant, names);
    return checksOf({ [`root-vendor/${variant}`]: reading((_, __, name) => void names.add(name)) });
  });
  const { summary } = await runOn(server, checks, { cases: 10 });
  t.is(summary.pass, checks.length);
  const all = [...used.values()].flatMap((names) => [...names]);
  t.true(new Set(all).size <= 13);
  t.true(new Set(all).size < all.length);
  t.true(new Set([...used.values()].map((names) => [...names].sort().join())).size > 1);
  t.deepEqual(await stateOf(server.url), before);
});

test('a check draws no input of the pool twice', async (t) => {
  const server = await referenceServer(t);
  const drawn: { readonly one: number; readonly other: number }[] = [];
  const numbers = fc.nat();
  const drawing = checksOf({
    'root-vendor': forAll(
      (context: CheckContext) =>
        fc.record({ one: pooled(context, numbers), other: pooled(context, numbers, 1) }),
      (_, values) => Promise.resolve(void drawn.push(values)),
    ),
  });
  await runOn(server, drawing, { cases: 10 });
  t.is(new Set(drawn.map(({ one }) => one)).size, 10);
  t.true(drawn.every(({ one, other }) => one !== other));
});

test('a violation is confirmed in a new database, shrunk there, and replayed', async (t) => {
  const server = await referenceServer(t);
  const names: string[] = [];
  const checks = checksOf({
    'root-vendor/failing': reading((_, state, name) => {
      names.push(name);
      if (hasDocuments(state)) throw new Violation('There is a document');
    }),
  });
  const report = await runOn(server, checks);
  const [result] = report.checks;
  t.is(result?.outcome, 'fail');
  t.is(result?.reason, 'There is a document.');
  t.is(new Set(names).size, names.length);
  t.deepEqual((result?.counterexample?.input as { history: History }).history.length, 1);
  t.deepEqual(evidenceIn(report), ['PUT ', 'POST _bulk_docs', 'GET _changes']);

  const again = await runOn(server, checks, { seed: undefined, cases: 3, replay: result!.replay! });
  t.is(again.checks[0]?.outcome, 'fail');
  t.is(again.checks[0]?.cases, 1);
  t.deepEqual(again.checks[0]?.counterexample?.input, result?.counterexample?.input);
  t.is(again.checks[0]?.replay, result?.replay);
});

test('a violation that does not show in a new database is reported with the writes to the shared one', async (t) => {
  const server = await referenceServer(t);
  let isFirst = true;
  const checks = checksOf({
    'root-vendor/failing': reading((_, state) => {
      const fails = isFirst && hasDocuments(state);
      if (fails) isFirst = false;
      if (fails) throw new Violation('There is a document');
    }),
  });
  const report = await runOn(server, checks);
  const [result] = report.checks;
  t.is(result?.outcome, 'fail');
  t.regex(
    result!.reason!,
    /^There is a document\. This showed in a database that several checks read, but not/,
  );
  t.false(result?.counterexample?.shrunk);
  const evidence = evidenceIn(report);
  t.is(evidence[0], 'PUT ');
  t.true(evidence.includes('POST _bulk_docs'));
  t.is(evidence.at(-1), 'GET _changes');
});

test('checks that come after a failed attempt to play a history try again', async (t) => {
  const server = await referenceServer(t);
  let attempts = 0;
  const run = (context: CheckContext): Promise<void> =>
    context.shared('key', () => {
      attempts += 1;
      const failure = new Violation('The first attempt fails');
      return attempts === 1 ? Promise.reject(failure) : Promise.resolve();
    });
  const checks = ['a', 'b'].flatMap((variant) => checksOf({ [`root-vendor/${variant}`]: run }));
  const { checks: results } = await runOn(server, checks, { concurrency: 1 });
  t.deepEqual(
    results.map(({ outcome }) => outcome),
    ['fail', 'pass'],
  );
});
