/** Servers that break a rule each, with ordinary clients: what a passer-by can see, it finds. */
import test from 'ava';
import { dialects } from '../../openapi/generated/dialects.js';
import { faults } from '../areas/faults.js';
import { referenceServer } from '../testing/reference.js';
import { startProxy } from './start-proxy.js';
import { sendTraffic, trafficConfig } from './testing/traffic.js';

/** One fault of each kind of judgement: of a single response, a row, the end of a feed, a stream, a session, a token. */
const seen = [
  'root-version-number',
  'error-not-a-string',
  'selector-not-object-error',
  'session-handler-unlisted',
  'session-users-database-untold',
  'login-cookie-renamed',
  'basic-no-cookie',
  'users-any-id',
  'jwt-name-made-up',
  'jwt-none-mixed-case',
  'feed-pending-text',
  'last-seq-of-the-first-row',
  'style-all-winner-twice',
  'style-main-loser-too',
  'attachments-include-docs',
  'doc-ids-any-case',
  'continuous-without-design',
  'continuous-crlf-first-lines',
  'continuous-resumed-limit-one-more',
  'eventsource-plain-text',
];

test('faults that single responses or rows show are found', async (t) => {
  const missed: string[] = [];
  for (const id of seen) {
    const { replace: components } = faults.find((fault) => fault.id === id)!;
    const { url: target } = await referenceServer(t, {
      components,
      dialect: 'couchdb',
      config: trafficConfig,
    });
    const proxy = await startProxy({ target, requiredClaims: ['exp'] });
    await sendTraffic(proxy.url, dialects.couchdb);
    if ((await proxy.stop()).summary.fail === 0) missed.push(id);
  }
  t.deepEqual(missed, []);
});
