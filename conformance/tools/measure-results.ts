/**
 * `npm run results:measure -- NAME...`: measures what `reports/results/` publishes, at the present commit and with seed 1,
 * and publishes it. Nothing is published of a measurement that does not end with exit code 0, or in which more than blocked
 * checks is undecided; the others still take place.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { execa, execaNode } from 'execa';
import type { publishedServers } from '../../reports/tools/results.js';
import { readReport } from '../../reports/read.js';
import { checkOwnServer } from './own-server.js';
import { publishPouchdbTests } from './pouchdb-tests.js';

/** What a measurement uses. */
interface Run {
  /** Where it writes what is to be published. */
  readonly folder: string;
  /** The URLs of a server that runs already. */
  readonly urls: readonly string[];
  /** The target file of such a server. */
  readonly target: string;
  /** A clone of PouchDB. */
  readonly pouchdb: string;
}

interface Measurement {
  readonly needsUrl?: true;
  /** @returns the exit code */
  readonly measure: (run: Run) => Promise<number>;
  /** The file that `npm run results` takes from the folder of the run. Without it, the run writes to `reports/results/`. */
  readonly publish?: 'report.json' | 'selftest.json';
}

const log = (message: string): void => void process.stderr.write(`results: ${message}\n`);

const options = { stdio: 'inherit', reject: false } as const;
const runNode = async (program: string, ...args: readonly string[]): Promise<number> => {
  const { exitCode = 3 } = await execaNode({ ...options, nodeOptions: ['--import=tsx'] })(program, args);
  return exitCode;
};

const checkOptions = ({ folder }: Run): string[] => ['--seed', '1', '--quiet', '--report-dir', folder];

const ownServer = (nodes: number, ...serve: readonly string[]): Measurement => ({
  measure: (run) => checkOwnServer({ nodes, serve, log }, checkOptions(run)),
  publish: 'report.json',
});

const npmServer = (name: string): Measurement => ({
  measure: (run) => runNode('conformance/tools/check-server.ts', name, ...checkOptions(run)),
  publish: 'report.json',
});

const couchdb = (version: string, settings: 'configured' | 'default' = 'configured'): Measurement => ({
  needsUrl: true,
  measure: (run) =>
    runNode(
      'bin/docfeed.ts',
      'check',
      ...run.urls,
      '--baseline',
      `conformance/baselines/couchdb-${version}.yaml`,
      ...(settings === 'configured' ? ['--configure', '--target', run.target] : []),
      ...checkOptions(run),
    ),
  publish: 'report.json',
});

/** A server that is not CouchDB and runs already. What it lacks blocks checks, and is published as well. */
const other = (name: string, target?: string, options: readonly string[] = []): Measurement => ({
  needsUrl: true,
  measure: async ({ urls, folder, ...run }) => {
    const exitCode = await runNode(
      'bin/docfeed.ts',
      'check',
      ...urls,
      '--baseline',
      `conformance/baselines/${name}.yaml`,
      ...(target === undefined ? [] : ['--target', `conformance/examples/targets/${target}.target.yaml`]),
      ...options,
      ...checkOptions({ ...run, urls, folder }),
    );
    if (exitCode !== 3) return exitCode;
    const { summary } = await readReport(join(folder, 'report.json'));
    return summary.inconclusive + summary.error === 0 ? 0 : exitCode;
  },
  publish: 'report.json',
});

/** The rules of which the results of a server are published whose other results are not. */
const rulesOfFeed = [
  'root-*',
  'error-selector-*',
  'feed-*',
  'normal-*',
  'longpoll-*',
  'continuous-*',
  'eventsource-*',
  'heartbeat-*',
  'timeout-*',
  'filter-*',
];

/** They need no user. */
const ofFeed = ['--lack', 'users', '--lack', 'totp', ...rulesOfFeed.flatMap((glob) => ['--only', glob])];

/** Everything but attachments, one-time codes and errors. */
const withoutSome = ['--lack', 'attachments', '--lack', 'totp', '--skip', 'error-shape'];

type Name = keyof typeof publishedServers | 'selftest' | 'bench' | 'pouchdb-tests';

