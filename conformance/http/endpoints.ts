/**
 * Records what a run sees of each endpoint and feed mode: whether it is there, and which checks fail at it. It is a table for
 * readers, and explains nothing: only probes decide what is missing.
 */
import { type CheckResult, type Endpoint, violatingExchange } from '../../reports/report.js';
import { describeResponse } from './describe-response.js';
import { type Description, type EndpointPlace, splitPath } from './description.js';
import type { TrafficObserver } from './traffic-observer.js';

export interface EndpointRecorder extends TrafficObserver {
  /** @param prefixes the paths of the base URLs of all nodes, without a slash at the end */
  endpoints(results: readonly CheckResult[], prefixes: readonly string[], lacking: Lacking): Endpoint[];
}

/** What the probes have shown that the target lacks. */
interface Lacking {
  /** The responses of endpoints that do not exist, as `describeResponse` names them. */
  readonly missing: ReadonlySet<string>;
  /** The modes that it answers like the normal one. */
  readonly ignored: ReadonlySet<string>;
}

/** The responses to one endpoint, or to one mode of it. */
interface Seen extends EndpointPlace {
  successes: number;
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
      const one = seen.get(key) ?? { ...place, successes: 0, status: 0 };
      seen.set(key, one);
      one.status = exchange.status;
      if (exchange.status < 400) one.successes += 1;
    },
    endpoints(results, prefixes, lacking) {
      const violatedBy = new Map<string, string[]>();
      for (const { id, outcome, counterexample } of results) {
        // Something else is the cause.
        if (outcome === 'blocked') continue;
        const { request } = (counterexample && violatingExchange(counterexample)) ?? {};
        const path = request?.path.slice(prefixes[request.node ?? 0]?.length ?? 0);
        const place = request && placeOf(request.method, path!);
        if (place) violatedBy.set(keyOf(place), [...(violatedBy.get(keyOf(place)) ?? []), id]);
      }
      return [...seen.values()].sort(byOrder).map((one) => ({
        operation: one.operation,
        ...(one.mode !== undefined && { mode: one.mode }),
        state: stateOf(one, lacking),
        ...(one.successes === 0 && { status: one.status }),
        violatedBy: violatedBy.get(keyOf(one)) ?? [],
      }));
    },
  };
}

function stateOf(
  { operation, mode = '', successes, status }: Seen,
  { missing, ignored }: Lacking,
): Endpoint['state'] {
  if (successes > 0) return ignored.has(mode) ? 'ignored' : 'there';
  const [method, path = ''] = operation.split(' ');
  return missing.has(describeResponse({ method, path, status })) ? 'missing' : 'refused';
}

const byOrder = ({ order: a }: Seen, { order: b }: Seen): number =>
  a.map((position, index) => position - b[index]!).find((difference) => difference !== 0) ?? 0;

const keyOf = ({ operation, mode = '' }: EndpointPlace): string => `${operation} ${mode}`;
