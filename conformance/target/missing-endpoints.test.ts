/** A server in the making lacks whole endpoints. Each is one obstacle, and nothing that needs it is inconclusive. */
import test from 'ava';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { startCorruptingProxy } from '../testing/corrupting-proxy.js';

for (const { method, path, name } of [
  { method: 'POST', path: /\/_changes(\?|$)/, name: 'POST /{db}/_changes' },
  { method: 'GET', path: /\/_session$/, name: 'GET /_session' },
]) {
  test(`a target without ${name} blocks checks by one obstacle`, async (t) => {
    const server = await referenceServer(t);
    const proxy = await startCorruptingProxy(server.url, (request) =>
      request.method === method && path.test(request.url) ? { how: 'status', status: 404 } : { how: 'none' },
    );
    t.teardown(() => proxy.stop());
    const only = ['session-shape', 'error-selector-*', 'filter-doc-ids', 'feed-since-now', 'root-*'];
    // Without an administrator, nobody logs in before the endpoint is probed.
    const credentials = method === 'POST' ? { admin } : {};
    const { checks } = await runConformance({ urls: [proxy.url], ...credentials, only, seed: 1, cases: 8 });
    const obstacle = `${name} is not implemented (404)`;
    const blocked = checks.filter((check) => check.obstacle === obstacle);
    t.true(blocked.length > 0);
    t.true(blocked.every(({ outcome, reason }) => outcome === 'blocked' && reason === `${obstacle}.`));
    t.deepEqual(
      checks.flatMap(({ id, outcome }) => (outcome === 'inconclusive' || outcome === 'fail' ? id : [])),
      [],
    );
    t.true(checks.some(({ outcome }) => outcome === 'pass'));
  });
}
