/** The workloads of the reference server alone: its start, its memory, its authentication, and runs of the suite. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sum } from 'simple-statistics';
import { withFolder } from '../folder.js';
import type { Client } from '../client.js';
import { mebibyte, meanTime } from '../measure.js';
import { runBuilt, withServerProcess, type ServerProcess } from '../server-process.js';
import { processorTimeOf, processorWorkloads } from './processor-time.js';
import { acceptedToken, joseAlone, nodeAlone } from './floors.js';
import { withLine } from './programs.js';
import { proxyWorkloads } from './proxy-workloads.js';
import { inFreshDatabase, meanBulkWrite, meanWrite, rowsToOpenFeeds, type Workload } from './workloads.js';

/** How to start a server for the benchmark. */
export const serverOptions = {
  args: ['--dialect', 'couchdb', '--config', 'reference/tools/bench/bench.ini'],
};

/** The time of a round trip over the line. */
const lineMs = 100;

export const ownWorkloads: readonly Workload[] = [
  {
    name: 'start',
    title: 'Start of the built package to the first response',
    unit: 'ms',
    measure: async () => {
      const start = performance.now();
      return withServerProcess(serverOptions, async ({ client }) => {
        await client.read('GET', '/');
        return performance.now() - start;
      });
    },
    floor: nodeAlone,
  },
  {
    name: 'cold-single',
    title: 'The first 200 PUTs after the start',
    unit: 'ms/write',
    measure: () => inFreshServer((client, path) => meanWrite(client, path, 200)),
  },
  {
    name: 'cold-bulk',
    title: 'The first twenty _bulk_docs requests after the start, with 500 documents each',
    unit: 'ms/document',
    measure: () => inFreshServer((client, path) => meanBulkWrite(client, path, 20)),
  },
  {
    name: 'memory-idle',
    title: 'Resident memory after the start',
    unit: 'MiB',
    measure: () => withServerProcess(serverOptions, async ({ memory }) => (await memory()) / mebibyte),
  },
  {
    name: 'feed-of-one',
    title: 'One continuous feed, 200 writes',
    unit: 'ms/row',
    measure: () => withFeeds(1, 200),
  },
  {
    name: 'feeds-5000',
    title: '5,000 continuous feeds, 20 writes',
    unit: 'ms/row',
    measure: () => withFeeds(5_000, 20),
  },
  {
    name: 'login',
    title: 'POST /_session with a name and a password, again',
    unit: 'ms',
    measure: () =>
      // The login of `withServer` is the first.
      withServer(({ client, admin }) => meanTime(10, () => client.read('POST', '/_session', admin))),
  },
  {
    name: 'session-token',
    title: 'GET /_session with a JSON Web Token',
    unit: 'ms/request',
    measure: () =>
      withServer(async ({ client }) => {
        client.useToken(acceptedToken);
        const session = () => client.read('GET', '/_session');
        // Like the servers of the other workloads, which have answered thousands of requests.
        await meanTime(2_000, session);
        return meanTime(200, session);
      }),
    floor: joseAlone,
  },
  ...processorWorkloads,
  ...proxyWorkloads,
  ...suiteRuns('smoke').slice(0, 1),
  ...suiteRuns('default'),
  overLine('smoke'),
  overLine('default'),
];

type SuiteRun = Awaited<ReturnType<typeof runSuite>>;

/** The time of a run, its requests, and what the server spends on one of them. Each run is measured in all ways. */
function suiteRuns(profile: string): Workload[] {
  let last: Promise<SuiteRun> | undefined;
  const taken = new Set<keyof SuiteRun>();
  const measure = (figure: keyof SuiteRun) => async (): Promise<number> => {
    if (!last || taken.has(figure)) {
      last = runSuite(profile, ['--configure']);
      taken.clear();
    }
    taken.add(figure);
    return (await last)[figure];
  };
  const name = `suite-${profile}`;
  const title = `Run of the suite, profile ${profile}`;
  return [
    { name, title, unit: 'ms', measure: measure('ms') },
    {
      name: `${name}-requests`,
      title: `${title}: requests`,
      unit: 'requests',
      max: 9_300,
      measure: measure('requests'),
    },
    {
      name: `${name}-processor`,
      title: `${title}: processor time of the server`,
      unit: 'ms/request',
      measure: measure('processor'),
    },
  ];
}

/** A run over a long line, beside one without it. Settings are changed one after the other, so neither changes any. */
function overLine(profile: string): Workload {
  return {
    name: `suite-${profile}-line`,
    title: `Run of the suite, profile ${profile}, over a line with round trips of ${lineMs} ms`,
    unit: 'ms',
    measure: async () => (await runSuite(profile, [], (url, task) => withLine(url, lineMs, task))).ms,
    floor: { title: 'the same run without the line', measure: async () => (await runSuite(profile, [])).ms },
  };
}

/**
 * @param more further options
 * @param way what stands between the suite and the server; calls the task with the URL to check
 */
const runSuite = (profile: string, more: readonly string[], way: typeof direct = direct) =>
  withFolder((folder) =>
    withServerProcess({}, async ({ url: urlOfServer, admin, pid }) => {
      const options = ['--seed', '1', '--profile', profile, '--report-dir', folder, ...more];
      const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
      const run = await way(urlOfServer, (url) =>
        runBuilt(env)('dist/bin/docfeed.js', ['check', url, ...options]),
      );
      // A busy machine may leave a check undecided.
      if (run.exitCode !== 0 && run.exitCode !== 3) throw new Error(run.stdout);
      const spent = await processorTimeOf(pid);
      const { suite, checks } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as {
        suite: { durationMs: number };
        checks: { requests: number }[];
      };
      const requests = sum(checks.map((check) => check.requests));
      // Processor time of the server for a request, in milliseconds.
      return { ms: suite.durationMs, requests, processor: spent / requests };
    }),
  );

const direct = <T>(url: string, task: (url: string) => PromiseLike<T>): PromiseLike<T> => task(url);

const withFeeds = (feeds: number, writesToFeeds: number): Promise<number> =>
  withServer(({ client }) => rowsToOpenFeeds(client, { feeds, writesToFeeds }));

const inFreshServer = (measure: (client: Client, path: string) => Promise<number>): Promise<number> =>
  withServer(({ client }) => inFreshDatabase(client, (path) => measure(client, path)));

/** With a client that is logged in. */
const withServer = (measure: (server: ServerProcess) => Promise<number>): Promise<number> =>
  withServerProcess(serverOptions, async (server) => {
    await server.client.logIn(server.admin);
    return measure(server);
  });
