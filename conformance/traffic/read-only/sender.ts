/** Sends requests for which nothing but the judges of traffic expects a certain response. */
import { Inconclusive } from '../../engine/outcomes.js';
import type { Exchange, HttpClient, TargetRequest } from '../../http/client.js';
import { operationName } from '../../http/describe-response.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import { MayChangeSomething } from './harmless.js';

/** The run ends when so many requests in turn have no response. */
const maxFailures = 5;

export class Sender {
  /** All requests that were sent, in order. */
  readonly requests: string[] = [];
  /** By what they ask for, how many had no whole response in time. */
  readonly unanswered = new Map<string, number>();
  /** Aborts when the run ends early, also since the target does not respond any more. The client must obey it. */
  readonly signal: AbortSignal;
  /** Must observe the client. */
  readonly observer: TrafficObserver;
  readonly #timeoutMs: number;
  readonly #stop = new AbortController();
  /** Starts the time of each request when it is sent: it may have waited for its turn. */
  readonly #onSent = new WeakMap<object, () => void>();
  #failures = 0;

  /** @param interruption ends the run. */
  constructor(
    timeoutMs: number,
    onProgress: (requests: number) => void,
    interruption: AbortSignal | undefined,
  ) {
    this.#timeoutMs = timeoutMs;
    this.signal = AbortSignal.any([this.#stop.signal, interruption ?? []].flat());
    this.observer = {
      onSent: ({ request }, { method, path }) => {
        this.requests.push(`${method} ${path}`);
        this.#onSent.get(request)?.();
        onProgress(this.requests.length);
      },
    };
  }

  /** @returns nothing if there is no whole response in time */
  async send(client: HttpClient, request: TargetRequest): Promise<Exchange | undefined> {
    try {
      const exchange = await this.#sendFor(client, request, this.#timeoutMs);
      this.#failures = 0;
      return exchange;
    } catch (error) {
      if (error instanceof MayChangeSomething) throw error;
      if (this.signal.aborted) return undefined;
      const { method = 'GET', path } = request;
      const operation = operationName(method, path);
      this.unanswered.set(operation, (this.unanswered.get(operation) ?? 0) + 1);
      this.#failures += 1;
      if (this.#failures === maxFailures) {
        const problem = `The run ended early: ${maxFailures} requests in turn had no whole response.`;
        this.#stop.abort(new Inconclusive(problem, { cause: error }));
      }
      return undefined;
    }
  }

  /** Reads what a feed sends for some time, or until its end. */
  async hold(client: HttpClient, request: TargetRequest, ms: number): Promise<void> {
    await this.#sendFor(client, request, ms).catch((error: unknown) => {
      if (error instanceof MayChangeSomething) throw error;
    });
  }

  async #sendFor(client: HttpClient, request: TargetRequest, ms: number): Promise<Exchange> {
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const sent = { ...request, signal: controller.signal };
    this.#onSent.set(sent, () => {
      timer ??= setTimeout(() => controller.abort(new Inconclusive('no whole response in time')), ms);
    });
    try {
      return await client.request(sent);
    } finally {
      clearTimeout(timer);
    }
  }
}
