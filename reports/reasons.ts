/**
 * Groups the checks that are not simply judged by why: one entry for each reason, however many checks have it. Unlike a
 * cause (`causes.ts`), a reason is not inferred: the suite has said it. So each has what somebody can do about it.
 */
import { groupBy } from './group.js';
import { isUnfinished } from './outcomes.js';
import type { CheckResult, Outcome, Report } from './report.js';

/**
 * What somebody can do about each outcome that a reason explains, most urgent first. A violation is explained by its
 * evidence instead.
 */
const advice = {
  error: 'this is a defect of docfeed: file an issue with report.json',
  blocked: 'make this work first',
  inconclusive: 'run again while the target and this machine have nothing else to do',
  known: 'nothing: the baseline expects it',
  skipped: 'nothing, if it need not offer this',
} as const satisfies Partial<Record<Outcome, string>>;

type ExplainedOutcome = keyof typeof advice;

export interface ReasonGroup {
  readonly outcome: ExplainedOutcome;
  readonly checks: readonly CheckResult[];
  /** The capabilities for lack of which the checks did not run. */
  readonly missing: readonly string[];
  readonly reason: string;
  /** The one step that helps, if docfeed knows one: see {@link remedyOf}. */
  readonly remedy?: string;
}

/** @returns how to mend what the result is about, or how to make the capability available that it needs */
export const remedyOf = ({ target }: Report, { remedy, missing }: CheckResult): string | undefined =>
  remedy ?? target.capabilities.find(({ name }) => name === missing)?.remedy;

/** @returns what somebody can do about the reason */
export const adviceFor = ({ outcome, remedy }: ReasonGroup): string => remedy ?? advice[outcome];

/** @returns the groups by urgency of their outcome, then by size */
export function groupByReason(report: Report, checks: readonly CheckResult[] = report.checks): ReasonGroup[] {
  const reasonOf = (check: CheckResult): string =>
    isUnfinished(report, check)
      ? 'the run ended early'
      : ((check.outcome === 'known' ? undefined : check.obstacle) ?? check.reason ?? '');
  return (Object.keys(advice) as ExplainedOutcome[]).flatMap((outcome) =>
    groupBy(
      checks.filter((check) => check.outcome === outcome),
      (check) =>
        (check.missing === undefined ? undefined : remedyOf(report, check)) ??
        `${check.missing} ${reasonOf(check)}`,
    )
      .map(([, members]): ReasonGroup => {
        const [first] = members as [CheckResult];
        const reasons = new Set(members.map(reasonOf));
        const missing = [...new Set(members.flatMap((check) => check.missing ?? []))];
        const remedy = remedyOf(report, first);
        return {
          outcome,
          checks: members,
          missing,
          reason: reasons.size === 1 ? reasonOf(first) : `needs ${missing.join(', ')}`,
          ...(remedy !== undefined && { remedy }),
        };
      })
      .sort((a, b) => b.checks.length - a.checks.length),
  );
}
