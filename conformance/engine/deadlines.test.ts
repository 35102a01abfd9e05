import { getEventListeners, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { abortAfter, isInTime, judgeInTime, startDeadline } from './deadlines.js';
import { Violation } from './outcomes.js';

const never = new Promise<void>(() => {});
const respond = (): Promise<void> => Promise.resolve();
const control = respond;

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

// The serial tests count timers, so no other test may run at the same time.
test.serial('clearing a deadline removes its timer and its listener', (t) => {
  const before = timers();
  const outer = new AbortController();
  const deadline = startDeadline(outer.signal, 2_000, new Error('over'));
  deadline.clear();
  t.is(timers(), before);
  t.deepEqual(getEventListeners(outer.signal, 'abort'), []);
  t.false(deadline.signal.aborted);
});

test.serial('time that does not count delays a deadline', async (t) => {
  const startedAt = performance.now();
  // Of each two milliseconds, one counts.
  const uncounted = (): number => (performance.now() - startedAt) / 2;
  const deadline = startDeadline(new AbortController().signal, 50, new Error('over'), uncounted);
  await once(deadline.signal, 'abort');
  t.true(performance.now() - startedAt > 90);
});

test.serial('a signal aborts after its time, also if garbage was collected meanwhile', async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // The signal alone does not keep the process running.
  const other = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(other));
  const aborted = once(abortAfter(300, new AbortController().signal), 'abort');
  await wait(10);
  collectGarbage();
  await aborted;
  t.pass();
});

test.serial('a signal aborts before its time if the outer one does', (t) => {
  const outer = new AbortController();
  const signal = abortAfter(60_000, outer.signal);
  outer.abort();
  t.true(signal.aborted);
});

test.serial('isInTime leaves no timer behind', async (t) => {
  const before = timers();
  t.true(await isInTime(Promise.resolve(), { by: performance.now() + 2_000, probe: respond, control }));
  t.is(timers(), before);
});

test('a deadline aborts with its reason', async (t) => {
  const reason = new Error('over');
  const { signal } = startDeadline(new AbortController().signal, 1, reason);
  await once(signal, 'abort');
  t.is(signal.reason, reason);
});

test('a deadline is interrupted when the outer signal aborts, before or after its start', (t) => {
  const outer = new AbortController();
  const deadlines = [startDeadline(outer.signal, 2_000, new Error('over'))];
  outer.abort();
  deadlines.push(startDeadline(outer.signal, 2_000, new Error('over')));
  for (const deadline of deadlines) {
    t.like(deadline.signal.reason, { name: 'Inconclusive', message: 'The run was interrupted.' });
    deadline.clear();
  }
});

test('an event that has already happened is in time', async (t) => {
  t.true(await isInTime(Promise.resolve(), { by: -Infinity, graceMs: 0, probe: respond, control }));
});

test('an event is late when the target has answered probes for the whole grace period', async (t) => {
  let probes = 0;
  const by = performance.now() + 50;
  const probe = async (): Promise<void> => {
    probes += 1;
    await wait(1);
    t.true(performance.now() >= by - 2);
  };
  t.false(await isInTime(never, { by, graceMs: 250, probe, control }));
  t.is(probes, 5);
});

test('probing begins as soon as the time is over', async (t) => {
  const order: string[] = [];
  const later = wait(300).then(() => order.push('later'));
  const probe = (): Promise<unknown> => Promise.resolve(order.push('probe'));
  await isInTime(never, { by: performance.now(), graceMs: 1, probe, control });
  await later;
  t.deepEqual(order, ['probe', 'later']);
});

test('a pause of the target counts as one probe, however long it is', async (t) => {
  let probes = 0;
  let happen = (): void => {};
  const event = new Promise<void>((resolve) => (happen = resolve));
  const probe = async (): Promise<void> => {
    probes += 1;
    // The first probe takes longer than the whole grace period; an event right after it is in time.
    await wait(probes === 1 ? 200 : 1);
    if (probes === 2) happen();
  };
  t.true(await isInTime(event, { by: performance.now(), graceMs: 100, probe, control }));
});

test('an event is in time while the target answers probes and holds controls', async (t) => {
  let probes = 0;
  let happen = (): void => {};
  const event = new Promise<void>((resolve) => (happen = resolve));
  const probe = (): Promise<void> => {
    probes += 1;
    if (probes === 10) happen();
    return Promise.resolve();
  };
  const hold = (): Promise<void> => never;
  t.true(await isInTime(event, { by: performance.now(), graceMs: 100, probe, control: hold }));
});

test('an event is late when the target answers no controls for many grace periods', async (t) => {
  let controls = 0;
  const hold = (signal: AbortSignal): Promise<unknown> => {
    controls += 1;
    return once(signal, 'abort');
  };
  t.false(await isInTime(never, { by: performance.now(), graceMs: 20, probe: respond, control: hold }));
  t.is(controls, 1);
});

test('isInTime rejects when the probe, a control or the event rejects', async (t) => {
  const by = performance.now();
  const broken = (): Promise<never> => Promise.reject(new Error('broken'));
  await t.throwsAsync(isInTime(never, { by, probe: respond, control: broken }), { message: 'broken' });
  await t.throwsAsync(isInTime(never, { by, probe: broken, control }), { message: 'broken' });
  await t.throwsAsync(isInTime(broken(), { by, probe: respond, control }), { message: 'broken' });
});

for (const [isSlow, elapsedMs] of [
  [false, 2_000],
  [true, 2_200],
] as const) {
  test(`a violation after ${elapsedMs} ms of a grace period of 1000 ms ${isSlow ? 'depends' : 'does not depend'} on timing`, (t) => {
    const verify = (): never => {
      throw new Violation('The event is late', { path: 'a feed' });
    };
    const judge = (): void => judgeInTime({ by: performance.now() - elapsedMs, graceMs: 1_000 }, verify);
    const violation = t.throws(judge, { instanceOf: Violation, message: 'The event is late' });
    t.is(violation.dependsOnTiming, isSlow);
    t.deepEqual(violation.difference, { path: 'a feed' });
  });
}
