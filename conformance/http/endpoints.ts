/** Records what a run sees of each endpoint and feed mode: whether it is there, and which checks fail at it. */
import { type CheckResult, type Endpoint, violatingExchange } from '../../reports/report.js';
import type { Exchange } from './client.js';
import { describeResponse } from './describe-response.js';
import { type Description, type EndpointPlace, splitPath } from './description.js';
import { parseJson } from './json.js';
import type { TrafficObserver } from './traffic-observer.js';

export interface EndpointRecorder extends TrafficObserver {
  /**
   * @param prefixes the paths of the base URLs of all nodes, without a slash at the end
   * @param missing has the responses of endpoints that do not exist as keys, as `describeResponse` names them
   */
  endpoints(
    results: readonly CheckResult[],
    prefixes: readonly string[],
    missing: ReadonlyMap<string, string>,
  ): Endpoint[];
}

/** The responses to one endpoint, or to one mode of it. */
interface Seen extends EndpointPlace {
  successes: number;
  /** Complete streams, and how many complete responses are no stream although the mode is one. */
  streams: number;
  otherMode: number;
  status: number;
}

export function observeEndpoints(description: Description): EndpointRecorder {
  const seen = new Map<string, Seen>();
  const placeOf = (method: string, path: string): EndpointPlace | undefined => {
    const { pathname, query } = splitPath(path);
    return description.place(method, pathname, query);
  };

  return {
    onFinished(exchange) {
      const place = placeOf(exchange.method, exchange.path);
      if (!place) return;
      const key = keyOf(place);
      const one = seen.get(key) ?? { ...place, successes: 0, streams: 0, otherMode: 0, status: 0 };
      seen.set(key, one);
      one.status = exchange.status;
      if (exchange.status >= 400) return;
      one.successes += 1;
      if (place.isStream && exchange.complete) one[isWholeFeed(exchange) ? 'otherMode' : 'streams'] += 1;
    },
    endpoints(results, prefixes, missing) {
      const violatedBy = new Map<string, string[]>();
      for (const { id, counterexample } of results) {
        const { request } = (counterexample && violatingExchange(counterexample)) ?? {};
        const path = request?.path.slice(prefixes[request.node ?? 0]?.length ?? 0);
        const place = request && placeOf(request.method, path!);
        if (place) violatedBy.set(keyOf(place), [...(violatedBy.get(keyOf(place)) ?? []), id]);
      }
      return [...seen.values()].sort(byOrder).map((one) => ({
        operation: one.operation,
        ...(one.mode !== undefined && { mode: one.mode }),
        state: stateOf(one, missing),
        ...(one.successes === 0 && { status: one.status }),
        violatedBy: violatedBy.get(keyOf(one)) ?? [],
      }));
    },
  };
}

function stateOf(
  { operation, successes, streams, otherMode, status }: Seen,
  missing: ReadonlyMap<string, string>,
): Endpoint['state'] {
  if (successes > 0) return otherMode > 0 && streams === 0 ? 'ignored' : 'there';
  const [method, path = ''] = operation.split(' ');
  return missing.has(describeResponse({ method, path, status })) ? 'missing' : 'refused';
}

const byOrder = ({ order: a }: Seen, { order: b }: Seen): number =>
  a.map((position, index) => position - b[index]!).find((difference) => difference !== 0) ?? 0;

const keyOf = ({ operation, mode = '' }: EndpointPlace): string => `${operation} ${mode}`;

/** Whether the body is one object with all rows: that of a feed that does not stay open. */
function isWholeFeed({ text }: Exchange): boolean {
  const { results } = (parseJson(text) ?? {}) as { results?: unknown };
  return Array.isArray(results);
}
