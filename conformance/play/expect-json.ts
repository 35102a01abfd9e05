import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import { parseJson } from '../http/json.js';
import type { Exchange } from '../http/client.js';

/**
 * Returns the parsed body of a response that a check needs but does not verify.
 *
 * @throws Blocked if the response has another status or is not JSON. Inconclusive if another attempt may succeed:
 * after a server error, or if the server does not find a database or an attachment that was just created, since the
 * nodes of a cluster, or a busy single node, may see it a moment later.
 */
export function expectJson(exchange: Exchange, statuses: readonly number[], parse = parseJson): unknown {
  const { request, status, text } = exchange;
  const operation = `${request.method ?? 'GET'} ${request.path}`;
  if (!statuses.includes(status)) {
    const Verdict = status === 404 || status === 412 || status >= 500 ? Inconclusive : Blocked;
    throw new Verdict(`The target responds to ${operation} with ${status}: ${text.slice(0, 300)}`);
  }
  const value = parse(text);
  if (value === undefined) {
    throw new Blocked(
      `The target responds to ${operation} with a body that is not JSON: ${text.slice(0, 300)}`,
    );
  }
  return value;
}
