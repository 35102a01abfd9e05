/** Represents finished exchanges, and records exchanges as evidence without secrets. */
import type { RecordedExchange } from '../../reports/report.js';
import { Violation } from '../engine/outcomes.js';
import { operationName } from './describe-response.js';
import { parseJson, readableBody } from './parse-json.js';
import type { Redactor } from './redact.js';
import type { TargetRequest, Chunk, Exchange } from './client.js';

/** A request as it is sent. */
export interface SentRequest {
  method: string;
  /** The path of the base URL, without a slash at the end. */
  prefix: string;
  /** Below the base URL, with the query. */
  path: string;
  /** Where it goes, if that is not its path below the base URL. */
  address?: Address;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface Address {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** A response as it is received, with header names in their original case. */
export interface ReceivedResponse {
  status: number;
  rawHeaders: readonly (readonly [name: string, value: string])[];
  headersAtMs: number;
  chunks: readonly Chunk[];
  /** False if either side cut the body off. */
  complete: boolean;
  /** The limit that the body exceeds. */
  limit?: string | undefined;
}

export interface Times {
  /** When the request was sent, on the clock of `performance.now()`. */
  sentAt: number;
  /** Milliseconds from then to the last byte, or until now if the response is not complete. */
  durationMs: number;
}

/** Number of characters of a body that a report keeps. */
const maxBodyLength = 65_536;

/** A class, since an object with getters of its own would get a hidden class of its own, which is slow to collect. */
export class FinishedExchange implements Exchange {
  readonly request: TargetRequest;
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headersAtMs: number;
  readonly chunks: readonly Chunk[];
  readonly sentAt: number;
  readonly durationMs: number;
  readonly complete: boolean;
  readonly limit: string | undefined;
  readonly record: Exchange['record'];
  readonly #status: number;
  readonly #redact: Redactor;
  readonly #onRead: (exchange: Exchange) => void;
  #text: string | undefined;

  constructor(
    request: TargetRequest,
    sent: SentRequest,
    times: Times,
    response: ReceivedResponse,
    redact: Redactor,
    onRead: (exchange: Exchange) => void,
    read: readonly Chunk[] = response.chunks,
  ) {
    this.request = request;
    this.method = sent.method;
    this.path = sent.path;
    this.headers = byLowerCaseName(response.rawHeaders);
    this.headersAtMs = response.headersAtMs;
    this.chunks = read;
    this.sentAt = times.sentAt;
    this.durationMs = times.durationMs;
    this.complete = response.complete;
    this.limit = response.limit;
    // Keeps no more of the body than a record needs, since a run keeps many exchanges.
    const kept = { ...response, chunks: beginningOf(response.chunks, recordedBytes(redact)) };
    this.record = (from) => recordExchange(request, sent, times, kept, redact, from);
    this.#status = response.status;
    this.#redact = redact;
    this.#onRead = onRead;
  }

  get status(): number {
    this.#onRead(this);
    return this.#status;
  }

  get text(): string {
    this.#onRead(this);
    return (this.#text ??= decode(this.chunks));
  }

  json(): unknown {
    const { text } = this;
    const value = parseJson(text);
    if (value === undefined) {
      throw this.#violation(readableBody(text), this.#redact.beginning(text, 200, this.#redact.text));
    }
    return value;
  }

  object(): Record<string, unknown> {
    const value = this.json();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#violation('an object', value);
    }
    return value as Record<string, unknown>;
  }

  #violation(expected: string, actual: unknown): Violation {
    return new Violation(`The response to ${operationName(this.method, this.path)} is not ${expected}`, {
      path: '$',
      expected,
      actual,
    });
  }
}

/** The number of bytes of a body that decide what a report has of it. A character has three bytes at most. */
const recordedBytes = ({ longest }: Redactor): number => 3 * (maxBodyLength + longest + 1);

/** The first chunks that have `bytes` together. */
export function beginningOf(chunks: readonly Chunk[], bytes: number): readonly Chunk[] {
  let left = bytes;
  const end = chunks.findIndex((chunk) => (left -= chunk.bytes.length) <= 0);
  return end === -1 ? chunks : chunks.slice(0, end + 1);
}

/** Records an exchange as evidence for the report, without a `response` if none has arrived. */
export function recordExchange(
  request: TargetRequest,
  sent: SentRequest,
  { sentAt, durationMs }: Times,
  response: ReceivedResponse | undefined,
  redact: Redactor,
  from = sentAt,
): RecordedExchange {
  return {
    request: recordRequest(request, sent, redact),
    ...(response && { response: recordResponse(response, redact) }),
    time: { startMs: round(sentAt - from), endMs: round(sentAt + durationMs - from) },
  };
}

/** @param flat raw headers as Node.js and undici give them: names and values in turn */
export function namesAndValues(flat: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const);
}

