/** The hapi server: generated routes and validators, and the replaceable components. */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Boom } from '@hapi/boom';
import { server as hapiServer, type Request, type Server, type ServerRoute } from '@hapi/hapi';
import { authenticate, type Identity } from '../auth/chain.js';
import { databaseOf } from '../auth/authorization.js';
import { anonymous } from '../auth/user-context.js';
import type { Context, ServerState } from '../handlers/context.js';
import { copiedBy, copyDocument, type CopyRequest } from '../handlers/copy.js';
import { addUsersDesign } from '../handlers/users.js';
import { descriptionRoute } from './description-route.js';
import { addCorsHeaders, preflightResponse } from './cors.js';
import { httpError } from '../http/errors.js';
import type { OperationId } from '../generated/handlers.js';
import { routes, type Route } from '../generated/routes.js';
import { readCallback } from './jsonp.js';
import { checkUrlLength, feedLimiter } from './limits.js';
import { ResponseWithUsualNames } from '../http/header-names.js';
import { handleMalformedRequests } from '../http/listener.js';
import { logAbort, logRequests, newRequestId, sentRequestId } from '../http/logging.js';
import { readBody, readParameters } from './request-validation.js';
import { unsupportedRequests, type PathParameters } from './unsupported-requests.js';
import { respond, responseCompleter, type Result, type SharedParts } from './responses.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Set after authentication. */
    identity?: Identity;
    /** How long it took to read the body, in milliseconds. Set if there is one. */
    bodyTime?: number;
  }

  interface RouteOptionsApp {
    /** The operation whose access the route needs. */
    operationId?: OperationId;
  }
}

