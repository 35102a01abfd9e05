/** The suite and ordinary clients through a proxy: what conforms has no finding, and nothing that passes changes. */
import test from 'ava';
import { dialects, type Dialect } from '../../openapi/generated/dialects.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import type { FoundViolation } from './findings.js';
import { startProxy } from './start-proxy.js';
import { sendTraffic, trafficConfig } from './testing/send-traffic.js';

const describe = ({ rule, reason }: FoundViolation): string => `${rule}: ${reason}`;

/** With tokens, since all nodes must accept them, but not with other proxies, which need no token here. */
const config = { ...trafficConfig, chttpd: { authentication_handlers: 'cookie, jwt, default' } };

for (const dialect of ['service', 'couchdb'] as const satisfies readonly Dialect[]) {
  test.serial(`the suite passes three nodes behind proxies in dialect ${dialect}`, async (t) => {
    const { urls: nodes } = await referenceServer(t, { dialect, nodes: 3, config });
    const found: string[] = [];
    const onFinding = (one: FoundViolation): void => void found.push(describe(one));
    const proxies = await Promise.all(
      nodes.map((target) => startProxy({ target, onFinding, requiredClaims: ['exp'] })),
    );
    const urls = proxies.map(({ url }) => url);
    const { checks } = await runConformance({ urls, admin, seed: 7, profile: 'smoke' });
    const reports = await Promise.all(proxies.map((proxy) => proxy.stop()));
    const failed = checks.filter(({ outcome }) => !['pass', 'skipped', 'inconclusive'].includes(outcome));
    t.deepEqual(
      failed.map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`),
      [],
    );
    const ofCluster = checks.filter(({ rule }) => rule.startsWith('cluster-'));
    t.true(ofCluster.length > 2 && ofCluster.every(({ outcome }) => outcome === 'pass'));
    t.deepEqual(found, []);
    t.true(reports.every(({ summary }) => summary.fail === 0 && summary.pass > 0));
  });
}

test.serial('clients of servers that vary within the rules: no finding', async (t) => {
  const found: string[] = [];
  for (const vary of Array.from({ length: 20 }, (_, index) => index + 1)) {
    const { url } = await referenceServer(t, { vary, dialect: 'couchdb', config: trafficConfig });
    const onFinding = (one: FoundViolation): void => void found.push(`seed ${vary}: ${describe(one)}`);
    const proxy = await startProxy({ target: url, onFinding, requiredClaims: ['exp'] });
    await sendTraffic(proxy.url, dialects.couchdb);
    await proxy.stop();
  }
  t.deepEqual(found, []);
});
