/** Runs the suite for `docfeed check`. */
import { type CheckResult, exitCode, type Report } from '../../reports/report.js';
import { baseUrl } from '../http/base-url.js';
import { Refusal } from '../engine/refusal.js';
import { runConformance } from '../run-conformance.js';
import { journalFolder } from '../session/cleanup/journal-folder.js';
import type { ConformanceOptions } from '../session/conformance-options.js';
import { progressReporter } from './check-progress.js';
import { parseCredentials } from './command-line.js';
import { targetFileOf } from './file-options.js';
import { runInterruptibly } from './interruption.js';
import { describeKilledRuns } from './killed-runs.js';
import { noProgress, type ProgressDisplay, showProgress } from './progress.js';
import { prepareReporting, type ReportOptions, runAndReport } from './run-and-report.js';

/** The parsed options of `docfeed check`. */
export interface CheckOptions
  extends ReportOptions, ReadOnlyOptions, Omit<ConformanceOptions, 'urls' | 'admin' | 'database'> {
  admin?: string;
  database?: readonly string[];
  readOnly?: boolean;
  profile: NonNullable<ConformanceOptions['profile']>;
  bringUp?: boolean;
  watch?: boolean;
  watchFile?: readonly string[];
  list?: boolean;
  explain?: string;
}

/** Options that only `--read-only` has. */
interface ReadOnlyOptions {
  maxRows?: number;
  token?: readonly string[];
  singleCopy?: boolean;
  requiredClaims?: string;
  bodies?: boolean;
}

/** The options of the command line and of the library together. */
export type CheckTargetOptions = Omit<CheckOptions, 'admin' | 'database'> & ConformanceOptions;

/** @throws Refusal if the options, a file or the target prevent the run. */
export async function runCheck(urls: readonly string[], options: CheckOptions): Promise<void> {
  const target = withTarget(urls, options);
  const { ids, ...reporting } = await prepareReporting(options);
  const report = await runInterruptibly(restoreLater, async (interruption) => {
    const notice = await describeKilledRuns(urls.map(baseUrl));
    return runAndReport(options, { ...reporting, interruption, notice }, (events) =>
      runConformance({ ...conformanceOptions({ ...target, ids }), ...events }),
    );
  });
  process.exitCode = exitCode(report, options.strict);
}

/** The options that belong to `--read-only`. A token in the environment may be meant for another run. */
const ofReadOnly = {
  maxRows: '--max-rows',
  singleCopy: '--single-copy',
  requiredClaims: '--required-claims',
  bodies: '--bodies',
} as const;

/** @throws Refusal if no URL is given, the credentials are malformed, or an option needs `--read-only` */
export function withTarget(urls: readonly string[], options: CheckOptions): CheckTargetOptions {
  if (urls.length === 0) {
    throw new Refusal('usage', 'missing the URL of the target, such as http://127.0.0.1:5984');
  }
  for (const [name, flag] of Object.entries(ofReadOnly)) {
    if (name in options) throw new Refusal('usage', `${flag} needs --read-only`);
  }
  const [database, ...others] = options.database ?? [];
  if (others.length > 0) throw new Refusal('usage', 'more than one --database needs --read-only');
  return { ...options, urls, database, admin: parseCredentials(options.admin) };
}

/** Runs the suite and shows its progress. Nothing is printed or written. */
export async function runWithProgress(
  options: CheckTargetOptions,
  onResult: (result: CheckResult, display: ProgressDisplay) => void = () => {},
): Promise<Report> {
  const display = options.quiet ? noProgress : showProgress(process.stderr);
  const progress = progressReporter(display);
  options.signal?.addEventListener('abort', () => display.stop());
  try {
    return await runConformance({
      ...conformanceOptions(options),
      onBegin(run, waiting) {
        options.onBegin?.(run, waiting);
        progress.onRunBegin(run, waiting);
      },
      onProgress(end) {
        progress.onCheckEnd(end);
        onResult(end.result, display);
      },
    });
  } finally {
    display.stop();
  }
}

/** What to do after a run that could not clean up. */
export const restoreLater = 'run `docfeed restore` to restore the settings and remove databases and users';

/** The options of a run, with the defaults of the command line. */
function conformanceOptions<Options extends ConformanceOptions>(options: Options): Options {
  return {
    ...options,
    target: targetFileOf(options),
    journalDir: journalFolder(),
  };
}
