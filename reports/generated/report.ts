/** Generated from reports/report.schema.json by `npm run generate`. */

/**
 * Area of the service that the rule is about, such as feed. Reports show the areas in the order of their first results.
 */
export type Area = string;

/**
 * The report.json that `docfeed check` and `docfeed consumer` write, format docfeed-report/2.
 */
export interface Report {
  /**
   * Name and version of this format.
   */
  format: 'docfeed-report/2';
  suite: Suite;
  target: Target;
  /**
   * Why the run checked less than it seems. Every report format shows them first.
   */
  warnings: string[];
  /**
   * A result for each selected check, in the order of the rule catalogue.
   */
  checks: CheckResult[];
  /**
   * Behaviour of the target that the service document does not specify.
   */
  observations: Observation[];
  /**
   * Number of checks with each outcome.
   */
  summary: {
    /**
     * No case of the check violates the rule.
     */
    pass: number;
    /**
     * The target violates a MUST.
     */
    fail: number;
    /**
     * The target does not follow a SHOULD.
     */
    warn: number;
    /**
     * The check failed as the baseline expects.
     */
    known: number;
    /**
     * The target does not offer a capability that the check needs, or the rule is not for its version.
     */
    skipped: number;
    /**
     * A prerequisite of the check failed, so the check did not run.
     */
    blocked: number;
    /**
     * Timing or the connection prevented a verdict.
     */
    inconclusive: number;
    /**
     * An internal error of docfeed prevented a verdict.
     */
    error: number;
  };
}
/**
 * The suite and its run.
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
   * Number of rules in the catalogue.
   */
  rules?: number;
  environment?: Environment;
  /**
   * The rules of which no check was selected.
   */
  unselected?: {
    /**
     * Id of the rule.
     */
    rule: string;
    area: Area;
  }[];
  /**
   * Seed of all generated cases. The same seed generates the same cases. Means nothing in a report about traffic.
   */
  seed: number;
  /**
   * Profile, which sets the number of generated cases. Means nothing in a report about traffic.
   */
  profile: 'smoke' | 'default' | 'thorough';
  /**
   * Start of the run, ISO 8601 in UTC.
   */
  startedAt: string;
  /**
   * Duration of the run.
   */
  durationMs: number;
  cost?: Cost;
  /**
   * In a report about traffic: what passed, or what a run that only reads has sent. docfeed generated no case.
   */
  traffic?: {
    /**
     * Number of requests that were judged.
     */
    requests: number;
  };
  /**
   * The shard of the run that this report covers (`--shard I/N`). Absent in a whole or merged report.
   */
  shard?: {
    /**
     * Number of the shard; the first is 1.
     */
    index: number;
    /**
     * Number of shards.
     */
    count: number;
  };
  /**
   * Why the run ended before all checks had finished. They are inconclusive.
   */
  stopped?: string;
  /**
   * Command-line options that the generated cases depend on, without credentials. A replay needs the same options.
   */
  options?: string[];
}
/**
 * The program and the machine that made the results.
 */
export interface Environment {
  /**
   * Commit of docfeed, with the suffix `-dirty` if files had been changed. Absent in an installed package.
   */
  commit?: string;
  /**
   * Version of Node.js, such as `v20.20.0`.
   */
  node: string;
  /**
   * Operating system and processor architecture, such as `linux x64`.
   */
  platform: string;
  /**
   * Number of processor cores.
   */
  cores: number;
}
/**
 * What the run cost the target and the machine of the suite.
 */
export interface Cost {
  /**
   * Number of requests, with those that clean up.
   */
  requests: number;
  /**
   * Number of databases that the run created.
   */
  databases: number;
  /**
   * Bytes of request bodies.
   */
  sentBytes: number;
  /**
   * Bytes of response bodies.
   */
  receivedBytes: number;
  /**
   * Processor time of the suite.
   */
  processorMs: number;
  /**
   * Share of the run in which the suite only waited, for the target or for time to pass.
   */
  waiting: number;
}
/**
 * The server under test, or the consumer.
 */
