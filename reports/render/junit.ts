import junit, { type Builder } from 'junit-report-builder';
import type { CheckResult, Report } from '../report.js';
import { circumstances, findings, printable, reasonOf } from './text.js';

// The package's types describe a module of another kind than Node finds.
const builder = junit as unknown as Builder;

/**
 * JUnit XML for CI systems, one test case a check. `fail` is a failure. What could not be decided is an error, since
 * it makes a run red too. `known` and `skipped` are skipped; `warn` passes with a remark.
 */
export function renderJunit(report: Report): string {
  const { suite, target } = report;
  const document = builder.newBuilder();
  const cases = document
    .testSuite()
    .name(`docfeed ${printable(target.url)}`)
    .timestamp(suite.startedAt)
    .time(suite.durationMs / 1000);
  for (const [label, text] of circumstances(report)) cases.property(label, text);

  for (const check of report.checks) {
    const reason = reasonOf(check);
    const testCase = cases
      .testCase()
      .className(printable(check.rule))
      .name(printable(check.id))
      .time(check.durationMs / 1000);
    switch (check.outcome) {
      case 'pass':
        break;
      case 'fail':
        testCase.failure(reason, check.outcome).stacktrace(details(report, check));
        break;
      case 'error':
      case 'blocked':
      case 'inconclusive':
        testCase.error(reason, check.outcome);
        break;
      case 'known':
      case 'skipped':
        testCase.skipped().standardOutput(details(report, check));
        break;
      case 'warn':
        testCase.standardOutput(details(report, check));
        break;
    }
  }
  return document.build();
}

function details(report: Report, check: CheckResult): string {
  const lines = [
    `${check.outcome}: ${reasonOf(check)}`,
    ...findings(report, check).map(([label, text]) => `${label}: ${text}`),
  ];
  // The text becomes a CDATA section, and the library divides only the first of these.
  return lines.join('\n').replaceAll(']]>', ']]\\u{3e}');
}
