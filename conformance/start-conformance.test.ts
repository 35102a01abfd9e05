import test from 'ava';
import { faults } from './rules/faults.js';
import { CheckFailed, exitCode, Refusal, startConformance } from './index.js';
import { admin, referenceServer } from './testing/reference.js';

test('each check is awaited by itself, and the report has the same results', async (t) => {
  const server = await referenceServer(t);
  const run = await startConformance({
    urls: [server.url],
    admin,
    seed: 1,
    profile: 'smoke',
    only: ['root-vendor', 'feed-shape'],
  });
  t.deepEqual([...run.checks].sort(), ['feed-shape', 'feed-shape/longpoll', 'root-vendor']);
  const results = await Promise.all(run.checks.map((id) => run.verify(id)));
  const report = await run.report;
  t.deepEqual(results, report.checks);
  t.is(exitCode(report), 0);
  t.is(await run.result('root-vendor'), results[run.checks.indexOf('root-vendor')]!);
  t.throws(() => run.result('root-color'), { instanceOf: RangeError, message: /root-color/ });
});

test('a violation rejects with the reason, the rule and the way to repeat it', async (t) => {
  const fault = faults.find(({ id }) => id === 'root-vendor-version-missing')!;
  const server = await referenceServer(t, { components: fault.replace });
  const run = await startConformance({ urls: [server.url], admin, seed: 1, only: ['root-vendor'] });
  const error = await t.throwsAsync(run.verify('root-vendor'), { instanceOf: CheckFailed });
  t.regex(error.message, /^fail: .+\nrule: .+\nrun again: docfeed check URL --replay \S+$/);
  t.is(error.result, await run.result('root-vendor'));
  t.is(exitCode(await run.report), 1);
});

test('a run that cannot start rejects at once', async (t) => {
  await t.throwsAsync(startConformance({ urls: ['http://127.0.0.1:1'], seed: 1 }), { instanceOf: Refusal });
  await t.throwsAsync(startConformance({ urls: ['http://127.0.0.1:1'], only: ['nothing'] }), {
    instanceOf: Refusal,
  });
});