export interface Target {
  /**
   * Base URL without credentials. The URLs of several nodes are separated by spaces.
   */
  url: string;
  /**
   * The response body of GET /.
   */
  greeting: unknown;
  /**
   * Dialect of the target: neutral names or those of CouchDB.
   */
  dialect: 'service' | 'couchdb';
  /**
   * Service version of the target. It selects the rules that apply.
   */
  version?: string;
  /**
   * In a run of `docfeed consumer`: the command of the consumer under test. The rest then describes the servers that docfeed started for it.
   */
  consumer?: string[];
  /**
   * Capabilities that rules can need, and whether the target offers them.
   */
  capabilities: {
    /**
     * Name of the capability.
     */
    name: string;
    /**
     * Whether the target offers it.
     */
    available: boolean;
    /**
     * How docfeed knows.
     */
    how: string;
    /**
     * true if the target behaves neither as with the capability nor as without it. Checks that need it are blocked.
     */
    undecided?: boolean;
    /**
     * The shortest way to make a missing capability available.
     */
    remedy?: string;
  }[];
  /**
   * Settings (section/key) that the run changed for all its checks and restored at the end, without the keys for tokens.
   */
  provided?: string[];
  /**
   * What the run saw of each endpoint and feed mode that its checks used, in the order of the specification. Absent in reports of earlier versions.
   */
  endpoints?: Endpoint[];
}
/**
 * What the run saw of an endpoint, or of one mode of it.
 */
export interface Endpoint {
  /**
   * Method and path, such as `POST /{db}/_changes`.
   */
  operation: string;
  /**
   * Mode of the feed, such as longpoll. Absent if the endpoint has no modes.
   */
  mode?: string;
  /**
   * `there`: a response was successful. `missing`: the endpoint does not exist. `ignored`: all successful responses are those of another mode. `refused`: all responses were errors, which the checks may have wanted.
   */
  state: 'there' | 'missing' | 'ignored' | 'refused';
  /**
   * HTTP status of the last response, if none was successful.
   */
  status?: number;
  /**
   * Ids of the checks whose violation shows here.
   */
  violatedBy: string[];
}
/**
 * The result of one check.
 */
export interface CheckResult {
  /**
   * Id of the check: the id of its rule, optionally followed by a slash and a name.
   */
  id: string;
  /**
   * Id of the rule that the check verifies.
   */
  rule: string;
  area: Area;
  /**
   * Level of the rule.
   */
  level: 'MUST' | 'SHOULD';
  /**
   * Position of the check in the order in which one would build a server, from 0. If the target lacks whole parts, lists of causes have this order.
   */
  rung?: number;
  /**
   * Statement of the rule.
   */
  statement?: string;
  /**
   * Sections of the service document that the rule comes from.
   */
  source?: string[];
  /**
   * Outcome of the check. The fields of `summary` describe the meaning of each.
   */
  outcome: 'pass' | 'fail' | 'warn' | 'known' | 'skipped' | 'blocked' | 'inconclusive' | 'error';
  /**
   * Settings that the check changed on the target, by section/key. null is a setting without a value.
   */
  settings?: {
    [k: string]: string | null;
  };
  /**
   * One sentence that explains the outcome; present for every outcome except pass, and for a rule of which only a part was judged.
   */
  reason?: string;
  /**
   * What kept the check from a verdict, or what the target lacks that explains a failure, without generated names and values: the same for all checks that it affects. Absent if it is the `reason`.
   */
  obstacle?: string;
  exchange?: RecordedExchange;
  /**
   * What to do about the outcome, such as `remove feed-limit from baseline.yaml`.
   */
  remedy?: string;
  /**
   * The capability for lack of which the check did not run.
   */
  missing?: string;
  /**
   * Duration of the check.
   */
  durationMs: number;
  /**
   * Number of cases that ran; 0 for a skipped check.
   */
  cases: number;
  /**
   * In a report about traffic: how much of what passed the rule was judged in.
   */
  traffic?: {
    /**
     * Number of requests with their responses that the rule was judged in. `cases` also counts each row.
     */
    exchanges: number;
    /**
     * If only a part of the rule was judged: what of it, in one sentence. A pass then says no more than this.
     */
    judged?: string;
    /**
     * If only a part of the rule was judged: why the rest was not, in one sentence.
     */
    rest?: string;
  };
  /**
   * Number of planned cases; present if fewer cases ran because time was short.
   */
  planned?: number;
  /**
   * Number of requests that the check sent, without those that only show that the target answers: the slower the machine, the more of them a check needs.
   */
  requests: number;
  /**
   * Number of requests that were sent again because they got no complete response, or a 503 by chance. Refusals because of a limit do not count. Absent if there were none.
   */
  resends?: number;
  /**
   * On a target with several copies: the number of cases that failed, and held when they were tried again later. Absent if there were none.
   */
  lagging?: number;
  counterexample?: Counterexample;
  /**
   * Token for `docfeed check URL --replay TOKEN`.
   */
  replay?: string;
}
/**
 * The smallest exchange that shows why the check is blocked, or what the target lacks that explains a failure.
 */
