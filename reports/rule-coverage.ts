/** Counts the rules that a run has checked, and says why it has not checked the others. */
import { groupBy } from './group.js';
import { byUrgency, isUnfinished } from './outcomes.js';
import type { CheckResult, Outcome, Report } from './report.js';

export interface RuleCoverage {
  /** Number of rules of which a check has decided whether the target follows them. */
  checked: number;
  /** Number of these rules of which other checks have not decided. */
  partly: number;
  /** Number of rules in the catalogue. A report of an earlier version counts only the rules of the selected checks. */
  total: number;
  /** Number of rules of which no check was selected. */
  unselected: number;
  gaps: Gap[];
}

/** Rules that were not checked and would be in the same way. */
interface Gap {
  outcome: Outcome;
  rules: string[];
  /** The capabilities that the checks need. */
  missing: string[];
  /** The shortest way to make them available. */
  remedy?: string;
  /** The reason, if all checks have the same. */
  reason?: string;
}

const decided: readonly Outcome[] = ['pass', 'fail', 'warn', 'known'];

const isDecided = ({ outcome }: CheckResult): boolean => decided.includes(outcome);

export function ruleCoverage(report: Report): RuleCoverage {
  const byRule = groupBy(report.checks, ({ rule }) => rule).map(([, checks]) => checks);
  const checked = byRule.filter((checks) => checks.some(isDecided));
  const unchecked = byRule.filter((checks) => !checks.some(isDecided)).map(mostUrgent);
  const total = report.suite.rules ?? byRule.length;
  return {
    checked: checked.length,
    partly: checked.filter((checks) => !checks.every(isDecided)).length,
    total,
    unselected: total - byRule.length,
    gaps: groupBy(
      unchecked,
      (check) =>
        `${check.outcome} ${remedyOf(report, check) ?? check.missing ?? check.obstacle ?? (check.outcome === 'blocked' ? check.reason : '')}`,
    )
      .map(([, checks]) => gapOf(report, checks))
      .sort((a, b) => b.rules.length - a.rules.length),
  };
}

function mostUrgent(checks: readonly CheckResult[]): CheckResult {
  return byUrgency.flatMap((wanted) => checks.find(({ outcome }) => outcome === wanted) ?? [])[0]!;
}

const remedyOf = ({ target }: Report, { missing }: CheckResult): string | undefined =>
  target.capabilities.find(({ name }) => name === missing)?.remedy;

function gapOf(report: Report, checks: readonly CheckResult[]): Gap {
  const [first] = checks as [CheckResult];
  const remedy = remedyOf(report, first);
  const reason = first.obstacle ?? first.reason;
  const hasOneReason = checks.every((check) => (check.obstacle ?? check.reason) === reason);
  return {
    outcome: first.outcome,
    rules: checks.map(({ rule }) => rule),
    missing: [...new Set(checks.flatMap(({ missing }) => missing ?? []))],
    ...(remedy === undefined ? {} : { remedy }),
    ...(hasOneReason && reason !== undefined
      ? { reason: isUnfinished(report, first) ? 'the run ended early' : reason }
      : {}),
  };
}
