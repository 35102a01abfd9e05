/** Faults in error bodies, and responses that do not match their schema. */
import { type Components, type Fault, type httpError } from '../../../reference/index.js';
import {
  changeBody,
  replaceFunction,
  replaceHandler,
  type HandlerResponse,
} from '../shared/components.faults.js';
import { changeFeed, replaceFeedHandlers, type FeedRow } from '../shared/feeds.faults.js';
import { changeSessionInfo, isAdmin } from '../shared/sessions.faults.js';

type ErrorBody = ReturnType<Components['errorBody']>;

/** The response instead of an error with this status. Throws other errors. */
function errorResponse(
  error: unknown,
  status: number,
  response: Omit<HandlerResponse, 'status'>,
): HandlerResponse {
  const { output } = error as Partial<ReturnType<typeof httpError>>;
  if (output?.statusCode !== status) throw error;
  return { status, ...response };
}

export const responsesFaults: readonly Fault[] = [
  {
    id: 'error-reason-missing',
    rule: 'error-shape',
    summary: 'The server omits the reason if a database exists already.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return (error === 'file_exists' ? { error } : { error, reason }) as { error: string; reason: string };
    }),
  },
  {
    id: 'error-not-a-string',
    rule: 'error-shape',
    summary: 'The server sends the status as a number in the error of a rejected login.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return { error: (error === 'unauthorized' ? 401 : error) as string, reason };
    }),
  },
  {
    id: 'error-page-missing-database',
    rule: 'error-shape',
    summary: 'The server sends an HTML page if the database of a changes feed is missing.',
    replace: replaceFeedHandlers((original, { context, ...request }) =>
      original(request, context).catch((error: unknown) =>
        errorResponse(error, 404, { type: 'text/html', body: '<h1>Not found</h1>' }),
      ),
    ),
  },
  {
    id: 'error-text-user-conflict',
    rule: 'error-shape',
    summary: 'The server sends plain text if a user exists already.',
    replace: replaceHandler('putUser', (original, request, context) =>
      original(request, context).catch((error: unknown) =>
        errorResponse(error, 409, { type: 'text/plain', body: 'Document update conflict.' }),
      ),
    ),
  },
  {
    id: 'error-body-missing',
    rule: 'error-shape',
    summary: 'The server sends no body if it rejects the parameters of a POST to the changes feed.',
    replace: replaceHandler('postChanges', (original, request, context) =>
      original(request, context).catch((error: unknown) => errorResponse(error, 400, {})),
    ),
  },
  {
    id: 'error-as-string',
    rule: 'error-shape',
    summary: 'The server sends the reason as a JSON string if a filter of a changes feed is missing.',
    replace: replaceHandler('getChanges', (original, request, context) =>
      original(request, context).catch((error: unknown) =>
        errorResponse(error, 404, { type: 'text/plain', body: '"missing"' }),
      ),
    ),
  },
  {
    id: 'response-login-ok-text',
    rule: 'response-schema',
    summary: 'The server sends ok as a string in the response to a login.',
    replace: changeBody('postSession', (body) => ({ ...body, ok: 'true' })),
  },
  {
    id: 'response-greeting-vendor-text',
    rule: 'response-schema',
    summary: 'The server sends the vendor in the greeting as a string.',
    replace: changeBody('getRoot', (body) => ({ ...body, vendor: 'docfeed' })),
  },
  {
    id: 'response-session-handlers-text',
    rule: 'response-schema',
    summary: 'The server sends administrators the list of authentication handlers as one string.',
    replace: changeSessionInfo((info, context) =>
      isAdmin(context) ? { authentication_handlers: String(info.authentication_handlers) } : {},
    ),
  },
  {
    id: 'response-feed-pending-text',
    rule: 'response-schema',
    summary: 'The server responds to GET of the feed with pending as a string if nothing is pending.',
    replace: changeFeed(async ({ method, read }) => {
      const feed = await read();
      return method === 'GET' && feed.pending === 0 ? { ...feed, pending: '0' } : feed;
    }),
  },
  {
    id: 'response-feed-changes-bare',
    rule: 'response-schema',
    summary: 'The server responds to POST of the feed with plain revision strings in changes.',
    replace: changeFeed(async ({ method, read }) => {
      const feed = await read();
      const bare = (row: FeedRow) => ({ ...row, changes: row.changes.map(({ rev }) => rev) });
      return method === 'POST' ? { ...feed, results: feed.results.map(bare) } : feed;
    }),
  },
  {
    id: 'error-text-malformed-login',
    rule: 'error-shape',
    summary: 'The server omits the reason if the body of a login is not valid.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return (/`(name|password)`/.test(reason) ? { error } : { error, reason }) as ErrorBody;
    }),
  },
  {
    id: 'error-method-list',
    rule: 'error-shape',
    summary: 'The server sends the reason as a list if it rejects the method.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return { error, reason: (error === 'method_not_allowed' ? [reason] : reason) as string };
    }),
  },
  {
    id: 'error-of-stream-as-event',
    rule: 'error-shape',
    summary: 'The server sends an error of an event stream as an event.',
    replace: replaceFeedHandlers((original, { context, ...request }) =>
      original(request, context).catch((error: unknown) => {
        const { status, ...response } = errorResponse(error, 404, {
          type: 'text/event-stream',
          body: 'data: {}\n\n',
        });
        if (request.query.feed !== 'eventsource') throw error;
        return { status, ...response };
      }),
    ),
  },
];
