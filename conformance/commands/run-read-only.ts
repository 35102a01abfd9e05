/** Runs `docfeed check --read-only`. */
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { exitCode } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { checkReadOnly } from '../traffic/read-only/check-read-only.js';
import { parseCredentials } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { canRedraw, redrawnLine } from './progress.js';
import type { CheckOptions } from './run-check.js';
import { prepareReporting } from './run-and-report.js';
import { proxyOptions, reportTraffic } from './run-proxy.js';

/** @throws Refusal if the options, a file, the target or a database prevent the run. */
export async function runReadOnly(
  [target, ...others]: readonly string[],
  options: CheckOptions,
): Promise<void> {
  if (target === undefined || others.length > 0) {
    throw new Refusal('usage', '--read-only needs one URL, such as http://127.0.0.1:5984');
  }
  const { database: databases = [], token: tokens, admin, maxRows, maxRate, timeout } = options;
  if (databases.length === 0) {
    throw new Refusal('usage', '--read-only needs the databases to read: --database NAME for each');
  }
  const user = parseCredentials(admin);
  const { specs } = await prepareReporting(options);
  const trafficOptions = await proxyOptions(options);
  const { stderr } = process;
  const line = redrawnLine(stderr, !options.quiet && canRedraw(stderr));
  let findings = 0;
  const report = await runInterruptibly('the report is not complete', (signal) =>
    checkReadOnly({
      ...trafficOptions,
      target,
      databases,
      tokens,
      user,
      maxRows,
      maxRate,
      timeout,
      signal,
      onFinding(found) {
        findings += 1;
        if (!options.quiet) line.print(renderOutcomeLine(found, showsColour(stderr)).trimEnd());
      },
      onNotice: (notice) => line.print(`docfeed: ${notice}`),
      onProgress: (requests) => line.draw(`${requests} requests sent, ${findings} findings`),
    }),
  ).finally(() => line.stop());
  const code = exitCode(report, options.strict);
  const isUndecided = code === 0 && report.suite.stopped !== undefined;
  await reportTraffic(report, options, specs, isUndecided ? 3 : code);
}