/** By the name in `reports/results/`. */
const measurements: Readonly<Record<string, Measurement>> = {
  'reference-server': ownServer(1),
  'reference-server-couchdb': ownServer(1, '--dialect', 'couchdb'),
  'reference-server-3-nodes': ownServer(3),
  'couchdb-3.5': couchdb('3.5'),
  'couchdb-3.5-q1': couchdb('3.5'),
  'couchdb-3.5-3-nodes': couchdb('3.5'),
  'couchdb-3.5-default': couchdb('3.5', 'default'),
  'couchdb-3.3': couchdb('3.3'),
  'pouchdb-server-4.2': npmServer('pouchdb-server'),
  'express-pouchdb-4.2-memory': npmServer('express-pouchdb-memory'),
  'express-pouchdb-4.2-leveldb': npmServer('express-pouchdb-leveldb'),
  'sync-gateway-4.2': other('sync-gateway-4.2', 'sync-gateway'),
  'kivik-4.5': other('kivik-4.5'),
  'rouchdb-0.3': other('rouchdb-0.3', 'rouchdb', ofFeed),
  'goydb-0.1': other('goydb-0.1', undefined, withoutSome),
  selftest: {
    measure: ({ folder }) =>
      runNode(
        'bin/docfeed.ts',
        'selftest',
        '--seeds',
        '2',
        '--variations',
        '20',
        '--profile',
        'smoke',
        // Trials also wait.
        '--jobs',
        '5',
        '--report-dir',
        folder,
      ),
    publish: 'selftest.json',
  },
  bench: {
    measure: async ({ urls }) => {
      const bench = async (...args: readonly string[]): Promise<number> => {
        const { exitCode = 3 } = await execa(options)('npm', [
          'run',
          '--silent',
          'bench',
          '--',
          ...args,
          '--report-dir',
          'reports/results/bench',
          ...urls.flatMap((url) => ['--against', `CouchDB=${url}`]),
        ]);
        return exitCode;
      };
      // The curves become part of the same report.
      return (await bench()) || bench('--scale');
    },
  },
  'pouchdb-tests': {
    needsUrl: true,
    measure: async ({ pouchdb, urls: [url] }) => {
      await publishPouchdbTests(pouchdb, url!, log);
      return 0;
    },
  },
} satisfies Record<Name, Measurement>;

const program: Command = new Command('results:measure')
  .description('measure and publish what reports/results has, at the present commit and with seed 1')
  .argument(
    '<name...>',
    'folder in reports/results, selftest, bench or pouchdb-tests; all: what needs no running server; for a running server NAME=URL[,URL...]',
  )
  .option(
    '--target <file>',
    'target file of the running servers, as docfeed setup writes it',
    'docfeed.target.yaml',
  )
  .option('--pouchdb <folder>', 'clone of PouchDB 9, installed and built, for pouchdb-tests', 'pouchdb')
  .addHelpText('after', '\nThe administrator of running servers is in DOCFEED_ADMIN.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (args: readonly string[], options: Pick<Run, 'target' | 'pouchdb'>) => {
    const selected = args.flatMap(parseMeasurement);
    const failed: string[] = [];
    for (const { name, urls } of selected)
      if (!(await measureAndPublish(name, { ...options, urls }))) failed.push(name);
    if (failed.length === 0) return;
    log(`not published: ${failed.join(', ')}`);
    process.exitCode = 1;
  });

function parseMeasurement(argument: string): { readonly name: string; readonly urls: readonly string[] }[] {
  const [name = '', list] = argument.split(/=(.*)/s);
  if (argument === 'all')
    return Object.keys(measurements).flatMap((each) =>
      measurements[each]!.needsUrl ? [] : [{ name: each, urls: [] }],
    );
  const measurement = measurements[name];
  if (!measurement) program.error(`"${name}" is not one of all, ${Object.keys(measurements).join(', ')}`);
  if (measurement.needsUrl && !list) program.error(`"${name}" needs the URL of a server: ${name}=URL`);
  return [{ name, urls: list?.split(',') ?? [] }];
}

async function measureAndPublish(name: string, options: Omit<Run, 'folder'>): Promise<boolean> {
  log(`measuring ${name}`);
  const { measure, publish } = measurements[name]!;
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-results-'));
  try {
    const exitCode = await measure({ ...options, folder });
    log(`${name}: exit code ${exitCode}`);
    if (exitCode !== 0 || publish === undefined) return exitCode === 0;
    return (await runNode('reports/tools/results.ts', name, join(folder, publish))) === 0;
  } catch (error) {
    log(`${name}: ${(error as Error).message}`);
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await program.parseAsync();
