/** What consumers survive: a careful one, a real replicator, and weak ones, which fail in the scenario about their bug. */
import test from 'ava';
import { runConsumer } from './run-consumer.js';
import { scenarios } from './scenarios.js';
import { carefulConsumer, weakConsumers, writeWeakConsumer } from './testing/consumers.js';

test.serial('the careful consumer survives all scenarios, six side by side', async (t) => {
  const { checks } = await runConsumer({
    command: [process.execPath, carefulConsumer],
    seed: 1,
    concurrency: 6,
  });
  t.is(checks.length, scenarios.length);
  t.deepEqual(
    checks.filter(({ outcome }) => outcome !== 'pass').map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
});

test.serial('PouchDB replicates to a database of its own', async (t) => {
  const file = new URL('real/pouchdb.js', import.meta.url).pathname;
  const only = ['feed-deleted', 'feed-style-all', 'feed-idempotent/killed'];
  const { checks } = await runConsumer({
    only,
    seed: 1,
    targetDatabase: true,
    command: [process.execPath, file],
  });
  t.deepEqual(
    checks.map(({ outcome, reason }) => reason ?? outcome),
    ['pass', 'pass', 'pass'],
  );
});

for (const [index, weak] of weakConsumers.entries()) {
  test.serial(`a consumer that ${weak.bug} fails where it must, and only there`, async (t) => {
    const { file, remove } = await writeWeakConsumer(weak);
    t.teardown(remove);
    const ids = scenarios.map(({ id }) => id);
    const own = ids.filter((id) => weak.foundBy.test(id));
    // The weak consumers share the other scenarios out. The mixture of everything contains what each of them is about.
    const others = ids.filter(
      (id, position) =>
        position % weakConsumers.length === index &&
        !own.includes(id) &&
        id !== 'feed-live-converges/everything',
    );
    const { checks } = await runConsumer({
      ...{ command: [process.execPath, file], graceMs: 2000, shrinkMs: 1, concurrency: 3 },
      ...{ seed: 1, only: [...own, ...others] },
    });
    const failed = checks.filter(({ outcome }) => outcome !== 'pass');
    t.true(failed.some(({ id, outcome }) => own.includes(id) && outcome === 'fail'));
    t.deepEqual(
      failed.filter(({ id }) => others.includes(id)).map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
  });
}
