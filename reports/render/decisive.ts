/** Which of the exchanges of a counterexample shows what is wrong: the others are mostly the way there. */
import { isDeepStrictEqual } from 'node:util';
import type { Counterexample, RecordedExchange } from '../report.js';

/**
 * The last exchange that has at the path what came; where a verdict is not about such a place, the one that lasted
 * longest, as a feed does among the requests beside it; without times the last.
 *
 * @returns its index
 */
export function decisiveExchange({ exchanges, path = '', actual }: Counterexample): number {
  const last = exchanges.length - 1;
  const place = /^\$(\w*)(.*)$/s.exec(path);
  if (place) {
    const [, root = '', steps = ''] = place;
    const shown = exchanges.findLastIndex((exchange) => {
      const value = rootOf(exchange, root);
      return value !== undefined && isDeepStrictEqual(valueAt(value, steps), actual);
    });
    return shown < 0 ? last : shown;
  }
  const lasted = exchanges.map(({ time }) => (time ? time.endMs - time.startMs : 0));
  return lasted.lastIndexOf(Math.max(...lasted));
}

/** `$` is the body, `$status` and `$headers` are the rest of a response. */
function rootOf({ response }: RecordedExchange, name: string): unknown {
  if (!response) return undefined;
  if (name === 'status') return response.status;
  if (name === 'headers') return response.headers;
  try {
    return JSON.parse(response.chunks.map(({ text }) => text).join(''));
  } catch {
    return undefined;
  }
}

const step = /\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

function valueAt(value: unknown, steps: string): unknown {
  let place = value;
  for (const [, name, index, quoted] of steps.matchAll(step)) {
    const key = name ?? index ?? (JSON.parse(quoted!) as string);
    place = typeof place === 'object' && place !== null ? (place as Record<string, unknown>)[key] : undefined;
  }
  return place;
}
