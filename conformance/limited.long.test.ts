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
    t.regex(warning!, new RegExp(`answered \\d+ with ${status}.* at about \\d+ requests a second`));
  });
}

test('a mode that is always busy is an obstacle, and costs only what needs it', async (t) => {
  let refused = 0;
  const url = await hostileTarget(t, await referenceServer(t), ({ url }) => {
    if (!url!.includes('feed=continuous')) return undefined;
    refused += 1;
    return page(503);
  });
  const only = ['feed-complete', 'continuous-live'];
  const report = await runConformance({ urls: [url], admin, profile: 'smoke', seed: 1, only });
  for (const { rule, outcome, obstacle = '' } of report.checks) {
    t.is(outcome, rule === 'continuous-live' ? 'blocked' : 'pass', rule);
    if (outcome === 'blocked')
      t.regex(obstacle, /^GET .*feed=continuous.* is answered with 503 each time it is sent$/);
  }
  t.true(refused < 1000, String(refused));
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
