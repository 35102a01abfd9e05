/** Defines the requests that checks send to the target and the exchanges that they get back; `http.ts` implements it. */
import type { Capability } from '../../openapi/generated/rules.js';
import type { DocumentWrite, FeedRecord, RecordedExchange, RevisionTree } from '../../reports/report.js';

export interface Credentials {
  name: string;
  password: string;
}

/**
 * The credentials of a request. `admin` stands for the administrator's credentials, if the run has any; `cookie` is the
 * value of the AuthSession cookie; `authorization` is the value of that header.
 */
export type Caller =
  'anonymous' | 'admin' | { basic: Credentials } | { cookie: string } | { authorization: string };

export interface TargetRequest {
  /** Default: `GET`. */
  method?: string;
  /** Percent-encoded path below the base URL, without the query: `/db/_changes`. Sent unchanged. */
  path: string;
  /** Unencoded values. Values other than strings are sent as JSON; `undefined` omits the parameter. */
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Body to send as JSON, with `Content-Type: application/json` unless `headers` has another. */
  json?: unknown;
  /** Body to send unchanged; set a Content-Type in `headers`. */
  body?: string | Uint8Array;
  /** Default: `anonymous`, or `admin` for requests of a {@link DatabaseClient}. */
  as?: Caller;
  /** The request violates the description on purpose, so it is not reported as an error of the suite. */
  deliberatelyWrong?: boolean;
  /** The request repeats a value from the target, such as a revision. If that value is invalid, the target is to blame. */
  echoesTarget?: boolean;
  /** The request only probes whether the target responds, so it is neither evidence nor counted for its check. */
  background?: boolean;
  /** The check judges itself how long the response takes, so the request is sent even if others like it got no answer. */
  judgesTime?: boolean;
  /** The response must come at once although it is one of a mode that may wait, so it is watched like those of others. */
  endsAtOnce?: boolean;
  /** Sends the request on a connection that it opens and that no other request uses. */
  onNewConnection?: boolean;
  /** Index of the node that receives the request. Default: 0. */
  node?: number;
  /** Aborts this request at any stage; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** A response whose body is still arriving. Times are milliseconds since the request was sent. */
export interface OpenExchange {
  readonly request: TargetRequest;
  readonly status: number;
  /** By lower-case name, all values in order of arrival. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headersAtMs: number;
  /** The body as it arrives. Can be read once; ends without an error after {@link OpenExchange.close}. */
  readonly chunks: AsyncIterable<Chunk>;
  /** Closes the connection. Does nothing if it is closed already. */
  close(): void;
}

export interface Chunk {
  atMs: number;
  bytes: Uint8Array;
}

/** A request that was sent, whose response may not have arrived yet. */
export interface SentExchange {
  readonly request: TargetRequest;
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt: number;
  /**
   * The exchange so far as evidence for the report, without secrets.
   *
   * @param from when the first exchange of the evidence was sent. Default: `sentAt`.
   */
  readonly record: (from?: number) => RecordedExchange;
}

/** A finished request and its response. */
export interface Exchange extends SentExchange {
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly status: number;
  /** By lower-case name, all values in order of arrival. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headersAtMs: number;
  readonly chunks: readonly Chunk[];
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly durationMs: number;
  /** False if the body is cut off: the check closed the connection, it broke, or the body is too long. */
  readonly complete: boolean;
  /** The limit that the body exceeds, such as `64 MiB`. Only the beginning of such a body was read. */
  readonly limit?: string | undefined;
  /** The body as UTF-8. */
  readonly text: string;
  /** Keeps only what the evidence has of the body. */
  readonly record: (from?: number) => RecordedExchange;
  /** The parsed body. Throws a Violation if it is not JSON. */
  json(): unknown;
  /** The parsed body. Throws a Violation if it is not a JSON object. */
  object(): Record<string, unknown>;
}

/**
 * Sends requests and records them. Throws Inconclusive if the connection breaks or the deadline of the check passes, and
 * Blocked if the body of the response is too long.
 */
export interface HttpClient {
  request(request: TargetRequest): Promise<Exchange>;
  /** For feeds that stay open: resolves when the headers have arrived. */
  open(request: TargetRequest): Promise<OpenExchange>;
}

/** Takes what a check does to a database and learns of it, as evidence of a violation. */
export interface Recorder {
  /** The exchange has made these writes, in this order. */
  wrote(exchange: Pick<Exchange, 'request'>, writes: readonly DocumentWrite[]): void;
  /** The database has these revisions from now on. Called only if there is a violation. */
  holds(trees: () => RevisionTree[]): void;
  /** The check follows this feed. */
  follows(feed: FollowedFeed): void;
}

export interface FollowedFeed {
  /** Missing until the headers of the response have arrived. */
  readonly exchange: Pick<OpenExchange, 'request'> | undefined;
  /** @param from the start of the times in the record, on the clock of `performance.now()`. */
  record(from: number): FeedRecord;
}

/** What a run knows of rows that are later than the writes, although there is one copy. */
export interface WatchedFeed {
  /** Whether to look after writes whether the feed shows them. */
  readonly isWatched: boolean;
  /** Whether it is known to show rows later than the writes. */
  readonly isBehind: boolean;
  /** @param ms how long it took until the feed showed all writes; nothing if it did not */
  saw(ms: number | undefined): void;
}

/** A database that only this check uses. */
export interface DatabaseClient {
  readonly name: string;
  /** Whether there is only one copy, so that a write is visible everywhere as soon as it is acknowledged. */
  readonly hasOneCopy: boolean;
  /** The number of copies, if the target tells it. */
  readonly copies?: number | undefined;
  readonly feedLag?: WatchedFeed;
  /** Capabilities that the target lacks. Histories are written without what needs them. */
  readonly lacks: ReadonlySet<Capability>;
  readonly recorder: Recorder;
  /**
   * Resolves when a read would be sent: at once, or, in a case that is tried again because a copy may have lagged, when
   * none lags any more. What is due in time is due after that.
   */
  settled(): Promise<void>;
  /** Sends a request as administrator to a path below the database: `''`, `/_changes`, `/${encodeURIComponent(id)}`. */
  request(request: TargetRequest): Promise<Exchange>;
  open(request: TargetRequest): Promise<OpenExchange>;
}

/** A user that only this check uses. */
export interface TestUser extends Credentials {
  readonly roles: readonly string[];
  /** The second factor (SERVICE 2.4). */
  readonly totp?: { readonly key: string };
  /** The id of the user document in the target's dialect. */
  readonly id: string;
}
