/**
 * The published results in `reports/results/`: the data of runs, and what is rendered from it.
 *
 * - `npm run results` writes the comparison in `reports/results/README.md`, the index of the findings, and the lists of both in
 *   README.md again.
 * - `npm run results -- FOLDER FILE` first publishes a `report.json` as the result of a server of `publishedServers`.
 * - `npm run results -- selftest FILE` first publishes a `selftest.json`.
 * - `npm run results:pages` writes the pages and badges, and with Redoc a view of the description, to `docfeed-results/`, which is not committed.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as prettier from 'prettier';
import type { BenchReport } from './bench-report.js';
import { renderEnvironment } from '../origin.js';
import { makeFolder } from '../folder.js';
import { groupBy } from '../group.js';
import { readReport } from '../read.js';
import { renderBadge } from '../render/badge.js';
import { renderHtml } from '../render/html.js';
import { renderTable } from '../render/markdown.js';
import { renderMatrix } from '../render/matrix.js';
import { renderMatrixMarkdown } from '../render/matrix-markdown.js';
import { renderSelftest } from '../render/selftest.js';
import { formatCoverage, formatSummary } from '../render/text.js';
import { ruleCoverage } from '../rule-coverage.js';
import type { FaultTrial, SelftestReport } from '../selftest.js';
import { writeOutputFile } from '../write.js';
import { renderBench } from './bench-page.js';
import { findingsFolder, readFindings, renderFindingsIndex, renderWorstFindings } from './findings.js';
import { type PublishedReport, publishReport, unfoldReport } from './published-report.js';
import { renderSite, type SiteServer, withMenu } from './site.js';
import { type CouchdbTests, renderCouchdbTests } from './couchdb-tests.js';
import { type ConsumerCause, type ConsumerResult, renderConsumers } from './consumer-results.js';

export const resultsFolder = 'reports/results/';

/** By the name of their folder, in the order of the matrix. */
export const publishedServers = {
  'reference-server': 'Reference server',
  'reference-server-couchdb': 'Reference server, CouchDB dialect',
  'reference-server-3-nodes': 'Reference server, 3 nodes',
  'couchdb-3.5': 'CouchDB 3.5',
  'couchdb-3.5-q1': 'CouchDB 3.5, q=1',
  'couchdb-3.5-3-nodes': 'CouchDB 3.5, 3 nodes',
  'couchdb-3.5-default': 'CouchDB 3.5, default settings',
  'couchdb-3.3': 'CouchDB 3.3',
  'pouchdb-server-4.2': 'PouchDB Server 4.2',
  'express-pouchdb-4.2-memory': 'express-pouchdb 4.2, memory',
  'express-pouchdb-4.2-leveldb': 'express-pouchdb 4.2, LevelDB',
  'sync-gateway-4.2': 'Couchbase Sync Gateway 4.2',
  'kivik-4.5': 'kivik x/server 4.5',
  'rouchdb-0.3': 'RouchDB server 0.3, feed',
  'goydb-0.1': 'goydb 0.1, in part',
} as const;

export const readServers = (): Promise<SiteServer[]> =>
  Promise.all(
    Object.entries(publishedServers).map(async ([folder, name]) => ({
      name,
      folder,
      report: unfoldReport((await readData(join(folder, 'report.json'))) as PublishedReport),
    })),
  );

/** Under each fault its trials, since what is said of the fault would stand there once for each seed. */
interface PublishedSelftest extends Omit<SelftestReport, 'faults'> {
  readonly faults: readonly (Omit<FaultTrial, keyof Trial> & { readonly trials: readonly Trial[] })[];
}
type Trial = Pick<FaultTrial, 'seed' | 'outcome' | 'by' | 'others' | 'durationMs'>;

export const publishSelftest = ({ faults, ...rest }: SelftestReport): PublishedSelftest => ({
  ...rest,
  faults: groupBy(faults, ({ id }) => id).map(([, ofFault]) => {
    const { id, rule, area, summary } = ofFault[0]!;
    const trials = ofFault.map(({ seed, outcome, by, others, durationMs }) => {
      return { seed, outcome, by, others, durationMs };
    });
    return { id, rule, area, summary, trials };
  }),
});

export const unfoldSelftest = ({ faults, ...rest }: PublishedSelftest): SelftestReport => ({
  ...rest,
  faults: faults.flatMap(({ trials, ...fault }) => trials.map((trial) => ({ ...fault, ...trial }))),
});

const readSelftest = async (): Promise<SelftestReport> =>
  unfoldSelftest((await readData('selftest.json')) as PublishedSelftest);

