/** What a check sees of the server under test. `client.ts` implements it over HTTP. */
import type { RecordedExchange } from '../../reports/report.js';

export interface Credentials {
  name: string;
  password: string;
}

/**
 * Who asks. `admin` sends the administrator's credentials, or none when the run was given none;
 * `cookie` is the value of the AuthSession cookie; `authorization` is that header's value as it stands.
 */
export type Caller =
  'anonymous' | 'admin' | { basic: Credentials } | { cookie: string } | { authorization: string };

export interface TargetRequest {
  /** `GET` unless given. */
  method?: string;
  /** Percent-encoded path below the base URL, without the query: `/db/_changes`. Sent byte for byte. */
  path: string;
  /** Values are percent-encoded; what is no string is sent as JSON. `undefined` leaves the parameter out. */
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with its Content-Type unless `headers` has another. */
  json?: unknown;
  /** Sent as it is; give a Content-Type in `headers`. */
  body?: string | Uint8Array;
  /** `anonymous` unless given; `admin` for what a {@link DatabaseClient} sends. */
  as?: Caller;
  /** This request is outside the description on purpose: what is wrong about it is not the kit's fault. */
  deliberatelyWrong?: boolean;
  /** It holds what the target has given, such as a revision: if the description does not allow that, the target is to blame. */
  echoesTarget?: boolean;
  /** Asked only to see that the target works: no evidence of anything. */
  background?: boolean;
  /** Which of the URLs of the run is asked; the first unless given. */
  node?: number;
  /** Ends this request, whether its response has begun or not; the request then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A response whose body is still arriving. Offsets are milliseconds from the moment the request was sent. */
export interface OpenExchange {
  readonly status: number;
  /** By lower-case name, every value in the order of arrival. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headersAtMs: number;
  /** The body as it arrives. Can be read once; ends quietly after {@link OpenExchange.close}. */
  readonly chunks: AsyncIterable<Chunk>;
  /** Ends the connection. Harmless when it has already ended. */
  close(): void;
}

export interface Chunk {
  atMs: number;
  bytes: Uint8Array;
}

/** A request that was sent, and what has come back by now: perhaps nothing. */
export interface SentExchange {
  readonly request: TargetRequest;
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt: number;
  /**
   * The form for the report, with secrets removed.
   *
   * @param from when the first exchange of the evidence was sent; this one, unless given.
   */
  record(from?: number): RecordedExchange;
}

/** A finished request and its response. */
export interface Exchange extends SentExchange {
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly status: number;
  /** By lower-case name, every value in the order of arrival. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headersAtMs: number;
  readonly chunks: readonly Chunk[];
  /** Milliseconds from sending the request to the last byte. */
  readonly durationMs: number;
  /** False when the body did not arrive to its end: closed by the check, or the connection broke. */
  readonly complete: boolean;
  /** The body as UTF-8. */
  readonly text: string;
  /** The parsed body. Throws a Violation when the body is not JSON. */
  json(): unknown;
  /** The parsed body when it is a JSON object; throws a Violation otherwise. */
  object(): Record<string, unknown>;
}

/** Sends requests and records them. A broken connection or the end of the check's time throws Inconclusive. */
export interface HttpClient {
  request(ask: TargetRequest): Promise<Exchange>;
  /** For feeds that stay open: resolves when the headers are there. */
  open(ask: TargetRequest): Promise<OpenExchange>;
}

/** A database that this check alone uses. */
export interface DatabaseClient {
  readonly name: string;
  /** Whether the target has one copy of it, so that everything shows what was written as soon as the write is answered. */
  readonly hasOneCopy: boolean;
  /** As the administrator, on a path below the database: `''`, `/_changes`, `/${encodeURIComponent(id)}`. */
  request(ask: TargetRequest): Promise<Exchange>;
  open(ask: TargetRequest): Promise<OpenExchange>;
}

/** A user that this check alone uses. */
export interface TestUser extends Credentials {
  readonly roles: readonly string[];
  /** The second factor (SERVICE 2.4). */
  readonly totp?: { readonly key: string };
  /** The id of the user document in the words of the target's dialect. */
  readonly id: string;
}