export interface RecordedExchange {
  /**
   * The request.
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
    /**
     * The URL to which it was sent, if that is another one: that of a database somewhere else, or the path with a slash at its end to which the target redirects.
     */
    url?: string;
    headers: Headers;
    /**
     * The body; absent if there is none.
     */
    body?: string;
    /**
     * Whether `body` is only the start of the body.
     */
    truncated?: boolean;
    /**
     * The request was sent with the administrator's credentials, which are not recorded.
     */
    as?: 'admin';
    /**
     * Index of the node that the request was sent to (default: 0).
     */
    node?: number;
  };
  /**
   * The response; absent if none arrived.
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
       * When the piece arrived, in milliseconds since the request was sent.
       */
      atMs: number;
      /**
       * The piece, decoded as UTF-8.
       */
      text: string;
    }[];
    /**
     * Whether `chunks` holds only the start of the body.
     */
    truncated?: boolean;
    /**
     * Whether the body did not end: the check closed the connection, or the connection broke.
     */
    unfinished?: boolean;
  };
  /**
   * When the request was sent and when its response ended, measured from the start of the first recorded exchange.
   */
  time?: {
    /**
     * When the request was sent.
     */
    startMs: number;
    /**
     * When the response ended.
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
 * Evidence of how the target violates the rule.
 */
export interface Counterexample {
  /**
   * Description of the violation, without values.
   */
  message: string;
  /**
   * JSONPath of the first difference, such as $.results[2].changes[0].rev.
   */
  path?: string;
  /**
   * The expected value, or a description of the allowed values.
   */
  expected?: unknown;
  /**
   * The value in the response; absent if there is none.
   */
  actual?: unknown;
  symptoms?: Symptoms;
  /**
   * Explains what the message, the rule and the input take for granted.
   */
  terms?: Term[];
  /**
   * The smallest generated history and request found that show the violation.
   */
  input?: unknown;
  /**
   * Whether all smaller inputs near `input` were tried. If false, time ended the search.
   */
  shrunk?: boolean;
  /**
   * For a failure that the baseline expects in some cases: how many of the cases showed it.
   */
  frequency?: {
    /**
     * Number of cases that showed it.
     */
    failed: number;
    /**
     * Number of cases that ran.
     */
    of: number;
  };
  /**
   * The HTTP exchanges of the failing case, in order.
   */
  exchanges: RecordedExchange1[];
  /**
   * Index of the exchange that shows the violation, from 0.
   */
  violating?: number;
  /**
   * Number of earlier exchanges that the report does not contain.
   */
  omitted?: number;
  /**
   * What the check wrote to the database of that exchange, in order.
   */
  writes?: DocumentWrite[];
  /**
   * The revisions of the documents that have conflicts, after these writes.
   */
  trees?: RevisionTree[];
  /**
   * In a run of `docfeed consumer`: what the consumer did, what was done to it and what it received, in order. If there is much of it, only the end.
   */
  timeline?: {
    /**
     * When it happened, in milliseconds since the scenario began.
     */
    atMs: number;
    /**
     * What happened, such as `says doc-1 1-abc`.
     */
    text: string;
    /**
     * `traffic`: a request, a row, or the end of a response; `output`: a line on standard output; `error`: a line on standard error; `step`: what was done to the consumer, and what became of it.
     */
    kind?: 'step' | 'traffic' | 'output' | 'error';
  }[];
  feed?: FeedRecord;
}
/**
 * What a violation looks like, in phrases without generated values. Violations that share one probably have one cause.
 */
export interface Symptoms {
  /**
   * The error response that the check did not expect.
   */
  refusal?: string;
  /**
   * The response whose media type is wrong, as in `mediaTypes`.
   */
  mediaType?: string;
  /**
   * The media types of the responses that are not errors.
   */
  mediaTypes: string[];
  /**
   * What is wrong, the most specific phrase last.
   */
  differences: string[];
}
/**
 * A word that a reader may not know, with its meaning.
 */
export interface Term {
  /**
   * The word, as the message, the rule or the input has it.
   */
  term: string;
  /**
   * What it means, in whole sentences.
   */
  explanation: string;
}
/**
 * A request and its response, without secrets.
 */
export interface RecordedExchange1 {
  /**
   * The request.
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
    /**
     * The URL to which it was sent, if that is another one: that of a database somewhere else, or the path with a slash at its end to which the target redirects.
     */
    url?: string;
    headers: Headers;
    /**
     * The body; absent if there is none.
     */
    body?: string;
    /**
     * Whether `body` is only the start of the body.
     */
    truncated?: boolean;
    /**
     * The request was sent with the administrator's credentials, which are not recorded.
     */
    as?: 'admin';
    /**
     * Index of the node that the request was sent to (default: 0).
     */
    node?: number;
  };
  /**
   * The response; absent if none arrived.
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
       * When the piece arrived, in milliseconds since the request was sent.
       */
      atMs: number;
      /**
       * The piece, decoded as UTF-8.
       */
      text: string;
    }[];
    /**
     * Whether `chunks` holds only the start of the body.
     */
    truncated?: boolean;
    /**
     * Whether the body did not end: the check closed the connection, or the connection broke.
     */
    unfinished?: boolean;
  };
  /**
   * When the request was sent and when its response ended, measured from the start of the first recorded exchange.
   */
  time?: {
    /**
     * When the request was sent.
     */
    startMs: number;
    /**
     * When the response ended.
     */
    endMs: number;
  };
}
/**
 * A write of a document.
 */
