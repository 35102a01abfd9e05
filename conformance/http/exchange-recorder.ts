/** Records one exchange while it happens, and reports it to observers. */
import type { Chunk, Exchange, SentExchange, TargetRequest } from './client.js';
import { FinishedExchange, recordExchange, type ReceivedResponse, type SentRequest } from './exchange.js';
import type { Translation } from './places.js';
import type { Redactor } from './redact.js';
import type { TrafficObserver } from './traffic-observer.js';

type ResponseHead = Pick<ReceivedResponse, 'status' | 'rawHeaders'>;

/** A refusal is short. */
const mostDismissedChunks = 10;

export class ExchangeRecorder implements SentExchange {
  readonly request: TargetRequest;
  readonly sent: SentRequest;
  readonly sentAt = performance.now();
  readonly #redact: Redactor;
  readonly #observers: readonly TrafficObserver[];
  readonly #chunks: Chunk[] = [];
  readonly #translate: ReturnType<Translation['response']> | undefined;
  /** What is read, if that is not what was received. */
  readonly #read: Chunk[] = [];
  #head: (ResponseHead & { headersAtMs: number }) | undefined;
  #finished: Exchange | undefined;
  #isWhole = false;
  #lastByteAtMs = 0;

  /** Create this right before sending the request. */
  constructor(
    request: TargetRequest,
    sent: SentRequest,
    redact: Redactor,
    observers: readonly TrafficObserver[],
    translate?: ReturnType<Translation['response']>,
  ) {
    this.request = request;
    this.sent = sent;
    this.#redact = redact;
    this.#observers = observers;
    this.#translate = translate;
    for (const observer of observers) observer.onSent?.(this, sent);
  }

  /** The time since the target has last sent anything, or since the request was sent, in milliseconds. */
  get silentMs(): number {
    return this.#elapsedMs() - this.#lastByteAtMs;
  }

  /** What has arrived so far. */
  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  get isFinished(): boolean {
    return this.#finished !== undefined;
  }

  /** @returns when the headers arrived, in milliseconds since the request was sent. */
  addHead(head: ResponseHead): number {
    const headersAtMs = this.#elapsedMs();
    this.#head = { ...head, headersAtMs };
    this.#lastByteAtMs = headersAtMs;
    for (const observer of this.#observers) observer.onHead?.(this, head);
    return headersAtMs;
  }

  addChunk(bytes: Uint8Array): Chunk {
    const chunk = { atMs: this.#elapsedMs(), bytes };
    this.#chunks.push(chunk);
    this.#lastByteAtMs = chunk.atMs;
    for (const observer of this.#observers) observer.onChunk?.(this, bytes);
    if (!this.#translate) return chunk;
    const read = { ...chunk, bytes: this.#translate(bytes) };
    this.#read.push(read);
    return read;
  }

  /** What is left to read at the end of the body. */
  lastChunk(): Chunk[] {
    const bytes = this.#translate?.(new Uint8Array(), true) ?? [];
    if (bytes.length === 0) return [];
    const read = { atMs: this.#elapsedMs(), bytes: Uint8Array.from(bytes) };
    this.#read.push(read);
    return [read];
  }

  /**
   * Only the first call counts.
   *
   * @param limit the limit that the body exceeds, if it is too long.
   */
  finish(complete: boolean, limit?: string): Exchange {
    if (this.#finished) return this.#finished;
    const response = { ...this.#response(complete)!, limit };
    const onRead = (exchange: Exchange): void => {
      for (const observer of this.#observers) observer.onRead?.(exchange);
    };
    this.#finished = new FinishedExchange(
      ...([this.request, this.sent, this.#times(), response, this.#redact, onRead] as const),
      ...(this.#translate ? [this.#read] : []),
    );
    for (const observer of this.#observers) observer.onFinished?.(this.#finished);
    return this.#finished;
  }

  /** There is no whole response. */
  fail(isBroken: boolean): void {
    for (const observer of this.#observers) observer.onFailed?.(this, isBroken);
  }

  /** The response is no result: nobody but its record sees its body. */
  async keep(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of body) if (this.#chunks.length < mostDismissedChunks) this.addChunk(bytes);
    this.#isWhole = true;
  }

  record(from?: number): ReturnType<SentExchange['record']> {
    if (this.#finished) return this.#finished.record(from);
    return recordExchange(
      this.request,
      this.sent,
      this.#times(),
      this.#response(this.#isWhole),
      this.#redact,
      from,
    );
  }

  #response(complete: boolean): ReceivedResponse | undefined {
    return this.#head && { ...this.#head, chunks: this.#chunks, complete };
  }

  #times(): { sentAt: number; durationMs: number } {
    return { sentAt: this.sentAt, durationMs: this.#elapsedMs() };
  }

  #elapsedMs(): number {
    return performance.now() - this.sentAt;
  }
}
