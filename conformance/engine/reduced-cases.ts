/** Warns about checks that ran fewer generated cases than planned. */
import type { CheckResult } from '../../reports/report.js';

/** @returns one sentence, or nothing if all checks ran all their cases. */
export function reducedCaseWarnings(results: readonly CheckResult[]): string[] {
  const reduced = results.flatMap(({ id, cases, planned }) =>
    planned === undefined ? [] : [`${id} (${cases} of ${planned})`],
  );
  if (reduced.length === 0) return [];
  return [`These checks had no time for all generated cases: ${reduced.join(', ')}.`];
}
