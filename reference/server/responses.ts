/** All responses leave here: those of handlers, and all errors, with the `error` and `reason` of SERVICE 7. */
import { validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import { Boom, boomify, isBoom } from '@hapi/boom';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { ServerState } from '../handlers/context.js';
import { version } from '../handlers/root.js';
import { hasPublicReason, internalError } from '../http/error-body.js';
import { requestFields } from '../http/logging.js';
import type { Components } from './components.js';
import { asScript } from './jsonp.js';
import { toJson } from '../http/json-text.js';

/** Response of a handler, without the types of its operation. */
export interface Result {
  readonly status: number;
  /** The media type of the body, unless it is JSON that the server wrote. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What the parts of a server share. */
export interface SharedParts {
  readonly state: ServerState;
  readonly components: Components;
}

/**
 * Creates a response. It throws what hapi would find out after the last place where a response can be replaced: a body
 * that cannot be serialized, and headers that cannot be sent.
 *
 * @throws RangeError if the body is longer than the longest string
 */
export function respond(h: ResponseToolkit, { status, type, headers = {}, body }: Result): ResponseObject {
  const isSerialized = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable;
  const content = isSerialized || body === undefined ? body : toJson(body);
  const { callback } = h.request.app;
  const isScript = callback !== undefined && type === undefined && content !== undefined;
  const response = h.response(isScript ? asScript(callback, content) : content).code(status);
  response.charset('');
  response.header('cache-control', 'must-revalidate');
  if (content !== undefined) {
    const mediaType = type ?? (isScript ? 'application/javascript' : 'application/json');
    validateHeaderValue('content-type', mediaType);
    response.type(mediaType);
  }
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value].flat()) validateHeaderValue(name, one as string);
    response.header(name, value as string);
  }
  return response;
}

/** Value of the `Server` header. */
const product = `docfeed/${version}`;

/** Creates a function that turns errors into responses, and adds the headers that all responses have. */
export function responseCompleter({
  state: { dialect, settings, store, log },
  components,
}: SharedParts): (request: Request, h: ResponseToolkit) => Promise<ResponseObject> {
  const hasBodyTime = dialect.dialect === 'couchdb';
  return async (request, h) => {
    try {
      // Changes are in memory first. No response may be sent before the changes that it depends on are on disk: this
      // concerns the write itself, reads that saw the write, and writes that conflict with it.
      await store.flushed();
      const { response } = request;
      return complete(request, isBoom(response) ? errorResponse(request, h, response) : response);
    } catch (error) {
      return complete(request, errorResponse(request, h, boomify(error as Error)));
    }
  };

  function errorResponse(request: Request, h: ResponseToolkit, error: Boom): ResponseObject {
    if (error.isServer && !hasPublicReason(error))
      log.error({ ...requestFields(request), err: error }, 'request failed');
    const { statusCode: status, headers } = error.output;
    try {
      return respond(h, { status, headers, body: components.errorBody(error, dialect) });
    } catch (error) {
      log.error({ ...requestFields(request), err: error }, 'request failed');
      return respond(h, { status: 500, body: internalError });
    }
  }

  function complete({ app, headers, info }: Request, response: ResponseObject): ResponseObject {
    const { location } = response.headers;
    if (typeof location === 'string') {
      // As in CouchDB, a proxy says where clients find this server.
      const { [settings.forwardedHostHeader]: host = info.host } = headers as Record<string, string>;
      const isSecure = headers['x-forwarded-proto'] === 'https' || headers['x-forwarded-ssl'] === 'on';
      const origin = `${isSecure ? 'https' : 'http'}://${host}`;
      if (URL.canParse(origin)) response.header('location', origin + location);
    }
    if (app.identity?.setCookie !== undefined) response.header('set-cookie', app.identity.setCookie);
    if (app.requestId !== undefined) response.header(dialect.requestId, app.requestId);
    if (hasBodyTime) response.header('x-couchdb-body-time', String(Math.round(app.bodyTime ?? 0)));
    return response.header('server', product);
  }
}
