/** Targets that hold the rules most of the time: no run against them is green. */
import test, { type ExecutionContext } from 'ava';
import { exitCode, runConformance, type ConformanceOptions, type Report } from './index.js';
import { type Corruption, startCorruptingProxy } from './testing/corrupting-proxy.js';
import { admin, referenceServer } from './testing/reference.js';

type Request = Parameters<Parameters<typeof startCorruptingProxy>[1]>[0];

/** Runs the suite against the reference server behind a proxy that corrupts some responses: those of these numbers, from 1. */
async function runBehindProxy(
  t: ExecutionContext,
  {
    which,
    of,
    how,
  }: { which: (count: number) => boolean; of: (request: Request) => boolean; how: Corruption['how'] },
  options: Partial<ConformanceOptions>,
): Promise<Report> {
  const server = await referenceServer(t);
  let count = 0;
  const proxy = await startCorruptingProxy(server.url, (request) => {
    if (!of(request)) return { how: 'none' };
    count += 1;
    return { how: which(count) ? how : 'none' } as Corruption;
  });
  t.teardown(() => proxy.stop());
  return runConformance({ urls: [proxy.url], admin, seed: 1, profile: 'smoke', ...options });
}

const every = (n: number) => (count: number) => count % n === 0;

const isGet = ({ method }: Request): boolean => method === 'GET';

const resendsIn = ({ checks }: Report): number => checks.reduce((sum, { resends = 0 }) => sum + resends, 0);

for (const { what, ...corruption } of [
  { what: 'drops one connection in ten', which: every(10), of: isGet, how: 'no response' },
  { what: 'cuts one response in ten', which: every(10), of: isGet, how: 'aborted' },
  { what: 'answers one request in ten with 503', which: every(10), of: () => true, how: 'busy' },
] as const) {
  test(`a target that ${what} is not green`, async (t) => {
    const report = await runBehindProxy(t, corruption, {});
    t.is(exitCode(report), 3);
    t.is(report.summary.fail, 0);
    t.true(report.warnings.some((warning) => warning.includes('were sent again')));
    t.true(resendsIn(report) > 10, `${resendsIn(report)} resends`);
  });

  test(`a single such failure of a target that ${what} is counted, and no finding`, async (t) => {
    // The database of the probes is the first one.
    const isOfCheck = ({ method, url }: Request): boolean => method === 'GET' && /-2\/_changes/.test(url);
    const once = { how: corruption.how, of: isOfCheck, which: (count: number) => count === 1 };
    const report = await runBehindProxy(t, once, { only: ['feed-latest'] });
    t.is(exitCode(report), 0);
    t.is(resendsIn(report), corruption.how === 'busy' ? 0 : 1);
    const refusals = report.warnings.filter((warning) =>
      /answered 1 with 503, and got it again\.$/.test(warning),
    );
    t.is(refusals.length, corruption.how === 'busy' ? 1 : 0);
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
    const lossy = { which: every(6), of: isNormalFeed, how: 'lost row' } as const;
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
