/** Cases that run before it is their turn: they must change no verdict. */
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ScopeContext } from './check.js';
import { Finding } from './finding.js';
import { must } from './matchers.js';
import { Blocked, Violation } from './outcomes.js';
import { forAll } from './property.js';
import { ShrinkTime } from './shrink-time.js';
import { Width } from './width.js';

interface Context extends ScopeContext<Context> {
  readonly counted: () => number;
}

/** A check context without a target, whose cases count how many of them run at a time. */
function contextWith(property: Partial<Context['property']>): Context {
  let cases = 0;
  const context: Context = {
    signal: new AbortController().signal,
    property: {
      seed: 5,
      profile: 'default',
      pool: { seed: 5, size: 10 },
      cases: 12,
      shrinkTime: new ShrinkTime(30_000),
      adapt: (inputs) => inputs,
      ...property,
    },
    isAlone: true,
    shared: (_, make) => make(context),
    observe() {},
    inScope: async (body) => {
      try {
        return await body(context);
      } catch (error) {
        throw error instanceof Violation
          ? new Finding(error, { exchanges: [] }, { isShared: false, mayBeLag: false })
          : error;
      }
    },
    countCase: () => void (cases += 1),
    countLag() {},
    reportReducedCases() {},
    counted: () => cases,
  };
  return context;
}

/** A width that has grown, as far from the target. */
function grown(): Width {
  const width = new Width(1, () => false);
  while (width.now < 4) width.answered(100);
  return width;
}

interface Outcome {
  readonly inputs: readonly number[];
  readonly most: number;
  readonly cases: number;
  readonly thrown: unknown;
}

async function outcomeOf(
  fails: (n: number) => void,
  property: Partial<Context['property']>,
): Promise<Outcome> {
  const inputs: number[] = [];
  let running = 0;
  let most = 0;
  const context = contextWith(property);
  const run = forAll<number, Context>(fc.nat(1000), async (_, n) => {
    inputs.push(n);
    running += 1;
    most = Math.max(most, running);
    // Those that begin first do not end first.
    for (let turn = 0; turn < n % 5; turn += 1) await setImmediate();
    running -= 1;
    fails(n);
  });
  const thrown = await run(context).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { inputs, most, cases: context.counted(), thrown };
}

async function bothWays(
  t: ExecutionContext,
  fails: (n: number) => void,
): Promise<{ inTurn: Outcome; ahead: Outcome }> {
  const width = grown();
  const inTurn = await outcomeOf(fails, {});
  const ahead = await outcomeOf(fails, { beside: (run) => width.beside(run) });
  t.is(inTurn.most, 1);
  t.true(ahead.most > 1, `${ahead.most}`);
  t.is(ahead.cases, inTurn.cases);
  return { inTurn, ahead };
}

test('the same cases run, each once', async (t) => {
  const { inTurn, ahead } = await bothWays(t, () => {});
  t.is(ahead.thrown, undefined);
  t.deepEqual(ahead.inputs.toSorted(), inTurn.inputs.toSorted());
  t.is(ahead.inputs.length, 12);
});

test('the first violation in order is the one that shrinks', async (t) => {
  const { inTurn, ahead } = await bothWays(t, (n) => must(n % 2 === 0 || n < 50, 'It is wrong'));
  const [expected, found] = [inTurn.thrown, ahead.thrown].map(
    (thrown) => (thrown as Finding).circumstances.found,
  );
  t.truthy(expected?.path);
  t.deepEqual(found, expected);
});

test('another verdict is that of the first case in order', async (t) => {
  const { inTurn, ahead } = await bothWays(t, (n) => {
    if (n % 3 === 0) throw new Blocked(`${n}`);
  });
  t.true(inTurn.thrown instanceof Blocked);
  t.deepEqual((ahead.thrown as Blocked).message, (inTurn.thrown as Blocked).message);
});

test('a replay runs only its case', async (t) => {
  const width = grown();
  const { inputs } = await outcomeOf(() => {}, { path: '3', beside: (run) => width.beside(run) });
  t.is(inputs.length, 1);
});

test('beside a target whose answers come at once, nothing runs ahead', async (t) => {
  const width = new Width(4, () => false);
  const { most } = await outcomeOf(() => {}, { beside: (run) => width.beside(run) });
  t.is(most, 1);
});
