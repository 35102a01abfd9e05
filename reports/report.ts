/**
 * What a run leaves behind: the data of `report.json`, format `docfeed-report/1`.
 * `reports/report.schema.json` says the same as a JSON Schema; a test holds the two together.
 */

/** What a check came to. Only `fail` is the target's fault; see {@link exitCode} for what each means to CI. */
export type Outcome = 'pass' | 'fail' | 'warn' | 'known' | 'skipped' | 'blocked' | 'inconclusive' | 'error';

export const outcomes = [
  'pass',
  'fail',
  'warn',
  'known',
  'skipped',
  'blocked',
  'inconclusive',
  'error',
] as const satisfies readonly Outcome[];

/**
 * One HTTP exchange as evidence, secrets removed. The times of chunks are milliseconds from the moment the request was
 * sent.
 */
export interface RecordedExchange {
  request: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    /** True when the body was longer than `body` is. */
    truncated?: boolean;
    /** With the administrator's credentials, which are not recorded. */
    as?: 'admin';
    /** Which of the nodes was asked, counted from 0; the first unless given. */
    node?: number;
  };
  response?: {
    status: number;
    headers: Record<string, string>;
    /** The bytes as they arrived, decoded as UTF-8, cut after a bound that the recorder sets. */
    chunks: { atMs: number; text: string }[];
    /** True when the body was longer than what `chunks` holds. */
    truncated?: boolean;
    /** True when the body did not come to its end: the check closed it, or the connection broke. */
    unfinished?: boolean;
  };
  /** When the request was sent and its response was over, in milliseconds from the first exchange of the evidence. */
  time?: { startMs: number; endMs: number };
}

/** Why a check failed: where the first difference is, what was allowed there, what came. */
export interface Counterexample {
  message: string;
  /** JSONPath of the first difference, such as `$.results[2].changes[0].rev`. */
  path?: string;
  expected?: unknown;
  actual?: unknown;
  /** The generated input after shrinking: the smallest history and request that still break the rule. */
  input?: unknown;
  exchanges: RecordedExchange[];
  /** How many exchanges went before those that are shown. */
  omitted?: number;
}

export interface CheckResult {
  id: string;
  rule: string;
  level: 'MUST' | 'SHOULD';
  /** What the rule says, and the sections of the service document that say it. */
  statement?: string;
  source?: readonly string[];
  outcome: Outcome;
  /** What the target was judged under, by `section/key`, where the check wants settings of its own; `null` is no value. */
  settings?: Readonly<Record<string, string | null>>;
  /** One sentence for every outcome but `pass`. */
  reason?: string;
  durationMs: number;
  /** How many generated cases were tried; 1 for a check that is not a property. */
  runs: number;
  requests: number;
  /** How many generated cases there would have been; missing unless time was short. */
  planned?: number;
  counterexample?: Counterexample;
  /** Token for `docfeed check URL --replay TOKEN`. */
  replay?: string;
  /** The script that shows the counterexample by itself: a path beside the report. */
  script?: string;
  /** Why there is none. */
  noScript?: string;
}

/** Behaviour that the service document leaves open: recorded, never judged. */
interface Observation {
  id: string;
  value: unknown;
}

export interface Report {
  format: 'docfeed-report/1';
  suite: {
    version: string;
    specification: string;
    seed: number;
    profile: 'smoke' | 'default' | 'thorough';
    /** ISO 8601, UTC. */
    startedAt: string;
    durationMs: number;
    /** With `--shard`: which of how many parts of the checks this report is of, counted from 1. */
    shard?: { index: number; count: number };
    /** The options that its cases depend on, as words of the command, without credentials: a replay needs the same. */
    options?: string[];
  };
  target: {
    /** Base URL; those of several nodes are separated by a blank. */
    url: string;
    greeting: unknown;
    dialect: 'service' | 'couchdb';
    version?: string;
    capabilities: { name: string; available: boolean; how: string }[];
    /** Settings (`section/key`) that the run gave other values for all its checks, and put back at the end. */
    provided?: string[];
  };
  /** Said at the top of every rendering: why this run saw less than it looks. */
  warnings: string[];
  checks: CheckResult[];
  observations: Observation[];
  summary: Record<Outcome, number>;
}

/**
 * The exit code of `docfeed check` for a finished run.
 * 0: nothing but pass, warn, known and skipped. 1: a rule is violated (under `strict` a warning counts as one).
 * 3: the run could not decide, or checked nothing.
 */
export function exitCode(report: Report, strict = false): 0 | 1 | 3 {
  const { summary } = report;
  if (summary.fail > 0 || (strict && summary.warn > 0)) return 1;
  if (summary.blocked + summary.inconclusive + summary.error > 0) return 3;
  return summary.pass + summary.warn + summary.known > 0 ? 0 : 3;
}
