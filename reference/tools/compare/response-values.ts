/**
 * Flattens a response into comparable values: status, selected headers, and all values in the body. Values that differ
 * in each response or on each server (sequences, hashes, times, ...) are replaced by placeholders.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Reply } from '../../../reports/testing/request.js';

/** Values by path: `status`, `header.etag`, `body.results.0.id`, ... */
export type ResponseValues = ReadonlyMap<string, string>;

/** `Transfer-Encoding` is not included, because it depends on the implementation. */
const comparedHeaders = (
  'accept-ranges access-control-allow-credentials access-control-allow-headers access-control-allow-methods ' +
  'access-control-allow-origin access-control-expose-headers access-control-max-age allow cache-control ' +
  'content-encoding content-range content-type etag location set-cookie vary www-authenticate x-content-type-options ' +
  'x-couchdb-body-time x-frame-options'
).split(' ');

/** Members with server-specific values. Only their types are compared. */
const serverSpecific: ReadonlySet<string> = new Set(
  (
    'seq last_seq update_seq purge_seq _local_seq uuid version instance_start_time disk_format_version file external ' +
    'active digest encoded_length salt derived_key iterations'
  ).split(' '),
);

/** @param base URL of the server */
export function responseValues({ status, headers, text, json }: Reply, base: string): ResponseValues {
  const values = new Map([['status', String(status)]]);
  for (const name of comparedHeaders) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = [value].flat().join('\n').replace(base, '<base>');
    values.set(`header.${name}`, changes[name]?.(text) ?? text);
  }
  for (const [path, value] of leaves(contentOf(text, json, String(headers['content-type'])), 'body'))
    values.set(path, value);
  return values;
}

type Change = (value: string) => string;

const sorted: Change = (list) =>
  list
    .split(/\s*,\s*/)
    .sort()
    .join(',');

/** Replaces generated IDs and revisions. Those in requests are shorter. */
const withoutHashes: Change = (text) => text.replace(/[0-9a-f]{32}/g, '<hash>');

/** What to do with the value of a header before it is compared. */
const changes: Readonly<Record<string, Change>> = {
  allow: sorted,
  'access-control-allow-headers': sorted,
  'access-control-allow-methods': sorted,
  'access-control-expose-headers': sorted,
  'content-type': (value) => value.replace(/boundary=.*/, 'boundary=<hash>'),
  // Only revisions are compared. Other tags are server-specific, but may begin like a revision.
  etag: (value) => (/^"\d+-([a-z]{1,2}|[0-9a-f]{32})"$/.test(value) ? withoutHashes(value) : '<tag>'),
  location: withoutHashes,
  'x-couchdb-body-time': () => '<number>',
  'set-cookie': (value) =>
    value.replace(/Expires=[^;]+/i, 'Expires=<time>').replace(/(?<=^AuthSession=)[^;]+/, '<value>'),
};

/** Parses JSON, scripts that call a function with it, and feeds into lists of rows or events. Empty lines in feeds are ignored. */
function contentOf(text: string, json: unknown, type: string): unknown {
  if (text === '') return undefined;
  if (type.startsWith('text/event-stream')) return eventsOf(text);
  const [, callback, argument] = /^\/\* CouchDB \*\/([^(]*)\((.*)\);\n$/s.exec(text) ?? [];
  if (argument !== undefined) return { callback, argument: parsed(argument) };
  if (typeof json === 'object' || !text.trim().includes('\n')) return json ?? text;
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
