import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { isInTime } from './time.js';

const never = new Promise<void>(() => {});
const atOnce = (): Promise<void> => Promise.resolve();

test('what has come is in time, also long after its time', async (t) => {
  t.true(await isInTime(Promise.resolve(), { by: -Infinity, graceMs: 0, look: atOnce }));
});

test('what does not come is late when the target has answered other requests for so long', async (t) => {
  let looks = 0;
  const by = performance.now() + 50;
  const look = async (): Promise<void> => {
    looks += 1;
    await wait(1);
    t.true(performance.now() >= by - 2);
  };
  t.false(await isInTime(never, { by, graceMs: 100, look }));
  t.is(looks, 5);
});

test('a pause of the target counts for one request, however long it is', async (t) => {
  let looks = 0;
  let came = (): void => {};
  const coming = new Promise<void>((resolve) => (came = resolve));
  const look = async (): Promise<void> => {
    looks += 1;
    // Longer than all the grace; what comes right after it is in time.
    await wait(looks === 1 ? 200 : 1);
    if (looks === 2) came();
  };
  t.true(await isInTime(coming, { by: performance.now(), graceMs: 100, look }));
});

test('a target that cannot be looked at, and an event that fails, are for the caller', async (t) => {
  const by = performance.now();
  const broken = (): Promise<never> => Promise.reject(new Error('broken'));
  await t.throwsAsync(isInTime(never, { by, look: broken }), { message: 'broken' });
  await t.throwsAsync(isInTime(broken(), { by, look: atOnce }), { message: 'broken' });
});
