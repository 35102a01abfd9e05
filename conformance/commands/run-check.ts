/** Runs the suite for `docfeed check`. */
import { existsSync } from 'node:fs';
import { exitCode } from '../../reports/report.js';
import { baseUrl } from '../http/base-url.js';
import { Refusal } from '../engine/refusal.js';
import { runConformance } from '../run-conformance.js';
import { journalFolder } from '../target/journal-folder.js';
import type { ConformanceOptions } from '../target/options.js';
import type { CheckOptions } from './check-options.js';
import { defaultTargetFile, parseCredentials } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { describeKilledRuns } from './killed-runs.js';
import { prepareReporting, runAndReport } from './run-and-report.js';

/** @throws Refusal if the options, a file or the target prevent the run. */
export async function runCheck(urls: readonly string[], options: CheckOptions): Promise<void> {
  if (urls.length === 0) {
    throw new Refusal('usage', 'missing the URL of the target, such as http://127.0.0.1:5984');
  }
  const admin = parseCredentials(options.admin);
  const { ids, ...reporting } = await prepareReporting(options);
  const report = await runInterruptibly(restoreLater, async (interruption) => {
    const notice = await describeKilledRuns(urls.map(baseUrl));
    return runAndReport(options, { ...reporting, interruption, notice }, (events) =>
      runConformance({ ...conformanceOptions({ ...options, urls, admin, ids }), ...events }),
    );
  });
  process.exitCode = exitCode(report, options.strict);
}

/** What to do after a run that could not clean up. */
export const restoreLater = 'run `docfeed restore` to restore the settings and remove databases and users';

/** The options of a run, with the defaults of the command line. */
export function conformanceOptions<Options extends ConformanceOptions>(options: Options): Options {
  return {
    ...options,
    target: options.target ?? (existsSync(defaultTargetFile) ? defaultTargetFile : undefined),
    journalDir: journalFolder(),
  };
}
