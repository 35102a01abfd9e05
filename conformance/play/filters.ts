/** Filters of the model as requests to a server (SERVICE 4.5, 4.6, 4.8). */
import type { FeedQuery, FeedRequest } from '../model/feed.js';
import type { Filter } from '../model/filters.js';
import { functionsLife, functionsOf } from '../model/functions.js';
import type { History } from '../model/history.js';
import { Violation } from '../verdict/outcomes.js';
import type { DatabaseClient } from '../client/client.js';
import { requestFeed, feedOf, type Feed } from './feed.js';
import { playNew } from './player.js';

/** A new database with what was written before, and the functions that the filters need. */
export function playForFilters(
  context: Parameters<typeof playNew>[0],
  filters: readonly Filter[],
  before: History,
  options?: Parameters<typeof playNew>[2],
): ReturnType<typeof playNew> {
  const needed = filters.some(({ kind }) => kind === 'view' || kind === 'function') ? [functionsLife] : [];
  return playNew(context, [...needed, ...before], options);
}

/** A request that asks for what the filter lets through, with what a POST carries. */
export interface FilteredRequest extends FeedRequest {
  readonly json: Readonly<Record<string, unknown>>;
}

/** The request with the filter. A selector cannot be asked for with GET. */
export function withFilter({ method, query }: FeedRequest, filter: Filter): FilteredRequest {
  const asking = (parameters: FeedQuery, json = {}): FilteredRequest => ({
    method,
    query: { ...query, ...parameters },
    json,
  });
  switch (filter.kind) {
    case 'ids': {
      const name = '_doc_ids';
      return method === 'GET'
        ? asking({ filter: name, doc_ids: filter.ids })
        : asking({ filter: name }, { doc_ids: filter.ids });
    }
    case 'design':
      return asking({ filter: '_design' });
    case 'selector':
      return { ...asking({ filter: '_selector' }, { selector: filter.selector }), method: 'POST' };
    case 'view':
      return asking({ filter: '_view', view: `${functionsOf}/${filter.view}` });
    case 'function':
      return asking({ ...filter.parameters, filter: `${functionsOf}/${filter.name}` });
  }
}

/**
 * Reads the feed through a filter.
 *
 * @throws Violation when the filter is refused: every rule of the filters is about what it gives.
 */
export async function readFiltered(
  database: DatabaseClient,
  request: FeedRequest,
  filter: Filter,
): Promise<Feed> {
  const { query, method, json } = withFilter(request, filter);
  const exchange = await requestFeed(database, query, method, { json });
  mustNotBeRefused(exchange, filter);
  return feedOf(exchange);
}

/** @throws Violation for a response that says that the request is wrong. */
export function mustNotBeRefused({ status }: { readonly status: number }, filter: Filter): void {
  if (status < 400 || status >= 500) return;
  const what = `The filter is refused: ${JSON.stringify(filter)}`;
  throw new Violation(what, { path: 'status', expected: 200, actual: status });
}
