/** Sends filters of the model to a target (SERVICE 4.8). */
import { type FeedRequest, withQuery } from '../oracle/allowed-rows.js';
import { designDocumentFor, filterName, withFilter, type Filter } from '../oracle/filters.js';
import { designDocumentHistory, designId } from '../oracle/functions.js';
import type { History } from '../oracle/history.js';
import { must } from '../engine/matchers.js';
import type { DatabaseClient, Exchange } from '../http/client.js';
import type { TargetFeed } from '../session/probe/service-version.js';
import { requestFeed, feedOf, readFeed, type Feed } from './read-feed.js';
import type { LiveFeed } from './live-feed.js';
import { playNew } from './player.js';
import { playSharedStages, type DatabaseSharer, type PlayedStages } from './shared.js';

/** Those of the filters that the target has. Throws LaterFeature or LackingFeature if it has none. */
export const supportedFilters = (
  { target }: { readonly target: { readonly feed: TargetFeed } },
  filters: readonly Filter[],
): readonly Filter[] => target.feed.supported(filters, (filter) => withFilter<FeedRequest>({}, filter));

/** Creates a database with this history, and with the functions that the filters need. */
export function playForFilters(
  context: Parameters<typeof playNew>[0],
  filters: readonly Filter[],
  before: History,
  options?: Parameters<typeof playNew>[2],
): ReturnType<typeof playNew> {
  return playNew(context, [...designDocumentFor(filters), ...before], options);
}

interface FilterScenario {
  readonly before: History;
  readonly after: History;
  readonly filters?: readonly Filter[];
}

type SharedPlay = DatabaseSharer & { readonly target: { has(capability: 'functions'): boolean } };

/**
 * Plays a scenario for reading only. A database that checks share has all functions if the target has functions, so that
 * all filters can share it. One that the scenario has alone has only those that its filters need.
 */
export function playSharedForFilters(
  context: SharedPlay,
  scenario: FilterScenario,
  options?: Parameters<typeof playSharedStages>[2],
): Promise<PlayedStages> {
  const before = beginning(context, scenario);
  return playSharedStages(context, { before, after: scenario.after }, options);
}

/** The history before the feed, with the functions. */
function beginning({ isAlone, target }: SharedPlay, { before, filters = [] }: FilterScenario): History {
  const others = before.filter(({ id }) => id !== designId);
  if (!target.has('functions')) return others;
  const design = isAlone ? designDocumentFor(filters) : [designDocumentHistory];
  // Without functions to add, the design document is like any other of the history.
  return design.length === 0 ? before : [...design, ...others];
}

/**
 * Reads the feed through a filter, if there is one.
 *
 * @param parameters further query parameters, which only belong to a request with a filter (SERVICE 4.5)
 * @throws Violation if the target rejects the filter, since every filter rule requires its result. Blocked if it rejects
 * the request without the filter as well.
 */
export async function readFiltered(
  database: DatabaseClient,
  request: FeedRequest,
  filter: Filter | undefined,
  parameters: object = {},
): Promise<Feed> {
  if (!filter) return readFeed(database, request);
  const exchange = await requestFeed(
    database,
    withFilter({ ...request, query: { ...request.query, ...parameters } }, filter),
  );
  if (exchange.status >= 400) await readFeed(database, request);
  mustAcceptFilter(exchange, filter);
  return feedOf(exchange);
}

/** Like {@link readFiltered}, for a feed that is open. */
export async function mustFollowFilter(feed: LiveFeed, filter: Filter): Promise<void> {
  const { query: added = {} } = withFilter<FeedRequest>({}, filter);
  const removed = Object.fromEntries(Object.keys(added).map((name) => [name, undefined]));
  const unfiltered = { ...withQuery(feed.request, removed), json: undefined };
  await feed.mustBeAcceptedLike(unfiltered, rejection(filter));
}

const rejection = (filter: Filter): string => `The target rejects the filter ${filterName(filter)}`;

/** @throws Violation if the response has a 4xx status. */
export function mustAcceptFilter(exchange: Pick<Exchange, 'request' | 'status'>, filter: Filter): void {
  const { status } = exchange;
  must(status < 400 || status >= 500, rejection(filter), {
    path: '$status',
    expected: 200,
    actual: status,
    exchange,
  });
}
