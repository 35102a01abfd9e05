/** Observations on a target that does not respond. */
import { setInterval } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { replaceFunction } from './shared/components.faults.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';

test('an observation ends although the target never responds and memory is reclaimed', async (t) => {
  t.timeout(400_000);
  const { url } = await referenceServer(t, {
    components: replaceFunction('createFilter', (original, database, request, context) =>
      request.query.filter === 'odd/broken'
        ? new Promise<never>(() => {})
        : original(database, request, context),
    ),
  });
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const ended = new AbortController();
  const collecting = (async () => {
    for await (const collect of setInterval(700, collectGarbage, { signal: ended.signal })) collect();
  })();
  const { checks, observations } = await runConformance({
    urls: [url],
    admin,
    seed: 1,
    deadlineMs: 60_000,
    only: ['error-shape'],
  });
  ended.abort();
  await t.throwsAsync(collecting, { name: 'AbortError' });
  t.deepEqual(
    checks.map(({ id, outcome }) => [id, outcome]),
    [['error-shape', 'pass']],
  );
  const { value } = observations.find(({ id }) => id === 'feed: filter that is no function')!;
  t.deepEqual(value, { unanswered: 'after 2000 ms' });
});