/** @returns the committed documents by their path in the project, rendered from the data there. */
export async function renderResults(): Promise<Map<string, string>> {
  const servers = await readServers();
  const selftest = await readSelftest();
  const findings = await readFindings();
  const readme = await readFile(readmePath, 'utf8');
  const columns = servers.map(({ folder, ...rest }) => ({ ...rest, href: `${folder}/report.json` }));
  return new Map([
    [
      join(resultsFolder, readmePath),
      await formatMarkdown(
        [
          introduction,
          renderMatrixMarkdown(columns),
          await describeConsumers(),
          renderCouchdbTests((await readData('couchdb-tests.json')) as CouchdbTests),
        ].join('\n\n'),
      ),
    ],
    [join(findingsFolder, readmePath), await formatMarkdown(renderFindingsIndex(findings))],
    [
      readmePath,
      readme
        .replace(readmeTable, await renderReadmeTable(servers, selftest))
        .replace(readmeFindings, `\n${await formatMarkdown(renderWorstFindings(findings))}\n`),
    ],
  ]);
}

const describeConsumers = async (): Promise<string> =>
  renderConsumers(
    (await readData('consumers.json')) as ConsumerResult[],
    (await readData('consumer-causes.json')) as ConsumerCause[],
  );

const introduction = `# Published results

The data of runs against real servers and the reference server, and of the self-test. \`npm run results:pages\` makes a
page of each run, a page that compares the servers with all evidence, a page of the benchmark and a view of the description in
\`docfeed-results/\`. \`npm run results\` writes this document.`;

const formatMarkdown = (text: string): Promise<string> =>
  prettier.format(text, { parser: 'markdown', printWidth: 120 });

/** @returns the pages of the site, badges and reports by their path. */
export async function renderPages(): Promise<Map<string, string>> {
  const servers = await readServers();
  const pages: [path: string, page: string][] = [
    ...renderSite(servers, await readFindings(), await describeConsumers()),
    ['selftest.html', renderSelftest(await readSelftest())],
    ['bench/bench.html', renderBench((await readData('bench/bench.json')) as BenchReport)],
    [
      'matrix.html',
      renderMatrix(servers.map(({ folder, ...rest }) => ({ ...rest, href: `${folder}/report.html` }))),
    ],
    ...servers.map(({ folder, report }): [string, string] => [`${folder}/report.html`, renderHtml(report)]),
  ];
  return new Map([
    ...pages.map(([path, page]): [string, string] => [path, withMenu(path, page)]),
    ...servers.flatMap(({ folder, report }): [string, string][] => [
      [`${folder}/badge.json`, renderBadge(report)],
      [`${folder}/report.json`, `${JSON.stringify(report)}\n`],
    ]),
  ]);
}

async function readData(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(resultsFolder, path), 'utf8'));
}

const readmePath = 'README.md';
const readmeFindings = /(?<=<!-- findings: npm run results -->\n)[^]*(?=<!-- end of findings -->)/;
const readmeTable = /(?<=<!-- results: npm run results -->\n)[^]*(?=<!-- end of results -->)/;

async function renderReadmeTable(servers: readonly SiteServer[], selftest: SelftestReport): Promise<string> {
  const { faults, variations, repeats, environment } = selftest;
  const killed = faults.filter(({ outcome }) => outcome === 'killed').length;
  const conforming = [...variations, ...repeats];
  const alarms = conforming.reduce((sum, trial) => sum + trial.alarms.length, 0);
  const rows = [
    ...servers.map(({ name, report }) => [
      name,
      formatCoverage(ruleCoverage(report)),
      formatSummary(report),
      report.suite.environment ? renderEnvironment(report.suite.environment) : '',
    ]),
    [
      'self-test',
      `${killed} of ${faults.length} runs with a fault found it, by a check of the violated rule`,
      `${alarms} false failures in ${conforming.length} runs against conforming servers`,
      renderEnvironment(environment),
    ],
  ];
  const table = renderTable(['run', 'rules', 'checks', 'made by'], rows);
  return `\n${await prettier.format(table, { parser: 'markdown' })}\n`;
}

async function writeAll(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of texts) {
    await makeFolder(dirname(join(folder, path)));
    await writeOutputFile(join(folder, path), text);
  }
}

async function main([folder, file]: string[]): Promise<void> {
  if (folder === '--pages') return writeAll('docfeed-results', await renderPages());
  if (folder === 'selftest' && file !== undefined) {
    const selftest = publishSelftest(JSON.parse(await readFile(file, 'utf8')) as SelftestReport);
    await writeOutputFile(join(resultsFolder, 'selftest.json'), `${JSON.stringify(selftest)}\n`);
  } else if (folder !== undefined && file !== undefined) {
    if (!(folder in publishedServers))
      throw new Error(`${folder} is not one of ${Object.keys(publishedServers).join(', ')}`);
    await makeFolder(join(resultsFolder, folder));
    const report = publishReport(await readReport(file));
    await writeOutputFile(join(resultsFolder, folder, 'report.json'), `${JSON.stringify(report)}\n`);
  }
  await writeAll('.', await renderResults());
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
