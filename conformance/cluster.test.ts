/** Tests the rules of clusters with several nodes. */
import test from 'ava';
import { runConformance } from './index.js';
import { inCatalogueOrder } from './areas/catalogue-order.js';
import { clusterChecks } from './areas/cluster/cluster.checks.js';
import { clusterFaults } from './areas/cluster/cluster.faults.js';
import { admin, referenceServer } from './testing/reference.js';

const secret = Buffer.from('a secret that all nodes of the cluster share').toString('base64');
const config = {
  chttpd: { authentication_handlers: 'cookie, jwt, default' },
  chttpd_auth: { iterations: '10' },
  jwt_keys: { 'hmac:_default': secret },
};

const options = { admin, only: ['cluster-*'], cases: 4, shrinkMs: 0, seed: 20_260 };

test('nodes that share one store pass', async (t) => {
  const { urls } = await referenceServer(t, { nodes: 3, config });
  const { checks } = await runConformance({ ...options, urls });
  t.deepEqual(
    checks.map(({ id, outcome, reason }) => [id, outcome, reason]),
    inCatalogueOrder(clusterChecks).map(({ id }) => [id, 'pass', undefined]),
  );
});

test('a node that accepts other tokens than the rest fails', async (t) => {
  for (const { replace, nodes } of clusterFaults.filter(({ rule }) => rule === 'cluster-jwt-keys')) {
    const { urls } = await referenceServer(t, { nodes, config, components: replace });
    const { checks } = await runConformance({ ...options, only: ['cluster-jwt-keys'], urls });
    t.true(checks.some(({ outcome }) => outcome === 'fail'));
  }
});

test('with one URL the checks are skipped', async (t) => {
  const { url } = await referenceServer(t, { config });
  const { checks } = await runConformance({ ...options, urls: [url] });
  t.deepEqual(new Set(checks.map(({ outcome }) => outcome)), new Set(['skipped']));
});
