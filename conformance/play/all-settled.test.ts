import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { Inconclusive, Violation } from '../engine/outcomes.js';
import { allSettledOrThrow } from './all-settled.js';

test('returns all results, or throws after all promises are settled', async (t) => {
  t.deepEqual(await allSettledOrThrow([wait(2, 'a'), Promise.resolve('b')]), ['a', 'b']);
  let isDone = false;
  const late = wait(20).then(() => (isDone = true));
  await t.throwsAsync(allSettledOrThrow([Promise.reject(new Error('wrong')), late]), { message: 'wrong' });
  t.true(isDone);
});

test('throws a violation rather than what leaves something undecided', async (t) => {
  const undecided = Promise.reject(new Inconclusive('slow'));
  const wrong = Promise.reject(new Violation('wrong', {}));
  await t.throwsAsync(allSettledOrThrow([undecided, wrong]), { message: 'wrong' });
});
