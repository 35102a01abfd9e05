/** Errors as the service answers them: a status and a body of `error` and `reason` (SERVICE 7). */
import { Boom } from '@hapi/boom';

/** The body of every error response (SERVICE 7). */
export interface ErrorBody {
  error: string;
  reason: string;
}

/**
 * An error to throw from a handler: the response has this status and the body `{error, reason}`.
 *
 * `error` is the name that CouchDB gives (`not_found`, `bad_request`, ...). Names that differ by dialect are
 * translated where responses leave the server, so that no handler knows the dialect's words.
 */
export function httpError(status: number, error: string, reason: string): Boom {
  const boom = new Boom(reason, { statusCode: status });
  boom.output.payload = { error, reason } satisfies ErrorBody as unknown as typeof boom.output.payload;
  return boom;
}
