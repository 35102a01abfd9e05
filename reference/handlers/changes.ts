/** The changes feed of a database (SERVICE 4.5, 4.6). */
import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import type { Context } from './context.js';
import { modes, type IdleTimeout } from '../feed/feed.js';
import type { Start } from '../feed/rows.js';
import type { FilterRequest } from '../filters/filter.js';
import type { Handlers, OperationRequest, OperationResponse } from '../generated/handlers.js';
import type { Database } from '../store/database.js';

type ChangesHandlers = Pick<Handlers<Context>, 'getChanges' | 'postChanges'>;
type ChangesRequest = Pick<OperationRequest<'getChanges'>, 'params' | 'query' | 'headers'> &
  Pick<FilterRequest, 'body'>;
type Query = ChangesRequest['query'];

export const changes: ChangesHandlers = { getChanges: respond, postChanges: respond };

const heartbeatDefaultMs = 60_000;

async function respond(
  { params, query, headers, body: input }: ChangesRequest,
  context: Context,
): Promise<OperationResponse<'getChanges'>> {
  const { store, settings, components, stopping } = context;
  const database = store.database(params.db);
  const { limit = -1 } = query;
  const options = { query, start: startOf(query, headers), limit: limit === -1 ? Infinity : limit };
  const filter = await components.createFilter(database, { query, body: input }, context);
  const etag = etagOf(database);
  const body = await components.openFeed({
    database,
    mode: modes[query.feed],
    options,
    idleTimeout: idleTimeoutOf(query, settings),
    filter,
    rows: components.rows,
    flushed: () => store.flushed(),
    stopping,
    // Thousands of open feeds without a filter need less memory without it.
    disconnected: filter && context.disconnected(),
  });
  const status = 200 as const;
  switch (query.feed) {
    case 'continuous':
      return { status, type: 'text/plain', body };
    case 'eventsource':
      return { status, type: 'text/event-stream', headers: { 'cache-control': 'no-cache' }, body };
    case 'longpoll':
      return { status, body };
    case 'normal':
      // The result of a filter may depend on more than the database, for example on the user.
      return filter ? { status, body } : { status, headers: { etag }, body };
  }
}

/** Returns an entity tag for the current state of a database. */
function etagOf(database: Database): string {
  const state = JSON.stringify(database.sequenceOf(database.position));
  return `"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;
}

/** With a heartbeat, the timeout has no effect (SERVICE 4.7 rule 1). */
function idleTimeoutOf({ heartbeat, timeout }: Query, { changesTimeout }: Settings): IdleTimeout {
  if (heartbeat !== undefined)
    return { ms: heartbeat === true ? heartbeatDefaultMs : heartbeat, then: 'heartbeat' };
  return { ms: Math.min(timeout ?? changesTimeout, changesTimeout), then: 'end' };
}

/** An EventSource client that reconnects sends the ID of its last event in a header. It counts in every mode (SERVICE 4.5). */
function startOf(query: Query, headers: ChangesRequest['headers']): Start {
  const parameter = 'last-event-id';
  const event = headers[parameter] ?? query[parameter];
  const start =
    event === undefined ? { since: query.since, parameter: 'since' } : { since: String(event), parameter };
  // A sequence may be sent as JSON text, as in event IDs.
  return { ...start, since: /^"(.*)"$/.exec(start.since)?.[1] ?? start.since };
}
