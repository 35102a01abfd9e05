import junit, { type Builder } from 'junit-report-builder';
import type { CheckResult, Report } from '../report.js';
import { escapeInvisible } from '../escape.js';
import { describeEvidence, describeRun, formatReason } from './text.js';

// The types of the package describe another module format than Node.js loads.
const builder = junit as unknown as Builder;

/**
 * Renders JUnit XML for CI systems, with a test case for each check. `fail` becomes a failure. Undecided checks become
 * errors, because they make a run red too. `known` and `skipped` become skipped cases; `warn` passes with output.
 */
export function renderJunit(report: Report): string {
  const { suite, target } = report;
  const document = builder.newBuilder();
  const testSuite = document
    .testSuite()
    .name(`docfeed ${escapeInvisible(target.url)}`)
    .timestamp(suite.startedAt)
    .time(suite.durationMs / 1000);
  for (const [label, text] of describeRun(report)) testSuite.property(label, text);

  for (const check of report.checks) {
    const reason = formatReason(check);
    const testCase = testSuite
      .testCase()
      .className(escapeInvisible(check.rule))
      .name(escapeInvisible(check.id))
      .time(check.durationMs / 1000);
    switch (check.outcome) {
      case 'pass':
        break;
      case 'fail':
        testCase.failure(reason, check.outcome).stacktrace(describeCheck(report, check));
        break;
      case 'error':
      case 'blocked':
      case 'inconclusive':
        testCase.error(reason, check.outcome);
        break;
      case 'known':
      case 'skipped':
        testCase.skipped().standardOutput(describeCheck(report, check));
        break;
      case 'warn':
        testCase.standardOutput(describeCheck(report, check));
        break;
    }
  }
  return document.build();
}

function describeCheck(report: Report, check: CheckResult): string {
  const lines = [
    `${check.outcome}: ${formatReason(check)}`,
    ...describeEvidence(report, check).map(([label, text]) => `${label}: ${text}`),
  ];
  // The text becomes a CDATA section, and the package escapes only the first `]]>`.
  return lines.join('\n').replaceAll(']]>', ']]\\u{3e}');
}
