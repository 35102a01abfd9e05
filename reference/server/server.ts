/** The hapi server: generated routes and validators, and the replaceable components. */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Boom } from '@hapi/boom';
import { server as hapiServer, type Request, type Server, type ServerRoute } from '@hapi/hapi';
import { authenticate, type Identity } from '../auth/chain.js';
import { anonymous } from '../auth/user-context.js';
import type { Context, ServerState } from '../handlers/context.js';
import { enableCors } from './cors.js';
import { httpError } from '../http/errors.js';
import type { OperationId } from '../generated/handlers.js';
import { routes, type Route } from '../generated/routes.js';
import { limitRequests } from './limits.js';
import { handleMalformedRequests } from '../http/listener.js';
import { logRequests, newRequestId, type Logger } from '../http/logging.js';
import type { Components } from './components.js';
import { readBody } from './request-validation.js';
import { rejectUnsupportedRequests } from './unsupported-requests.js';
import { completeResponses, respond, type Result } from './responses.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Set after authentication. */
    identity?: Identity;
  }
}

export interface ServerParameters {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Value of the `Server` header. */
  readonly product: string;
  readonly state: ServerState;
  readonly components: Components;
  readonly log: Logger;
}

/** Decoded path parameters. */
type PathParameters = Record<string, string | undefined>;

type AnyHandler = (request: object, context: Context) => Promise<Result>;

/** A client with an invalid cookie must be able to replace or delete it. */
const withoutAuthentication: ReadonlySet<OperationId> = new Set(['postSession', 'deleteSession']);

export function composeServer({ host, port, product, state, components, log }: ServerParameters): Server {
  const { dialect, settings, store } = state;
  const server = hapiServer({
    host,
    port,
    listener: createServer({ maxHeaderSize: settings.maxHeaderBytes, requireHostHeader: false }),
    // Compression would delay the rows of a feed.
    compression: false,
    debug: false,
    router: { stripTrailingSlash: true },
    routes: {
      state: { parse: false },
      response: { ranges: false },
      security: { hsts: false, xss: false, noOpen: false },
      validate: {
        failAction: (_request, _h, error) => {
          throw httpError(400, 'bad_request', error!.message);
        },
      },
    },
  });
  handleMalformedRequests(server.listener, (status) => {
    const requestId = newRequestId();
    log.info({ requestId, status }, 'malformed request');
    const body = JSON.stringify(components.errorBody(new Boom('', { statusCode: status }), dialect));
    const length = String(Buffer.byteLength(body));
    const headers = { 'content-type': 'application/json', 'content-length': length };
    return { headers: { ...headers, [dialect.requestId]: requestId }, body };
  });
  logRequests(server, log);
  limitRequests(server, settings);

  server.ext('onRequest', (request, h) => {
    components.prepareResponse(request.raw.res);
    const { httpVersion, headers } = request.raw.req;
    // Node's own response would have no body.
    if (httpVersion === '1.1' && headers.host === undefined)
      throw httpError(400, 'bad_request', 'The Host header is missing.');
    return h.continue;
  });

  server.auth.scheme('chain', () => ({
    authenticate: async ({ app, raw, params, route }, h) => {
      // A proxy in front of this server could have checked the other one.
      if ((raw.req.headersDistinct.authorization?.length ?? 0) > 1)
        throw httpError(400, 'bad_request', 'The Authorization header was sent more than once.');
      const authentication = { ...state.authentication, address: addressOf(raw.req) };
      app.identity = await authenticate(raw.req.headers, components.authenticators, authentication);
      const operationId = route.settings.id as OperationId;
      const { user } = app.identity;
      components.authorize({ operationId, params: params as PathParameters, user, dialect, store });
      return h.authenticated({ credentials: {} });
    },
  }));
  server.auth.strategy('chain', 'chain');

  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  server.ext('onPreStop', () => stop.abort());

  const table = routes(dialect);
  server.route(table.map((route) => operationRoute(route, state, components, stop.signal)));

  completeResponses(server, { product, state, components, log });
  enableCors(server, state.settings);
  // Requests to user documents with other methods are those to documents.
  rejectUnsupportedRequests(
    server,
    table.filter(({ path }) => !path.includes(dialect.userIdPrefix)),
  );
  return server;
}

function operationRoute(
  route: Route,
  state: ServerState,
  components: Components,
  stopping: AbortSignal,
): ServerRoute {
  const { operationId, method, path, validators } = route;
  const { params, query, headers } = validators;
  const handler = components.handlers[operationId] as unknown as AnyHandler;
  const read = { output: 'data', parse: 'gunzip' } as const;
  return {
    method,
    path,
    options: {
      id: operationId,
      auth: withoutAuthentication.has(operationId) ? false : 'chain',
      validate: { params, query, headers },
      payload: method === 'GET' ? undefined : read,
      handler: async (request, h) => {
        const { params, query, headers } = request;
        const body = await readBody(request, route, components, state.settings);
        const typed = { params, query, headers, body };
        const result = await handler(typed, { ...state, stopping, ...callerOf(request) });
        // Send the headers immediately: the first bytes of a stream may come much later.
        if (result.body instanceof Readable)
          request.raw.res.once('pipe', () => request.raw.res.flushHeaders());
        return respond(h, result);
      },
    },
  };
}

/** Empty if the client has already disconnected. */
const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

function callerOf({ app, method, raw }: Request): Pick<Context, 'user' | 'requestHead' | 'disconnected'> {
  const disconnected = new AbortController();
  raw.res.once('close', () => disconnected.abort());
  return {
    disconnected: disconnected.signal,
    user: app.identity?.user ?? anonymous,
    requestHead: {
      method: method.toUpperCase(),
      url: raw.req.url ?? '/',
      headers: raw.req.headers,
      address: addressOf(raw.req),
    },
  };
}
