/** Recordings of traffic in HAR 1.2. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { docfeedVersion } from '../../reports/environment.js';
import type { RecordedExchange } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { parseJson } from '../../reports/json.js';
import { anObject, arrayOf, aString, objectWith, satisfying } from '../engine/matchers.js';
import { PassingExchange, type PassingObserver } from './passing.js';
import { isLeftOut } from './record.js';

/** Written into entries whose documents were left out. */
const withoutDocuments = 'without documents';

export interface HarOptions {
  readonly target: string;
  readonly bodies: boolean;
}

/** Writes a recording. The file is complete after `close`. */
export class HarWriter {
  readonly #file: number;
  readonly #options: HarOptions;
  #separator = '';

  constructor(file: string, options: HarOptions) {
    this.#file = openSync(file, 'w', 0o600);
    this.#options = options;
    const log = {
      version: '1.2',
      creator: { name: 'docfeed', version: docfeedVersion },
      _target: options.target,
    };
    writeSync(this.#file, `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`);
  }

  /** @param startedAt in milliseconds since 1970 */
  add(record: RecordedExchange, startedAt: number): void {
    const entry = JSON.stringify(entryOf(record, startedAt, this.#options));
    writeSync(this.#file, `${this.#separator}\n${entry}`);
    this.#separator = ',';
  }

  close(): void {
    writeSync(this.#file, '\n]}}\n');
    closeSync(this.#file);
  }
}

function entryOf(
  { request, response, time }: RecordedExchange,
  startedAt: number,
  options: HarOptions,
): object {
  const chunks = response?.chunks ?? [];
  const text = chunks.map((chunk) => chunk.text).join('');
  const totalMs = time ? time.endMs - time.startMs : 0;
  const waitMs = Math.min(chunks[0]?.atMs ?? totalMs, totalMs);
  const { origin } = new URL(options.target);
  const url = new URL(origin + request.path.replace(/^(?!\/)/, '/'));
  const headersOf = (headers: Readonly<Record<string, string>> = {}): object[] =>
    Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
  const type =
    Object.entries(response?.headers ?? {}).find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const sizes = { headersSize: -1, bodySize: -1 };
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: totalMs,
    request: {
      method: request.method,
      url: url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(request.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body !== undefined && {
        postData: { mimeType: 'application/json', text: request.body, params: [] },
      }),
      ...sizes,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(response?.headers),
      content: { size: Buffer.byteLength(text), mimeType: type, text },
      redirectURL: '',
      ...sizes,
    },
    cache: {},
    timings: { send: 0, wait: waitMs, receive: totalMs - waitMs },
    ...(!options.bodies && { comment: withoutDocuments }),
    _isWhole: response !== undefined && !response.unfinished && !response.truncated && !request.truncated,
  };
}

interface HarMessage {
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly comment?: string;
  readonly _isWhole?: boolean;
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly postData?: { readonly text?: string };
  };
  readonly response: HarMessage & {
    readonly status: number;
    readonly content: { readonly size?: number; readonly text?: string; readonly encoding?: string };
  };
}

export interface Recording {
  /** The base URL of the target, if the recording names it. */
  readonly target: string | undefined;
  readonly entries: readonly HarEntry[];
}

const aNumber = satisfying('a number', (value) => typeof value === 'number');
const aUrl = satisfying('a URL', (value) => typeof value === 'string' && URL.canParse(value));
const aTime = satisfying('a time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const aRecording = objectWith({
  log: objectWith({
    entries: arrayOf(
      objectWith({
        startedDateTime: aTime,
        time: aNumber,
        request: objectWith({ method: aString, url: aUrl }),
        response: objectWith({ status: aNumber, content: anObject }),
      }),
    ),
  }),
});

/** @throws Refusal if the file is no recording */
export async function readHar(file: string): Promise<Recording> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal('file', `cannot read ${file} (${error.code})`, { cause: error });
  });
  const content = parseJson(text);
  const difference = aRecording(content, '$');
  if (difference) {
    const { path, expected } = difference;
    throw new Refusal('file', `${file} is not a HAR file: ${path} must be ${String(expected)}`);
  }
  const { entries, _target: target } = (content as { log: { entries: HarEntry[]; _target?: unknown } }).log;
  return { target: typeof target === 'string' ? target : undefined, entries };
}

/**
 * Replays those entries of a recording that belong to the target.
 *
 * @returns their number
 */
export function replay({ entries }: Recording, target: URL, observer: PassingObserver): number {
  const prefix = target.pathname.replace(/\/$/, '');
  const exchanges = entries.flatMap((entry, connection) => {
    const { request } = entry;
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== target.origin || !`${pathname}/`.startsWith(`${prefix}/`)) return [];
    const at = Date.parse(entry.startedDateTime);
    const path = (pathname.slice(prefix.length) || '/') + search;
    const { method } = request;
    const exchange = new PassingExchange(
      { connection, method, path, rawHeaders: headersIn(request), at },
      Infinity,
    );
    exchange.sentAt = at;
    exchange.endedAt = at + Math.max(0, entry.time);
    exchange.lacksDocuments = entry.comment === withoutDocuments;
    const sent = request.postData?.text;
    if (sent !== undefined && !isLeftOut(sent))
      exchange.requestBody.add({ atMs: 0, bytes: Buffer.from(sent) });
    return [{ entry, exchange }];
  });
  const events = exchanges.flatMap(({ entry, exchange }) => [
    { at: exchange.startedAt, happen: () => observer.onRequest(exchange) },
    { at: exchange.endedAt!, happen: () => respond(exchange, entry, observer) },
  ]);
  for (const { happen } of events.sort((a, b) => a.at - b.at)) happen();
  return exchanges.length;
}

function respond(
  exchange: PassingExchange,
  { response, _isWhole }: HarEntry,
  observer: PassingObserver,
): void {
  const { content, status } = response;
  if (status > 0) {
    const at = exchange.endedAt!;
    exchange.respond(status, headersIn(response), at);
    observer.onResponse(exchange);
    const { text = '', encoding, size = 0 } = content;
    const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
    const isThere = !isLeftOut(text);
    if (isThere && bytes.length > 0) observer.onChunk(exchange, bytes, at);
    exchange.isComplete = isThere && (_isWhole ?? (content.text !== undefined || size <= 0));
  }
  observer.onEnd(exchange);
}

/** Without the pseudo headers of HTTP/2, and without the coding, which the text of a recording no longer has. */
const headersIn = ({ headers = [] }: HarMessage): [string, string][] =>
  headers
    .filter(({ name }) => !name.startsWith(':') && !/^content-encoding$/i.test(name))
    .map(({ name, value }) => [name, value]);
