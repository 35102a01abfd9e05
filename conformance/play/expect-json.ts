import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import { parseJson } from '../client/json.js';
import type { Exchange } from '../client/client.js';

/**
 * The parsed body of a response that a check needs but does not judge.
 *
 * @throws Blocked when it has another status or no JSON body. Inconclusive when the target says that it has failed
 * itself, which need not happen again, or does not find what it has just taken, a database or an attachment, which the
 * nodes of a cluster, or a single busy one, may all know a moment later only.
 */
export function expectJson(exchange: Exchange, statuses: readonly number[]): unknown {
  const { request: ask, status, text } = exchange;
  const what = `${ask.method ?? 'GET'} ${ask.path}`;
  if (!statuses.includes(status)) {
    const Verdict = status === 404 || status === 412 || status >= 500 ? Inconclusive : Blocked;
    throw new Verdict(`${what} answered ${status}: ${text.slice(0, 300)}`);
  }
  const value = parseJson(text);
  if (value === undefined) {
    throw new Blocked(`${what} answered with a body that is not JSON: ${text.slice(0, 300)}`);
  }
  return value;
}
