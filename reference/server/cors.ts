/** Cross-origin resource sharing (CORS): lets pages from other origins use the service in a browser (SERVICE 6). */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { Settings } from '../config/settings.js';

type Headers = Readonly<Record<string, string>>;

const anyOrigin = '*';

/** Response headers that scripts may read. */
const exposedHeaders =
  'accept-ranges, cache-control, content-type, etag, server, x-couch-request-id, x-request-id';

/**
 * Call this before authentication, because browsers send preflight requests without credentials.
 *
 * @returns undefined if this is not a preflight request or the page may not send the request
 */
export function preflightResponse(
  { method, raw }: Request,
  h: ResponseToolkit,
  settings: Settings,
): ResponseObject | undefined {
  if (method !== 'options') return undefined;
  const { headers } = raw.req;
  const { corsMethods, corsHeaders, corsMaxAge } = settings;
  const allowed = corsHeadersFor(headers, settings);
  const requestedMethod = headers['access-control-request-method'];
  const requestedHeaders = headers['access-control-request-headers'] ?? '';
  const names = requestedHeaders.split(',').map((name) => name.trim().toLowerCase());
  if (!allowed || requestedMethod === undefined || !corsMethods.includes(requestedMethod)) return undefined;
  if (!names.every((name) => name === '' || corsHeaders.includes(name))) return undefined;
  return withHeaders(h.response().code(204), {
    ...allowed,
    'access-control-allow-methods': corsMethods.join(', '),
    'access-control-allow-headers': requestedHeaders,
    'access-control-max-age': String(corsMaxAge),
  }).takeover();
}

/** Adds the headers for pages from other origins, also to error responses. Preflight responses have their own. */
export function addCorsHeaders(
  { raw }: Request,
  response: ResponseObject,
  settings: Settings,
): ResponseObject {
  const isPreflight = 'access-control-allow-methods' in response.headers;
  if (!settings.corsEnabled || isPreflight) return response;
  response.vary('origin');
  const headers = corsHeadersFor(raw.req.headers, settings);
  return headers
    ? withHeaders(response, { ...headers, 'access-control-expose-headers': exposedHeaders })
    : response;
}

function withHeaders(response: ResponseObject, headers: Headers): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

/** @returns undefined if the request has no origin or its origin is not allowed */
function corsHeadersFor({ origin }: IncomingHttpHeaders, settings: Settings): Headers | undefined {
  const { corsEnabled, corsOrigins = [], corsCredentials } = settings;
  if (!corsEnabled || origin === undefined) return undefined;
  const any = corsOrigins.includes(anyOrigin);
  if (!any && !corsOrigins.includes(origin)) return undefined;
  return {
    'access-control-allow-origin': origin,
    // Never with the wildcard: any page could then act as the logged-in user.
    ...(corsCredentials && !any && { 'access-control-allow-credentials': 'true' }),
  };
}
