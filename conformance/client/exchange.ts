/** One finished request and its response, and the form of it that may leave the process. */
import type { RecordedExchange } from '../../reports/report.js';
import { Violation } from '../verdict/outcomes.js';
import type { Redactor } from './redact.js';
import type { TargetRequest, Chunk, Exchange } from './client.js';

/** What was sent, on the wire's terms. */
export interface SentRequest {
  method: string;
  /** The path of the base URL. */
  prefix: string;
  /** Below the base URL, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** What came back, headers as they were written by the target. */
export interface ReceivedResponse {
  status: number;
  rawHeaders: readonly (readonly [name: string, value: string])[];
  headersAtMs: number;
  chunks: readonly Chunk[];
  /** False when the body was cut, by either side. */
  complete: boolean;
}

export interface Times {
  /** When the request was sent, on the clock of `performance.now()`. */
  sentAt: number;
  /** Milliseconds from then to the last byte, or to now when it has not come yet. */
  durationMs: number;
}

/** How many characters of one body a report keeps. */
const recordedBody = 65_536;

export function finishedExchange(
  ask: TargetRequest,
  request: SentRequest,
  times: Times,
  response: ReceivedResponse,
  redact: Redactor,
): Exchange {
  let text: string | undefined;
  const textOnce = (): string => (text ??= decode(response.chunks));
  const json = (): unknown => {
    try {
      return JSON.parse(textOnce());
    } catch {
      throw new Violation(`${request.method} ${redact.text(request.path)} is not answered with JSON`, {
        path: '$',
        expected: 'JSON',
        actual: redact.text(textOnce()).slice(0, 200),
      });
    }
  };
  return {
    request: ask,
    method: request.method,
    path: request.path,
    status: response.status,
    headers: byLowerCaseName(response.rawHeaders),
    headersAtMs: response.headersAtMs,
    chunks: response.chunks,
    ...times,
    complete: response.complete,
    get text() {
      return textOnce();
    },
    json,
    object() {
      const value = json();
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new Violation(`${request.method} ${redact.text(request.path)} is not answered with an object`, {
          path: '$',
          expected: 'an object',
          actual: value,
        });
      }
      return value as Record<string, unknown>;
    },
    record: (from) => recordedExchange(ask, request, times, response, redact, from),
  };
}

/** The form for the report. Without a response, nothing has come back. */
export function recordedExchange(
  ask: TargetRequest,
  request: SentRequest,
  { sentAt, durationMs }: Times,
  response: ReceivedResponse | undefined,
  redact: Redactor,
  from = sentAt,
): RecordedExchange {
  return {
    request: recordedRequest(ask, request, redact),
    ...(response && { response: recordedResponse(response, redact) }),
    time: { startMs: rounded(sentAt - from), endMs: rounded(sentAt + durationMs - from) },
  };
}

export function byLowerCaseName(
  rawHeaders: readonly (readonly [string, string])[],
): Map<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  return headers;
}

function recordedRequest(
  { as, node }: TargetRequest,
  { method, prefix, path, headers, body }: SentRequest,
  redact: Redactor,
): RecordedExchange['request'] {
  const text = body === undefined || typeof body === 'string' ? body : new TextDecoder('utf-8').decode(body);
  const sent = text === undefined ? undefined : redact.sent(text);
  return {
    method,
    path: redact.text(prefix + path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, redact.header(name, value)]),
    ),
    ...(sent === undefined ? {} : { body: sent.slice(0, recordedBody) }),
    ...(sent !== undefined && sent.length > recordedBody ? { truncated: true } : {}),
    ...(as === 'admin' && 'authorization' in headers ? { as } : {}),
    ...(node === undefined ? {} : { node }),
  };
}

function recordedResponse(
  { status, rawHeaders, chunks, complete }: ReceivedResponse,
  redact: Redactor,
): NonNullable<RecordedExchange['response']> {
  return {
    status,
    // Repeated headers share one entry, a line each: only Set-Cookie must not be joined by commas.
    headers: rawHeaders.reduce<Record<string, string>>((headers, [name, value]) => {
      const shown = redact.header(name, value);
      return { ...headers, [name]: name in headers ? `${headers[name]}\n${shown}` : shown };
    }, {}),
    ...recordedChunks(chunks, redact),
    ...(complete ? {} : { unfinished: true }),
  };
}

function recordedChunks(
  chunks: readonly Chunk[],
  redact: Redactor,
): Pick<NonNullable<RecordedExchange['response']>, 'chunks' | 'truncated'> {
  const whole = decode(chunks);
  const redacted = redact.text(whole);
  // A secret may lie across two chunks, so a body that holds one is shown in one piece.
  if (redacted !== whole) {
    const atMs = chunks[0]?.atMs ?? 0;
    return {
      chunks: [{ atMs, text: redacted.slice(0, recordedBody) }],
      ...(redacted.length > recordedBody ? { truncated: true } : {}),
    };
  }
  const shown: { atMs: number; text: string }[] = [];
  const decoder = new TextDecoder('utf-8');
  let room = recordedBody;
  for (const { atMs, bytes } of chunks) {
    const text = decoder.decode(bytes, { stream: true });
    if (room < text.length) {
      shown.push({ atMs: rounded(atMs), text: text.slice(0, room) });
      return { chunks: shown, truncated: true };
    }
    room -= text.length;
    shown.push({ atMs: rounded(atMs), text });
  }
  return { chunks: shown };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

function decode(chunks: readonly Chunk[]): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8');
}
