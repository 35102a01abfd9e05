import { getEventListeners, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { isInTime, startDeadline } from './deadlines.js';

const never = new Promise<void>(() => {});
const atOnce = (): Promise<void> => Promise.resolve();

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

// The serial ones count timers, so no other test may run meanwhile.
test.serial('a limit of time that is no longer needed leaves nothing behind', (t) => {
  const before = timers();
  const outer = new AbortController();
  const limit = startDeadline(outer.signal, 2_000, new Error('over'));
  limit.clear();
  t.is(timers(), before);
  t.deepEqual(getEventListeners(outer.signal, 'abort'), []);
  t.false(limit.signal.aborted);
});

test.serial('nobody waits any more for what has come', async (t) => {
  const before = timers();
  t.true(await isInTime(Promise.resolve(), { by: performance.now() + 2_000, look: atOnce }));
  t.is(timers(), before);
});

test('a limit of time ends with its reason', async (t) => {
  const reason = new Error('over');
  const { signal } = startDeadline(new AbortController().signal, 1, reason);
  await once(signal, 'abort');
  t.is(signal.reason, reason);
});

test('an interruption from outside is one within, whether it comes later or was there before', (t) => {
  const outer = new AbortController();
  const limits = [startDeadline(outer.signal, 2_000, new Error('over'))];
  outer.abort();
  limits.push(startDeadline(outer.signal, 2_000, new Error('over')));
  for (const limit of limits) {
    t.like(limit.signal.reason, { name: 'Inconclusive', message: 'The run was interrupted.' });
    limit.clear();
  }
});

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

test('the looks begin as soon as the time is over', async (t) => {
  const order: string[] = [];
  const later = wait(300).then(() => order.push('later'));
  const look = (): Promise<unknown> => Promise.resolve(order.push('look'));
  await isInTime(never, { by: performance.now(), graceMs: 1, look });
  await later;
  t.deepEqual(order, ['look', 'later']);
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
