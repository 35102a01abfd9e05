/** Cross-origin resource sharing, which lets pages of other origins use the service in a browser (SERVICE 6). */
import type { IncomingHttpHeaders } from 'node:http';
import { isBoom } from '@hapi/boom';
import type { ResponseObject, Server } from '@hapi/hapi';
import type { Settings } from '../config/settings.js';

type CorsSettings = Pick<
  Settings,
  'corsEnabled' | 'corsOrigins' | 'corsCredentials' | 'corsMethods' | 'corsHeaders' | 'corsMaxAge'
>;
type Headers = Readonly<Record<string, string>>;

const anyOrigin = '*';

/** What scripts may read of a response, besides its body and status. */
const exposed = 'accept-ranges, cache-control, content-type, etag, server, x-couch-request-id, x-request-id';

/** To be called after the server's own handling of responses, so that errors are for the page too. */
export function shareAcrossOrigins(server: Server, settings: CorsSettings): void {
  // Before authentication: browsers send no credentials with a preflight request.
  server.ext('onRequest', ({ method, raw }, h) => {
    const headers = method === 'options' ? preflight(raw.req.headers, settings) : undefined;
    return headers ? withHeaders(h.response().code(204), headers).takeover() : h.continue;
  });
  server.ext('onPreResponse', ({ raw, response }, h) => {
    if (!settings.corsEnabled || isBoom(response)) return h.continue;
    response.vary('origin');
    const headers = allowance(raw.req.headers, settings);
    if (headers) withHeaders(response, { ...headers, 'access-control-expose-headers': exposed });
    return h.continue;
  });
}

function withHeaders(response: ResponseObject, headers: Headers): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

/** What is said to a page of an origin that may use the service; undefined for any other, and without one. */
function allowance({ origin }: IncomingHttpHeaders, settings: CorsSettings): Headers | undefined {
  const { corsEnabled, corsOrigins = [], corsCredentials } = settings;
  if (!corsEnabled || origin === undefined) return undefined;
  const any = corsOrigins.includes(anyOrigin);
  if (!any && !corsOrigins.includes(origin)) return undefined;
  return {
    'access-control-allow-origin': origin,
    // Never for any page there is: each could act as the user who looks at it.
    ...(corsCredentials && !any && { 'access-control-allow-credentials': 'true' }),
  };
}

/** The answer to the question whether a page may send its request; undefined when it may not, or nobody asks. */
function preflight(headers: IncomingHttpHeaders, settings: CorsSettings): Headers | undefined {
  const { corsMethods, corsHeaders, corsMaxAge } = settings;
  const allowed = allowance(headers, settings);
  const method = headers['access-control-request-method'];
  const asked = headers['access-control-request-headers'] ?? '';
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  if (!allowed || method === undefined || !corsMethods.includes(method)) return undefined;
  if (!names.every((name) => name === '' || corsHeaders.includes(name))) return undefined;
  return {
    ...allowed,
    'access-control-allow-methods': corsMethods.join(', '),
    'access-control-allow-headers': asked,
    'access-control-max-age': String(corsMaxAge),
  };
}
