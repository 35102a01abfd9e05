/** Sorting and counting by outcome. */
import { type CheckResult, type Outcome, outcomes, type Report } from './report.js';

/**
 * The outcomes that need attention first come first. The first one that occurs also represents several results of one
 * rule or check, so `skipped` is last: it says less than any other outcome.
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

const decided: readonly Outcome[] = ['pass', 'known', 'warn', 'fail'];

/** Whether the check decided if the target follows its rule. */
export const isDecided = ({ outcome }: CheckResult): boolean => decided.includes(outcome);

/** Whether only a part of the rule was judged: it is in a report about traffic. */
export const isInPart = ({ traffic }: CheckResult): boolean => traffic?.judged !== undefined;

export function mostUrgentFirst<T extends Pick<CheckResult, 'outcome'>>(checks: readonly T[]): T[] {
  return checks.toSorted((a, b) => byUrgency.indexOf(a.outcome) - byUrgency.indexOf(b.outcome));
}

/** @returns the `summary` of a report: the number of checks with each outcome. */
export function summarize(checks: readonly CheckResult[]): Report['summary'] {
  const count = (wanted: Outcome): number => checks.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
}

/** Whether the check had not finished when the run ended early: the report says that once, for all such checks. */
export function isUnfinished({ suite }: Report, { outcome, reason }: CheckResult): boolean {
  return outcome === 'inconclusive' && suite.stopped !== undefined && reason === suite.stopped;
}
