/** Faults in how invalid selectors are rejected. */
import type { httpError } from '../../../reference/index.js';
import {
  changeError,
  faultsOf,
  type HandlerResponse,
  replaceFunction,
  type Replace,
} from '../shared/components.faults.js';
import { type Query, replaceFeedHandlers } from '../shared/feeds.faults.js';
import { changeFilterRequest, changeSelector, type Candidate } from '../shared/filters.faults.js';
import { unseen } from '../shared/unseen.js';

/** Changes the body of errors with the given reason. */
const changeErrorOf = (reason: RegExp, change: object): Replace =>
  changeError((body) => (reason.test(body.reason) ? change : {}));

type HttpError = ReturnType<typeof httpError>;

/** Changes errors of the feed with the given reason, or sends another response instead. */
const changeResponseOf = (reason: RegExp, change: (error: HttpError) => HandlerResponse | void): Replace =>
  replaceFeedHandlers((original, request) =>
    original(request, request.context).catch((error: HttpError) => {
      const response = reason.test(error.message) && change(error);
      if (response) return response;
      throw error;
    }),
  );

/** Sends another status than 400 in some feeds with the filter `_selector`. */
const rejectWithStatus =
  (other: number, isAffected: (url: string) => boolean): Replace =>
  (components) => ({
    ...components,
    prepareResponse(response) {
      components.prepareResponse(response);
      const { url = '' } = response.req;
      if (!url.includes('filter=_selector') || !isAffected(url)) return;
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response;
      response.writeHead = (status: number, ...rest: unknown[]) =>
        writeHead(status === 400 ? other : status, ...rest);
    },
  });

/** Repairs bodies that are not JSON. */
const repairBody = (repair: (text: string) => string): Replace =>
  replaceFunction('parseBody', (original, kind, body) => {
    try {
      return original(kind, body);
    } catch (error) {
      if (!body.bytes) throw error;
      return original(kind, { ...body, bytes: Buffer.from(repair(body.bytes.toString())) });
    }
  });

const notAnObject = /^Selector error: expected a JSON object$/;

/** Accepts no document, instead of an error, in the modes that wait. */
const acceptNothingWhenWaiting = (isAffected: (selector: unknown) => boolean): Replace =>
  replaceFunction('createFilter', async (original, database, request, context) => {
    const { feed, filter } = request.query as Query;
    try {
      return await original(database, request, context);
    } catch (error) {
      if (feed === 'normal' || filter !== '_selector' || !isAffected(request.body?.selector)) throw error;
      return {
        needsBodies: false,
        accept: (batch: readonly Candidate[]) =>
          Promise.resolve(batch.map(({ revisions }) => revisions.map(() => false))),
        close() {},
      };
    }
  });

const isObject = (selector: unknown): boolean =>
  typeof selector === 'object' && selector !== null && !Array.isArray(selector);

export const filterErrorsFaults = faultsOf({
  'error-selector-missing': {
    'selector-missing-lets-all-pass': {
      summary: 'The server accepts every document if the selector is missing.',
      replace: changeFilterRequest(({ query, body }) =>
        query.filter === '_selector' && body?.selector === undefined ? { query: { filter: undefined } } : {},
      ),
    },
    'selector-missing-not-found': {
      summary: 'The server sends the error "not_found" if the selector is missing.',
      replace: changeErrorOf(/^Selector must be/, { error: 'not_found' }),
    },
    'selector-missing-not-found-by-status': {
      summary: 'The server sends the status 404 if the selector is missing.',
      replace: changeResponseOf(/^Selector must be/, ({ output }) => {
        output.statusCode = 404;
      }),
    },
    'selector-missing-page': {
      summary: 'The server sends an HTML page if the selector is missing.',
      replace: changeResponseOf(/^Selector must be/, ({ message }) => ({
        status: 400,
        type: 'text/html',
        body: `<h1>400</h1><p>${message}</p>`,
      })),
    },
    'selector-missing-in-waiting-modes': {
      summary: 'The server accepts no document in the modes that wait if the selector is missing.',
      replace: acceptNothingWhenWaiting((selector) => selector === undefined),
    },
    'selector-missing-in-get': {
      summary: 'The server accepts every document with filter=_selector in a GET request.',
      notInTraffic: unseen.rare,
      replace: changeFilterRequest(({ query, body }) =>
        query.filter === '_selector' && body === null ? { query: { filter: undefined } } : {},
      ),
    },
  },
  'error-selector-not-object': {
    'selector-not-object-unsaid': {
      summary: 'The server does not send the reason if a selector is not an object.',
      replace: changeErrorOf(notAnObject, { reason: 'Invalid request' }),
    },
    'selector-not-object-error': {
      summary: 'The server sends the error "selector_error" if a selector is not an object.',
      replace: changeErrorOf(notAnObject, { error: 'selector_error' }),
    },
    'selector-not-object-in-continuous': {
      summary: 'The server sends the error for an invalid selector with the status 200 in a continuous feed.',
      replace: rejectWithStatus(200, (url) => url.includes('feed=continuous')),
    },
    'selector-not-object-internal-error': {
      summary:
        'The server sends the error for an invalid selector with the status 500 if the feed has no mode.',
      replace: rejectWithStatus(500, (url) => !url.includes('feed=')),
    },
    'selector-json-last-comma': {
      summary: 'The server ignores a comma after the last member of an object in a body.',
      replace: repairBody((text) => text.replaceAll(/,(?=\s*})/g, '')),
    },
    'selector-json-rest': {
      summary: 'The server ignores what follows the last bracket of a body.',
      replace: repairBody((text) => text.replace(/[^\]}]*$/, '')),
    },
    'selector-json-cut': {
      summary: 'The server supplies the last bracket of a body that lacks it.',
      replace: repairBody((text) => `${text}}`),
    },
  },
  'error-selector-invalid': {
    'selector-invalid-unnoticed': {
      summary: 'The server does not reject an invalid selector if the database is empty.',
      replace: replaceFunction('createFilter', async (original, database, request, context) => {
        try {
          return await original(database, request, context);
        } catch (error) {
          if (database.position > 0 || request.query.filter !== '_selector') throw error;
          return undefined;
        }
      }),
    },
    'selector-invalid-in-waiting-modes': {
      summary: 'The server accepts no document in the modes that wait if a selector is invalid.',
      replace: acceptNothingWhenWaiting(isObject),
    },
    'selector-invalid-about-operator': {
      summary: 'The server names the operator that it does not know, and not the selector, as the reason.',
      replace: changeErrorOf(/^Selector error/, { reason: 'Invalid operator: $near' }),
    },
    'selector-exists-any': {
      summary: 'The server reads every string as true in the argument of $exists.',
      replace: changeSelector((selector) => selector.replaceAll(/"\$exists":"[^"]*"/g, '"$exists":true')),
    },
  },
});