export function byLowerCaseName(
  rawHeaders: readonly (readonly [string, string])[],
): Map<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    const values = headers.get(key);
    if (values) values.push(value);
    else headers.set(key, [value]);
  }
  return headers;
}

function recordRequest(
  { as, node }: TargetRequest,
  { method, prefix, path, address, headers, body }: SentRequest,
  redact: Redactor,
): RecordedExchange['request'] {
  const text = body === undefined || typeof body === 'string' ? body : new TextDecoder('utf-8').decode(body);
  const shown = text === undefined ? undefined : redact.beginning(text, maxBodyLength, redact.sentText);
  return {
    method,
    path: redact.text(prefix + path),
    ...(address && { url: redact.text(address.origin + address.path) }),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, redact.header(name, value)]),
    ),
    ...(shown === undefined ? {} : { body: shown }),
    ...(text !== undefined && text.length > maxBodyLength ? { truncated: true } : {}),
    ...(as === 'admin' && 'authorization' in headers ? { as } : {}),
    ...(node === undefined ? {} : { node }),
  };
}

function recordResponse(
  { status, rawHeaders, chunks, complete }: ReceivedResponse,
  redact: Redactor,
): NonNullable<RecordedExchange['response']> {
  return {
    status,
    // Values of a repeated header are joined by line feeds, since commas would make Set-Cookie ambiguous.
    headers: rawHeaders.reduce<Record<string, string>>((headers, [name, value]) => {
      const shown = redact.header(name, value);
      return { ...headers, [name]: name in headers ? `${headers[name]}\n${shown}` : shown };
    }, {}),
    ...recordChunks(chunks, redact),
    ...(complete ? {} : { unfinished: true }),
  };
}

function recordChunks(
  chunks: readonly Chunk[],
  redact: Redactor,
): Pick<NonNullable<RecordedExchange['response']>, 'chunks' | 'truncated'> {
  const text = decode(beginningOf(chunks, recordedBytes(redact)));
  const redacted = redact.beginning(text, maxBodyLength, redact.text);
  // A secret may span two chunks, so a body that contains one is recorded as one chunk.
  if (redacted !== text.slice(0, maxBodyLength)) {
    return {
      chunks: [{ atMs: chunks[0]?.atMs ?? 0, text: redacted }],
      ...(text.length > maxBodyLength ? { truncated: true } : {}),
    };
  }
  const shown: { atMs: number; text: string }[] = [];
  const decoder = new TextDecoder('utf-8');
  let room = maxBodyLength;
  for (const { atMs, bytes } of chunks) {
    const text = decoder.decode(bytes, { stream: true });
    if (room < text.length) {
      shown.push({ atMs: round(atMs), text: text.slice(0, room) });
      return { chunks: shown, truncated: true };
    }
    room -= text.length;
    shown.push({ atMs: round(atMs), text });
  }
  return { chunks: shown };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

function decode(chunks: readonly Chunk[]): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8');
}
