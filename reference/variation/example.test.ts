import { readFile } from 'node:fs/promises';
import test from 'ava';
import { admin, basic, testServer } from '../testing/server.js';
import { naiveTotal, total } from './example.js';

const orders = Array.from({ length: 60 }, (_, n) => ({ _id: `order-${n}`, amount: n }));
const right = 59 * 30;

test('the naive consumer is correct on a plain server and wrong with a variation; the other one is always correct', async (t) => {
  const wrong: unknown[] = [];
  for (const vary of [undefined, 1, 2, 3, 4]) {
    const server = await testServer(t, { vary });
    await server.asAdmin('PUT', '/orders');
    await server.asAdmin('POST', '/orders/_bulk_docs', { docs: orders });
    const args = [`${server.url}/orders`, basic(admin.name, admin.password)] as const;
    t.is(await total(...args), right, `seed ${vary}`);
    if ((await naiveTotal(...args)) !== right) wrong.push(vary);
  }
  t.deepEqual(wrong, [3]);
});

test('reference/README.md contains the code of the consumers', async (t) => {
  const [readme, example] = await Promise.all(
    ['reference/README.md', 'reference/variation/example.ts'].map((file) => readFile(file, 'utf8')),
  );
  const shown = example!.slice(example!.indexOf('interface Row')).trim().replaceAll('export ', '');
  t.true(readme!.includes(shown));
});
