/** `npm run bench`: measures the built reference server, and with `-- --against NAME=URL` other servers beside it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import picomatch from 'picomatch';
import {
  benchFindings,
  formatMeasured,
  formatNumber,
  ratioToFloor,
  speedup,
  type BenchReport,
} from '../../../reports/tools/bench-report.js';
import { currentEnvironment } from '../../../reports/origin.js';
import { makeFolder } from '../../../reports/folder.js';
import { writeOutputFile } from '../../../reports/write.js';
import { parseAdministrator, wrongUsage } from '../../commands/arguments.js';
import { adminOption, even, markdownTable, positive, runTool } from '../command-line.js';
import { withServerProcess } from '../server-process.js';
import { bench, benchOwn } from './bench.js';
import { benchScale } from './scale.js';
import { ownWorkloads, serverOptions } from './own-workloads.js';
import { Client } from '../client.js';
import { defaultSize, workloadsOf } from './workloads.js';

interface Options {
  readonly against: readonly { name: string; url: string }[];
  readonly admin?: string;
  readonly only: readonly string[];
  readonly documents: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly reportDir?: string;
  readonly check?: boolean;
  readonly scale?: boolean;
}

const log = (message: string): boolean => process.stderr.write(`${message}\n`);

const program = new Command('bench')
  .description('measure the reference server, optionally beside other servers')
  .option('--against <name=url>', 'another server (repeatable)', otherServer, [])
  .addOption(adminOption('administrator of the other servers'))
  .option('--only <glob>', 'run only matching workloads (repeatable)', collect, [])
  .option('--documents <n>', 'number of documents (even)', even, 10_000)
  .option(
    '--rounds <n>',
    'measurements of each workload after a warm-up; the result is the median',
    positive,
    5,
  )
  .option('--seconds <n>', 'time after which no further round starts', positive, 600)
  .option('--report-dir <dir>', 'also write bench.json there')
  .option(
    '--scale',
    'measure instead how memory and times change while documents, feeds and databases become many; --report-dir adds the curves to bench.json there',
  )
  .option('--check', 'exit with 1 if a workload exceeds the limit for its floor or its count')
  .action(run);

await runTool(program);

async function run({ against, admin, ...options }: Options): Promise<void> {
  const others: Client[] = [];
  try {
    for (const { name, url } of against)
      others.push(await new Client(url, name).logIn(parseAdministrator(admin)));
    await (options.scale ? runScale(others, options) : runWorkloads(others, options));
  } finally {
    for (const target of others) await target.close();
  }
}

/** Measures the curves. They become part of the report in the folder, if there is one. */
async function runScale(others: readonly Client[], { reportDir }: Pick<Options, 'reportDir'>): Promise<void> {
  const curves = await benchScale(others, log);
  for (const { title, unit, points } of curves) {
    const cells = points.map(({ size, measured }) =>
      [size, ...Object.values(measured).map(formatNumber)].join(': '),
    );
    process.stdout.write(`${title} (${unit}): ${cells.join(', ')}\n`);
  }
  const file = reportDir === undefined ? '' : join(reportDir, 'bench.json');
  const previous = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as object) : {};
  await writeBench({ ...previous, curves }, reportDir);
}

async function writeBench(report: object, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await makeFolder(folder);
  await writeOutputFile(join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
}

async function runWorkloads(
  others: readonly Client[],
  { only, reportDir, check, ...options }: Omit<Options, 'against' | 'admin'>,
): Promise<void> {
  const isSelected = ({ name }: { name: string }) => only.length === 0 || picomatch.isMatch(name, [...only]);
  const workloads = workloadsOf(defaultSize).filter(isSelected);
  const own = ownWorkloads.filter(isSelected);
  if (workloads.length + own.length === 0) throw wrongUsage(`no workload matches ${only.join(', ')}`);
  const startedAt = new Date().toISOString();
  await withServerProcess(serverOptions, async ({ client, admin }) => {
    const targets = [await client.logIn(admin), ...others];
    const report: BenchReport = {
      format: 'docfeed-bench/1',
      startedAt,
      environment: currentEnvironment(),
      // The folder of the report does not affect the results.
      command: ['npm run bench --', ...process.argv.slice(2)].join(' ').replace(/ --report-dir[ =]\S+/, ''),
      documents: options.documents,
      servers: await Promise.all(
        targets.map(async (target) => ({ name: target.title, greeting: await greetingOf(target) })),
      ),
      results: [
        ...(await bench(targets, workloads, { ...options, warmUpMs: 2000, log })),
        ...(await benchOwn(client, own, { ...options, log })),
      ],
    };
    process.stdout.write(await table(report));
    await writeBench(report, reportDir);
    const findings = check ? benchFindings(report) : [];
    for (const finding of findings) log(finding);
    if (findings.length > 0) process.exitCode = 1;
  });
}

/** @returns for example `Apache CouchDB, service version 3.5.0` */
async function greetingOf(target: Client): Promise<string> {
  const { vendor, version } = JSON.parse(await target.read('GET', '/')) as {
    vendor?: { name?: string };
    version?: string;
  };
  return `${vendor?.name ?? 'unknown'}, service version ${version ?? 'unknown'}`;
}

function table({ servers: [, ...others], results }: BenchReport): Promise<string> {
  const head = [
    'workload',
    'unit',
    'docfeed',
    'floor',
    'times the floor',
    ...others.flatMap(({ name }) => [name, `times docfeed`]),
  ];
  const rows = results.map((result) => {
    const { title, unit, measured, floor } = result;
    return [
      title,
      unit,
      formatMeasured(Object.values(measured)[0]),
      formatMeasured(floor),
      formatRatio(ratioToFloor(result)),
      ...others.flatMap(({ name }) => [formatMeasured(measured[name]), formatRatio(speedup(result, name))]),
    ];
  });
  return markdownTable(head, rows);
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(1);
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

function otherServer(text: string, previous: readonly object[]): object[] {
  const [, name, url] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || url === undefined || !URL.canParse(url))
    throw new InvalidArgumentError('It must be a name and a URL, such as CouchDB=http://127.0.0.1:5984.');
  return [...previous, { name, url }];
}
