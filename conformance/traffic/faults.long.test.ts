/** Servers that break a rule each, with ordinary clients: what a passer-by can see, it finds. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import type { RuleId } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
import { faults } from '../rules/faults.js';
import { referenceServer } from '../testing/reference.js';
import { ruleHomes } from '../rules/generated/rule-homes.js';
import { startProxy } from './start-proxy.js';
import { sendTraffic, trafficConfig, trafficHandlers } from './testing/send-traffic.js';

const isJudged = ({ rule }: Fault): boolean => ruleHomes[rule as RuleId].notInTraffic === undefined;

/** One of so many faults is tried, to save time. Each must be found. A new fault does not change which others are tried. */
const sampled = 8;
const isTried = ({ id }: Fault): boolean => createHash('sha256').update(id).digest()[0]! % sampled === 0;

/** The active handlers of the target. A rule about a handler that is not active needs a target without it. */
const handlersFor = (rule: string | undefined): string =>
  trafficHandlers.filter((handler) => rule !== `${handler}-handler-required`).join(', ');

/** @returns the number of rules that the proxy finds broken */
async function findings(
  t: Parameters<typeof referenceServer>[0],
  dialect: Dialect,
  fault?: Fault,
): Promise<number> {
  const { url: target } = await referenceServer(t, {
    ...(fault && { components: fault.replace }),
    dialect,
    config: { ...trafficConfig, chttpd: { authentication_handlers: handlersFor(fault?.rule) } },
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
  const seen = faults.filter((fault) => isJudged(fault) && fault.notInTraffic === undefined);
  for (const fault of seen.filter(isTried)) {
    // In the other dialect, a greeting may be anything.
    const dialect = fault.rule === 'root-greeting' ? 'service' : 'couchdb';
    if ((await findings(t, dialect, fault)) === 0) notFound.push(fault.id);
  }
  t.deepEqual(notFound, []);
});

test('a fault says why it is missed only if its rule is judged', (t) => {
  const missed = faults.filter(({ notInTraffic }) => notInTraffic !== undefined);
  t.deepEqual(
    missed.filter((fault) => !isJudged(fault)).map(({ id }) => id),
    [],
  );
});
