/** Targets with corrupted responses: they never cause an internal error in docfeed. */
import test from 'ava';
import fc from 'fast-check';
import pMap from 'p-map';
import { emptyFolder } from '../reports/testing/folder.js';
import { Refusal, runConformance } from './index.js';
import { admin, referenceServer } from './testing/reference.js';
import { type Corruption, corruptions, startCorruptingProxy } from './testing/corrupting-proxy.js';
import { unhandledRejections } from './testing/unhandled.js';

/** Fixed, so that the result does not depend on chance. */
const seed = 20_260;

const none: Corruption = { how: 'none' };

test('a run against a target with corrupted responses ends without internal errors', async (t) => {
  const journalDir = await emptyFolder(t);
  const unhandled = unhandledRejections(t);
  let decidedRuns = 0;
  const inputs = fc.tuple(
    fc.infiniteStream(corruptions, { noHistory: true }),
    // If responses are corrupted from the first one on, hardly any run reaches its checks.
    fc.constantFrom(0, 100, 100, 100),
  );
  await pMap(
    fc.sample(inputs, { numRuns: 8, seed }),
    async ([stream, intactResponses]) => {
      const server = await referenceServer(t);
      let responses = 0;
      const proxy = await startCorruptingProxy(server.url, () => {
        responses += 1;
        return responses > intactResponses ? (stream.next() as IteratorYieldResult<Corruption>).value : none;
      });
      t.teardown(() => proxy.stop());
      try {
        const { checks } = await runConformance({
          urls: [proxy.url],
          admin,
          seed,
          configure: true,
          journalDir,
          profile: 'smoke',
          only: ['**'],
          shrinkMs: 300,
          deadlineMs: 10_000,
          // Many of the corrupted responses never end.
          timeout: 1,
        });
        const isDecided = checks.some(({ outcome }) => outcome === 'pass' || outcome === 'fail');
        if (isDecided) decidedRuns += 1;
        const errors = checks.filter(({ outcome }) => outcome === 'error');
        t.deepEqual(
          errors.map(({ id, reason }) => `${id}: ${reason}`),
          [],
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    },
    // The runs wait most of the time.
    { concurrency: 5 },
  );
  t.deepEqual(unhandled, []);
  t.true(decidedRuns >= 4);
});
