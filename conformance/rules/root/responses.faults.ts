/** Faults in error bodies, and responses that do not match their schema. */
import { type Components, type httpError } from '../../../reference/index.js';
import {
  changeBody,
  changeError,
  combine,
  faultsOf,
  replaceHandler,
  type HandlerResponse,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';
import { changeFeedBody, type FeedRow, replaceFeedHandlers } from '../shared/feeds.faults.js';
import { changeSessionInfo, isAdmin } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

const hasStatus = (error: unknown, status: number): boolean =>
  (error as Partial<ReturnType<typeof httpError>>).output?.statusCode === status;

/** Sends this response instead of errors with the same status. */
const replaceErrors = (
  operations: readonly (keyof Components['handlers'])[],
  response: HandlerResponse,
): Replace =>
  combine(
    ...operations.map((operation) =>
      replaceHandler(operation, (original, request, context) =>
        original(request, context).catch((error: unknown) => {
          if (!hasStatus(error, response.status)) throw error;
          return response;
        }),
      ),
    ),
  );

const internalError: HandlerResponse = {
  status: 500,
  body: { error: 'internal_server_error', reason: 'Something went wrong.' },
};

export const responsesFaults = faultsOf({
  'error-shape': {
    'error-reason-missing': {
      summary: 'The server omits the reason if a database exists already.',
      notInTraffic: unseen.undocumented,
      replace: changeError(({ error }) => (error === 'file_exists' ? { reason: undefined } : {})),
    },
    'error-not-a-string': {
      summary: 'The server sends the status as a number in the error of a rejected login.',
      replace: changeError(({ error }) => (error === 'unauthorized' ? { error: 401 } : {})),
    },
    'error-page-missing-database': {
      summary: 'The server sends an HTML page if the database of a changes feed is missing.',
      notInTraffic: unseen.access,
      replace: replaceErrors(['getChanges', 'postChanges'], {
        status: 404,
        type: 'text/html',
        body: '<h1>Not found</h1>',
      }),
    },
    'error-text-user-conflict': {
      summary: 'The server sends plain text if a user exists already.',
      notInTraffic: unseen.access,
      replace: replaceErrors(['putUser'], {
        status: 409,
        type: 'text/plain',
        body: 'Document update conflict.',
      }),
    },
    'error-body-missing': {
      summary: 'The server sends no body if it rejects the parameters of a POST to the changes feed.',
      replace: replaceErrors(['postChanges'], { status: 400 }),
    },
    'error-as-string': {
      summary: 'The server sends the reason as a JSON string if a filter of a changes feed is missing.',
      notInTraffic: unseen.access,
      replace: replaceErrors(['getChanges'], { status: 404, type: 'text/plain', body: '"missing"' }),
    },
    'error-text-malformed-login': {
      summary: 'The server omits the reason if the body of a login is not valid.',
      replace: changeError(({ reason }) => (/`(name|password)`/.test(reason) ? { reason: undefined } : {})),
    },
    'error-method-list': {
      summary: 'The server sends the reason as a list if it rejects the method.',
      notInTraffic: unseen.undocumented,
      replace: changeError(({ error, reason }) =>
        error === 'method_not_allowed' ? { reason: [reason] } : {},
      ),
    },
    'error-of-stream-as-event': {
      summary: 'The server sends an error of an event stream as an event.',
      notInTraffic: unseen.access,
      replace: replaceFeedHandlers((original, { context, ...request }) =>
        original(request, context).catch((error: unknown) => {
          if (request.query.feed !== 'eventsource' || !hasStatus(error, 404)) throw error;
          return { status: 404, type: 'text/event-stream', body: 'data: {}\n\n' };
        }),
      ),
    },
  },
  'response-schema': {
    'response-login-ok-text': {
      summary: 'The server sends ok as a string in the response to a login.',
      replace: changeBody('postSession', (body) => ({ ...body, ok: 'true' })),
    },
    'response-greeting-vendor-text': {
      summary: 'The server sends the vendor in the greeting as a string.',
      replace: changeBody('getRoot', (body) => ({ ...body, vendor: 'docfeed' })),
    },
    'response-session-handlers-text': {
      summary: 'The server sends administrators the list of authentication handlers as one string.',
      replace: changeSessionInfo((info, context) =>
        isAdmin(context) ? { authentication_handlers: String(info.authentication_handlers) } : {},
      ),
    },
    'response-feed-pending-text': {
      summary: 'The server responds to GET of the feed with pending as a string if nothing is pending.',
      replace: changeFeedBody((feed, { method }) =>
        method === 'GET' && feed.pending === 0 ? { pending: '0' } : {},
      ),
    },
    'response-feed-changes-bare': {
      summary: 'The server responds to POST of the feed with plain revision strings in changes.',
      replace: changeFeedBody((feed, { method }) => {
        const bare = (row: FeedRow) => ({ ...row, changes: row.changes.map(({ rev }) => rev) });
        return method === 'POST' ? { results: feed.results.map(bare) } : {};
      }),
    },
    'response-internal-error-after-write': {
      summary:
        'The server stores the first revision of a document, and then responds with an internal error.',
      notInTraffic: unseen.once,
      replace: replaceHandler('putDocument', async (original, request, context) => {
        const response = await original(request, context);
        const isFirst = String((response.body as JsonObject)['rev']).startsWith('1-');
        return isFirst ? internalError : response;
      }),
    },
    'response-internal-error-all-leaves': {
      summary:
        'The server responds with an internal error to POST of the feed with style=all_docs and no filter.',
      notInTraffic: unseen.once,
      replace: replaceHandler('postChanges', (original, request, context) =>
        request.query.style === 'all_docs' && request.query.filter === undefined
          ? Promise.resolve(internalError)
          : original(request, context),
      ),
    },
  },
});
