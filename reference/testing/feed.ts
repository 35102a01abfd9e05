/** Helpers for tests of the changes feed. */
import type { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { defaultFeedQuery } from '../../openapi/generated/feed-parameters.js';
import { modes, openFeed, type Feed as OpenedFeed, type Mode } from '../feed/feed.js';
import { rowsOfFeeds } from '../feed/rendered-rows.js';
import type { FeedOptions } from '../feed/rows.js';
import type { Database } from '../store/database.js';
import type { TestServer } from './server.js';

export interface Row {
  id: string;
  seq: string;
  changes: { rev: string }[];
  deleted?: boolean;
  doc?: Record<string, unknown>;
}

export interface Feed {
  results: Row[];
  last_seq: string;
  pending: number;
}

export const idsOf = ({ results }: Feed): string[] => results.map(({ id }) => id);

/** Creates a database and returns functions to write and read it. */
export async function createDatabase(t: ExecutionContext, { asAdmin }: TestServer, db: string) {
  await asAdmin('PUT', `/${db}`);
  /** Writes documents and returns their new revisions. */
  const write = async (...docs: object[]) => {
    const { json } = await asAdmin('POST', `/${db}/_bulk_docs`, { docs });
    return (json as { rev: string }[]).map(({ rev }) => rev);
  };
  const replicate = (...docs: object[]) => asAdmin('POST', `/${db}/_bulk_docs`, { docs, new_edits: false });
  /** Uses POST if there is a body. */
  const requestChanges = (query: string, body?: object) =>
    asAdmin(body ? 'POST' : 'GET', `/${db}/_changes?${query}`, body);
  const changes = async (query = '', body?: object) => {
    const { status, json, text } = await requestChanges(query, body);
    t.is(status, 200, text);
    return json as Feed;
  };
  return { write, replicate, requestChanges, changes };
}

/** Options and parameters of a feed. */
export type FeedChoice = Partial<Omit<FeedOptions, 'query'>> & Partial<Omit<FeedOptions['query'], 'limit'>>;

/** Opens a feed without a server: by default the normal feed of all rows, without documents, a filter and a timeout. */
export const openDirectly = (
  database: Database,
  { start = { since: '0', parameter: 'since' }, limit = Infinity, ...query }: FeedChoice = {},
  { mode = 'normal', ...rest }: Partial<Omit<OpenedFeed, 'mode'>> & { mode?: Mode } = {},
): Promise<Readable | Buffer> =>
  openFeed({
    database,
    mode: modes[mode],
    rows: rowsOfFeeds,
    options: {
      start,
      limit,
      query: { ...defaultFeedQuery, ...query },
    },
    idleTimeout: { ms: 60_000, then: 'end' },
    flushed: () => Promise.resolve(),
    stopping: new AbortController().signal,
    disconnected: new AbortController().signal,
    ...rest,
  });