export interface ServerParameters extends SharedParts {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

type AnyHandler = (request: object, context: Context) => Promise<Result>;

/** A client with an invalid cookie must be able to replace or delete it. */
const withoutAuthentication: ReadonlySet<OperationId> = new Set(['postSession', 'deleteSession']);

/** These requests can stay open indefinitely. */
const feedOperations: ReadonlySet<OperationId> = new Set(['getChanges', 'postChanges']);

export function composeServer({ host, port, ...shared }: ServerParameters): Server {
  const { state, components } = shared;
  const { dialect, settings, store, log } = state;
  const server = hapiServer({
    host,
    port,
    listener: createServer({
      maxHeaderSize: settings.maxHeaderBytes,
      requireHostHeader: false,
      ServerResponse: ResponseWithUsualNames,
    }),
    // Compression would delay the rows of a feed.
    compression: false,
    debug: false,
    router: { stripTrailingSlash: true },
    routes: {
      state: { parse: false },
      response: { ranges: false },
      security: { hsts: false, xss: false, noOpen: false },
    },
  });
  handleMalformedRequests(server.listener, (status) => {
    const requestId = newRequestId();
    log.info({ requestId, status }, 'malformed request');
    const body = JSON.stringify(components.errorBody(new Boom('', { statusCode: status }), dialect));
    const length = String(Buffer.byteLength(body));
    const headers = { 'Content-Type': 'application/json', 'Content-Length': length };
    return { headers: { ...headers, [dialect.requestId]: requestId }, body };
  });
  logRequests(server, log);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  server.ext('onPreStop', () => stop.abort());

  const table = routes(dialect);
  const copied = table.filter(isCopied);
  const description = descriptionRoute(shared);
  // Requests to user documents with other methods are those to documents.
  const rejectUnsupported = unsupportedRequests(
    [
      ...table,
      ...copied.map(({ path }) => ({ method: 'COPY', path })),
      { method: 'GET', path: description.path },
    ].filter(({ path }) => !path.includes(dialect.userIdPrefix)),
    async (request, operationId, params) => {
      await admit(request, operationId, params);
      const route = table.find((one) => one.operationId === operationId)!;
      const { headers } = request;
      const parameters = readParameters({ params, query: {}, headers }, route);
      const handler = components.handlers[operationId] as unknown as AnyHandler;
      return handler(parameters, contextOf(request, state, stop.signal));
    },
  );
  const requestIdHeader = dialect.requestId.toLowerCase();
  // One function, because each call by hapi takes time.
  server.ext('onRequest', (request, h) => {
    const { req, res } = request.raw;
    request.app.requestId = sentRequestId(req.headers[requestIdHeader]) ?? newRequestId();
    if (req.headers['x-http-method-override'] !== undefined) overrideMethod(request);
    if (/\/\/|\+/.test(req.url!)) normalizePath(request, settings.decodePlus);
    // RFC 9110: tags are compared weakly. A proxy that compresses responses makes their tags weak.
    if (req.headers['if-none-match'] !== undefined)
      req.headers['if-none-match'] = req.headers['if-none-match'].replaceAll('W/"', '"');
    if (settings.allowJsonp) readCallback(request);
    checkUrlLength(req, settings);
    components.prepareResponse(res);
    // Node's own response would have no body.
    if (req.httpVersion === '1.1' && req.headers.host === undefined)
      throw httpError(400, 'bad_request', 'The Host header is missing.');
    const response = preflightResponse(request, h, settings);
    if (response) return response;
    return rejectUnsupported(request) ?? h.continue;
  });

  /** @throws 400, 401, 403 or 404 */
  async function admit({ app, raw }: Request, operationId: OperationId, params: PathParameters) {
    // A proxy in front of this server could have checked the other one.
    const { headers } = raw.req;
    if (headers.authorization !== undefined && raw.req.headersDistinct.authorization!.length > 1)
      throw httpError(400, 'bad_request', 'The Authorization header was sent more than once.');
    const authentication = { ...state.authentication, address: addressOf(raw.req) };
    app.identity = await authenticate(headers, components.authenticators, authentication);
    const { user } = app.identity;
    components.authorize({ operationId, params, user, dialect, store, settings });
    const database = databaseOf(operationId, params);
    if (database !== undefined) addUsersDesign(operationId, database, state);
  }
  server.auth.scheme('chain', () => ({
    authenticate: async (request, h) => {
      await admit(request, request.route.settings.app!.operationId!, request.params as PathParameters);
      return h.authenticated({ credentials: {} });
    },
  }));
  server.auth.strategy('chain', 'chain');

  const limitFeeds = feedLimiter(settings);
  const operation: Operation = { ...shared, limitFeeds, stopping: stop.signal };
  server.route(table.map((route) => operationRoute(route, operation)));
  server.route(copied.map((route) => copyRoute(route, operation)));
  server.route(description);
  const complete = responseCompleter(shared);
  server.ext('onPreResponse', async (request, h) =>
    addCorsHeaders(request, await complete(request, h), settings),
  );
  return server;
}

interface Operation extends SharedParts {
  readonly limitFeeds: (request: Request) => void;
  readonly stopping: AbortSignal;
}

/** The server reads bodies itself, with its own limit: hapi ends when a body that took too long proves too large. */
const unread = { output: 'stream', parse: false, maxBytes: Number.MAX_SAFE_INTEGER } as const;

function operationRoute(route: Route, { state, components, limitFeeds, stopping }: Operation): ServerRoute {
  const { operationId, method, path } = route;
  const handler = components.handlers[operationId] as unknown as AnyHandler;
  return {
    method,
    path,
    options: {
      app: { operationId },
      auth: withoutAuthentication.has(operationId) ? false : 'chain',
      payload: method === 'GET' ? undefined : unread,
      handler: async (request, h) => {
        if (feedOperations.has(operationId)) limitFeeds(request);
        const parameters = readParameters(request, route);
        const body = await readBody(request, route, components, state.settings);
        const result = await handler({ ...parameters, body }, contextOf(request, state, stopping));
        if (result.body instanceof Readable) {
          logAbort(request, result.body, state.log);
          // The first bytes of a stream may come much later. If they come at once, the headers leave with them.
          const { res } = request.raw;
          res.once('pipe', (stream) =>
            setImmediate(() => {
              if (!stream.readableDidRead) res.flushHeaders();
            }),
          );
        }
        return respond(h, result);
      },
    },
  };
}

type CopiedRoute = Route & Pick<CopyRequest, 'operationId'>;

const isCopied = (route: Route): route is CopiedRoute =>
  copiedBy.some((operationId) => operationId === route.operationId);

/** The route of `COPY`. Of the parameters of the operation that reads, only `rev` counts. */
function copyRoute(route: CopiedRoute, { state, components, stopping }: Operation): ServerRoute {
  const { operationId, path } = route;
  return {
    method: 'COPY',
    path,
    options: {
      app: { operationId },
      auth: 'chain',
      payload: unread,
      handler: async (request, h) => {
        const { params, query, headers } = request;
        const { rev } = query;
        const sent = readParameters({ params, query: rev === undefined ? {} : { rev }, headers }, route);
        const parameters = { ...sent, query: { ...(sent.query as object), attachments: true } };
        const copy = {
          operationId,
          parameters,
          db: params.db as string,
          destination: headers.destination as string | undefined,
        };
        return respond(h, await copyDocument(copy, components, contextOf(request, state, stopping)));
      },
    },
  };
}

const overridingMethods = ['get', 'head', 'put', 'delete', 'copy'] as const;

/** As in CouchDB, clients that can only send GET and POST name the method in a header of a POST. */
function overrideMethod(request: Request): void {
  const named = request.raw.req.headers['x-http-method-override'];
  const method = overridingMethods.find((one) => one.toUpperCase() === named);
  if (request.method === 'post' && method !== undefined) request.setMethod(method);
}

/**
 * Removes empty segments: clients add a path to a base URL that ends with a slash. As in CouchDB, a plus sign after the
 * name of the database is a space.
 */
function normalizePath(request: Request, decodePlus: boolean): void {
  const [sent, ...query] = request.raw.req.url!.split('?');
  const [, database, rest = ''] = /^(\/[^/]*)(.*)$/s.exec(sent!.replace(/\/{2,}/g, '/')) ?? [];
  if (database === undefined) return;
  const path = database + (decodePlus ? rest.replaceAll('+', '%20') : rest);
  request.setUrl([path, ...query].join('?'), true);
}

/** Empty if the client has already disconnected. */
const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

function contextOf({ app, method, raw }: Request, state: ServerState, stopping: AbortSignal): Context {
  let disconnected: AbortSignal | undefined;
  return {
    ...state,
    stopping,
    // Most requests do not need a signal, and aborting takes time. With a getter, V8 would give each context a hidden class
    // of its own, which keeps the request in memory until the next full garbage collection.
    disconnected: () => (disconnected ??= signalOfClose(raw.res)),
    user: app.identity?.user ?? anonymous,
    requestHead: {
      method: method.toUpperCase(),
      url: raw.req.url ?? '/',
      headers: raw.req.headers,
      address: addressOf(raw.req),
    },
  };
}

/** One object for all requests, because creating the default reason takes long. */
const disconnection = new DOMException('The client has disconnected', 'AbortError');

function signalOfClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort(disconnection);
  else response.once('close', () => controller.abort(disconnection));
  return controller.signal;
}
