/** Counts what the requests of a run cost the target. */
import type { Exchange } from './client.js';
import type { SentRequest } from './exchange.js';
import type { ResendReason, TrafficObserver } from './traffic-observer.js';

export class TrafficMeter implements TrafficObserver {
  requests = 0;
  /** The number of requests that create a database. */
  databases = 0;
  /** Bytes of request bodies. */
  sentBytes = 0;
  /** Bytes of response bodies, without those of feeds that are still open. */
  receivedBytes = 0;

  /** The number of complete responses of each node. */
  readonly responses: number[] = [];

  /** The number of requests that were sent again, by reason. */
  readonly resends: Record<ResendReason, number> = { broken: 0, limited: 0 };

  beforeSend({ method, path, body = '' }: SentRequest): void {
    this.requests += 1;
    if (method === 'PUT' && /^\/[^/?]+(\?|$)/.test(path)) this.databases += 1;
    this.sentBytes += Buffer.byteLength(body);
  }

  onResend(why: ResendReason): void {
    this.resends[why] += 1;
  }

  onFinished({ chunks, complete, request: { node = 0 } }: Exchange): void {
    if (complete) this.responses[node] = (this.responses[node] ?? 0) + 1;
    for (const { bytes } of chunks) this.receivedBytes += bytes.length;
  }
}
