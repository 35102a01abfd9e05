import { printableJson } from '../escape.js';
import type { Output, Reporter } from './reporter.js';

/** Writes one JSON object per line and event, as soon as the event happens. The format is described in reports/README.md. */
export function ndjsonReporter(output: Output): Reporter {
  const write = (event: string, data: object): void =>
    output.write(`${printableJson({ event, time: new Date().toISOString(), ...data })}\n`);
  return {
    onRunBegin: (run) => write('run-begin', { format: 'docfeed-events/1', ...run }),
    onCheckEnd: (end) => write('check-end', end),
    onRunEnd: ({ report, reportDir, exitCode }) =>
      write('run-end', {
        summary: report.summary,
        warnings: report.warnings,
        ...(report.suite.stopped === undefined ? {} : { stopped: report.suite.stopped }),
        durationMs: report.suite.durationMs,
        exitCode,
        reportDir,
      }),
  };
}
