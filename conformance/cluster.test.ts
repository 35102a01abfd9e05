/** Tests the rules of clusters with several nodes. */
import test from 'ava';
import { runConformance } from './index.js';
import { inCatalogueOrder } from './areas/catalogue-order.js';
import { clusterChecks } from './areas/cluster/cluster.checks.js';
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
