/** Changes requests to the changes feed, its responses in normal mode, and its rows in every mode. */
import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Context, Components } from '../../../reference/index.js';
import {
  combine,
  replaceHandler,
  type HandlerResponse,
  type JsonObject,
  type Replace,
} from './components.faults.js';

type GetRequest = Omit<Parameters<Components['handlers']['getChanges']>[0], 'body'>;
type PostRequest = Parameters<Components['handlers']['postChanges']>[0];
type RenderRow = Components['rows']['renderRow'];

export type Query = GetRequest['query'];
export type Mode = Query['feed'];

export interface FeedRequest extends GetRequest {
  readonly method: 'GET' | 'POST';
  /** The query string as sent: `query` has defaults as well. */
  readonly sent: URLSearchParams;
  /** Null for GET. */
  readonly body: PostRequest['body'] | null;
  readonly context: Context;
}

type HandleFeed = (request: GetRequest, context: Context) => Promise<HandlerResponse>;

/** Replaces the handlers of GET and POST. */
export function replaceFeedHandlers(
  faulty: (original: HandleFeed, request: FeedRequest) => Promise<HandlerResponse>,
): Replace {
  const replace = (operation: 'getChanges' | 'postChanges') =>
    replaceHandler(operation, (original, request, context) =>
      faulty(original as unknown as HandleFeed, {
        ...(request as GetRequest & Pick<FeedRequest, 'body'>),
        method: operation === 'getChanges' ? 'GET' : 'POST',
        sent: new URL(context.requestHead.url, 'http://localhost').searchParams,
        context,
      }),
    );
  return combine(replace('getChanges'), replace('postChanges'));
}

/** Changes the parameters of some requests for a mode. Default: of all of them. */
export const changeFeedQuery = (
  mode: Mode | 'any',
  change: Partial<Query> | ((request: FeedRequest) => Partial<Query>),
  isAffected: (request: FeedRequest) => boolean = () => true,
): Replace =>
  replaceFeedHandlers((original, request) => {
    const { query, context } = request;
    if ((mode !== 'any' && query.feed !== mode) || !isAffected(request)) return original(request, context);
    const changed = typeof change === 'function' ? change(request) : change;
    return original({ ...request, query: { ...query, ...changed } }, context);
  });

/** Ignores the header `Last-Event-ID` of some requests. */
export const ignoreLastEventId = (isIgnored: (request: FeedRequest) => boolean): Replace =>
  replaceFeedHandlers((original, request) => {
    const headers = isIgnored(request) ? { ...request.headers, 'last-event-id': undefined } : request.headers;
    return original({ ...request, headers }, request.context);
  });

/** Ignores `since=now` in some requests for a mode. */
export const ignoreNow = (mode: Mode, isIgnored: (query: Query) => boolean): Replace =>
  changeFeedQuery(mode, { since: '0' }, ({ query }) => query.since === 'now' && isIgnored(query));

/** Doubles the timeout of requests for a mode that have a filter. */
export const doubleTimeoutWithFilter = (mode: Mode): Replace =>
  changeFeedQuery(mode, ({ query: { filter, timeout } }) =>
    filter === undefined || timeout === undefined ? {} : { timeout: 2 * timeout },
  );

export interface FeedBody {
  readonly results: readonly FeedRow[];
  readonly last_seq: unknown;
  readonly pending: number;
}

export interface FeedRow {
  readonly id: string;
  readonly seq: unknown;
  readonly changes: readonly { readonly rev: string }[];
  readonly deleted?: boolean;
  readonly doc?: JsonObject;
}

export interface NormalFeedRequest extends FeedRequest {
  /** Returns the body that the original server has for this request, or for one with other parameters. */
  readonly read: (change?: Partial<Query>) => Promise<FeedBody>;
}

/** Changes the body of responses in normal mode. Only there a body is complete at once. */
export function changeFeed(change: (request: NormalFeedRequest) => Promise<unknown>): Replace {
  return replaceFeedHandlers(async (original, request) => {
    const { query, context } = request;
    if (query.feed !== 'normal') return original(request, context);
    let response: Omit<HandlerResponse, 'body'> | undefined;
    const read = async (other: Partial<Query> = {}): Promise<FeedBody> => {
      const { body, ...rest } = await original({ ...request, query: { ...query, ...other } }, context);
      response ??= rest;
      return (await json(Readable.from(Buffer.isBuffer(body) ? [body] : (body as Readable)))) as FeedBody;
    };
    const body = await change({ ...request, read });
    return { status: 200, ...response, body };
  });
}

/** Changes members of the body of responses in normal mode; an empty object changes nothing. */
export const changeFeedBody = (
  change: (feed: FeedBody, request: NormalFeedRequest) => object | Promise<object>,
): Replace =>
  changeFeed(async (request) => {
    const feed = await request.read();
    return { ...feed, ...(await change(feed, request)) };
  });

/** Changes the rows of responses in normal mode, and nothing else of the body. */
export const changeRows = (
  change: (rows: readonly FeedRow[], request: FeedRequest) => readonly FeedRow[] | null,
): Replace => changeFeedBody(({ results }, request) => ({ results: change(results, request) }));

/** Replaces how rows are rendered, in every mode. */
export const replaceRendering =
  (render: (original: RenderRow, ...row: Parameters<RenderRow>) => unknown): Replace =>
  ({ rows, ...components }) => ({
    ...components,
    rows: rows.with({
      renderRow: (...row) => render(rows.renderRow, ...row) as ReturnType<RenderRow>,
    }),
  });

/** Changes each row, in every mode. */
export const changeRow = (
  change: (
    row: FeedRow,
    document: Parameters<RenderRow>[1],
    options: Parameters<RenderRow>[2],
    database: Parameters<RenderRow>[0],
  ) => unknown,
): Replace =>
  replaceRendering((original, database, document, options) =>
    change(original(database, document, options), document, options, database),
  );

/** The position that a sequence of the reference server names. */
export function positionOf(seq: unknown): number {
  return Number.parseInt(String(seq), 10);
}
