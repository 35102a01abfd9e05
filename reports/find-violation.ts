import { escapeInvisible } from './escape.js';
import { fileError } from './file-error.js';
import { noReport, readLastResults } from './last-results.js';
import type { CheckResult, Counterexample, Report } from './report.js';
import { suggestion } from './suggestion.js';

/** A check that found a violation, whatever a baseline says of it. */
export type Violation = CheckResult & { readonly counterexample: Counterexample };

/**
 * @param folder with the report of a run, and those of its partial runs
 * @returns the last result of the check, and its report
 * @throws CommanderError (exit code 2) if there is no report, no such check in it, or nothing that the check found.
 */
export async function findViolation(
  id: string,
  folder: string,
): Promise<{ report: Report; check: Violation }> {
  const last = await readLastResults(folder, { includesUndecided: true });
  if (!last) throw noReport(folder);
  const found = last.get(id);
  if (!found) {
    const meant = suggestion(id, [...last.keys()]);
    throw fileError(escapeInvisible(`the report in ${folder} has no check ${id}${meant}`));
  }
  const { result: check, report } = found;
  if (!isViolation(check)) {
    const failed = [...last.values()]
      .filter(({ result }) => isViolation(result))
      .map(({ result }) => result.id);
    const others = failed.length === 0 ? 'no check failed' : `these failed: ${failed.join(', ')}`;
    throw fileError(escapeInvisible(`${id} found no violation: its outcome is ${check.outcome}; ${others}`));
  }
  return { report, check };
}

const isViolation = (check: CheckResult): check is Violation =>
  ['fail', 'warn', 'known'].includes(check.outcome) && check.counterexample !== undefined;
