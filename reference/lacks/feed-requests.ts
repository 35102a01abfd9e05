/** Requests for the changes feed, changed before the server reads them. */
import type { Context } from '../handlers/context.js';
import { httpError } from '../http/errors.js';
import type { Components } from '../server/components.js';

/** Parameters of the query, as the server has read them. */
type Query = Readonly<Record<string, unknown>>;

interface FeedRequest {
  readonly query: object;
  readonly headers: object;
}

interface Changes {
  /** What the server takes for each of these parameters, whatever the request says. */
  readonly ignored?: Query;
  /** Parameters with values that the server refuses. */
  readonly refused?: readonly (readonly [name: string, value: unknown])[];
  /** What the server takes for parameters that a request of normal mode does not have. */
  readonly defaults?: Query;
  /** Headers that the server does not read, in lower case. */
  readonly ignoredHeaders?: readonly string[];
}

/** @returns a function that changes each request for the feed, by GET and by POST. */
export function changeFeedRequests({
  ignored,
  refused = [],
  defaults,
  ignoredHeaders = [],
}: Changes): (components: Components) => Components {
  const changed = <Request extends FeedRequest, Response>(
    handle: (request: Request, context: Context) => Promise<Response>,
  ) => {
    return async (request: Request, context: Context): Promise<Response> => {
      const sent: Query = { ...request.query };
      const query: Query = { ...(sent['feed'] === 'normal' && defaults), ...sent, ...ignored };
      for (const [name, value] of refused) {
        if (query[name] === value)
          throw httpError(400, 'bad_request', `\`${name}=${String(value)}\` is not supported.`);
      }
      const headers = Object.entries(request.headers).filter(([name]) => !ignoredHeaders.includes(name));
      return handle({ ...request, query, headers: Object.fromEntries(headers) }, context);
    };
  };
  return (components) => ({
    ...components,
    handlers: {
      ...components.handlers,
      getChanges: changed(components.handlers.getChanges),
      postChanges: changed(components.handlers.postChanges),
    },
  });
}
