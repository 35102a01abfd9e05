import test, { type ExecutionContext } from 'ava';
import { testServer } from '../../testing/server.js';
import {
  allocatingFilters,
  backtrackingSelectors,
  endlessBuiltins,
  endlessFilters,
  type EvaluatorTarget,
} from './evaluators.js';

/** A server whose programs may run much longer than the test. */
async function patientServer(t: ExecutionContext): Promise<EvaluatorTarget> {
  return testServer(t, { config: { docfeed: { filter_cpu_ms: '60000' } } });
}

for (const [name, attack] of Object.entries({ endlessFilters, endlessBuiltins }))
  test.serial(`${name}: the feeds of others do not wait for them`, async (t) => {
    const { latencies, attackStatuses } = await attack(await patientServer(t));
    t.is(latencies.length, 20);
    t.deepEqual(attackStatuses, []);
  });

test.serial('allocatingFilters: the feeds of others continue; a response is an error', async (t) => {
  const { latencies, attackStatuses } = await allocatingFilters(await patientServer(t));
  t.is(latencies.length, 20);
  t.true(attackStatuses.every((status) => status === 400));
});

test.serial('backtrackingSelectors: the selectors take little time', async (t) => {
  const { latencies, attackStatuses } = await backtrackingSelectors(await patientServer(t));
  t.is(latencies.length, 20);
  t.deepEqual([...new Set(attackStatuses)], [200]);
});
