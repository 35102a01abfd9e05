/** What consumers survive: a careful one, a real replicator, and weak ones, which fail in the scenario about their bug. */
import test from 'ava';
import pMap from 'p-map';
import { runConsumer } from './run-consumer.js';
import { scenarios } from './scenarios.js';
import { carefulConsumer, type WeakConsumer, weakConsumers, writeWeakConsumer } from './testing/consumers.js';

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

const seeds = [1, 2, 3];

async function examine(weak: WeakConsumer, index: number): Promise<object> {
  const { file, remove } = await writeWeakConsumer(weak);
  const options = { command: [process.execPath, file], graceMs: 2000, shrinkMs: 1, concurrency: 3 };
  const ids = scenarios.map(({ id }) => id);
  const own = ids.filter((id) => weak.foundBy.test(id));
  const isFound = async (seed: number): Promise<boolean> => {
    const { checks } = await runConsumer({ ...options, seed, only: own });
    return checks.some(({ outcome }) => outcome === 'fail');
  };
  // The weak consumers share the other scenarios out. The mixture of everything contains what each of them is about.
  const others = ids.filter(
    (id, position) =>
      position % weakConsumers.length === index &&
      !own.includes(id) &&
      id !== 'feed-live-converges/everything',
  );
  const [found, survived] = await Promise.all([
    pMap(seeds, isFound, { concurrency: 2 }),
    runConsumer({ ...options, seed: 1, only: others }),
  ]).finally(remove);
  return {
    bug: weak.bug,
    foundAt: seeds.filter((_, position) => found[position]),
    notPassed: survived.checks
      .filter(({ outcome }) => outcome !== 'pass')
      .map(({ id, reason }) => `${id}: ${reason}`),
  };
}

test('each weak consumer fails where it must, and only there', async (t) => {
  t.deepEqual(
    await pMap(weakConsumers, examine, { concurrency: 2 }),
    weakConsumers.map(({ bug }) => ({ bug, foundAt: seeds, notPassed: [] })),
  );
});
