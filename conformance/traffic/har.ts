/** Recordings of traffic in HAR 1.2. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { docfeedVersion } from '../../reports/origin.js';
import type { RecordedExchange } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { parseBody, readableBody } from '../../reports/read-json.js';
import {
  arrayOf,
  aString,
  type Matcher,
  matching,
  objectWith,
  orNothing,
  satisfying,
} from '../engine/matchers.js';
import { PassingExchange } from '../passing/passing-exchange.js';
import { type PassingObserver } from './passing.js';
import { isLeftOut, type PassingTimes } from './record.js';

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

  /** @param times in milliseconds since 1970 */
  add(record: RecordedExchange, times: PassingTimes): void {
    const entry = JSON.stringify(entryOf(record, times, this.#options));
    writeSync(this.#file, `${this.#separator}\n${entry}`);
    this.#separator = ',';
  }

  close(): void {
    writeSync(this.#file, '\n]}}\n');
    closeSync(this.#file);
  }
}

function entryOf(
  { request, response }: RecordedExchange,
  { startedAt, endedAt }: PassingTimes,
  options: HarOptions,
): object {
  const chunks = response?.chunks ?? [];
  const text = chunks.map((chunk) => chunk.text).join('');
  const totalMs = Number((endedAt - startedAt).toFixed(3));
  const waitMs = Math.min(chunks[0]?.atMs ?? totalMs, totalMs);
  const { origin } = new URL(options.target);
  const url = new URL(origin + request.path.replace(/^(?!\/)/, '/'));
  const headersOf = (headers: Readonly<Record<string, string>> = {}): object[] =>
    Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
  const type =
    Object.entries(response?.headers ?? {}).find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const sizes = { headersSize: -1, bodySize: -1 };
  return {
    startedDateTime: timeText(startedAt),
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

/** To the microsecond, since a client may send its next request within the millisecond of a response. */
function timeText(ms: number): string {
  const microseconds = Math.floor((ms % 1) * 1000);
  return new Date(ms).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
}

/** A time that was cut off is up to `resolution` later. Both in milliseconds. */
function readTime(text: string): { at: number; resolution: number } {
  const [, digits = ''] = /\.\d{3}(\d*)/.exec(text) ?? [];
  return { at: Date.parse(text) + Number(`0.${digits || 0}`), resolution: 10 ** -digits.length };
}

/** Tools write members that they have no value for as null. */
type Maybe<Value> = Value | null | undefined;

interface HarMessage {
  readonly headers?: Maybe<readonly { readonly name: string; readonly value: string }[]>;
}

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly comment?: Maybe<string>;
  readonly _isWhole?: Maybe<boolean>;
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly postData?: Maybe<{ readonly text?: Maybe<string> }>;
  };
  readonly response: HarMessage & {
    readonly status: number;
    readonly content: {
      readonly size?: Maybe<number>;
      readonly text?: Maybe<string>;
      readonly encoding?: Maybe<string>;
    };
  };
}

export interface Recording {
  /** The base URL of the target, if the recording names it. */
  readonly target: string | undefined;
  readonly entries: readonly HarEntry[];
}

const aNumber = satisfying('a number', Number.isFinite);
const anIntegerNumber = satisfying('an integer', Number.isInteger);
const aBoolean = satisfying('a boolean', (value) => typeof value === 'boolean');
const aMethod = matching(/^[!#$%&'*+.^_`|~\w-]+$/, 'a method such as GET');
const aUrl = satisfying('a URL', (value) => typeof value === 'string' && URL.canParse(value));
const aTime = satisfying('a time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));
const headers: Matcher = orNothing(arrayOf(objectWith({ name: aString, value: aString })));

const aRecording = objectWith({
  log: objectWith({
    _target: orNothing(aUrl),
    entries: arrayOf(
      objectWith({
        startedDateTime: aTime,
        time: aNumber,
        comment: orNothing(aString),
        _isWhole: orNothing(aBoolean),
        request: objectWith({
          method: aMethod,
          url: aUrl,
          headers,
          postData: orNothing(objectWith({ text: orNothing(aString) })),
        }),
        response: objectWith({
          status: anIntegerNumber,
          headers,
          content: objectWith({
            size: orNothing(aNumber),
            text: orNothing(aString),
            encoding: orNothing(aString),
          }),
        }),
      }),
    ),
  }),
});

/** A text of the longest possible size has about so many, if it is a recording. */
const maxValues = 20_000_000;

/** @throws Refusal if the file is no recording */
export async function readHar(file: string): Promise<Recording> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal('file', `cannot read ${file} (${error.code})`, { cause: error });
  });
  // HAR 1.2 allows a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  const content = parseBody(json, { maxValues });
  if (content === undefined) {
    throw new Refusal('file', `${file} is not a HAR file: it is not ${readableBody(json, { maxValues })}`);
  }
  const difference = aRecording(content, '$');
  if (difference) {
    const { path, expected } = difference;
    throw new Refusal('file', `${file} is not a HAR file: ${path} must be ${String(expected)}`);
  }
  const { entries, _target: target } = (content as { log: { entries: HarEntry[]; _target?: Maybe<string> } })
    .log;
  return { target: target ?? undefined, entries };
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
    const { at, resolution } = readTime(entry.startedDateTime);
    const path = (pathname.slice(prefix.length) || '/') + search;
    const { method } = request;
    const exchange = new PassingExchange(
      { connection, method, path, rawHeaders: headersIn(request), at },
      Infinity,
    );
    exchange.sentAt = at;
    // At the latest: both its start and how long it took may have been cut off. What may overlap has no order.
    exchange.endedAt = at + Math.max(0, entry.time) + 2 * resolution;
    exchange.lacksDocuments = entry.comment === withoutDocuments;
    const sent = request.postData?.text ?? '';
    if (sent !== '' && !isLeftOut(sent)) exchange.requestBody.add({ atMs: 0, bytes: Buffer.from(sent) });
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
    const { text, encoding, size } = content;
    const bytes = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8');
    const isThere = !isLeftOut(text ?? '');
    if (isThere && bytes.length > 0) observer.onChunk(exchange, bytes, at);
    // A browser records what it has read until its user has left.
    exchange.mayBeCut = _isWhole !== true;
    exchange.isComplete = isThere && (_isWhole ?? (typeof text === 'string' || (size ?? 0) <= 0));
  }
  observer.onEnd(exchange);
}

/** Without the pseudo headers of HTTP/2, and without the coding, which the text of a recording no longer has. */
const headersIn = ({ headers }: HarMessage): [string, string][] =>
  (headers ?? [])
    .filter(({ name }) => !name.startsWith(':') && !/^content-encoding$/i.test(name))
    .map(({ name, value }) => [name, value]);
