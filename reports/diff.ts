import type { CheckResult, Outcome, Report } from './report.js';

/** A check whose outcome is not the same in two reports. */
export interface Change {
  id: string;
  rule: string;
  /** `absent`: that report has no such check. */
  before: Outcome | 'absent';
  after: Outcome | 'absent';
  /**
   * `worse`: the target is, or may now be, worse, which includes that a check which said something says nothing any
   * more. `better`: it is good now. `other`: neither, such as a failure that can no longer be decided.
   */
  verdict: 'worse' | 'better' | 'other';
}

/** The higher, the worse. */
const badness: Readonly<Record<Change['after'], number>> = {
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

/** The checks whose outcome changed: those of the later report in its order, then those that only the earlier has. */
export function diffReports(before: Report, after: Report): Change[] {
  const earlier = byId(before);
  const later = byId(after);
  return [...new Map([...later, ...earlier]).entries()].flatMap(([id, { rule }]) => {
    const was = earlier.get(id)?.outcome ?? 'absent';
    const is = later.get(id)?.outcome ?? 'absent';
    return was === is ? [] : [{ id, rule, before: was, after: is, verdict: compare(was, is) }];
  });
}

function compare(before: Change['before'], after: Change['after']): Change['verdict'] {
  if (badness[after] > badness[before]) return 'worse';
  return badness[after] < badness[before] && badness[after] < badness.skipped ? 'better' : 'other';
}

function byId(report: Report): Map<string, CheckResult> {
  return new Map(report.checks.map((check) => [check.id, check]));
}
