/**
 * Rejects requests that no operation handles: other methods of a path with 405, and parts of CouchDB's API that this
 * server does not offer with 501.
 */
import { Router } from '@hapi/call';
import type { Server } from '@hapi/hapi';
import { notOffered, type Route } from '../generated/routes.js';
import { httpError } from '../http/errors.js';

type Path = { readonly methods: string[] } | { readonly reason: string };

// The router finds the most specific path. hapi would look among the paths of the method only, and for example take
// `PUT /_session` for `PUT /{db}`.
const method = '*';

/** Call this after {@link enableCors}, which responds to preflight requests. */
export function rejectUnsupportedRequests(server: Server, table: readonly Route[]): void {
  const router = new Router<Path>();
  for (const path of new Set(table.map(({ path }) => path))) {
    const methods = table.filter((route) => route.path === path).map(({ method }): string => method);
    router.add({ method, path }, { methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods });
  }
  for (const { path, reason } of notOffered) router.add({ method, path: `${path}/{rest*}` }, { reason });

  server.ext('onRequest', (request, h) => {
    const { route } = router.route(method, request.path);
    if (!route) return h.continue;
    if ('reason' in route) throw httpError(501, 'not_implemented', route.reason);
    if (route.methods.includes(request.method.toUpperCase())) return h.continue;
    const allow = route.methods.join(',');
    const error = httpError(405, 'method_not_allowed', `Only ${allow} allowed`);
    error.output.headers.allow = allow;
    throw error;
  });
}
