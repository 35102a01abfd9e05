/** The changes feed of a database (SERVICE 4.5, 4.6). */
import type { Context } from '../context.js';
import { httpError } from '../errors.js';
import { normalFeed } from '../feed/normal.js';
import type { FeedOptions } from '../feed/rows.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import type { Database } from '../store/database.js';

type ChangesHandlers = Pick<Handlers<Context>, 'getChanges' | 'postChanges'>;
type ChangesRequest = Pick<OperationRequest<'getChanges'>, 'params' | 'query'>;

export const changes: ChangesHandlers = {
  getChanges: (request, context) => Promise.resolve(answer(request, context)),
  postChanges: (request, context) => Promise.resolve(answer(request, context)),
};

function answer({ params, query }: ChangesRequest, { store, parts }: Context) {
  if (query.feed !== 'normal') throw notYet(`feed=${query.feed}`);
  if (query.filter !== undefined) throw notYet('filter');
  const database = store.database(params.db);
  return {
    status: 200 as const,
    headers: { 'cache-control': 'must-revalidate' },
    body: normalFeed(database, feedOptions(database, query), parts.renderRow),
  };
}

function feedOptions(database: Database, query: ChangesRequest['query']): FeedOptions {
  const { limit = -1 } = query;
  return {
    after: positionOf(database, query.since),
    limit: limit === -1 ? Infinity : limit,
    descending: query.descending,
    includeDocs: query.include_docs,
    conflicts: query.conflicts,
    allLeaves: query.style === 'all_docs',
  };
}

function positionOf(database: Database, since: string): number {
  const position = since === 'now' ? database.position : database.positionOf(since);
  if (position === undefined)
    throw httpError(400, 'bad_request', "Malformed sequence supplied in 'since' parameter.");
  return position;
}

const notYet = (what: string) =>
  httpError(501, 'not_implemented', `This server does not offer \`${what}\` yet.`);
