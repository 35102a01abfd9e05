/** Records exchanges that have passed as evidence: without secrets, and without documents unless the user wants them. */
import type { RecordedExchange } from '../../reports/report.js';
import type { Chunk } from '../http/client.js';
import type { Description } from '../http/description.js';
import { recordExchange } from '../http/exchange.js';
import { asObject, parseJson } from '../http/parse-json.js';
import { createRedactor, type Redactor } from '../http/redact.js';
import type { PassingBody, PassingExchange } from '../passing/passing-exchange.js';

/** How much of a body is recorded, in bytes. */
export const recordedBytes = 200_000;

/** Headers that never contain a secret. The values of all others are left out, except those with a scheme. */
const harmless =
  /^(accept(-.+)?|age|allow|cache-control|connection|content-(type|length|encoding|language)|date|etag|expect|host|if-(none-)?match|keep-alive|last-event-id|location|origin|retry-after|server|te|trailer|transfer-encoding|upgrade|user-agent|vary|www-authenticate|x-auth-.+-(username|roles)|x-couch(db)?-.+)$/i;
const redacted = /^(authorization|proxy-authorization|cookie|set-cookie|x-auth-.+-token)$/i;

/** Members of responses to writes and of errors. */
const acknowledging: ReadonlySet<string> = new Set(['ok', 'id', 'rev', 'error', 'reason']);

/** Operations whose responses have no documents. */
const withoutContent: ReadonlySet<string> = new Set(['getRoot', 'getSession', 'postSession', 'getDatabase']);

/** From when to when an exchange passed, in milliseconds. */
export interface PassingTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

interface RecorderOptions {
  readonly bodies: boolean;
  readonly prefix: string;
}

export function createRecorder(
  { bodies, prefix }: RecorderOptions,
  description: Description,
): (exchange: PassingExchange) => RecordedExchange {
  return (exchange) => {
    const { method, path, pathname, startedAt, endedAt, seenAt, headersAt, status, rawHeaders } = exchange;
    const operation = description.operation(method, pathname)?.id;
    const redact = redactorFor(exchange);
    const { text: sentText } = exchange.requestBody;
    const body =
      bodies || sentText === '' || showsRequest(operation) ? sentText : sizeOf(exchange.requestBody);
    const chunks = exchange.body.decoded() ?? [];
    return recordExchange(
      { path },
      { method, prefix, path, headers: headersOf(exchange.rawRequestHeaders), ...(body !== '' && { body }) },
      { sentAt: startedAt, durationMs: (endedAt ?? seenAt) - startedAt },
      headersAt === undefined
        ? undefined
        : {
            status,
            rawHeaders: rawHeaders.map(([name, value]) => [name, shownHeader(name, value)] as const),
            headersAtMs: headersAt - startedAt,
            chunks: bodies ? chunks : withoutDocuments(chunks, operation, exchange),
            complete: exchange.isComplete,
          },
      redact,
    );
  };
}

const shownHeader = (name: string, value: string): string =>
  harmless.test(name) || redacted.test(name) ? value : '[redacted]';

function headersOf(rawHeaders: PassingExchange['rawRequestHeaders']): Record<string, string> {
  return Object.fromEntries(rawHeaders.map(([name, value]) => [name, shownHeader(name, value)]));
}

const showsRequest = (operation: string | undefined): boolean =>
  operation === 'postSession' || operation === 'postChanges';

const sizeOf = ({ size }: PassingBody): string => `[${size} bytes; --bodies shows them]`;

/** Whether this stands for a body that was left out. */
export const isLeftOut = (text: string): boolean => /^\[\d+ bytes; --bodies shows them\]$/.test(text);

/** Redacts the credentials of the exchange wherever it repeats them. */
export function redactorFor({ rawRequestHeaders, rawHeaders, requestBody }: PassingExchange): Redactor {
  const secrets = [...rawRequestHeaders, ...rawHeaders].flatMap(([name, value]) => {
    if (/^(proxy-)?authorization$/i.test(name)) {
      const [, scheme, token = ''] = /^(\S+) +(.*)$/.exec(value) ?? [];
      const decoded = scheme?.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString() : '';
      return [token || value, decoded.slice(decoded.indexOf(':') + 1)];
    }
    if (/^cookie$/i.test(name)) return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    if (/^set-cookie$/i.test(name)) return [/^[^=]*=([^;]*)/.exec(value)?.[1] ?? ''];
    return /^x-auth-.+-token$/i.test(name) ? [value] : [];
  });
  const { password, token } = asObject(parseJson(requestBody.text));
  const sent = [password, token].filter((text) => typeof text === 'string');
  const redact = createRedactor([...secrets, ...sent]);
  // The bodies of an application have passwords that are not those of a test.
  return { ...redact, sentText: redact.text };
}

/** The body with the identity and state of each document only. A body that is not understood is left out. */
function withoutDocuments(
  chunks: readonly Chunk[],
  operation: string | undefined,
  exchange: PassingExchange,
): readonly Chunk[] {
  const isFeed = operation === 'getChanges' || operation === 'postChanges';
  if (withoutContent.has(operation ?? '')) return chunks;
  const hasDocuments = [...exchange.query.keys()].some((name) => /^include_docs$/i.test(name));
  if (isFeed && !hasDocuments) return chunks;
  const [first] = chunks;
  if (!first) return [];
  const { text } = exchange.body;
  const shown = isFeed ? stripFeed(text) : isAcknowledgement(parseJson(text)) ? text : undefined;
  return [{ atMs: first.atMs, bytes: Buffer.from(shown ?? sizeOf(exchange.body)) }];
}

function isAcknowledgement(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isAcknowledgement);
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).every((name) => acknowledging.has(name));
}

/** One JSON value, or one a line, or one an event. */
function stripFeed(text: string): string | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return JSON.stringify(stripDocuments(whole));
  const lines = text.split('\n').map((line) => {
    const [, start = '', json = '', end = ''] = /^((?:data: ?)?)(\{.*\})(,?\r?)$/.exec(line) ?? [];
    if (json === '') return /[{}]/.test(line) ? undefined : line;
    const value = parseJson(json);
    return value === undefined ? undefined : start + JSON.stringify(stripDocuments(value)) + end;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

/** Members of a document that are not its content. */
const kept = ['_id', '_rev', '_deleted', '_conflicts'];

/** Replaces all documents in JSON data, wherever they are. */
export function stripDocuments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripDocuments);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (name !== 'doc') return [name, stripDocuments(member)];
      return [name, member === null ? null : stripDocument(asObject(member))];
    }),
  );
}

const stripDocument = (doc: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(kept.flatMap((name) => (name in doc ? [[name, doc[name]]] : [])));
