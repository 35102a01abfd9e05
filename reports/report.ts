/**
 * The data of `report.json`, format `docfeed-report/1`. `reports/report.schema.json` is the same format as a JSON Schema;
 * a test verifies that they agree.
 */

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

/** An HTTP request and its response as evidence, without secrets. */
export interface RecordedExchange {
  request: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    /** Whether `body` is only the start of the body. */
    truncated?: boolean;
    /** The request was sent with the administrator's credentials, which are not recorded. */
    as?: 'admin';
    /** Index of the node that the request was sent to (default: 0). */
    node?: number;
  };
  response?: {
    status: number;
    headers: Record<string, string>;
    /** The body in the pieces in which it arrived, decoded as UTF-8. `atMs`: milliseconds since the request was sent. */
    chunks: { atMs: number; text: string }[];
    /** Whether `chunks` holds only the start of the body. */
    truncated?: boolean;
    /** Whether the body did not end: the check closed the connection, or the connection broke. */
    unfinished?: boolean;
  };
  /** When the request was sent and when its response ended, in milliseconds since the first recorded exchange began. */
  time?: { startMs: number; endMs: number };
}

/** Evidence of a violation: where the first difference is, what is allowed there, and what the target sent. */
export interface Counterexample {
  message: string;
  /** JSONPath of the first difference, such as `$.results[2].changes[0].rev`. */
  path?: string;
  expected?: unknown;
  actual?: unknown;
  /** The generated history and request after shrinking: the smallest that still show the violation. */
  input?: unknown;
  exchanges: RecordedExchange[];
  /** Number of earlier exchanges that the report does not contain. */
  omitted?: number;
}

export interface CheckResult {
  id: string;
  rule: string;
  level: 'MUST' | 'SHOULD';
  /** The statement of the rule. */
  statement?: string;
  /** Sections of the service document that the rule comes from. */
  source?: readonly string[];
  outcome: Outcome;
  /** Settings that the check changed on the target, by `section/key`; `null` is a setting without a value. */
  settings?: Readonly<Record<string, string | null>>;
  /** One sentence; present for every outcome except `pass`. */
  reason?: string;
  durationMs: number;
  /** Number of generated cases that ran; 1 for a check without generated cases. */
  runs: number;
  requests: number;
  /** Number of planned cases; present if fewer cases ran because time was short. */
  planned?: number;
  counterexample?: Counterexample;
  /** Token for `docfeed check URL --replay TOKEN`. */
  replay?: string;
  /** Path of the shell script that reproduces the violation, relative to the report. */
  script?: string;
  /** Why the counterexample has no script. */
  noScript?: string;
}

/** Behaviour that the service document does not specify: recorded, not checked. */
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
    /** The shard of the run (`--shard I/N`); `index` starts at 1. Absent in a whole or merged report. */
    shard?: { index: number; count: number };
    /** Command-line options that the generated cases depend on, without credentials. A replay needs the same options. */
    options?: string[];
  };
  target: {
    /** Base URL without credentials; the URLs of several nodes are separated by spaces. */
    url: string;
    greeting: unknown;
    dialect: 'service' | 'couchdb';
    version?: string;
    capabilities: { name: string; available: boolean; how: string }[];
    /** Settings (`section/key`) that the run changed for all its checks and restored at the end. */
    provided?: string[];
  };
  /** Why the run checked less than it seems. Every report format shows them first. */
  warnings: string[];
  checks: CheckResult[];
  observations: Observation[];
  summary: Record<Outcome, number>;
}

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
