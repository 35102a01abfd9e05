/** Puts the exchanges together that pass through a proxy. */
import { namesAndValues } from '../http/exchange.js';
import { PassingExchange } from '../passing/passing-exchange.js';
import type { PassingEvent, RequestHead, ResponseHead } from './tapped-proxy.js';

/** Sees exchanges, in the order in which things happen. */
export interface PassingObserver {
  onRequest(exchange: PassingExchange): void;
  onResponse(exchange: PassingExchange): void;
  /** A part of the body of the response, as it is on the wire without its framing. */
  onChunk(exchange: PassingExchange, bytes: Uint8Array, at: number): void;
  /** The response has ended, or nothing more of it comes. */
  onEnd(exchange: PassingExchange): void;
  /** Parts of what passes are unknown from now on. */
  onLoss(): void;
}

export class PassingTraffic {
  /** Those that have not ended, by their numbers. */
  readonly #open = new Map<number, PassingExchange>();
  readonly #observer: PassingObserver;

  constructor(observer: PassingObserver) {
    this.#observer = observer;
  }

  /** Must be called in the order in which things happen. What belongs to no exchange is ignored. */
  onEvent({ kind, exchange: id, at, bytes }: PassingEvent): void {
    if (kind === 'request') {
      const { rawHeaders, ...head } = JSON.parse(bytes.toString()) as RequestHead;
      const begun = new PassingExchange({ ...head, rawHeaders: namesAndValues(rawHeaders), at });
      this.#open.set(id, begun);
      this.#observer.onRequest(begun);
    }
    const exchange = this.#open.get(id);
    if (!exchange) return;
    if (kind === 'upload') exchange.requestBody.add({ atMs: at - exchange.startedAt, bytes });
    if (kind === 'sent') exchange.sentAt = at;
    if (kind === 'slow') exchange.isSlowed = true;
    if (kind === 'response') {
      const { status, rawHeaders } = JSON.parse(bytes.toString()) as ResponseHead;
      exchange.respond(status, namesAndValues(rawHeaders), at);
      this.#observer.onResponse(exchange);
    }
    if (kind === 'chunk') {
      exchange.seenAt = at;
      this.#observer.onChunk(exchange, bytes, at);
    }
    if (kind === 'end' || kind === 'break') {
      exchange.isComplete = kind === 'end';
      this.#open.delete(id);
      this.#end(exchange, at);
    }
  }

  /** Parts of what passes are unknown from now on. */
  onLoss(): void {
    for (const exchange of this.#open.values()) this.#end(exchange, exchange.seenAt);
    this.#open.clear();
    this.#observer.onLoss();
  }

  #end(exchange: PassingExchange, at: number): void {
    exchange.endedAt = at;
    this.#observer.onEnd(exchange);
  }
}
