/** Targets that hold the rules most of the time: no run against them is green. */
import test, { type ExecutionContext } from 'ava';
import { exitCode, runConformance, type ConformanceOptions, type Report } from './index.js';
import { type Corruption, startCorruptingProxy } from './testing/corrupting-proxy.js';
import { admin, referenceServer } from './testing/reference.js';

type Request = Parameters<Parameters<typeof startCorruptingProxy>[1]>[0];

/** Runs the suite against the reference server behind a proxy that corrupts every n-th of some responses. */
async function runBehindProxy(
  t: ExecutionContext,
  { every, of, how }: { every: number; of: (request: Request) => boolean; how: Corruption['how'] },
  options: Partial<ConformanceOptions>,
): Promise<Report> {
  const server = await referenceServer(t);
  let count = 0;
  const proxy = await startCorruptingProxy(server.url, (request) => {
    if (!of(request)) return { how: 'none' };
    count += 1;
    return { how: count % every === 0 ? how : 'none' } as Corruption;
  });
  t.teardown(() => proxy.stop());
  return runConformance({ urls: [proxy.url], admin, seed: 1, profile: 'smoke', ...options });
}

const isGet = ({ method }: Request): boolean => method === 'GET';

for (const { what, ...corruption } of [
  { what: 'drops one connection in ten', every: 10, of: isGet, how: 'no response' },
  { what: 'cuts one response in ten', every: 10, of: isGet, how: 'aborted' },
  { what: 'answers one request in ten with 503', every: 10, of: () => true, how: 'busy' },
] as const) {
  test(`a target that ${what} is not green`, async (t) => {
    const report = await runBehindProxy(t, corruption, {});
    t.is(exitCode(report), 3);
    t.is(report.summary.fail, 0);
    t.true(report.warnings.some((warning) => warning.includes('were sent again')));
    const resends = report.checks.reduce((sum, check) => sum + (check.resends ?? 0), 0);
    t.true(resends > 10, `${resends} resends`);
  });

  test(`a single such failure of a target that ${what} is counted, and no finding`, async (t) => {
    const report = await runBehindProxy(t, { ...corruption, every: 100_000 }, { only: ['feed-latest'] });
    t.is(exitCode(report), 0);
  });
}

const isNormalFeed = ({ method, url }: Request): boolean =>
  method === 'GET' && url.includes('/_changes') && !/feed=(longpoll|continuous|eventsource)/.test(url);

for (const [copies, lack, codes] of [
  ['one copy', [], [1]],
  // A row that is back in each second read may be that of a copy that lags, but no copy lags so often.
  ['several copies', ['single-copy'], [1, 3]],
] as const) {
  test(`a target with ${copies} that loses a row of every sixth feed is not green`, async (t) => {
    const lossy = { every: 6, of: isNormalFeed, how: 'lost row' } as const;
    // Few checks, since those of a lossy target with several copies wait long. They have more cases instead, and time for
    // all of them, since a lost row in a single case may be that of a copy that lags.
    const only = ['feed-complete', 'feed-limit'];
    const run = { profile: 'default', cases: 30, shrinkMs: 0, deadlineMs: 200_000 } as const;
    const report = await runBehindProxy(t, lossy, { lack, only, ...run });
    t.true(
      codes.some((code) => code === exitCode(report)),
      String(exitCode(report)),
    );
  });
}
