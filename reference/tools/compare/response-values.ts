/**
 * Flattens a response into comparable values: status, selected headers, and all values in the body. Values that differ
 * in each response or on each server (sequences, hashes, times, ...) are replaced by placeholders.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Reply } from './target.js';

/** Values by path: `status`, `header.etag`, `body.results.0.id`, ... */
export type ResponseValues = ReadonlyMap<string, string>;

/** `Transfer-Encoding` is not included, because it depends on the implementation. */
const comparedHeaders = [
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'cache-control',
  'content-encoding',
  'content-range',
  'content-type',
  'etag',
  'location',
  'set-cookie',
  'vary',
  'www-authenticate',
];

/** Members with server-specific values. Only their types are compared. */
const serverSpecific: ReadonlySet<string> = new Set([
  'seq',
  'last_seq',
  'update_seq',
  'purge_seq',
  '_local_seq',
  'uuid',
  'version',
  'instance_start_time',
  'disk_format_version',
  'file',
  'external',
  'active',
  'digest',
  'encoded_length',
  'salt',
  'derived_key',
  'iterations',
]);

/** @param base URL of the server */
export function responseValues({ status, headers, text }: Reply, base: string): ResponseValues {
  const values = new Map([['status', String(status)]]);
  for (const name of comparedHeaders) {
    const value = headers[name];
    if (value !== undefined) values.set(`header.${name}`, header(name, [value].flat().join('\n'), base));
  }
  for (const [path, value] of leaves(contentOf(text, String(headers['content-type'])), 'body'))
    values.set(path, value);
  return values;
}

function header(name: string, value: string, base: string): string {
  switch (name) {
    case 'allow':
    case 'access-control-allow-headers':
    case 'access-control-allow-methods':
    case 'access-control-expose-headers':
      return sorted(value);
    case 'content-type':
      return value.replace(/boundary=.*/, 'boundary=<hash>');
    case 'etag':
      // Only revisions are compared. Other tags are server-specific, but may begin like a revision.
      return /^"\d+-([a-z]{1,2}|[0-9a-f]{32})"$/.test(value) ? withoutHashes(value) : '<tag>';
    case 'location':
      return withoutHashes(value.replace(base, '<base>'));
    case 'set-cookie':
      return value.replace(/Expires=[^;]+/i, 'Expires=<time>').replace(/(?<=^AuthSession=)[^;]+/, '<value>');
    default:
      return value;
  }
}

/** Parses JSON, and feeds into lists of rows or events. Empty lines in feeds are ignored. */
function contentOf(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (type.startsWith('text/event-stream')) return eventsOf(text);
  const content = parsed(text);
  if (typeof content === 'object' || !text.trim().includes('\n')) return content;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { lineEnd: /\r\n/.test(text) ? 'CRLF' : 'LF', lines: lines.map((line) => parsed(line.trimEnd())) };
}

function eventsOf(text: string): unknown[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  parser.feed(text);
  return events.map(({ event, id, data }) => ({ event, id: { seq: parsed(id ?? '') }, data: parsed(data) }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Yields all values that are not nonempty objects or arrays, with their paths. */
function* leaves(value: unknown, path: string): Generator<[path: string, value: string]> {
  if (value === undefined) return;
  const isServerSpecific = serverSpecific.has(path.slice(path.lastIndexOf('.') + 1));
  const members =
    !isServerSpecific && typeof value === 'object' && value !== null ? Object.entries(value) : [];
  for (const [key, member] of members) yield* leaves(member, `${path}.${key}`);
  if (members.length === 0) yield [path, isServerSpecific ? typeOf(value) : rendered(value)];
}

const typeOf = (value: unknown) => (value === null ? 'null' : `<${typeof value}>`);

function rendered(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const [, methods] = /^Only (.*) allowed$/.exec(value) ?? [];
  return JSON.stringify(methods === undefined ? withoutHashes(value) : `Only ${sorted(methods)} allowed`);
}

const sorted = (list: string): string =>
  list
    .split(/\s*,\s*/)
    .sort()
    .join(',');

/** Replaces generated IDs and revisions. Those in requests are shorter. */
const withoutHashes = (text: string): string => text.replace(/[0-9a-f]{32}/g, '<hash>');
