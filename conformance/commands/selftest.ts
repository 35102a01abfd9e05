/** `docfeed selftest`: faults and lawful variation against the suite. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { makeFolder } from '../../reports/folder.js';
import { renderSelftest } from '../../reports/render/selftest.js';
import { findings, type SelftestReport } from '../../reports/selftest.js';
import { Refusal } from '../verdict/refusal.js';
import { refusing } from './command-line.js';
import type { Profile } from '../check.js';
import { showProgress } from './progress.js';

interface Options {
  readonly only?: string[];
  readonly seeds: number;
  readonly variations?: number;
  readonly repeat: number;
  readonly profile: Profile;
  readonly seed: number;
  readonly runs: number;
  readonly jobs?: number;
  readonly resume?: boolean;
  readonly reportDir: string;
  readonly json?: boolean;
}

export function selftestCommand(): Command {
  return new Command('selftest')
    .description('try the suite: servers with a fault each must fail, lawful servers must not')
    .option('--only <glob>', 'only faults whose id or rule fits; can be given again', another)
    .addOption(count('--seeds <n>', 'seeds that each fault is tried with', { initial: 1 }))
    .addOption(count('--variations <n>', 'lawful variations of the server (default: 50, with --only 0)', {}))
    .addOption(
      count('--repeat <n>', 'runs on a busy machine, and as many over a slow network', { initial: 0 }),
    )
    .addOption(
      new Option(
        '--profile <profile>',
        'how many cases a check generates against a lawful server; with thorough, each fault meets the whole suite',
      )
        .choices(['smoke', 'default', 'thorough'])
        .default('default'),
    )
    .addOption(count('--seed <n>', 'the first seed', { initial: 1 }))
    .addOption(
      count('--runs <n>', 'generated cases that a check has at most against a fault', {
        initial: 150,
        least: 1,
      }),
    )
    .addOption(count('--jobs <n>', 'trials beside each other (default: one a core)', { least: 1 }))
    .option('--resume', 'go on where the results in the report directory end')
    .option('--report-dir <dir>', 'where selftest.json and selftest.html are written', 'docfeed-selftest/')
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 every fault is killed by its rule and nothing lawful fails, 1 otherwise,\n' +
        '2 the command line or a file is wrong.',
    )
    .action(refusing(act));
}

async function act(options: Options): Promise<void> {
  const { only, seeds, variations, repeat, profile, seed, runs, jobs, reportDir } = options;
  const file = join(reportDir, 'selftest.json');
  const known = options.resume ? await earlier(file) : undefined;
  await makeFolder(reportDir).catch((error: NodeJS.ErrnoException) => {
    throw wrong(`cannot write to report directory ${reportDir}: ${error.code}`);
  });
  const { selftest } = await import('../selftest/index.js');
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = await showProgress(process.stderr, 'trials');
  let report: SelftestReport;
  try {
    report = await selftest({
      ...{ only, seeds, variations, profile, runs, jobs, known },
      repeats: repeat,
      firstSeed: seed,
      signal: interrupted.signal,
      async onProgress({ name, done, total, report }) {
        progress.update({ name, done, total, failed: findings(report).length });
        await write(report);
      },
    });
  } finally {
    progress.stop();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  await write(report);
  await writeFileAtomic(join(reportDir, 'selftest.html'), renderSelftest(report));
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : summary(report));
  process.exitCode = findings(report).length > 0 || interrupted.signal.aborted ? 1 : 0;

  async function write(report: SelftestReport): Promise<void> {
    await writeFileAtomic(file, `${JSON.stringify(report, null, 2)}\n`);
  }
}

async function earlier(file: string): Promise<SelftestReport | undefined> {
  try {
    const report = JSON.parse(await readFile(file, 'utf8')) as SelftestReport;
    if (report.format !== 'docfeed-selftest/1') throw wrong(`${file} is no report of a self-test`);
    return report;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) throw wrong(`${file} is not JSON`);
    throw error;
  }
}

function summary(report: SelftestReport): string {
  const { faults, variations, repeats } = report;
  const killed = faults.filter(({ outcome }) => outcome === 'killed').length;
  const lawful = [...variations, ...repeats];
  const alarms = lawful.reduce((sum, trial) => sum + trial.alarms.length, 0);
  const lines = [
    ...findings(report),
    `${killed} of ${faults.length} trials of faults killed by their rule`,
    `${lawful.length} lawful servers, ${alarms} false alarms`,
  ];
  return `${lines.join('\n')}\n`;
}

function count(
  flags: string,
  description: string,
  { initial, least = 0 }: { initial?: number; least?: number },
): Option {
  const option = new Option(flags, description).argParser((text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number of ${least} or more.`);
  });
  return initial === undefined ? option : option.default(initial);
}

const another = (glob: string, before: string[] = []) => [...before, glob];

const wrong = (message: string) => new Refusal('file', message);
