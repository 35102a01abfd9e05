import junit, { type Builder } from 'junit-report-builder';
import type { Report } from '../report.js';
import { inline, replayCommand } from '../text.js';

// The library's types describe the default export of a module of another kind than it is.
const builder = junit as unknown as Builder;

/**
 * JUnit XML for CI systems: one test case a check. `fail` is a failure; what could not be decided is an error, as it
 * makes the run red too; `known` and `skipped` are skipped.
 */
export function renderJunit(report: Report): string {
  const document = builder.newBuilder();
  const suite = document
    .testSuite()
    .name(`docfeed ${report.target.url}`)
    .timestamp(report.suite.startedAt)
    .time(report.suite.durationMs / 1000);
  for (const check of report.checks) {
    const testCase = suite
      .testCase()
      .className(check.rule)
      .name(check.id)
      .time(check.durationMs / 1000);
    const reason = check.reason ?? '';
    switch (check.outcome) {
      case 'pass':
        break;
      case 'fail':
        testCase
          .failure(reason, check.rule)
          .stacktrace(
            [
              check.counterexample?.path && `at ${check.counterexample.path}`,
              `expected ${inline(check.counterexample?.expected)}`,
              `actual ${inline(check.counterexample?.actual)}`,
              replayCommand(report, check),
            ]
              .filter(Boolean)
              .join('\n'),
          );
        break;
      case 'warn':
        testCase.standardOutput(`warning: ${reason}`);
        break;
      case 'known':
      case 'skipped':
        testCase.skipped().standardOutput(`${check.outcome}: ${reason}`);
        break;
      case 'blocked':
      case 'inconclusive':
      case 'error':
        testCase.error(`${check.outcome}: ${reason}`, check.rule);
        break;
    }
  }
  return document.build();
}
