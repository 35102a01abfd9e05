/** A gateway that answers for the target. */
import test, { type ExecutionContext } from 'ava';
import type { Report } from '../reports/report.js';
import { exitCode, runConformance } from './index.js';
import { hostileTarget, type HostileResponse } from './testing/hostile-target.js';
import { admin, referenceServer } from './testing/reference.js';

const page = (status: number): HostileResponse => ({
  status,
  type: 'text/html',
  server: 'nginx/1.22.1',
  body: `<html><body><h1>${status}</h1><hr>nginx/1.22.1</body></html>`,
});

/** @param answers says which requests, of which so many came before, the gateway answers with this status. */
async function checkBehind(
  t: ExecutionContext,
  answers: (url: string, before: number) => number | undefined,
  only: readonly string[] = [],
): Promise<Report> {
  let requests = 0;
  const url = await hostileTarget(t, await referenceServer(t), ({ url }) => {
    const status = answers(url!, requests);
    requests += 1;
    return status === undefined ? undefined : page(status);
  });
  return runConformance({ urls: [url], admin, profile: 'smoke', seed: 1, ...(only.length > 0 && { only }) });
}

const failed = ({ checks }: Report): string[] =>
  checks.flatMap(({ id, outcome, reason }) => (outcome === 'fail' ? [`${id}: ${reason}`] : []));

test('a gateway that does not reach the target now and then violates nothing, and is named', async (t) => {
  const report = await checkBehind(t, (_, before) => (before % 40 === 39 ? 502 : undefined), [
    'session-*',
    'login-*',
    'feed-*',
  ]);
  t.deepEqual(failed(report), []);
  t.true((report.summary.pass ?? 0) > 15);
  const [warning] = report.warnings.filter((one) => one.includes('from something between'));
  t.regex(
    warning!,
    /^\d+ of \d+ requests got 502 from something between \(`Server: nginx\/1\.22\.1`\), whose log says why\.$/,
  );
});

test('a gateway behind which the target is gone ends the run with that reason', async (t) => {
  const report = await checkBehind(t, (_, before) => (before > 150 ? 502 : undefined));
  t.deepEqual(failed(report), []);
  t.is(exitCode(report), 3);
  const [{ reason } = {}] = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
  t.regex(reason!, /^The target stopped responding.*no response from the target, but 502 from something/);
});

test('what never gets through a gateway is an obstacle that names it, and costs only what needs it', async (t) => {
  const only = ['feed-complete', 'filter-view'];
  const report = await checkBehind(t, (url) => (url.includes('filter=_view') ? 504 : undefined), only);
  for (const { id, outcome, obstacle } of report.checks) {
    t.is(outcome, id.startsWith('filter-view') ? 'blocked' : 'pass', id);
    if (outcome === 'blocked')
      t.regex(
        obstacle!,
        /filter=_view.* gets no response from the target each time it is sent, but 504 from something between/,
      );
  }
});
