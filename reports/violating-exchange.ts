import { isDeepStrictEqual } from 'node:util';
import { parseBody, valueAtPath } from './json.js';
import type { Counterexample, RecordedExchange } from './report.js';

/**
 * Finds the exchange of a counterexample that shows the violation; most of the others only prepare it. That is the last
 * exchange with the actual value at the JSONPath or in the header. If the verdict is about a feed, it is the longest
 * exchange of that feed, because other requests run concurrently with it. Without times it is the last exchange.
 *
 * @returns its index; -1 if there are no exchanges
 */
export function findViolatingExchange({ message, exchanges, path = '', actual }: Counterexample): number {
  const last = exchanges.length - 1;
  const [isJsonPath, root = '', steps = ''] = /^\$(\w*)(.*)$/s.exec(path) ?? [];
  const match = exchanges.findLastIndex((exchange) => {
    const value = isJsonPath ? rootValue(exchange, root) : exchange.response?.headers;
    if (value === undefined) return false;
    return isJsonPath
      ? isDeepStrictEqual(valueAtPath(value, steps), actual)
      : actual !== undefined && headerOf(exchange, path) === actual;
  });
  if (match >= 0) return match;
  const mode = /\b(longpoll|continuous|eventsource) feed/.exec(`${path} ${message}`)?.[1];
  if (isJsonPath && mode === undefined) return last;
  const isOfFeed = ({ request }: RecordedExchange): boolean =>
    mode === undefined || request.path.includes(`feed=${mode}`);
  const durations = exchanges.map((exchange) => {
    const { time } = exchange;
    return time && isOfFeed(exchange) ? time.endMs - time.startMs : 0;
  });
  return durations.lastIndexOf(Math.max(...durations));
}

function headerOf({ response }: RecordedExchange, wanted: string): string | undefined {
  const headers = Object.entries(response?.headers ?? {});
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

/** `$` is the body; `$status` and `$headers` are the status and the headers of the response. */
function rootValue({ response }: RecordedExchange, name: string): unknown {
  if (!response) return undefined;
  if (name === 'status') return response.status;
  if (name === 'headers') return response.headers;
  return parseBody(response.chunks.map(({ text }) => text).join(''));
}
