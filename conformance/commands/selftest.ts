/** `docfeed selftest`: runs the suite against servers with faults and against conforming variations. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { currentEnvironment, docfeedVersion } from '../../reports/environment.js';
import { renderSelftest } from '../../reports/render/selftest.js';
import { findings, type SelftestReport } from '../../reports/selftest.js';
import { Refusal } from '../verdict/refusal.js';
import {
  fileErrorReason,
  prepareReportFolder,
  repeatable,
  runInterruptibly,
  wholeNumber,
  withExitCodes,
} from './command-line.js';
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

const afterHelp = `
Exit codes:
  0  checks of its own rule find every fault, and no conforming server fails
  1  a fault is not found, a conforming server fails, or the run is interrupted
  2  invalid arguments or files

Examples:
  # all faults with one seed, and 50 variations
  docfeed selftest

  # the faults of one rule
  docfeed selftest --only feed-pending`;

export function selftestCommand(): Command {
  return new Command('selftest')
    .description('test the suite: it must find every fault and accept every conforming server')
    .option('--only <glob>', 'run only faults whose id or rule matches (repeatable)', repeatable)
    .option('--seeds <n>', 'number of seeds per fault', wholeNumber(0, 10_000), 1)
    .option(
      '--variations <n>',
      'number of conforming variations of the server, in addition to older versions (default: 50, or 0 with --only)',
      wholeNumber(0, 1_000_000),
    )
    .option(
      '--repeat <n>',
      'number of runs on a busy machine, and of runs over a slow network',
      wholeNumber(0, 10_000),
      0,
    )
    .addOption(
      new Option(
        '--profile <profile>',
        'generated cases per property against a conforming server; thorough runs all checks against each fault',
      )
        .choices(['smoke', 'default', 'thorough'])
        .default('default'),
    )
    .option('--seed <n>', 'first seed', wholeNumber(0, 2_000_000_000), 1)
    .option('--runs <n>', 'most generated cases per property against a fault', wholeNumber(1, 1_000_000), 150)
    .option('--jobs <n>', 'number of concurrent trials (default: number of cores)', wholeNumber(1, 1000))
    .option('--resume', 'keep the results in the report directory and run only what is missing')
    .option('--report-dir <dir>', 'directory for selftest.json and selftest.html', 'docfeed-selftest/')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', afterHelp)
    .action(withExitCodes(runSelftest));
}

async function runSelftest(options: Options): Promise<void> {
  const { only, seeds, variations, repeat, profile, seed, runs, jobs, reportDir } = options;
  const file = join(reportDir, 'selftest.json');
  const known = options.resume ? await readPreviousReport(file) : undefined;
  await prepareReportFolder(reportDir);
  const { selftest } = await import('../selftest/index.js');
  const { report, isComplete } = await runInterruptibly(async (signal) => {
    const progress = await showProgress(process.stderr, 'trials');
    try {
      const report = await selftest({
        ...{ only, seeds, variations, profile, runs, jobs, known, signal },
        repeats: repeat,
        firstSeed: seed,
        command: commandLine(),
        async onProgress({ name, done, total, report }) {
          progress.update({ name, done, total, failed: findings(report).length });
          await write(report);
        },
      });
      return { report, isComplete: !signal.aborted };
    } finally {
      progress.stop();
    }
  });
  await write(report);
  await writeFileAtomic(join(reportDir, 'selftest.html'), renderSelftest(report));
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : summarize(report));
  process.exitCode = isComplete && findings(report).length === 0 ? 0 : 1;

  async function write(report: SelftestReport): Promise<void> {
    await writeFileAtomic(file, `${JSON.stringify(report, null, 2)}\n`);
  }
}

/** The command line without the report directory, which does not change the results. */
const commandLine = (): string =>
  ['docfeed', ...process.argv.slice(2)].join(' ').replace(/ --report-dir[ =]\S+/, '');

async function readPreviousReport(file: string): Promise<SelftestReport | undefined> {
  try {
    const report = JSON.parse(await readFile(file, 'utf8')) as Partial<SelftestReport> | null;
    if (report?.format !== 'docfeed-selftest/1')
      throw new Refusal('file', `${file} is not a selftest report (format docfeed-selftest/1)`);
    mustBeFromThisCommit(file, report);
    return report as SelftestReport;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof SyntaxError) throw new Refusal('file', `${file} is not JSON`);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal('file', `cannot read ${file}: ${fileErrorReason(error)}`);
  }
}

/** Results of different versions of the suite in one report would prove nothing about any of them. */
function mustBeFromThisCommit(file: string, { version, environment }: Partial<SelftestReport>): void {
  const nameOf = (version?: string, commit?: string): string =>
    `docfeed ${version}${commit === undefined ? '' : ` (commit ${commit})`}`;
  const previous = nameOf(version, environment?.commit);
  const current = nameOf(docfeedVersion, currentEnvironment().commit);
  if (previous === current) return;
  throw new Refusal(
    'usage',
    `--resume cannot continue ${file}: it is from ${previous}, and this is ${current}. Omit --resume to start again.`,
  );
}

function summarize(report: SelftestReport): string {
  const { faults, variations, repeats } = report;
  const killed = faults.filter(({ outcome }) => outcome === 'killed').length;
  const conforming = [...variations, ...repeats];
  const alarms = conforming.reduce((sum, trial) => sum + trial.alarms.length, 0);
  const lines = [
    ...findings(report),
    `faults: ${killed} of ${faults.length} trials killed by a check of their rule`,
    `conforming servers: ${alarms} false alarms in ${conforming.length} trials`,
  ];
  return `${lines.join('\n')}\n`;
}
