/** `npm run bench`: measures the reference server and, with `-- --against URL`, another server for comparison. */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { execaNode } from 'execa';
import picomatch from 'picomatch';
import * as prettier from 'prettier';
import { parseAdministrator, adminOption, runTool, wrongUsage } from '../command-line.js';
import { bench, type Measured, type Result } from './bench.js';
import { BenchmarkTarget } from './target.js';
import { defaultSize, workloadsOf } from './workloads.js';

interface Options {
  readonly against?: string;
  readonly admin?: string;
  readonly only: string;
  readonly documents: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly json?: boolean;
}

const program = new Command('bench')
  .description('measure the reference server, optionally in comparison with another server')
  .option('--against <url>', 'the other server')
  .addOption(adminOption('administrator of the other server'))
  .option('--only <glob>', 'run only matching workloads', '*')
  .option('--documents <n>', 'number of documents (even)', even, 10_000)
  .option('--rounds <n>', 'measurements of each workload; the result is the median', positive, 3)
  .option('--seconds <n>', 'time after which no further round starts', positive, 75)
  .option('--json', 'print the results as JSON')
  .action(run);

await runTool(program);

async function run({ against, admin, only, json, ...options }: Options): Promise<void> {
  const selected = workloadsOf(defaultSize).filter(({ name }) => picomatch.isMatch(name, only));
  if (selected.length === 0) throw wrongUsage(`no workload matches ${only}`);
  if (against !== undefined && !URL.canParse(against)) throw wrongUsage(`${against} is not a URL`);
  const other = against === undefined ? undefined : { url: against, admin: parseAdministrator(admin) };

  const own = { name: 'admin', password: randomBytes(12).toString('hex') };
  const server = execaNode({
    nodeOptions: ['--import=tsx'],
    stderr: 'inherit',
    reject: false,
    env: { DOCFEED_ADMIN: `${own.name}:${own.password}` },
  })('bin/docfeed.ts', ['serve', '--port', '0', '--dialect', 'couchdb']);
  const targets: BenchmarkTarget[] = [];
  try {
    targets.push(await BenchmarkTarget.connect('reference', await listeningUrl(server.stdout), own));
    if (other) targets.push(await BenchmarkTarget.connect(other.url, other.url, other.admin));
    const log = (message: string): boolean => process.stderr.write(`${message}\n`);
    const results = await bench(targets, selected, { ...options, log });
    const titles = targets.map(({ title }) => title);
    process.stdout.write(
      json ? `${JSON.stringify({ targets: titles, results }, null, 2)}\n` : await table(titles, results),
    );
  } finally {
    for (const target of targets) await target.close();
    server.kill();
    await server;
  }
}

async function listeningUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('the reference server did not start');
}

async function table(titles: readonly string[], results: readonly Result[]): Promise<string> {
  const head = ['workload', 'unit', ...titles, ...(titles.length > 1 ? ['speedup'] : [])];
  const rows = results.map(({ workload, unit, measured, ratio }) => [
    workload,
    unit,
    ...measured.map(formatMeasured),
    ...(ratio === undefined ? [] : [ratio.toFixed(1)]),
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return prettier.format(lines.join('\n'), { parser: 'markdown' });
}

function formatMeasured({ median, min, max }: Measured): string {
  return `${formatNumber(median)} (${formatNumber(min)} to ${formatNumber(max)})`;
}

function formatNumber(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a positive integer.');
}

function even(text: string): number {
  const value = positive(text);
  if (value % 2 === 0) return value;
  throw new InvalidArgumentError('It must be an even number.');
}
