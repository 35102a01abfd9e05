/** The careful consumer survives all scenarios with several seeds, and weak ones fail in no other scenario than theirs. */
import test from 'ava';
import type { Report } from '../../reports/report.js';
import { runConsumer } from './run-consumer.js';
import { carefulConsumer, weakConsumers, writeWeakConsumer } from './testing/consumers.js';

const notPassed = ({ checks }: Report): string[] =>
  checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`);

test.serial(
  'the careful consumer survives all scenarios with several seeds, also with six side by side',
  async (t) => {
    for (const [seed, concurrency] of [
      [1, 3],
      [2, 6],
      [3, 6],
    ] as const) {
      const report = await runConsumer({ command: [process.execPath, carefulConsumer], seed, concurrency });
      t.deepEqual(notPassed(report), [], `seed ${seed}`);
    }
  },
);

for (const weak of weakConsumers) {
  test.serial(`a consumer that fails only where it must: ${weak.bug}`, async (t) => {
    const { file, remove } = await writeWeakConsumer(weak);
    // The mixture of everything contains what each scenario is about.
    const options = { skip: ['feed-live-converges/everything'], graceMs: 2000, shrinkMs: 1, concurrency: 6 };
    const report = await runConsumer({ ...options, command: [process.execPath, file], seed: 2 });
    await remove();
    const failed = notPassed(report);
    t.not(failed.length, 0);
    t.deepEqual(
      failed.filter((text) => !weak.foundBy.test(text.split(': ')[0]!)),
      [],
    );
  });
}
