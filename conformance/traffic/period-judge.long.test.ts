/** Feeds that wait, as a proxy sees them beside clients that make other requests. */
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { faults } from '../rules/faults.js';
import { type Message, openAt } from '../../reports/testing/request.js';
import { asAdmin, authorization, referenceServer } from '../testing/reference.js';
import type { FoundViolation } from './findings.js';
import { startProxy } from './start-proxy.js';

/** A database on a server behind a proxy. @param fault what the server does wrong. Default: nothing. */
async function proxied(t: ExecutionContext, fault?: string) {
  const components = faults.find(({ id }) => id === fault)?.replace;
  t.is(components === undefined, fault === undefined);
  const server = await referenceServer(t, components && { components });
  const found: FoundViolation[] = [];
  const proxy = await startProxy({ target: server.url, onFinding: (one) => found.push(one) });
  const closed = new AbortController();
  const open = (path: string, headers: Message['headers'] = {}) =>
    openAt(proxy.url, 'GET', path, { headers: { authorization, ...headers }, signal: closed.signal });
  await asAdmin(proxy.url, 'PUT', '/db');
  await asAdmin(proxy.url, 'GET', '/db');
  return { proxy, found, open, close: () => closed.abort() };
}

/** Opens a feed behind the proxy, and sends other requests until there is a finding or the time is over. */
async function findingsOf(
  t: ExecutionContext,
  query: string,
  { fault, seconds }: { fault?: string; seconds: number },
): Promise<string[]> {
  const { proxy, found, open, close } = await proxied(t, fault);
  const feed = open(`/db/_changes?${query}`)
    .then(({ body }) => body.text())
    .catch(() => {});
  const end = performance.now() + seconds * 1000;
  while (found.length === 0 && performance.now() < end) {
    await asAdmin(proxy.url, 'GET', '/db');
    await wait(100);
  }
  close();
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

test('an event stream must send what follows Last-Event-ID before it only sends heartbeats', async (t) => {
  const findings = async (fault?: string): Promise<string[]> => {
    const { proxy, found, open } = await proxied(t, fault);
    for (const id of ['a', 'b', 'c']) await asAdmin(proxy.url, 'PUT', `/db/${id}`, {});
    const page = (await asAdmin(proxy.url, 'GET', '/db/_changes?limit=1')).json as { last_seq: unknown };
    const headers = { 'last-event-id': JSON.stringify(page.last_seq) };
    const { body } = await open('/db/_changes?feed=eventsource&heartbeat=2000', headers);
    let text = '';
    for await (const part of body.setEncoding('utf8')) {
      text += part;
      if (text.split('event: heartbeat').length > 4) break;
    }
    // The proxy sees the end of the stream before the second request.
    for (const path of ['/db', '/db/_changes']) await asAdmin(proxy.url, 'GET', path);
    await proxy.stop();
    return found.map(({ rule }) => rule);
  };
  t.deepEqual(await Promise.all([findings(), findings('last-event-id-skips')]), [
    [],
    ['eventsource-last-event-id'],
  ]);
});
