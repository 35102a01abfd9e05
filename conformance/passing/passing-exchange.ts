/** An exchange that passes by, as far as it has passed. */
import type { Chunk } from '../http/client.js';
import { decodeContent } from '../http/content-coding.js';
import { splitPath } from '../http/description.js';
import { beginningOf, byLowerCaseName } from '../http/exchange.js';

/** In bytes. Longer bodies pass unjudged. */
const maxBodyBytes = 64 * 1024 * 1024;

/** The longest response to a write of one document. */
const acknowledgementBytes = 1024;

type RawHeaders = readonly (readonly [name: string, value: string])[];

/** The beginning of a body, which is all of it unless it is too long to judge. */
export class PassingBody {
  readonly #maxBytes: number;
  readonly #encoding: string;
  readonly chunks: Chunk[] = [];
  size = 0;

  constructor(headers: ReadonlyMap<string, readonly string[]>, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#encoding = headers.get('content-encoding')?.join() ?? 'identity';
  }

  add(chunk: Chunk): void {
    this.size += chunk.bytes.length;
    if (this.isWhole) this.chunks.push(chunk);
    else this.chunks.length = 0;
  }

  get isWhole(): boolean {
    return this.size <= this.#maxBytes;
  }

  /** Keeps only the beginning, for evidence. */
  keep(bytes: number): void {
    this.chunks.splice(0, Infinity, ...(bytes === 0 ? [] : beginningOf(this.chunks, bytes)));
  }

  get isEncoded(): boolean {
    return this.#encoding !== 'identity';
  }

  /** Without its content coding; empty if it cannot be decoded. */
  get text(): string {
    return Buffer.concat((this.decoded() ?? []).map(({ bytes }) => bytes)).toString();
  }

  /** The chunks without their content coding, or nothing if they cannot be decoded. Of an encoded body, one chunk. */
  decoded(): readonly Chunk[] | undefined {
    const [first] = this.chunks;
    if (!this.isEncoded || !first) return this.chunks;
    const bytes = Buffer.concat(this.chunks.map((chunk) => chunk.bytes));
    // A body that cannot be decoded is not judged: the client has agreed on the coding with the target.
    const decoded = decodeContent(bytes, this.#encoding, { maxOutputLength: this.#maxBytes });
    return decoded && [{ atMs: first.atMs, bytes: decoded }];
  }
}

/** An exchange that passes by. All times are on the clock of `performance.now()` of the proxy. */
export class PassingExchange {
  readonly connection: number;
  readonly method: string;
  /** Below the base URL of the target, with the query. */
  readonly path: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly requestHeaders: ReadonlyMap<string, readonly string[]>;
  readonly rawRequestHeaders: RawHeaders;
  readonly requestBody: PassingBody;
  /** When its head passed, and when all of it had passed. */
  readonly startedAt: number;
  sentAt: number | undefined;
  status = 0;
  headers: ReadonlyMap<string, readonly string[]> = new Map();
  rawHeaders: RawHeaders = [];
  body: PassingBody;
  headersAt: number | undefined;
  endedAt: number | undefined;
  /** When the last that is known of it passed. */
  seenAt: number;
  /** Whether the whole response has passed. */
  isComplete = false;
  /** Whether a part of the response may be missing, although nothing says so. */
  mayBeCut = false;
  /** Whether a slow client has delayed the response. */
  isSlowed = false;
  /** Whether the documents in it were removed when it was recorded. */
  lacksDocuments = false;
  readonly #maxBytes: number;

  constructor(
    request: { connection: number; method: string; path: string; rawHeaders: RawHeaders; at: number },
    maxBytes = maxBodyBytes,
  ) {
    this.#maxBytes = maxBytes;
    this.connection = request.connection;
    this.method = request.method;
    this.path = request.path;
    // PouchDB asks for a database with a slash at the end.
    const { pathname, query } = splitPath(request.path);
    this.pathname = pathname.replace(/(?<=.)\/$/, '');
    this.query = query;
    this.rawRequestHeaders = request.rawHeaders;
    this.requestHeaders = byLowerCaseName(request.rawHeaders);
    this.startedAt = request.at;
    this.seenAt = request.at;
    this.requestBody = new PassingBody(this.requestHeaders, maxBytes);
    this.body = new PassingBody(this.headers, maxBytes);
  }

  /** Whether the target itself has ended the response. A response that ends with its connection may have been cut. */
  get isEnded(): boolean {
    const hasEnd = this.headers.has('transfer-encoding') || this.headers.has('content-length');
    return this.isComplete && hasEnd && !this.mayBeCut;
  }

  /** Nothing but the evidence needs its bodies any more. */
  release(bytes: number): void {
    this.requestBody.keep(bytes);
    this.body.keep(bytes === 0 ? acknowledgementBytes : bytes);
  }

  respond(status: number, rawHeaders: RawHeaders, at: number): void {
    this.status = status;
    this.rawHeaders = rawHeaders;
    this.headers = byLowerCaseName(rawHeaders);
    this.body = new PassingBody(this.headers, this.#maxBytes);
    this.headersAt = at;
    this.seenAt = at;
  }
}
