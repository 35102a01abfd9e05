/** The look for a feed that is behind the writes now and then. */
import test from 'ava';
import { feedEquivalenceFaults } from '../../rules/feed/equivalence.faults.js';
import { laggingTarget } from '../../testing/lagging-target.js';
import { asAdmin, referenceServer } from '../../testing/reference.js';
import { measureLag } from './feed-lag.js';

async function lagOf(url: string): Promise<number> {
  await asAdmin(url, 'PUT', '/db');
  return measureLag(({ method = 'GET', path, json }) => asAdmin(url, method, path, json), '/db', {
    writers: 4,
    writes: 15,
  });
}

test('one row in fifty that is late shows', async (t) => {
  let writes = 0;
  const isLate = (): boolean => (writes += 1) % 50 === 0;
  t.true((await lagOf(await laggingTarget(t, 200, { isLate }))) > 0);
});

test('a feed that is not behind, or that omits a row now and then, does not lag', async (t) => {
  t.is(await lagOf((await referenceServer(t)).url), 0);
  const { replace } = feedEquivalenceFaults.find(({ id }) => id === 'calls-differ')!;
  t.is(await lagOf((await referenceServer(t, { components: replace })).url), 0);
});
