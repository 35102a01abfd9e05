/** A case that fails is tried again where a rare lag of the target may have caused it. */
import test from 'ava';
import type { ScopeContext } from './check.js';
import { Finding } from './finding.js';
import { Violation } from './outcomes.js';
import { tryCase } from './property-case.js';

interface Context extends ScopeContext<Context> {
  readonly lagging: () => number;
}

function contextWith(findRareLag: Context['findRareLag']): Context {
  let lagging = 0;
  const context = {
    findRareLag,
    countLag: () => void (lagging += 1),
    lagging: () => lagging,
    async inScope(body: (inner: Context) => Promise<unknown>) {
      try {
        return await body(context);
      } catch (error) {
        throw new Finding(error as Violation, { exchanges: [] }, { isShared: false, mayBeLag: false });
      }
    },
  } as unknown as Context;
  return context;
}

/** Tries a case that fails the given number of times. */
async function outcomeOf(
  failures: number,
  findRareLag: Context['findRareLag'],
  { isKnown = false, isAlone = false } = {},
): Promise<{ tries: number; lagging: number; failed: boolean }> {
  let tries = 0;
  const context = contextWith(findRareLag);
  const holds = async (): Promise<void> => {
    tries += 1;
    if (tries <= failures) throw new Violation('It fails', { path: '$', expected: 1, actual: 2 });
    return Promise.resolve();
  };
  const thrown = await tryCase(context, holds, { isAlone, confirms: () => !isKnown });
  return { tries, lagging: context.lagging(), failed: thrown !== undefined };
}

const lags = () => Promise.resolve(true);
const doesNotLag = () => Promise.resolve(false);

test('a case that fails once holds if the target turns out to lag now and then', async (t) => {
  t.deepEqual(await outcomeOf(1, lags), { tries: 4, lagging: 1, failed: false });
});

test('a case that fails once fails if the target does not lag', async (t) => {
  t.like(await outcomeOf(1, doesNotLag), { tries: 2, failed: true });
});

test('a case that fails each time fails, and nobody looks for a lag', async (t) => {
  t.like(await outcomeOf(Infinity, () => t.fail()), { tries: 3, failed: true });
});

test('a case is not tried again for a known deviation, while shrinking, or where no lag is possible', async (t) => {
  t.like(await outcomeOf(1, lags, { isKnown: true }), { tries: 1, failed: true });
  t.like(await outcomeOf(1, lags, { isAlone: true }), { tries: 1, failed: true });
  t.like(await outcomeOf(1, undefined), { tries: 1, failed: true });
});

test('a database that checks share does not count if the target turns out to lag: it may have been read too early', async (t) => {
  const violation = new Violation('It fails', { path: '$', expected: 1, actual: 2 });
  const context = {
    findRareLag: lags,
    countLag: () => {},
    inScope(body: (inner: unknown) => Promise<unknown>, { isAlone }: { isAlone: boolean }) {
      const isShared = !isAlone;
      return isShared
        ? Promise.reject(new Finding(violation, { exchanges: [] }, { isShared, mayBeLag: false }))
        : body(context);
    },
  } as unknown as Context;
  const confirms = () => true;
  t.is(await tryCase(context, () => Promise.resolve(), { isAlone: false, confirms }), undefined);
  const steady = { ...context, findRareLag: doesNotLag } as unknown as Context;
  t.truthy(await tryCase(steady, () => Promise.resolve(), { isAlone: false, confirms }));
});
