/** The changes feed of a database (SERVICE 4.5, 4.6). */
import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import type { Context } from '../context.js';
import { modes, type Patience } from '../feed/feed.js';
import type { FeedOptions, Start } from '../feed/rows.js';
import type { FilterRequest } from '../filters/filter.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import type { Database } from '../store/database.js';

type ChangesHandlers = Pick<Handlers<Context>, 'getChanges' | 'postChanges'>;
type ChangesRequest = Pick<OperationRequest<'getChanges'>, 'params' | 'query' | 'headers'> &
  Pick<FilterRequest, 'body'>;
type Query = ChangesRequest['query'];

export const changes: ChangesHandlers = { getChanges: answer, postChanges: answer };

const heartbeatDefaultMs = 60_000;

async function answer({ params, query, headers, body: input }: ChangesRequest, context: Context) {
  const { store, settings, parts, stopping } = context;
  const database = store.database(params.db);
  const options = feedOptions(query, startOf(query, headers));
  const filter = await parts.createFilter(database, { query, body: input }, context);
  const tag = tagOf(database);
  const body = await parts.openFeed({
    database,
    mode: modes[query.feed],
    options,
    patience: patienceOf(query, settings),
    filter,
    openReader: parts.openReader,
    renderRow: parts.renderRow,
    stopping,
  });
  const status = 200 as const;
  switch (query.feed) {
    case 'continuous':
      return { status, type: 'text/plain' as const, headers: { 'cache-control': 'must-revalidate' }, body };
    case 'eventsource':
      return { status, type: 'text/event-stream' as const, headers: { 'cache-control': 'no-cache' }, body };
    case 'longpoll':
      return { status, headers: { 'cache-control': 'must-revalidate' }, body };
    case 'normal':
      // What a filter gives may hang on more than the database, such as who asks.
      return { status, headers: { 'cache-control': 'must-revalidate', ...(!filter && { etag: tag }) }, body };
  }
}

/** The entity tag of any answer about the present state of a database. */
function tagOf(database: Database): string {
  const state = JSON.stringify(database.sequenceOf(database.position));
  return `"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;
}

/** A heartbeat keeps the feed alive whatever the timeout (SERVICE 4.7 rule 1). */
function patienceOf({ heartbeat, timeout }: Query, { changesTimeout }: Settings): Patience {
  if (heartbeat !== undefined)
    return { ms: heartbeat === true ? heartbeatDefaultMs : heartbeat, then: 'heartbeat' };
  return { ms: Math.min(timeout ?? changesTimeout, changesTimeout), then: 'end' };
}

function feedOptions(query: Query, start: Start): FeedOptions {
  const { limit = -1, seq_interval = 1 } = query;
  return {
    start,
    limit: limit === -1 ? Infinity : limit,
    descending: query.descending,
    includeDocs: query.include_docs,
    conflicts: query.conflicts,
    attachments: query.attachments,
    encodingInfo: query.att_encoding_info,
    allLeaves: query.style === 'all_docs',
    seqInterval: seq_interval,
  };
}

/** An event stream goes on after the last event that the client has; a client that reconnects says it in the header. */
function startOf({ feed, since, ...query }: Query, headers: ChangesRequest['headers']): Start {
  const parameter = 'last-event-id';
  const event = headers[parameter] ?? query[parameter];
  if (feed !== 'eventsource' || event === undefined) return { since, parameter: 'since' };
  // The identifiers of our events are JSON.
  return { since: /^"(.*)"$/.exec(String(event))?.[1] ?? String(event), parameter };
}
