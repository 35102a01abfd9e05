/** Servers that break a rule each, with ordinary clients: what a passer-by can see, it finds. */
import test from 'ava';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import type { Fault } from '../../reference/index.js';
import { faults } from '../areas/faults.js';
import { referenceServer } from '../testing/reference.js';
import { startProxy } from './start-proxy.js';
import { sendTraffic, trafficConfig } from './testing/traffic.js';

/**
 * Faults of different rules that the traffic shows. It shows about half of all faults of the rules that are judged: the
 * others depend on what only the owner of the target knows, or need another request, or feeds that are open for seconds.
 */
const shown: readonly string[] = [
  'root-uuid-not-hexadecimal',
  'error-not-a-string',
  'response-feed-changes-bare',
  'selector-json-rest',
  'session-cookie-named-default',
  'basic-unknown-name-believed',
  'users-id-any-case',
  'jwt-authenticated-default',
  'jwt-name-made-up',
  'feed-pending-text',
  'feed-without-long-ids',
  'last-seq-skips',
  'longpoll-pending-zero',
  'conflicts-with-winner',
  'attachment-large-as-stub',
  'seq-interval-first-only',
  'continuous-crlf-first-lines',
  'eventsource-without-ids',
  'longpoll-ignores-include-docs',
  'doc-ids-without-deleted',
  'selector-greater-or-equal',
  'selector-32-bits',
  'design-lookalike-anywhere',
];

/** @returns the number of rules that the proxy finds broken */
async function findings(
  t: Parameters<typeof referenceServer>[0],
  dialect: Dialect,
  fault?: Fault,
): Promise<number> {
  const { url: target } = await referenceServer(t, {
    ...(fault && { components: fault.replace }),
    dialect,
    config: trafficConfig,
  });
  const proxy = await startProxy({ target, dialect, requiredClaims: ['exp'] });
  await sendTraffic(proxy.url, dialects[dialect]);
  return (await proxy.stop()).summary.fail;
}

for (const dialect of ['couchdb', 'service'] as const) {
  test.serial(`a conforming server has no finding, in the dialect ${dialect}`, async (t) => {
    t.is(await findings(t, dialect), 0);
  });
}

test.serial('faults that single responses, rows or feeds show are found', async (t) => {
  const notFound: string[] = [];
  for (const id of shown) {
    const fault = faults.find((candidate) => candidate.id === id)!;
    // In the other dialect, a greeting may be anything.
    const dialect = fault.rule === 'root-greeting' ? 'service' : 'couchdb';
    if ((await findings(t, dialect, fault)) === 0) notFound.push(id);
  }
  t.deepEqual(notFound, []);
});
