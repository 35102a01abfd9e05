import test from 'ava';
import { Rate } from './rate.js';

test('requests are sent evenly, at most as many in a second as the rate says', async (t) => {
  const rate = new Rate(100);
  const startedAt = performance.now();
  const times = await Promise.all(
    Array.from({ length: 21 }, async () => {
      await rate.turn(AbortSignal.any([]));
      return performance.now() - startedAt;
    }),
  );
  // Timers are imprecise by some milliseconds.
  for (const [index, ms] of times.entries()) t.true(ms >= 10 * index - 3, `${index}: ${ms} ms`);
});

test('without a rate, no request waits', async (t) => {
  const rate = new Rate();
  let hasWaited = false;
  setImmediate(() => (hasWaited = true));
  for (let turn = 0; turn < 1000; turn += 1) await rate.turn(AbortSignal.any([]));
  t.false(hasWaited);
});

test('a request that is aborted does not wait for its turn', async (t) => {
  const rate = new Rate(0.01);
  await rate.turn(AbortSignal.any([]));
  const reason = new Error('The run has ended.');
  t.is(await t.throwsAsync(rate.turn(AbortSignal.abort(reason))), reason);
});
