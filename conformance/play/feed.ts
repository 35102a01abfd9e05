/** Reads the changes feed for checks whose rule is about something in it, not about its form. */
import type { FeedQuery, FeedRequest } from '../model/feed.js';
import { Blocked } from '../verdict/outcomes.js';
import type { TargetRequest, DatabaseClient, Exchange } from '../client/client.js';
import { expectJson } from './expect-json.js';

/** A row of which only what nearly every check needs is known to be there. */
export interface Row {
  readonly id: string;
  readonly seq: unknown;
  /** The revisions in `changes`, in their order. */
  readonly revs: readonly string[];
  /** The whole row as it came. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Where it stands in the response, such as `$.results[2]`. */
  readonly path: string;
}

export interface Feed {
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
  readonly lastSeq: unknown;
  readonly pending: unknown;
}

type Method = FeedRequest['method'];

/** Sends the request and leaves the response to the check. A POST carries an empty object unless there is something. */
export function requestFeed(
  database: DatabaseClient,
  query: FeedQuery = {},
  method: Method = 'GET',
  { json = {}, ...more }: Pick<TargetRequest, 'headers' | 'json' | 'deliberatelyWrong'> = {},
): Promise<Exchange> {
  return database.request({
    method,
    path: '/_changes',
    query: { ...query },
    ...more,
    ...(method === 'POST' && { json }),
  });
}

/**
 * Reads the feed.
 *
 * @throws Blocked when the response has not the form of a feed: feed-shape and feed-row-shape are the rules for that.
 */
export async function readFeed(
  database: DatabaseClient,
  query: FeedQuery = {},
  method: Method = 'GET',
): Promise<Feed> {
  return feedOf(await requestFeed(database, query, method));
}

/** As {@link readFeed}, of a response that is there. */
export function feedOf(exchange: Exchange): Feed {
  const {
    results,
    last_seq: lastSeq,
    pending,
  } = (expectJson(exchange, [200]) ?? {}) as Record<string, unknown>;
  if (!Array.isArray(results)) throw new Blocked('the feed has no array of results (see feed-shape)');
  const rows = results.map((value: unknown, index) => {
    const path = `$.results[${index}]`;
    const row = rowOf(value, path);
    if (!row) throw new Blocked(`${path} has not the form of a row (see feed-row-shape)`);
    return row;
  });
  return { rows, ids: rows.map(({ id }) => id), lastSeq, pending };
}

/** What was found at `path`, if it has the form of a row. */
export function rowOf(value: unknown, path: string): Row | undefined {
  const { id, seq, changes } = (value ?? {}) as Record<string, unknown>;
  const revs = Array.isArray(changes)
    ? changes.map((change: unknown) => ((change ?? {}) as Record<string, unknown>).rev)
    : [undefined];
  if (typeof id !== 'string' || !revs.every((rev) => typeof rev === 'string')) return undefined;
  return { id, seq, revs, value: value as Record<string, unknown>, path };
}

/** What a row says of its document, in a form that is equal for what may lawfully differ from call to call. */
export function comparableRow({ id, revs, value: { deleted, doc } }: Row): unknown {
  return { id, revs: [...revs].sort(), deleted, doc: withSortedConflicts(doc) };
}

function withSortedConflicts(doc: unknown): unknown {
  const { _conflicts: conflicts } = (doc ?? {}) as Record<string, unknown>;
  return Array.isArray(conflicts)
    ? { ...(doc as object), _conflicts: [...(conflicts as unknown[])].sort() }
    : doc;
}

/** The members of a doc but for those that the server may add, such as `_conflicts` and `_attachments`. */
export function writtenMembers(doc: object): Record<string, unknown> {
  const mine = ['_id', '_rev', '_deleted'];
  return Object.fromEntries(
    Object.entries(doc).filter(([name]) => mine.includes(name) || !name.startsWith('_')),
  );
}
