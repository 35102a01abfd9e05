/** Tests that the reference server conforms to every rule. */
import test from 'ava';
import { emptyFolder } from '../reports/testing/folder.js';
import type { Dialect } from '../openapi/generated/dialects.js';
import { runConformance } from './index.js';
import { plain, stateOf } from './session/testing/target-state.js';
import { admin, referenceServer } from './testing/reference.js';

/** Fixed, so that the test result does not depend on luck. */
const seed = 20_260;

for (const dialect of ['service', 'couchdb'] as const satisfies readonly Dialect[]) {
  test.serial(`the reference server conforms to every rule in dialect ${dialect}`, async (t) => {
    const journalDir = await emptyFolder(t);
    const { url } = await referenceServer(t, { dialect, config: plain });
    const before = await stateOf(url);
    const report = await runConformance({ urls: [url], admin, seed, configure: true, journalDir });
    const failed = report.checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped');
    t.deepEqual(
      failed.map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`),
      [],
    );
    // One server is not a cluster.
    t.deepEqual(
      report.checks.filter(({ outcome, rule }) => outcome === 'skipped' && !rule.startsWith('cluster-')),
      [],
    );
    t.deepEqual(await stateOf(url), before);
    // A busy machine may leave no time for all cases.
    t.deepEqual(
      report.warnings.filter((warning) => !warning.startsWith('These checks had no time')),
      [],
    );
  });
}

test('a stream that is slow does not fail while its rows arrive', async (t) => {
  // Twelve hundred rows take several seconds, more than a single row may take.
  const vary = { shards: 8, sequences: 'array', pieces: 5, pauseMs: 100 } as const;
  const { url } = await referenceServer(t, { config: plain, vary });
  const only = ['{continuous,eventsource}-live/many'];
  const { checks } = await runConformance({ urls: [url], admin, seed, only });
  t.is(checks.length, 2);
  // On a busy machine, the suite may not be sure.
  t.deepEqual(
    checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'inconclusive'),
    [],
  );
});
