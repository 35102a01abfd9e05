/** The hapi server, composed of the generated routes and validators and of the named components. */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isBoom, Boom } from '@hapi/boom';
import {
  server as hapiServer,
  type Request,
  type ResponseObject,
  type ResponseToolkit,
  type Server,
  type ServerRoute,
} from '@hapi/hapi';
import { authenticate, type Identity } from '../auth/chain.js';
import { anonymous } from '../auth/user-context.js';
import type { Context, ServerState } from '../handlers/context.js';
import { shareAcrossOrigins } from './cors.js';
import { httpError } from '../http/errors.js';
import type { OperationId } from '../generated/handlers.js';
import { routes, type Route } from '../generated/routes.js';
import { putDocument } from '../generated/validators.js';
import { limitRequests } from './limits.js';
import { answerBrokenRequests } from '../http/listener.js';
import { describe, logRequests, newRequestId, type Logger } from '../http/logging.js';
import type { Components } from './components.js';
import { parseBody } from '../http/request-body.js';
import { isIntended } from '../http/error-body.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Set as soon as the caller is known. */
    identity?: Identity;
  }
}

export interface ServerParameters {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** What the header `Server` says. */
  readonly product: string;
  readonly state: ServerState;
  readonly components: Components;
  readonly log: Logger;
}

/** As in the path, decoded. */
type PathParameters = Record<string, string | undefined>;

/** What a handler answers, whichever the operation is. */
interface Result {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: Parameters<ResponseToolkit['response']>[0];
}
type AnyHandler = (request: object, context: Context) => Promise<Result>;

/** Decompressed by hapi, or nothing to decompress. */
const readEncodings: ReadonlySet<string> = new Set(['identity', 'gzip', 'deflate']);

/** Whoever holds a spoiled cookie must be able to get a new one, or to be rid of it. */
const withoutAuthentication: ReadonlySet<OperationId> = new Set(['postSession', 'deleteSession']);

export function composeServer({ host, port, product, state, components, log }: ServerParameters): Server {
  const { dialect, settings, store } = state;
  const server = hapiServer({
    host,
    port,
    listener: createServer({ maxHeaderSize: settings.maxHeaderBytes, requireHostHeader: false }),
    // A feed is sent while it is made: compressing it would hold rows back.
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
  answerBrokenRequests(server.listener, (status) => {
    const requestId = newRequestId();
    log.info({ requestId, status }, 'no request');
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
    // Node's own answer would have no body.
    if (httpVersion === '1.1' && headers.host === undefined)
      throw httpError(400, 'bad_request', 'The header Host is missing.');
    return h.continue;
  });

  server.auth.scheme('chain', () => ({
    authenticate: async ({ app, raw, params, route }, h) => {
      // What stands before this server could have looked at the other one.
      if ((raw.req.headersDistinct.authorization?.length ?? 0) > 1)
        throw httpError(400, 'bad_request', 'The header Authorization came more than once.');
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
  server.route(refusedMethods(table.filter(({ path }) => !path.includes(dialect.userIdPrefix))));

  server.ext('onPreResponse', async (request, h) => {
    const { response, app } = request;
    // What has been done is in memory, and maybe not on disk yet. No answer leaves before all that it may tell of is
    // on disk: that to a write, that to a read which has seen the write, and that to a write which came too late.
    let outgoing = await store.settled().then(
      () => response,
      (error: Boom) => error,
    );
    if (isBoom(outgoing)) {
      if (outgoing.isServer && !isIntended(outgoing))
        log.error({ ...describe(request), err: outgoing }, 'the request failed');
      const { statusCode, headers } = outgoing.output;
      outgoing = respond(h, { status: statusCode, headers, body: components.errorBody(outgoing, dialect) });
    }
    const { location } = outgoing.headers;
    if (typeof location === 'string' && request.info.host !== '')
      outgoing.header('location', `http://${request.info.host}${location}`);
    if (app.identity?.setCookie !== undefined) outgoing.header('set-cookie', app.identity.setCookie);
    if (app.requestId !== undefined) outgoing.header(dialect.requestId, app.requestId);
    return outgoing.header('server', product);
  });
  shareAcrossOrigins(server, state.settings);
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
        const typed = { params, query, headers, body: bodyOf(request, route) };
        const result = await handler(typed, { ...state, stopping, ...callerOf(request) });
        // The head goes out at once, however long a stream takes until its first bytes.
        if (result.body instanceof Readable)
          request.raw.res.once('pipe', () => request.raw.res.flushHeaders());
        return respond(h, result);
      },
    },
  };
}

/** An empty one is that of a client who is gone. */
const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

function callerOf({ app, method, raw }: Request): Pick<Context, 'user' | 'requestHead'> {
  return {
    user: app.identity?.user ?? anonymous,
    requestHead: {
      method: method.toUpperCase(),
      url: raw.req.url ?? '/',
      headers: raw.req.headers,
      address: addressOf(raw.req),
    },
  };
}

/** The parsed and validated body. Throws 400 and 415. */
function bodyOf({ method, payload, raw }: Request, { operationId, body: kind, validators }: Route): unknown {
  const { 'content-type': contentType, 'content-encoding': encoding } = raw.req.headers;
  if (kind !== 'none' && encoding !== undefined && !readEncodings.has(encoding)) {
    throw httpError(415, 'bad_content_encoding', 'Content-Encoding must be gzip or deflate');
  }
  const bytes = Buffer.isBuffer(payload) && payload.length > 0 ? payload : null;
  const body = parseBody(kind, { method, contentType, bytes });
  // What makes a document a user, the users database decides itself, in whichever way the document comes.
  const schema = operationId === 'putUser' ? putDocument.payload : validators.payload;
  const result = schema?.validate(body);
  if (result?.error) throw httpError(400, 'bad_request', result.error.message);
  return result ? (result.value as unknown) : body;
}

/** Every path of the table answers 405 to the methods that it does not have. */
function refusedMethods(table: readonly Route[]): ServerRoute[] {
  return [...new Set(table.map(({ path }) => path))].flatMap((path) => {
    const has = table.filter((route) => route.path === path).map(({ method }) => method as string);
    const allow = [...has, ...(has.includes('GET') ? ['HEAD'] : [])].join(',');
    // Named one by one: else `PUT /_session` would be taken by `PUT /{db}`.
    const refused = (['GET', 'POST', 'PUT', 'DELETE', '*'] as const).filter(
      (method) => !has.includes(method),
    );
    return refused.map((method) => ({
      method,
      path,
      options: { auth: false, payload: method === 'GET' ? undefined : { output: 'stream', parse: false } },
      handler: () => {
        const error = httpError(405, 'method_not_allowed', `Only ${allow} allowed`);
        error.output.headers.allow = allow;
        throw error;
      },
    }));
  });
}

function respond(
  h: ResponseToolkit,
  { status, type = 'application/json', headers = {}, body }: Result,
): ResponseObject {
  const response = h.response(body).code(status);
  response.charset('');
  response.header('cache-control', 'must-revalidate');
  if (body !== undefined) response.type(type);
  for (const [name, value] of Object.entries(headers)) response.header(name, value as string);
  return response;
}
