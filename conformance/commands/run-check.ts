/** Runs the suite for `docfeed check`: reporters, progress, report files. */
import { existsSync } from 'node:fs';
import { type LastResult, partNames, readLastResults } from '../../reports/last-results.js';
import { exitCode, type Report } from '../../reports/report.js';
import { createReporters } from '../../reports/reporters/index.js';
import { findConflict, type ReporterSpec } from '../../reports/reporters/spec.js';
import { folderFor, writeReport } from '../../reports/write.js';
import { baseUrl } from '../http/base-url.js';
import { journalFolder } from '../target/journal-folder.js';
import { runConformance } from '../run-conformance.js';
import type { ConformanceOptions } from '../target/options.js';
import { Inconclusive } from '../engine/outcomes.js';
import { Refusal } from '../engine/refusal.js';
import { progressReporter } from './check-progress.js';
import type { CheckOptions, CheckRunOptions } from './check-options.js';
import { defaultTargetFile, parseCredentials, prepareReportFolder } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { describeKilledRuns } from './killed-runs.js';
import { noProgress, showProgress } from './progress.js';

/** @throws Refusal if the options, a file or the target prevent the run. */
export async function runCheck(urls: readonly string[], options: CheckOptions): Promise<void> {
  if (urls.length === 0) {
    throw new Refusal('usage', 'missing the URL of the target, such as http://127.0.0.1:5984');
  }
  const admin = parseCredentials(options.admin);
  const specs = reportersOf(options);
  await prepareReportFolder(options.reportDir);
  const last = await readLastResults(options.reportDir);
  const ids = options.lastFailed ? failedIds(last, options) : undefined;
  const report = await runInterruptibly(restoreLater, (signal) =>
    runAndReport({ ...options, urls, admin, ids, signal }, specs, last),
  );
  process.exitCode = exitCode(report, options.strict);
}

/** What to do after a run that could not clean up. */
export const restoreLater = 'run `docfeed restore` to restore the settings and remove databases and users';

async function runAndReport(
  options: CheckRunOptions,
  specs: readonly ReporterSpec[],
  last: ReadonlyMap<string, LastResult> | undefined,
): Promise<Report> {
  const reporter = createReporters(specs, options);
  const killedRuns = await describeKilledRuns(options.urls.map(baseUrl));
  const display = options.quiet ? noProgress : showProgress(process.stderr);
  options.signal!.addEventListener('abort', () => display.stop());
  const progress = progressReporter(display, { last, printsFailures: options.verbose });
  const bail = new AbortController();
  let report: Report;
  try {
    report = await runConformance({
      ...conformanceOptions(options),
      signal: AbortSignal.any([options.signal!, bail.signal]),
      onBegin(run) {
        display.clear();
        if (killedRuns !== undefined) process.stderr.write(`docfeed: ${killedRuns}\n`);
        reporter.onRunBegin(run);
        progress.onRunBegin(run);
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

/** The options of a run, with the defaults of the command line. */
export function conformanceOptions<Options extends ConformanceOptions & { maxBody?: number }>(
  options: Options,
): Options {
  return {
    ...options,
    maxBodyBytes: options.maxBody,
    target: options.target ?? (existsSync(defaultTargetFile) ? defaultTargetFile : undefined),
    journalDir: journalFolder(),
  };
}

function reportersOf({ reporter, json }: CheckOptions): readonly ReporterSpec[] {
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
  { reportDir, strict }: CheckOptions,
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
  { replay, lastFailed, only, skip }: CheckRunOptions,
): string | undefined {
  if (replay !== undefined) return partNames.replay;
  if (lastFailed) return partNames.lastFailed;
  if (only || skip) return partNames.selection;
  return suite.stopped === undefined ? undefined : partNames.stopped;
}
