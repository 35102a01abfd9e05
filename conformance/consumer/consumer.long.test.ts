/** The careful consumer survives six scenarios side by side; each weak one fails in its scenario and in no other. */
import test from 'ava';
import type { Report } from '../../reports/report.js';
import { runConsumer } from './run-consumer.js';
import { scenarios } from './scenarios.js';
import { carefulConsumer, weakConsumers, writeWeakConsumer } from './testing/consumers.js';

const notPassed = ({ checks }: Report): string[] =>
  checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`);

test.serial('the careful consumer survives all scenarios, six side by side', async (t) => {
  const command = [process.execPath, carefulConsumer];
  t.deepEqual(notPassed(await runConsumer({ command, seed: 2, concurrency: 6 })), []);
});

for (const weak of weakConsumers) {
  test.serial(`a consumer that fails where it must, and only there: ${weak.bug}`, async (t) => {
    const { file, remove } = await writeWeakConsumer(weak);
    t.teardown(remove);
    const own = scenarios.map(({ id }) => id).filter((id) => weak.foundBy.test(id));
    const options = {
      command: [process.execPath, file],
      seed: 2,
      graceMs: 2000,
      shrinkMs: 1,
      concurrency: 6,
    };
    // One history may not show what depends on the order of rows.
    const { checks } = await runConsumer({ ...options, only: own, cases: 5 });
    t.true(checks.some(({ outcome }) => outcome === 'fail'));
    // The mixture of everything contains what each scenario is about.
    const others = await runConsumer({ ...options, skip: [...own, 'feed-live-converges/everything'] });
    t.deepEqual(notPassed(others), []);
  });
}
