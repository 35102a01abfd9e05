/** What a report says of all results together. */
import { type CheckResult, outcomes, type Report } from '../../reports/report.js';

/** How many checks have each outcome. */
export function summarize(results: readonly CheckResult[]): Report['summary'] {
  const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
}

/** Which checks had fewer generated cases than planned, as one sentence, if any. */
export function reducedCaseWarnings(results: readonly CheckResult[]): string[] {
  const short = results.flatMap(({ id, runs, planned }) =>
    planned === undefined ? [] : [`${id} (${runs} of ${planned})`],
  );
  return short.length === 0 ? [] : [`Time was short: fewer cases than planned for ${short.join(', ')}.`];
}
