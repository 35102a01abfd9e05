/**
 * Rejects requests that no operation handles: other methods of a path with 405, and parts of CouchDB's API that this
 * server does not offer with 501.
 */
import { Router } from '@hapi/call';
import type { Request } from '@hapi/hapi';
import { notOffered } from '../generated/routes.js';
import { httpError } from '../http/errors.js';

type Path = { readonly methods: string[] } | { readonly reason: string };

// The router finds the most specific path. hapi would look among the paths of the method only, and for example take
// `PUT /_session` for `PUT /{db}`.
const method = '*';

/**
 * Creates a function that throws 405 or 501 for such requests. Call it only after the response to preflight requests.
 *
 * @param table the routes of all operations
 */
export function unsupportedRequests(
  table: readonly { readonly method: string; readonly path: string }[],
): (request: Request) => void {
  const router = new Router<Path>();
  for (const path of new Set(table.map(({ path }) => path))) {
    const methods = table.filter((route) => route.path === path).map(({ method }) => method);
    router.add({ method, path }, { methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods });
  }
  for (const { path, reason } of notOffered) router.add({ method, path: `${path}/{rest*}` }, { reason });

  return (request) => {
    const { route } = router.route(method, request.path);
    if (!route) return;
    if ('reason' in route) throw httpError(501, 'not_implemented', route.reason);
    if (route.methods.includes(request.method.toUpperCase())) return;
    const allow = route.methods.join(',');
    const error = httpError(405, 'method_not_allowed', `Only ${allow} allowed`);
    error.output.headers.allow = allow;
    throw error;
  };
}
