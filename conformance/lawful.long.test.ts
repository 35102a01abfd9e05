import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Dialect } from '../openapi/generated/dialects.js';
import { runConformance } from './index.js';
import { plain, stateOf } from './configure/testing/target-state.js';
import { admin, referenceServer } from './testing/reference.js';

/** Fixed, so that the result does not depend on chance. */
const seed = 20_260;

for (const dialect of ['service', 'couchdb'] as const satisfies readonly Dialect[]) {
  test.serial(`the reference server passes every check in dialect ${dialect}`, async (t) => {
    const journalDir = await mkdtemp(join(tmpdir(), 'docfeed-'));
    t.teardown(() => rm(journalDir, { recursive: true }));
    const { url } = await referenceServer(t, { dialect, config: plain });
    const before = await stateOf(url);
    const report = await runConformance({ urls: [url], admin, seed, configure: true, journalDir });
    const wrong = report.checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped');
    t.deepEqual(
      wrong.map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`),
      [],
    );
    // The rules of clusters need several nodes.
    t.deepEqual(
      report.checks.filter(({ outcome, rule }) => outcome === 'skipped' && !rule.startsWith('cluster-')),
      [],
    );
    t.deepEqual(await stateOf(url), before);
    t.deepEqual(report.warnings, []);
  });
}
