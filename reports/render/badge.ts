import { type Report, exitCode } from '../report.js';
import { ruleCoverage } from '../rule-coverage.js';

/** The colour says whether the target violates a rule. A few checked rules must not look like all of them. */
const colors = { 0: 'brightgreen', 1: 'red', 3: 'lightgrey' } as const;

/**
 * Renders the data of a badge for the README of a server: how many rules hold, of how many in the catalogue. The format
 * is the one that the endpoint badge of shields.io reads.
 */
export function renderBadge(report: Report): string {
  const { checked, partly, total } = ruleCoverage(report);
  const { fail, known } = report.summary;
  const message = [
    `${checked}/${total} rules checked${report.suite.traffic && partly > 0 ? `, ${partly} in part` : ''}`,
    ...(fail > 0 ? [`${fail} ${fail === 1 ? 'check fails' : 'checks fail'}`] : []),
    ...(known > 0 ? [`${known} known ${known === 1 ? 'deviation' : 'deviations'}`] : []),
  ].join(', ');
  return `${JSON.stringify({ schemaVersion: 1, label: 'docfeed', message, color: colors[exitCode(report)] })}\n`;
}
