/** The data of `report.json`, format `docfeed-report/2`. Its types are generated from `reports/report.schema.json`. */
import type { Counterexample, RecordedExchange, Report } from './generated/report.js';

export type {
  CheckResult,
  Counterexample,
  DocumentWrite,
  Endpoint,
  Environment,
  FeedRecord,
  RecordedExchange,
  Report,
  RevisionTree,
  Symptoms,
  Term,
} from './generated/report.js';

/** @returns the exchange that shows the violation, if one is recorded */
export const violatingExchange = ({
  exchanges,
  violating = -1,
}: Pick<Counterexample, 'exchanges' | 'violating'>): RecordedExchange | undefined => exchanges[violating];

/**
 * @returns the exchange after the one that shows the violation, if there is one: the check has compared their responses.
 * What follows the request of a feed that stays open are writes.
 */
export const laterExchange = ({
  exchanges,
  violating,
  feed,
}: Counterexample): RecordedExchange | undefined =>
  violating === undefined || feed ? undefined : exchanges[violating + 1];

/** @returns the body of the response as far as it is recorded */
export const bodyOf = ({ response }: RecordedExchange): string =>
  (response?.chunks ?? []).map(({ text }) => text).join('');

export const outcomes = [
  'pass',
  'fail',
  'warn',
  'known',
  'skipped',
  'blocked',
  'inconclusive',
  'error',
] as const;

/** The result of a check. See the `summary` of the schema for their meaning, and {@link exitCode} for CI. */
export type Outcome = (typeof outcomes)[number];

/**
 * Computes the exit code of `docfeed check` for a finished run.
 *
 * @returns 0 if all outcomes are pass, warn, known or skipped; 1 if the target violates a rule (with `strict`, also for a
 * warning); 3 if a check is undecided or nothing was checked
 */
export function exitCode(report: Report, strict = false): 0 | 1 | 3 {
  const { summary } = report;
  if (summary.fail > 0 || (strict && summary.warn > 0)) return 1;
  if (summary.blocked + summary.inconclusive + summary.error > 0) return 3;
  return summary.pass + summary.warn + summary.known > 0 ? 0 : 3;
}
