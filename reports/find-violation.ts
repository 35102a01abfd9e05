import { closest, distance } from 'fastest-levenshtein';
import { escapeInvisible } from './escape.js';
import { fileError } from './file-error.js';
import { readLastResults } from './last-results.js';
import type { CheckResult, Counterexample, Report } from './report.js';

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
  if (!last) throw fileError(`${folder} has no report; make one with: docfeed check URL`);
  const found = last.get(id);
  if (!found) throw fileError(`the report in ${folder} has no check ${id}${suggest(id, [...last.keys()])}`);
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

/** @returns the end of a message that names the checks of the rule `id`, or a check that `id` may be a typo of. */
function suggest(id: string, ids: readonly string[]): string {
  const ofRule = ids.filter((one) => one.startsWith(`${id}/`));
  const nearest = closest(id, ids);
  const meant = ofRule.length > 0 ? ofRule : distance(id, nearest) <= id.length / 3 ? [nearest] : [];
  return meant.length === 0 ? '' : escapeInvisible(`; did you mean ${meant.join(' or ')}?`);
}
