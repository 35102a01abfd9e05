/** The last touches to a report. */
import { type CheckResult, outcomes, type Report } from '../../reports/report.js';

/** How many checks have each outcome. */
export function summarize(results: readonly CheckResult[]): Report['summary'] {
  const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
}

/** Which checks had fewer generated cases than planned, as one sentence, if any. */
export function shortOfTime(results: readonly CheckResult[]): string[] {
  const short = results.flatMap(({ id, runs, planned }) =>
    planned === undefined ? [] : [`${id} (${runs} of ${planned})`],
  );
  return short.length === 0 ? [] : [`Time was short: fewer cases than planned for ${short.join(', ')}.`];
}

/** Exchanges are recorded without secrets; a target may still have repeated one to a check in some other place. */
export function withoutSecrets(hide: (text: string) => string, report: Report): Report {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
  };
  return {
    ...report,
    target: { ...report.target, greeting: clean(report.target.greeting) },
    observations: clean(report.observations) as Report['observations'],
    checks: report.checks.map((result) => ({
      ...result,
      ...(result.reason === undefined ? {} : { reason: hide(result.reason) }),
      ...(result.counterexample
        ? { counterexample: clean(result.counterexample) as CheckResult['counterexample'] }
        : {}),
    })),
  };
}
