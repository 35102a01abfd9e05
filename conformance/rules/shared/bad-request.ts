/** The errors for invalid selectors (SERVICE 7). */
import { type Exchange, matching, mustMatch, mustRespond } from '../../kit.js';

export const aboutTheSelector = matching(/selector/i, 'a reason that mentions the selector');

/**
 * @param sent the body of the request.
 * @returns the reason of the error
 */
export function mustBeBadRequest(response: Exchange, sent: string): unknown {
  mustRespond(response, 400, `The target does not reject ${sent} as a bad request`);
  const { error, reason } = response.object();
  // The service document has a space, CouchDB an underscore.
  const badRequest = matching(/^bad[ _]request$/i, '"bad request"');
  mustMatch(`The target rejects ${sent} with another error`, error, badRequest, '$.error');
  return reason;
}
