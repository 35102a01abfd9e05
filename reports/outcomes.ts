/** Outcomes put in order and counted. */
import { type CheckResult, type Outcome, outcomes, type Report } from './report.js';

/**
 * What needs attention first. Also which outcome stands for several checks taken together: a check that was skipped
 * says nothing beside one that was judged.
 */
export const byUrgency = [
  'fail',
  'error',
  'blocked',
  'inconclusive',
  'warn',
  'known',
  'pass',
  'skipped',
] as const satisfies readonly Outcome[];

export function mostUrgentFirst(checks: readonly CheckResult[]): CheckResult[] {
  return checks.toSorted((a, b) => byUrgency.indexOf(a.outcome) - byUrgency.indexOf(b.outcome));
}

/** The `summary` of a report of these checks. */
export function summarize(checks: readonly CheckResult[]): Report['summary'] {
  const count = (wanted: Outcome): number => checks.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
}
