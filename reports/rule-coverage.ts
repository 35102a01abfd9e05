/** Counts the rules that a run has checked, and says why it has not checked the others. */
import { groupBy } from './group.js';
import { byUrgency } from './outcomes.js';
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

/** Rules that were not checked for one reason. */
interface Gap {
  outcome: Outcome;
  rules: string[];
  /** The capability that the checks need. */
  missing?: string;
  /** The shortest way to make it available. */
  remedy?: string;
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
    gaps: groupBy(unchecked, ({ outcome, missing = '' }) => `${outcome} ${missing}`)
      .map(([, checks]) => gapOf(report, checks))
      .sort((a, b) => b.rules.length - a.rules.length),
  };
}

function mostUrgent(checks: readonly CheckResult[]): CheckResult {
  return byUrgency.flatMap((wanted) => checks.find(({ outcome }) => outcome === wanted) ?? [])[0]!;
}

function gapOf({ target }: Report, checks: readonly CheckResult[]): Gap {
  const { outcome, missing } = checks[0]!;
  const remedy = target.capabilities.find(({ name }) => name === missing)?.remedy;
  return {
    outcome,
    rules: checks.map(({ rule }) => rule),
    ...(missing === undefined ? {} : { missing }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}
