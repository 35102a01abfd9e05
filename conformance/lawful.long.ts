import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Dialect } from '../openapi/generated/dialects.js';
import { runConformance } from './index.js';
import { handlerList } from './target/handlers.js';
import { admin, referenceServer } from './testing/reference.js';

/** Whether the suite passes must not be a matter of luck. */
const seed = 20_260;

for (const dialect of ['service', 'couchdb'] as const satisfies readonly Dialect[]) {
  test.serial(`the reference server holds every rule in dialect ${dialect}`, async (t) => {
    const journalDir = await mkdtemp(join(tmpdir(), 'docfeed-'));
    t.teardown(() => rm(journalDir, { recursive: true }));
    const handlers = handlerList(['cookie', 'proxy', 'jwt', 'default'], dialect);
    const { url } = await referenceServer(t, {
      dialect,
      config: {
        chttpd: { authentication_handlers: handlers },
        chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies and cookies', iterations: '10' },
      },
    });
    const report = await runConformance({ urls: [url], admin, seed, configure: true, journalDir });
    const wrong = report.checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped');
    t.deepEqual(
      wrong.map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`),
      [],
    );
    const judged = new Set(report.checks.filter(({ outcome }) => outcome === 'pass').map(({ rule }) => rule));
    const unjudged = new Set(report.checks.map(({ rule }) => rule).filter((rule) => !judged.has(rule)));
    // One server is no cluster.
    t.deepEqual(
      [...unjudged].filter((rule) => !rule.startsWith('cluster-')),
      [],
    );
    t.deepEqual(report.warnings, []);
  });
}
