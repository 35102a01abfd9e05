/** Recordings of traffic in HAR 1.2. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { docfeedVersion } from '../../reports/environment.js';
import type { RecordedExchange } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { parseJson } from '../../reports/json.js';
import { asObject } from '../http/json.js';
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
  const url = new URL(new URL(options.target).origin + request.path);
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

/** @throws Refusal if the file is no recording */
export async function readHar(file: string): Promise<Recording> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal('file', `cannot read ${file} (${error.code})`, { cause: error });
  });
  const { entries, _target: target } = asObject(asObject(parseJson(text))['log']);
  if (!Array.isArray(entries)) throw new Refusal('file', `${file} is not a HAR file: it has no log.entries`);
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const { request, response, startedDateTime, time } = asObject(entry);
    const { method, url } = asObject(request);
    const isEntry =
      [method, url, startedDateTime].every((value) => typeof value === 'string') &&
      URL.canParse(url as string) &&
      typeof time === 'number' &&
      typeof asObject(response)['status'] === 'number' &&
      typeof asObject(response)['content'] === 'object';
    if (!isEntry) throw new Refusal('file', `${file} is not a HAR file: log.entries[${index}] is malformed`);
  }
  return { target: typeof target === 'string' ? target : undefined, entries: entries as HarEntry[] };
}

/**
 * Replays those entries of a recording that belong to the target.
 *
 * @returns their number
 */
export function replay({ entries }: Recording, target: URL, observer: PassingObserver): number {
  const prefix = target.pathname.replace(/\/$/, '');
  const events: { at: number; happen: () => void }[] = [];
  const own = entries.filter(({ request: { url } }) => {
    const { origin, pathname } = new URL(url);
    return origin === target.origin && (pathname === prefix || pathname.startsWith(`${prefix}/`));
  });
  for (const [connection, entry] of own.entries()) {
    const { request, response, time } = entry;
    const startedAt = Date.parse(entry.startedDateTime);
    const endedAt = startedAt + Math.max(0, time);
    const { pathname, search } = new URL(request.url);
    const path = (pathname.slice(prefix.length) || '/') + search;
    const exchange = new PassingExchange(
      { connection, method: request.method, path, rawHeaders: headersIn(request), at: startedAt },
      Infinity,
    );
    exchange.sentAt = startedAt;
    exchange.lacksDocuments = entry.comment === withoutDocuments;
    const sent = request.postData?.text;
    if (sent !== undefined && !isLeftOut(sent))
      exchange.requestBody.add({ atMs: 0, bytes: Buffer.from(sent) });
    events.push({ at: startedAt, happen: () => observer.onRequest(exchange) });
    events.push({
      at: endedAt,
      happen() {
        exchange.endedAt = endedAt;
        const { content, status } = response;
        if (status > 0) {
          exchange.respond(status, headersIn(response), endedAt);
          observer.onResponse(exchange);
          const { text = '', encoding } = content;
          const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
          const isThere = !isLeftOut(text);
          if (isThere && bytes.length > 0) observer.onChunk(exchange, bytes, endedAt);
          const hasAll = content.text !== undefined || (content.size ?? 0) <= 0;
          exchange.isComplete = isThere && (entry._isWhole ?? hasAll);
        }
        observer.onEnd(exchange);
      },
    });
  }
  events.sort((a, b) => a.at - b.at);
  for (const { happen } of events) happen();
  return own.length;
}

/** Without the pseudo headers of HTTP/2, and without the coding, which the text of a recording no longer has. */
const headersIn = ({ headers = [] }: HarMessage): [string, string][] =>
  headers
    .filter(({ name }) => !name.startsWith(':') && !/^content-encoding$/i.test(name))
    .map(({ name, value }) => [name, value]);
