import type { Outcome, Report } from './report.js';

/** A check whose outcome is not the same in two reports; `absent` when one of them has no such check. */
export interface Change {
  id: string;
  from: Outcome | 'absent';
  to: Outcome | 'absent';
  worse: boolean;
}

/** From best to worst for the target. A check that is no longer judged is worse than one that was, and a `fail` is worst. */
const ranking: readonly Change['from'][] = [
  'pass',
  'warn',
  'known',
  'skipped',
  'absent',
  'blocked',
  'inconclusive',
  'error',
  'fail',
];

/** The checks whose outcome changed, in the order of the later report, then those that only the earlier has. */
export function diffReports(before: Report, after: Report): Change[] {
  const from = outcomesById(before);
  const to = outcomesById(after);
  return [...new Set([...to.keys(), ...from.keys()])].flatMap((id) => {
    const change = { id, from: from.get(id) ?? 'absent', to: to.get(id) ?? 'absent' } as const;
    if (change.from === change.to) return [];
    return [{ ...change, worse: ranking.indexOf(change.to) > ranking.indexOf(change.from) }];
  });
}

function outcomesById(report: Report): Map<string, Outcome> {
  return new Map(report.checks.map(({ id, outcome }) => [id, outcome]));
}
