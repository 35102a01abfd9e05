/** Targets that answer anything at all: what is wrong with them is never a fault of the kit. */
import test from 'ava';
import fc from 'fast-check';
import { emptyFolder } from '../reports/testing/folder.js';
import { Refusal, runConformance } from './index.js';
import { admin, referenceServer } from './testing/reference.js';
import { type Corruption, corruptions, startCorruptingProxy } from './testing/corrupting-proxy.js';
import { unhandledRejections } from './testing/unhandled.js';

/** Whether the kit is right must not be a matter of luck. */
const seed = 20_260;

const none: Corruption = { how: 'not at all' };

test('whatever a target answers, a run ends, and blames nobody but the target', async (t) => {
  const journalDir = await emptyFolder(t);
  const unhandled = unhandledRejections(t);
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(corruptions, { noHistory: true }),
      // From the first answer on hardly a run comes to its checks.
      fc.constantFrom(0, 100, 100, 100),
      async (stream, spared) => {
        const server = await referenceServer(t);
        let answers = 0;
        const way = await startCorruptingProxy(server.url, () => {
          answers += 1;
          return answers > spared ? (stream.next() as IteratorYieldResult<Corruption>).value : none;
        });
        t.teardown(() => way.stop());
        try {
          const { checks } = await runConformance({
            ...{ urls: [way.url], admin, seed, configure: true, journalDir },
            ...{ profile: 'smoke', only: ['**'], shrinkMs: 300 },
          });
          const isJudged = checks.some(({ outcome }) => outcome === 'pass' || outcome === 'fail');
          if (isJudged) judged += 1;
          const faults = checks.filter(({ outcome }) => outcome === 'error');
          t.deepEqual(
            faults.map(({ id, reason }) => `${id}: ${reason}`),
            [],
          );
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      },
    ),
    { numRuns: 20, seed, endOnFailure: true },
  );
  t.deepEqual(unhandled, []);
  t.true(judged >= 10);
});