export interface DocumentWrite {
  /**
   * Index of the exchange that made the write; absent if the report does not contain it.
   */
  exchange?: number;
  /**
   * Id of the document.
   */
  id: string;
  /**
   * `replicate` brings its revisions with it (`new_edits: false`), so it can create a conflict.
   */
  kind: 'create' | 'update' | 'delete' | 'replicate';
  /**
   * The revision that the write created.
   */
  rev?: string;
  /**
   * The revisions before it, newest first, as far as the request tells.
   */
  ancestors: string[];
  /**
   * Whether the new revision is a deletion.
   */
  deleted: boolean;
  /**
   * The content of the document, without the fields of the API.
   */
  fields: {
    [k: string]: unknown;
  };
}
/**
 * The revisions of a document.
 */
export interface RevisionTree {
  /**
   * Id of the document.
   */
  id: string;
  /**
   * The winning revision.
   */
  winner: string;
  /**
   * All revisions, each after its parent.
   */
  revisions: {
    /**
     * The revision.
     */
    rev: string;
    /**
     * The revision that it replaced; absent for the first one.
     */
    parent?: string;
    /**
     * Whether it is a deletion.
     */
    deleted: boolean;
  }[];
}
/**
 * What happened while that exchange was open, if it is a feed that the check followed.
 */
export interface FeedRecord {
  /**
   * The mode of the feed, such as continuous.
   */
  mode: string;
  /**
   * What the feed sent, in the order of arrival.
   */
  events: {
    /**
     * When it arrived.
     */
    atMs: number;
    /**
     * `heartbeat` also stands for an empty line, `end` for the object with last_seq.
     */
    kind: 'row' | 'heartbeat' | 'end' | 'unrecognized';
    /**
     * Id of the document of a row.
     */
    id?: string;
  }[];
  /**
   * What the request of the feed promises, and when.
   */
  due: {
    /**
     * When it is due.
     */
    atMs: number;
    /**
     * What is due.
     */
    what: 'heartbeat' | 'end';
    /**
     * The parameter that promises it, such as timeout=500.
     */
    why: string;
    /**
     * Whether it did not come.
     */
    isMissed?: boolean;
  }[];
}
/**
 * Behaviour that docfeed records and does not check.
 */
export interface Observation {
  /**
   * Name of the observation.
   */
  id: string;
  /**
   * The observed value.
   */
  value: unknown;
}
