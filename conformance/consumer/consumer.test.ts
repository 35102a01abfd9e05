/** The careful consumer survives the scenarios, and each weak one fails in the scenario that is about its bug. */
import test from 'ava';
import { runConsumer } from './run-consumer.js';
import { scenarios } from './scenarios.js';
import { carefulConsumer, weakConsumers, writeWeakConsumer } from './testing/consumers.js';

const node = process.execPath;

test.serial('the careful consumer survives all scenarios', async (t) => {
  const { checks } = await runConsumer({ command: [node, carefulConsumer], seed: 1 });
  t.is(checks.length, scenarios.length);
  t.deepEqual(
    checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
});

for (const weak of weakConsumers) {
  test(`a weak consumer fails in the scenario that is about its bug: ${weak.bug}`, async (t) => {
    t.timeout(180_000);
    const { file, remove } = await writeWeakConsumer(weak);
    t.teardown(remove);
    const { id } = scenarios.find(({ id }) => weak.foundBy.test(id))!;
    const options = { seed: 1, only: [id], graceMs: 1000, shrinkMs: 1 };
    const report = await runConsumer({ ...options, command: [node, file] });
    t.deepEqual(
      report.checks.map(({ outcome }) => outcome),
      ['fail'],
    );
  });
}
