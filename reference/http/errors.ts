/** Error responses: a status and a body with `error` and `reason` (SERVICE 7). */
import { Boom } from '@hapi/boom';

/** The body of every error response (SERVICE 7). */
export interface ErrorBody {
  error: string;
  reason: string;
}

/**
 * Creates an error for a handler to throw. The response has this status and the body `{error, reason}`.
 *
 * `error` is CouchDB's name (`not_found`, `bad_request`, ...). `errorBody` translates names that differ by dialect, so
 * handlers do not depend on the dialect.
 */
export function httpError(status: number, error: string, reason: string): Boom {
  const boom = new Boom(reason, { statusCode: status });
  boom.output.payload = { error, reason } satisfies ErrorBody as unknown as typeof boom.output.payload;
  return boom;
}
