import { isDeepStrictEqual } from 'node:util';
import { parseJson, valueAtPath } from '../json.js';
import type { Counterexample, RecordedExchange } from '../report.js';

/**
 * Finds the exchange of a counterexample that shows the violation; most of the others only prepare it. That is the last
 * exchange with the actual value at the JSONPath. Without a JSONPath it is the longest exchange, because the verdict is
 * then about a feed that other requests run concurrently with, or the last one if times are missing.
 *
 * @returns its index; -1 if there are no exchanges
 */
export function findViolatingExchange({ exchanges, path = '', actual }: Counterexample): number {
  const last = exchanges.length - 1;
  const [isJsonPath, root = '', steps = ''] = /^\$(\w*)(.*)$/s.exec(path) ?? [];
  if (isJsonPath) {
    const match = exchanges.findLastIndex((exchange) => {
      const value = rootValue(exchange, root);
      return value !== undefined && isDeepStrictEqual(valueAtPath(value, steps), actual);
    });
    return match < 0 ? last : match;
  }
  const durations = exchanges.map(({ time }) => (time ? time.endMs - time.startMs : 0));
  return durations.lastIndexOf(Math.max(...durations));
}

/** `$` is the body; `$status` and `$headers` are the status and the headers of the response. */
function rootValue({ response }: RecordedExchange, name: string): unknown {
  if (!response) return undefined;
  if (name === 'status') return response.status;
  if (name === 'headers') return response.headers;
  return parseJson(response.chunks.map(({ text }) => text).join(''));
}
