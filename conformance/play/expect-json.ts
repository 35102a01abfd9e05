import { describeResponse, operationName } from '../http/describe-response.js';
import { Blocked } from '../engine/outcomes.js';
import { parseJson } from '../http/parse-json.js';
import type { Exchange } from '../http/client.js';

/**
 * Returns the parsed body of a response that a check needs but does not verify.
 *
 * @throws Blocked if the response has no 2xx status or is not JSON. Another attempt may succeed after a server error,
 * or if the server does not find a database or an attachment that was just created, since the nodes of a cluster, or a
 * busy single node, may see it a moment later.
 */
export function expectJson(exchange: Exchange, parse = parseJson): unknown {
  const { request, status, text } = exchange;
  const operation = `${request.method ?? 'GET'} ${request.path}`;
  if (status < 200 || status >= 300) {
    throw new Blocked(`The target responds to ${operation} with ${status}: ${text.slice(0, 300)}`, {
      mayPass: status === 404 || status === 412 || status >= 500,
      obstacle: describeResponse({ ...request, status }),
      exchange,
    });
  }
  const value = parse(text);
  if (value === undefined) {
    throw new Blocked(
      `The target responds to ${operation} with a body that is not JSON: ${text.slice(0, 300)}`,
      {
        obstacle: `The response to ${operationName(request.method ?? 'GET', request.path)} is not JSON`,
        exchange,
      },
    );
  }
  return value;
}
