import test from 'ava';
import { FairLimit } from './fair-limit.js';

test('clients take turns, and the tasks of each client keep their order', async (t) => {
  const queue = new FairLimit(1);
  const order: string[] = [];
  const add = (client: string, task: string) =>
    queue.run(client, async () => {
      await Promise.resolve();
      order.push(task);
    });
  const many = ['a1', 'a2', 'a3', 'a4'].map((task) => add('a', task));
  await Promise.all([...many, add('b', 'b1'), add('b', 'b2'), add('c', 'c1')]);
  t.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('no more tasks run than allowed, and failures free their place', async (t) => {
  const queue = new FairLimit(2);
  let [running, most] = [0, 0];
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, index) =>
      queue.run(String(index % 3), async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        if (index % 2 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  t.is(most, 2);
  t.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
});
