import type { CheckResult, Outcome, Report } from './report.js';

/** A check whose outcome differs between two reports. */
export interface Change {
  id: string;
  rule: string;
  /** `absent`: the report has no result of this check. */
  before: Outcome | 'absent';
  after: Outcome | 'absent';
  /**
   * `worse`: the target got worse, or may have: the check no longer gives a result, for example. `better`: the
   * outcome is acceptable now. `other`: neither, such as a failure that is inconclusive now.
   */
  verdict: 'worse' | 'better' | 'other';
}

/** A higher number is a worse outcome. */
const severity: Readonly<Record<Change['after'], number>> = {
  pass: 0,
  warn: 1,
  known: 1,
  skipped: 2,
  absent: 2,
  blocked: 3,
  inconclusive: 3,
  error: 3,
  fail: 4,
};

/** @returns the changed checks in the order of `after`, then the checks that only `before` has. */
export function diffReports(before: Report, after: Report): Change[] {
  const beforeById = indexById(before);
  const afterById = indexById(after);
  return [...new Map([...afterById, ...beforeById]).entries()].flatMap(([id, { rule }]) => {
    const from = beforeById.get(id)?.outcome ?? 'absent';
    const to = afterById.get(id)?.outcome ?? 'absent';
    return from === to ? [] : [{ id, rule, before: from, after: to, verdict: compareOutcomes(from, to) }];
  });
}

function compareOutcomes(before: Change['before'], after: Change['after']): Change['verdict'] {
  if (severity[after] > severity[before]) return 'worse';
  return severity[after] < severity[before] && severity[after] < severity.skipped ? 'better' : 'other';
}

function indexById(report: Report): Map<string, CheckResult> {
  return new Map(report.checks.map((check) => [check.id, check]));
}
