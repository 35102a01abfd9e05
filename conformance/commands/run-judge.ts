/** Runs `docfeed judge`. */
import { Refusal } from '../engine/refusal.js';
import { judgeRecording } from '../traffic/judge-recording.js';
import type { JudgeCommandOptions } from './traffic-options.js';
import { prepareReporting } from './run-and-report.js';
import { proxyOptions, reportTraffic } from './run-proxy.js';

/** @throws Refusal if the options or the file are wrong */
export async function runJudge(file: string, options: JudgeCommandOptions): Promise<void> {
  const { specs } = await prepareReporting(options);
  const report = await judgeRecording(file, { ...(await proxyOptions(options)), target: options.target });
  if (report.checks.every(({ outcome }) => outcome === 'skipped')) {
    throw new Refusal('file', `${file} has no response that a rule applies to`);
  }
  await reportTraffic(report, options, specs);
}
