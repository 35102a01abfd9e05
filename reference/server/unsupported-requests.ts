/**
 * Rejects requests that no operation handles: other methods of a path with 405, and parts of CouchDB's API that this
 * server does not offer with 501. Many clients create a design document when a request to it responds with 404, so what
 * does not exist is 404 here too.
 */
import { Router } from '@hapi/call';
import type { Request } from '@hapi/hapi';
import { notOffered, type NotOffered } from '../generated/routes.js';
import { httpError } from '../http/errors.js';

type Path = { readonly methods: string[] } | NotOffered;

/** Decoded path parameters. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

/** The operations that read what a path belongs to. */
type ParentOperation = 'getDesignDocument' | 'getDatabase';

// The router finds the most specific path. hapi would look among the paths of the method only, and for example take
// `PUT /_session` for `PUT /{db}`.
const method = '*';

/**
 * Creates a function that rejects such requests, and returns undefined for all others. Call it only after the response
 * to preflight requests.
 *
 * @param table the routes of all operations
 * @param readParent executes the operation for the client; rejects with what that responds with instead
 */
export function unsupportedRequests(
  table: readonly { readonly method: string; readonly path: string }[],
  readParent: (request: Request, operation: ParentOperation, params: PathParameters) => Promise<unknown>,
): (request: Request) => Promise<never> | undefined {
  const router = new Router<Path>();
  for (const path of new Set(table.map(({ path }) => path))) {
    const methods = table.filter((route) => route.path === path).map(({ method }) => method);
    router.add({ method, path }, { methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods });
  }
  for (const one of notOffered) router.add({ method, path: `${one.path}/{rest*}` }, one);

  return (request) => {
    const { route, params } = router.route(method, request.path);
    if (!route) return undefined;
    if ('reason' in route) return rejectNotOffered(request, route, params);
    if (route.methods.includes(request.method.toUpperCase())) return undefined;
    const allow = route.methods.join(',');
    const error = httpError(405, 'method_not_allowed', `Only ${allow} allowed`);
    error.output.headers.allow = allow;
    throw error;
  };

  async function rejectNotOffered(
    request: Request,
    { path, reason }: NotOffered,
    params: PathParameters,
  ): Promise<never> {
    if (path.includes('{ddoc}')) await readParent(request, 'getDesignDocument', params);
    else if (path.includes('{db}')) await readParent(request, 'getDatabase', params);
    throw httpError(501, 'not_implemented', reason);
  }
}
