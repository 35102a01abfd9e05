/** A client for changes that must be undone, whenever the run is interrupted. */
import type { HttpClient } from '../../http/client.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import type { Connection } from '../../http/http.js';
import { startDeadline } from '../../engine/deadlines.js';

/**
 * Returns a client whose reads end as soon as `interruption` aborts. A write then runs to its end, and no other begins:
 * the target may carry out a request that is cut off, also after the change was undone.
 *
 * @param ms time for all requests, after which they end with `tooSlow`
 * @param observers see all requests
 */
export function clientFinishingWrites(
  connection: Connection,
  interruption: AbortSignal,
  ms: number,
  tooSlow: Error,
  observers: readonly TrafficObserver[] = [],
): { readonly client: HttpClient; readonly clear: () => void } {
  const uncounted = (): number => connection.rate.heldMs;
  const reads = startDeadline(interruption, ms, tooSlow, uncounted);
  const writes = startDeadline(new AbortController().signal, ms, tooSlow, uncounted);
  const reader = connection.client(reads.signal, observers);
  const writer = connection.client(writes.signal, observers);
  return {
    client: {
      ...reader,
      async request(request) {
        if (request.method === undefined || request.method === 'GET') return reader.request(request);
        reads.signal.throwIfAborted();
        return writer.request(request);
      },
    },
    clear() {
      reads.clear();
      writes.clear();
    },
  };
}
