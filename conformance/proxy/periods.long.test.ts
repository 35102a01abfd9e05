/** Heartbeats and timeouts as a proxy sees them, beside a client that makes other requests. */
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { faults } from '../areas/faults.js';
import { admin, referenceServer } from '../testing/reference.js';
import type { FoundViolation } from './findings.js';
import { startProxy } from './start-proxy.js';

const authorization = `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`;

/**
 * Opens a feed behind the proxy, and sends other requests until there is a finding or the time is over.
 *
 * @param fault what the server does wrong. Default: nothing.
 */
async function findingsOf(
  t: ExecutionContext,
  query: string,
  { fault, seconds }: { fault?: string; seconds: number },
): Promise<string[]> {
  const components = faults.find(({ id }) => id === fault)?.replace;
  t.is(components === undefined, fault === undefined);
  const server = await referenceServer(t, components && { components });
  const found: FoundViolation[] = [];
  const proxy = await startProxy({ target: server.url, onFinding: (one) => found.push(one) });
  const closed = new AbortController();
  const send = (path: string, method = 'GET') =>
    fetch(proxy.url + path, { method, headers: { authorization }, signal: closed.signal });
  await (await send('/db', 'PUT')).text();
  const feed = send(`/db/_changes?${query}`)
    .then((response) => response.text())
    .catch(() => {});
  const end = performance.now() + seconds * 1000;
  while (found.length === 0 && performance.now() < end) {
    await (await send('/db')).text();
    await wait(100);
  }
  closed.abort();
  await feed;
  await proxy.stop();
  return found.map(({ rule }) => rule);
}

test('heartbeats in time are no finding, and slow ones are', async (t) => {
  const query = 'feed=longpoll&since=now&heartbeat=4000';
  const [inTime, slow] = await Promise.all([
    findingsOf(t, query, { seconds: 30 }),
    findingsOf(t, query, { seconds: 120, fault: 'heartbeat-slow' }),
  ]);
  t.deepEqual(inTime, []);
  t.deepEqual(slow, ['heartbeat-lines']);
});

test('a feed that ends after its timeout is no finding, and one that does not end is', async (t) => {
  const query = 'feed=continuous&since=now&limit=5&timeout=1000';
  const [inTime, endless] = await Promise.all([
    findingsOf(t, query, { seconds: 10 }),
    findingsOf(t, query, { seconds: 60, fault: 'continuous-timeout-not-with-limit' }),
  ]);
  t.deepEqual(inTime, []);
  t.deepEqual(endless, ['continuous-timeout']);
});
