/** A server in the making lacks whole endpoints. Each is one obstacle, and nothing that needs it is inconclusive. */
import test from 'ava';
import { runConformance } from '../index.js';
import { startUnfinishedServer } from '../testing/unfinished-server.js';

test('an endpoint that is missing blocks what needs it, as one obstacle', async (t) => {
  const server = await startUnfinishedServer();
  t.teardown(() => server.stop());
  const only = [
    'root-greeting',
    'session-*',
    'error-selector-*',
    'filter-doc-ids',
    'feed-since-now',
    'continuous-timeout',
  ];
  const { checks, summary, target } = await runConformance({ urls: [server.url], only, seed: 1, cases: 8 });
  const blockedBy = (obstacle: string): string[] =>
    checks
      .filter((check) => check.obstacle === obstacle && check.reason === `${obstacle}.`)
      .map(({ id, outcome }) => `${outcome} ${id}`);
  const session = blockedBy('GET /_session is not implemented (404)');
  const feed = blockedBy('POST /{db}/_changes is not implemented (404)');
  t.true(session.includes('blocked session-shape/anonymous'), session.join());
  t.true(feed.includes('blocked error-selector-missing'), feed.join());
  t.true([...session, ...feed].every((text) => text.startsWith('blocked ')));
  t.is(summary.inconclusive, 0);
  t.deepEqual(
    target.endpoints!.map(({ operation, mode, state }) => [operation, mode, state].filter(Boolean).join(' ')),
    [
      'GET / there',
      'GET /_session missing',
      'GET /{db} refused',
      'PUT /{db} there',
      'GET /{db}/_changes normal there',
      'GET /{db}/_changes continuous ignored',
      'POST /{db}/_changes normal missing',
      'POST /{db}/_changes continuous missing',
      'POST /{db}/_all_docs refused',
      'POST /{db}/_bulk_docs there',
    ],
  );
  t.deepEqual(target.endpoints![0]!.violatedBy, ['root-greeting']);
  t.is(checks.find(({ id }) => id === 'root-greeting')!.outcome, 'fail', 'a violation with another cause');
});
