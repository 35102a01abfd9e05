/** Runs `docfeed selftest`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { currentEnvironment, docfeedVersion } from '../../reports/origin.js';
import { renderSelftest } from '../../reports/render/selftest.js';
import { findings, type SelftestReport } from '../../reports/selftest.js';
import { selftest, type SelftestOptions } from '../selftest/index.js';
import { Refusal } from '../engine/refusal.js';
import { fileErrorReason, prepareReportFolder } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { showProgress } from './progress.js';

/** The parsed options of `docfeed selftest`. */
export interface SelftestRunOptions extends Omit<
  SelftestOptions,
  'known' | 'signal' | 'command' | 'onProgress'
> {
  readonly resume?: boolean;
  readonly reportDir: string;
  readonly json?: boolean;
}

export async function runSelftest(options: SelftestRunOptions): Promise<void> {
  const { reportDir } = options;
  const file = join(reportDir, 'selftest.json');
  const known = options.resume ? await readPreviousReport(file) : undefined;
  await prepareReportFolder(reportDir);
  const continueLater = 'run it with --resume to continue';
  const { report, isComplete } = await runInterruptibly(continueLater, async (signal) => {
    const progress = showProgress(process.stderr, 'trials');
    signal.addEventListener('abort', () => progress.stop());
    try {
      const report = await selftest({
        ...options,
        known,
        signal,
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

/** The command line without the report folder, which does not change the results. */
const commandLine = (): string =>
  ['docfeed', ...process.argv.slice(2)].join(' ').replace(/ --report-dir[ =]\S+/, '');

async function readPreviousReport(file: string): Promise<SelftestReport | undefined> {
  try {
    const report = JSON.parse(await readFile(file, 'utf8')) as Partial<SelftestReport> | null;
    if (report?.format !== 'docfeed-selftest/1')
      throw new Refusal('file', `${file} is not a report of the self-test (format docfeed-selftest/1)`);
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
  const { faults, busyFaults = [], variations, repeats } = report;
  const survivors = busyFaults.filter(({ outcome }) => outcome === 'survived').length;
  const killed = faults.filter(({ outcome }) => outcome === 'killed').length;
  const conforming = [...variations, ...repeats];
  const alarms = conforming.reduce((sum, trial) => sum + trial.alarms.length, 0);
  const lines = [
    ...findings(report),
    `faults: ${killed} of ${faults.length} trials killed by a check of their rule`,
    ...(busyFaults.length > 0
      ? [`faults in periods on a busy machine: ${survivors} of ${busyFaults.length} trials survived`]
      : []),
    `conforming servers: ${alarms} false alarms in ${conforming.length} trials`,
  ];
  return `${lines.join('\n')}\n`;
}
