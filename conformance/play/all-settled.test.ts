import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { allSettledOrThrow } from './all-settled.js';

test('returns all results, or throws after all promises are settled', async (t) => {
  t.deepEqual(await allSettledOrThrow([wait(2, 'a'), Promise.resolve('b')]), ['a', 'b']);
  let isDone = false;
  const late = wait(20).then(() => (isDone = true));
  await t.throwsAsync(allSettledOrThrow([Promise.reject(new Error('wrong')), late]), { message: 'wrong' });
  t.true(isDone);
});
