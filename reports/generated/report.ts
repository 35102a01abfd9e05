/** Generated from reports/report.schema.json by `npm run generate`. */

/**
 * What `docfeed check` writes to report.json, format docfeed-report/1.
 */
export interface Report {
  /**
   * Name and version of this format.
   */
  format: 'docfeed-report/1';
  suite: Suite;
  target: Target;
  /**
   * Why this run saw less than it looks; shown before everything else.
   */
  warnings: string[];
  /**
   * One result for each check that was selected, in the order of the catalogue.
   */
  checks: CheckResult[];
  /**
   * What the target does where the service document leaves it open.
   */
  observations: Observation[];
  /**
   * How many checks came to each outcome.
   */
  summary: {
    /**
     * The rule holds as far as it was tried.
     */
    pass: number;
    /**
     * The target breaks a MUST.
     */
    fail: number;
    /**
     * The target does not follow a SHOULD.
     */
    warn: number;
    /**
     * Failed as the baseline expects.
     */
    known: number;
    /**
     * The target does not claim what the check needs.
     */
    skipped: number;
    /**
     * Something the check builds on failed, so nothing was judged.
     */
    blocked: number;
    /**
     * Time or the connection decided, not the target.
     */
    inconclusive: number;
    /**
     * The suite's own fault.
     */
    error: number;
  };
}
/**
 * What ran.
 */
export interface Suite {
  /**
   * Version of docfeed.
   */
  version: string;
  /**
   * Version of the OpenAPI description.
   */
  specification: string;
  /**
   * What all generated cases come from; the same seed repeats the run.
   */
  seed: number;
  /**
   * How much was generated for each rule.
   */
  profile: 'smoke' | 'default' | 'thorough';
  /**
   * When the run began, ISO 8601 in UTC.
   */
  startedAt: string;
  /**
   * How long the run took.
   */
  durationMs: number;
  /**
   * Of a run divided among machines, the part that this report is of. Absent in a whole or merged report.
   */
  shard?: {
    /**
     * Which part, counted from 1.
     */
    index: number;
    /**
     * How many parts there are.
     */
    count: number;
  };
  /**
   * The options that its cases depend on, as words of the command, without credentials: a replay needs the same.
   */
  options?: string[];
}
/**
 * What was checked.
 */
export interface Target {
  /**
   * Base URL without credentials; those of several nodes are separated by a blank.
   */
  url: string;
  /**
   * The answer to GET /, whatever it was.
   */
  greeting: unknown;
  /**
   * Whose words the target uses.
   */
  dialect: 'service' | 'couchdb';
  /**
   * Service version that rules were chosen for.
   */
  version?: string;
  /**
   * What rules may need, and whether the target offers it.
   */
  capabilities: {
    /**
     * The capability.
     */
    name: string;
    /**
     * Whether the target offers it.
     */
    available: boolean;
    /**
     * How this is known.
     */
    how: string;
  }[];
  /**
   * Settings (section/key) that the run gave other values for all its checks, and put back at the end; without its keys for tokens.
   */
  provided?: string[];
}
/**
 * What one check came to.
 */
export interface CheckResult {
  /**
   * The check: the id of its rule, or that and a name of its own after a slash.
   */
  id: string;
  /**
   * The rule that the check judges.
   */
  rule: string;
  /**
   * Of the rule.
   */
  level: 'MUST' | 'SHOULD';
  /**
   * What the rule says.
   */
  statement?: string;
  /**
   * The sections of the service document that say it.
   */
  source?: string[];
  /**
   * See the counts in summary for the meaning of each.
   */
  outcome: 'pass' | 'fail' | 'warn' | 'known' | 'skipped' | 'blocked' | 'inconclusive' | 'error';
  /**
   * What the target was judged under, by section/key, where the check wants settings of its own; null is no value.
   */
  settings?: {
    [k: string]: string | null;
  };
  /**
   * One sentence on why, for every outcome but pass.
   */
  reason?: string;
  /**
   * How long the check took.
   */
  durationMs: number;
  /**
   * How many cases were tried; 0 for a skipped check.
   */
  runs: number;
  /**
   * How many cases there would have been; missing unless time was short.
   */
  planned?: number;
  /**
   * How many requests it sent.
   */
  requests: number;
  counterexample?: Counterexample;
  /**
   * Token for `docfeed check URL --replay TOKEN`.
   */
  replay?: string;
  /**
   * The shell script that shows the counterexample by itself: a path beside this report.
   */
  script?: string;
  /**
   * Why the counterexample has no script.
   */
  noScript?: string;
}
/**
 * How the target breaks the rule.
 */
export interface Counterexample {
  /**
   * What is wrong, without the values.
   */
  message: string;
  /**
   * JSONPath of the first difference, such as $.results[2].changes[0].rev.
   */
  path?: string;
  /**
   * What is allowed there: a value, or a phrase where many are.
   */
  expected?: unknown;
  /**
   * What came; absent when nothing did.
   */
  actual?: unknown;
  /**
   * Of a property, the smallest history and request found that break the rule.
   */
  input?: unknown;
  /**
   * The HTTP exchanges of that case, in order.
   */
  exchanges: RecordedExchange[];
  /**
   * How many exchanges went before those that are shown.
   */
  omitted?: number;
}
/**
 * One request and what came back, secrets removed.
 */
export interface RecordedExchange {
  /**
   * What was sent.
   */
  request: {
    /**
     * The HTTP method.
     */
    method: string;
    /**
     * Path and query.
     */
    path: string;
    headers: Headers;
    /**
     * The body, when there was one.
     */
    body?: string;
    /**
     * Whether the body was longer than it is shown.
     */
    truncated?: boolean;
    /**
     * With the administrator's credentials, which are not recorded.
     */
    as?: 'admin';
    /**
     * Which of the nodes was asked, counted from 0; the first unless given.
     */
    node?: number;
  };
  /**
   * What came back; absent when nothing did.
   */
  response?: {
    /**
     * The HTTP status.
     */
    status: number;
    headers: Headers;
    /**
     * The body in the pieces in which it arrived.
     */
    chunks: {
      /**
       * When it arrived, counted from the sending of the request.
       */
      atMs: number;
      /**
       * The piece, decoded as UTF-8.
       */
      text: string;
    }[];
    /**
     * Whether the body was longer than the chunks show.
     */
    truncated?: boolean;
    /**
     * Whether the body did not come to its end: the check closed it, or the connection broke.
     */
    unfinished?: boolean;
  };
  /**
   * When the request was sent and its response was over, from the first exchange of the evidence.
   */
  time?: {
    /**
     * When the request was sent.
     */
    startMs: number;
    /**
     * When the response was over.
     */
    endMs: number;
  };
}
/**
 * Header names and values.
 */
export interface Headers {
  [k: string]: string;
}
/**
 * Behaviour that is recorded and never judged.
 */
export interface Observation {
  /**
   * What was looked at.
   */
  id: string;
  /**
   * What was seen.
   */
  value: unknown;
}
