/** A target, or a gateway before it, that refuses what comes too fast. */
import test from 'ava';
import { exitCode, runConformance } from './index.js';
import { hostileTarget, type HostileResponse } from './testing/hostile-target.js';
import { admin, referenceServer } from './testing/reference.js';

const page = (status: number): HostileResponse => ({
  status,
  type: 'text/html',
  body: '<h1>Please wait</h1>',
});

for (const status of [429, 503]) {
  test(`a limit of 50 requests a second (${status}) is no verdict, and the report tells it`, async (t) => {
    let second = 0;
    let count = 0;
    const url = await hostileTarget(t, await referenceServer(t), () => {
      const now = Math.floor(Date.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      return count > 50 ? page(status) : undefined;
    });
    const report = await runConformance({ urls: [url], admin, profile: 'smoke', seed: 1 });
    const { fail, blocked, error, pass } = report.summary;
    t.deepEqual({ fail, blocked, error }, { fail: 0, blocked: 0, error: 0 });
    t.true(pass > 80);
    const warning = report.warnings.find((one) => one.includes('limits requests'));
    t.regex(warning!, new RegExp(`answered \\d+ of them with ${status}.* at about \\d+ requests a second`));
  });
}

test('an endpoint that is always busy is one obstacle', async (t) => {
  let refused = 0;
  const url = await hostileTarget(t, await referenceServer(t), ({ url }) => {
    if (!url!.includes('/_bulk_docs')) return undefined;
    refused += 1;
    return page(503);
  });
  const only = ['feed-complete', 'feed-limit', 'longpoll-waits', 'root-greeting', 'normal-immediate'];
  const report = await runConformance({ urls: [url], admin, profile: 'smoke', seed: 1, only });
  t.deepEqual(
    [...new Set(report.checks.flatMap(({ obstacle }) => obstacle ?? []))],
    ['POST /{db}/_bulk_docs is answered with 503 each time it is sent'],
  );
  t.is(report.summary.fail + report.summary.inconclusive + report.summary.error, 0);
  t.true(report.summary.blocked >= 4);
  t.is(exitCode(report), 3);
  t.true(refused < 30, String(refused));
  t.false(report.warnings.some((one) => one.includes('limits requests')));
});

test('a target that refuses everything from some time on ends the run with that reason', async (t) => {
  let requests = 0;
  const url = await hostileTarget(t, await referenceServer(t), () => {
    requests += 1;
    return requests > 150 ? page(429) : undefined;
  });
  const only = ['feed-*', 'root-greeting'];
  const report = await runConformance({ urls: [url], admin, profile: 'smoke', seed: 1, only });
  t.is(report.summary.fail, 0);
  t.is(exitCode(report), 3);
  t.true(
    report.checks.some(({ reason = '' }) =>
      reason.includes('the target has refused every request for 60 s (429)'),
    ),
    JSON.stringify(report.checks.map(({ reason }) => reason)),
  );
});
