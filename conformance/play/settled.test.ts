import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { allSettledOrThrow } from './settled.js';

test('gives all results, or throws when the last is done', async (t) => {
  t.deepEqual(await allSettledOrThrow([wait(2, 'a'), Promise.resolve('b')]), ['a', 'b']);
  let isDone = false;
  const late = wait(20).then(() => (isDone = true));
  await t.throwsAsync(allSettledOrThrow([Promise.reject(new Error('wrong')), late]), { message: 'wrong' });
  t.true(isDone);
});
