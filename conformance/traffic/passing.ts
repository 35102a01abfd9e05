/** Puts the exchanges together that pass on the connections of a proxy. */
import { PassingExchange } from '../passing/passing-exchange.js';
import {
  MalformedMessage,
  type MessageHead,
  MessageReader,
  parseRequestLine,
  requestFraming,
  responseFraming,
  statusOf,
} from './message-reader.js';
import type { WireEvent } from './relay.js';

/** Sees the exchanges of all connections, in the order in which things happen. */
export interface PassingObserver {
  onRequest(exchange: PassingExchange): void;
  onResponse(exchange: PassingExchange): void;
  /** A part of the body of the response, as it is on the wire without its framing. */
  onChunk(exchange: PassingExchange, bytes: Uint8Array, at: number): void;
  /** The response has ended, or its connection has. */
  onEnd(exchange: PassingExchange): void;
  /** The target has ended the connection before the response, or in the middle of it. */
  onBreak(exchange: PassingExchange): void;
  /** Parts of what passes are unknown from now on. */
  onLoss(): void;
}

/** One connection. */
class PassingConnection {
  readonly #requests: MessageReader;
  readonly #responses: MessageReader;
  /** Those whose response has not ended, in their order. */
  readonly #open: PassingExchange[] = [];
  readonly #observer: PassingObserver;
  #at = 0;
  #requestCount = 0;
  /** Whether the client has ended or broken the connection. */
  #hasClientLeft = false;
  /** Whether the connection cannot be understood, or speaks another protocol: nothing on it is judged. */
  #isLost = false;

  constructor(id: number, prefix: string, observer: PassingObserver) {
    this.#observer = observer;
    let sending: PassingExchange | undefined;
    this.#requests = new MessageReader({
      onHead: (head) => {
        const { method, target } = parseRequestLine(head);
        const path = target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
        const request = { connection: id, method, path, rawHeaders: head.headers, at: this.#at };
        sending = new PassingExchange(request);
        this.#requestCount += 1;
        this.#open.push(sending);
        observer.onRequest(sending);
        return requestFraming(head);
      },
      onBody: (bytes) => sending!.requestBody.add({ atMs: this.#at - sending!.startedAt, bytes }),
      onEnd: () => (sending!.sentAt = this.#at),
    });
    this.#responses = new MessageReader({
      onHead: (head) => this.#onResponseHead(head),
      onBody: (bytes) => {
        const [exchange] = this.#open;
        if (!exchange) return;
        exchange.seenAt = this.#at;
        observer.onChunk(exchange, bytes, this.#at);
      },
      onEnd: () => {
        const [exchange] = this.#open;
        if (!exchange || exchange.status < 200) return;
        exchange.isComplete = true;
        this.#endFirst();
      },
    });
  }

  onEvent({ kind, side, bytes, at }: WireEvent): void {
    if (this.#isLost) return;
    this.#at = at;
    if (kind === 'slow') for (const exchange of this.#open) exchange.isSlowed = true;
    if (kind === 'end' || kind === 'break') this.#onSideEnd(side);
    if (kind === 'close') this.#endAll();
    if (kind !== 'bytes') return;
    try {
      (side === 'client' ? this.#requests : this.#responses).read(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.onLoss();
    }
  }

  #onSideEnd(side: WireEvent['side']): void {
    if (side === 'client') this.#hasClientLeft = true;
    if (side === 'client' || this.#hasClientLeft) return;
    this.#responses.end();
    const [exchange] = this.#open;
    // A server may end an idle connection at any time, also while the next request is on its way.
    if (exchange && (exchange.status > 0 || this.#requestCount === 1)) this.#observer.onBreak(exchange);
  }

  /** Parts of what passes are unknown from now on. */
  onLoss(): void {
    this.#isLost = true;
    this.#endAll();
    this.#observer.onLoss();
  }

  #endAll(): void {
    while (this.#open.length > 0) this.#endFirst();
  }

  #onResponseHead(head: MessageHead): ReturnType<typeof responseFraming> {
    const status = statusOf(head);
    const [exchange] = this.#open;
    // A server may send a response without a request to say why it closes the connection.
    if (!exchange || status === 101) {
      this.onLoss();
      return 'until close';
    }
    if (status >= 200) {
      exchange.respond(status, head.headers, this.#at);
      this.#observer.onResponse(exchange);
    }
    return responseFraming(head, status, exchange.method);
  }

  #endFirst(): void {
    const exchange = this.#open.shift()!;
    exchange.endedAt = this.#at;
    this.#observer.onEnd(exchange);
  }
}

/** All connections of a proxy. */
export class PassingTraffic {
  readonly #connections = new Map<number, PassingConnection>();
  readonly #prefix: string;
  readonly #observer: PassingObserver;

  /** @param prefix the path of the target's URL, without a slash at the end */
  constructor(prefix: string, observer: PassingObserver) {
    this.#prefix = prefix;
    this.#observer = observer;
  }

  /** Must be called in the order in which things happen. */
  onEvent(event: WireEvent): void {
    const { kind, connection: id } = event;
    const connection = this.#connections.get(id) ?? new PassingConnection(id, this.#prefix, this.#observer);
    this.#connections.set(id, connection);
    connection.onEvent(event);
    if (kind === 'close') this.#connections.delete(id);
  }

  /** Parts of what passes are unknown from now on, on all connections. */
  onLoss(): void {
    for (const connection of this.#connections.values()) connection.onLoss();
    this.#connections.clear();
    this.#observer.onLoss();
  }
}
