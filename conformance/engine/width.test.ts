import test from 'ava';
import { runWithin, Width } from './width.js';

const answers = (width: Width, times: number, ms: (width: number) => number): void => {
  for (let time = 0; time < times; time += 1) width.answered(ms(width.now));
};

const idle = (): boolean => false;

test('far away, more checks run while the quickest answers come as quickly as ever', (t) => {
  const width = new Width(4, idle);
  answers(width, 1000, () => 100);
  t.is(width.now, 32);
});

test('where answers come at once, the number stays, however many there are', (t) => {
  const width = new Width(4, idle);
  answers(width, 1000, () => 2);
  t.is(width.now, 4);
});

test('responses that wait for changes do not count while others come quickly', (t) => {
  const width = new Width(4, idle);
  let count = 0;
  answers(width, 1000, () => ((count += 1) % 4 === 0 ? 100 : 5_000));
  t.is(width.now, 32);
});

test('a target that handles ten requests at a time gets few more', (t) => {
  const width = new Width(4, idle);
  let most = 0;
  answers(width, 5000, (now) => {
    most = Math.max(most, now);
    return 100 * Math.max(1, now / 10);
  });
  t.true(most >= 10 && most < 18, String(most));
});

test('a process with no time to spare starts no more', (t) => {
  const width = new Width(4, () => true);
  answers(width, 1000, () => 100);
  t.is(width.now, 4);
});

test('a fixed number stays', (t) => {
  const width = new Width(7);
  answers(width, 1000, () => 100);
  t.is(width.now, 7);
});

test('as many run as the width allows, and more as soon as it grows', async (t) => {
  const width = new Width(2, idle);
  const ends: (() => void)[] = [];
  const all = runWithin(
    Array.from({ length: 10 }),
    () => new Promise<void>((resolve) => ends.push(resolve)),
    width,
  );
  t.is(ends.length, 2);
  answers(width, 100, () => 100);
  while (ends.length < 10) await Promise.resolve();
  for (const end of ends) end();
  await all;
  t.is(ends.length, 10);
});

test('one that rests leaves its place to another one, up to five for each', async (t) => {
  const width = new Width(1);
  const ends: (() => void)[] = [];
  const all = runWithin(
    Array.from({ length: 10 }),
    () => new Promise<void>((resolve) => ends.push(resolve)),
    width,
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const wakes: (() => void)[] = [];
  for (let count = 1; count <= 6; count += 1) {
    t.is(ends.length, count);
    wakes.push(width.rest());
    await turn();
  }
  t.is(ends.length, 6, 'the last one rests, too, and there is no room for more');
  for (const wake of wakes) wake();
  ends.splice(0, 5).forEach((end) => end());
  await turn();
  t.is(ends.length, 1, 'one at work');
  while (ends.length > 0) {
    ends.splice(0).forEach((end) => end());
    await turn();
  }
  await all;
});
