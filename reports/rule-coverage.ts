/** Counts the rules that a run has checked, and says why it has not checked the others. */
import { groupBy } from './group.js';
import { isDecided, isInPart, mostUrgentFirst } from './outcomes.js';
import { groupByReason, type ReasonGroup } from './reasons.js';
import type { Report } from './report.js';

export interface RuleCoverage {
  /** Number of rules of which a check has decided whether the target follows them. */
  checked: number;
  /** Number of these rules of which other checks have not decided, or of which only a part was judged. */
  partly: number;
  /** Number of rules in the catalogue. A report of an earlier version counts only the rules of the selected checks. */
  total: number;
  /** Number of rules of which no check was selected. */
  unselected: number;
  /** The other rules by why they were not checked, each with its most urgent check. */
  gaps: ReasonGroup[];
}

export function ruleCoverage(report: Report): RuleCoverage {
  const byRule = groupBy(report.checks, ({ rule }) => rule).map(([, checks]) => checks);
  const checked = byRule.filter((checks) => checks.some(isDecided));
  const unchecked = byRule.filter((checks) => !checks.some(isDecided));
  const total = report.suite.rules ?? byRule.length;
  return {
    checked: checked.length,
    partly: checked.filter((checks) => !checks.every(isDecided) || checks.some(isInPart)).length,
    total,
    unselected: total - byRule.length,
    gaps: groupByReason(
      report,
      unchecked.map((checks) => mostUrgentFirst(checks)[0]!),
    ),
  };
}
