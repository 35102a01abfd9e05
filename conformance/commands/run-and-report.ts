/** Runs checks with reporters, progress and report files, whatever the checks run against. */
import { type LastResult, partNames, readLastResults } from '../../reports/last-results.js';
import { exitCode, type Report } from '../../reports/report.js';
import { createReporters } from '../../reports/reporters/index.js';
import { findConflict, type ReporterSpec } from '../../reports/reporters/spec.js';
import { folderFor, writeReport } from '../../reports/write.js';
import { Inconclusive } from '../engine/outcomes.js';
import type { RunOptions } from '../engine/run-options.js';
import { Refusal } from '../engine/refusal.js';
import { progressReporter } from './check-progress.js';
import { prepareReportFolder } from './command-line.js';
import { noProgress, showProgress } from './progress.js';

/** Options of the command line that decide what is printed and written, and when the run ends. */
export interface ReportOptions extends Pick<RunOptions, 'only' | 'skip' | 'replay'> {
  reporter?: readonly ReporterSpec[];
  reportDir: string;
  strict?: boolean;
  lastFailed?: boolean;
  bail?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** What a run must obey and call. */
type RunEvents = Required<Pick<RunOptions, 'signal' | 'onBegin' | 'onProgress'>>;

interface Reporting {
  readonly specs: readonly ReporterSpec[];
  /** Results of the last run, if there was one. */
  readonly last: ReadonlyMap<string, LastResult> | undefined;
}

/**
 * Reads what the options name, before anything runs.
 *
 * @returns with `lastFailed` also the ids of the checks to run.
 * @throws Refusal if the reporters conflict, there is no folder for the report, or no check failed last.
 */
export async function prepareReporting(
  options: ReportOptions,
): Promise<Reporting & { ids: readonly string[] | undefined }> {
  const specs = reportersOf(options);
  await prepareReportFolder(options.reportDir);
  const last = await readLastResults(options.reportDir);
  return { specs, last, ids: options.lastFailed ? failedIds(last, options) : undefined };
}

/**
 * @param reporting.notice what to print to stderr when the run begins.
 * @param run runs the checks.
 */
export async function runAndReport(
  options: ReportOptions,
  {
    specs,
    last,
    interruption,
    notice,
  }: Reporting & { interruption: AbortSignal; notice?: string | undefined },
  run: (events: RunEvents) => Promise<Report>,
): Promise<Report> {
  const reporter = createReporters(specs, options);
  const display = options.quiet ? noProgress : showProgress(process.stderr);
  interruption.addEventListener('abort', () => display.stop());
  const progress = progressReporter(display, { last, printsFailures: options.verbose });
  const bail = new AbortController();
  let report: Report;
  try {
    report = await run({
      signal: AbortSignal.any([interruption, bail.signal]),
      onBegin(begin, waiting) {
        display.clear();
        if (notice !== undefined) process.stderr.write(`docfeed: ${notice}\n`);
        reporter.onRunBegin(begin);
        progress.onRunBegin(begin, waiting);
      },
      onProgress(end) {
        display.clear();
        reporter.onCheckEnd(end);
        progress.onCheckEnd(end);
        const { id, outcome } = end.result;
        if (options.bail && (outcome === 'fail' || (options.strict && outcome === 'warn'))) {
          bail.abort(new Inconclusive(`The run ended at the first failure, ${id}, because of --bail.`));
        }
      },
    });
  } finally {
    display.stop();
  }
  const reportDir = await folderFor(report, options.reportDir, partNameOf(report, options));
  await writeReport(report, reportDir);
  await reporter.onRunEnd({
    report,
    reportDir,
    exitCode: exitCode(report, options.strict),
    isReplay: options.replay !== undefined,
  });
  return report;
}

function reportersOf({ reporter, json }: ReportOptions): readonly ReporterSpec[] {
  const specs = [
    ...(reporter ?? (json ? [] : [{ name: 'default' as const }])),
    ...(json ? [{ name: 'json' as const }] : []),
  ];
  const conflict = findConflict(specs);
  if (conflict !== undefined) {
    throw new Refusal(
      'usage',
      `the reporter ${conflict} cannot share the standard output with another; write ${conflict}=FILE`,
    );
  }
  return specs;
}

/** @throws Refusal if there is nothing to run, since a run that checks nothing must not be green. */
function failedIds(
  last: ReadonlyMap<string, LastResult> | undefined,
  { reportDir, strict }: ReportOptions,
): string[] {
  if (!last) throw new Refusal('file', `--last-failed: there is no report in ${reportDir}`);
  const failed = [...last.values()].filter(
    ({ result: { outcome } }) => outcome === 'fail' || (strict && outcome === 'warn'),
  );
  if (failed.length === 0) {
    throw new Refusal('usage', `--last-failed: no check failed in the last report in ${reportDir}`);
  }
  return failed.map(({ result }) => result.id);
}

/** @returns the name of the subfolder for a run without all checks, which must not replace the report of a full run. */
function partNameOf(
  { suite }: Report,
  { replay, lastFailed, only, skip }: ReportOptions,
): string | undefined {
  if (replay !== undefined) return partNames.replay;
  if (lastFailed) return partNames.lastFailed;
  if (only || skip) return partNames.selection;
  return suite.stopped === undefined ? undefined : partNames.stopped;
}
