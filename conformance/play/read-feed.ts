/** Reads the changes feed. */
import { isDeepStrictEqual } from 'node:util';
import type { FeedRequest } from '../oracle/allowed-rows.js';
import { asObject, feedObject, parseFeed } from '../http/parse-json.js';
import { Blocked, type ExchangeReference } from '../engine/outcomes.js';
import type { TargetRequest, DatabaseClient, Exchange } from '../http/client.js';
import { expectJson } from './expect-json.js';

/** A row of the feed. Only the members that most checks need are validated. */
export interface Row {
  readonly id: string;
  readonly seq: unknown;
  /** The revisions in `changes`, in their order. */
  readonly revs: readonly string[];
  /** The whole row as received. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Its position in the response, such as `$.results[2]`. */
  readonly path: string;
}

export interface Feed {
  /** Those that say something new: see {@link withoutRepeats}. */
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
  /** All rows, also those that repeat another. */
  readonly sent: readonly Row[];
  readonly lastSeq: unknown;
  readonly pending: unknown;
  /** The response. */
  readonly exchange: ExchangeReference | undefined;
}

/** A request to the feed, which may be one that the target must refuse. */
export type SentFeedRequest = FeedRequest & Pick<TargetRequest, 'background' | 'deliberatelyWrong'>;

/** The HTTP request for the feed. A POST without a body sends an empty object. */
export function changesRequest({
  method = 'GET',
  query,
  headers,
  json = {},
  deliberatelyWrong,
  background,
}: SentFeedRequest): TargetRequest {
  const body = method === 'POST' && { json };
  return { method, path: '/_changes', query: { ...query }, headers, deliberatelyWrong, background, ...body };
}

/** Requests the feed and returns the unchecked response. */
export function requestFeed(database: DatabaseClient, request: SentFeedRequest = {}): Promise<Exchange> {
  return database.request(changesRequest(request));
}

/**
 * Reads the feed.
 *
 * @throws Blocked if the response does not have the shape of a feed, which the rules feed-shape and feed-row-shape
 * cover.
 */
export async function readFeed(database: DatabaseClient, request: FeedRequest = {}): Promise<Feed> {
  return feedOf(await requestFeed(database, request));
}

/** Like {@link readFeed}, from a response. */
export function feedOf(exchange: Exchange): Feed {
  const { results, lastSeq, pending } = feedObject(expectJson(exchange, parseFeed));
  if (!results) {
    const message = 'The feed has no array "results" (see feed-shape).';
    throw new Blocked(message, { obstacle: message });
  }
  const rows = results.map((value, index) => {
    const path = `$.results[${index}]`;
    const row = rowOf(value, path);
    if (!row) {
      const problem = 'does not have the shape of a row (see feed-row-shape)';
      throw new Blocked(`${path} ${problem}.`, { obstacle: `A row ${problem}` });
    }
    return row;
  });
  return feedWith(rows, { lastSeq, pending, exchange });
}

/** A feed with these rows. */
export function feedWith(sent: readonly Row[], rest: Omit<Feed, 'rows' | 'ids' | 'sent'>): Feed {
  const rows = withoutRepeats(sent);
  return { ...rest, sent, rows, ids: rows.map(({ id }) => id) };
}

/**
 * The rows that say something new. A target that sends a row twice breaks feed-one-row and no other rule: who has read the
 * first loses nothing without the other.
 */
export function withoutRepeats(rows: readonly Row[]): Row[] {
  const latest = new Map<string, Row>();
  return rows.filter((row) => {
    const earlier = latest.get(row.id);
    latest.set(row.id, row);
    return earlier === undefined || !isDeepStrictEqual(comparableRow(row), comparableRow(earlier));
  });
}

/** Returns the row found at `path`, or nothing if the value does not have the shape of a row. */
export function rowOf(value: unknown, path: string): Row | undefined {
  const { id, seq, changes } = asObject(value);
  const revs: unknown[] = Array.isArray(changes)
    ? changes.map((change: unknown) => asObject(change)['rev'])
    : [undefined];
  if (typeof id !== 'string' || !revs.every((rev) => typeof rev === 'string')) return undefined;
  return { id, seq, revs, value: value as Record<string, unknown>, path };
}

/**
 * The content of a row without its seq and the order of its revisions, which may differ between requests. An empty list
 * of conflicts means the same as none.
 */
export function comparableRow({ id, revs, value: { deleted, doc } }: Row): unknown {
  return { id, revs: [...revs].sort(), deleted, doc: withComparableConflicts(doc) };
}

function withComparableConflicts(doc: unknown): unknown {
  const { _conflicts: conflicts, ...others } = asObject(doc);
  if (!Array.isArray(conflicts)) return doc;
  return conflicts.length === 0 ? others : { ...others, _conflicts: [...(conflicts as unknown[])].sort() };
}

/** The members of a doc, without those that the server may add, such as `_conflicts` and `_attachments`. */
export function writtenMembers(doc: object): Record<string, unknown> {
  const identifying = ['_id', '_rev', '_deleted'];
  return Object.fromEntries(
    Object.entries(doc).filter(([name]) => identifying.includes(name) || !name.startsWith('_')),
  );
}
