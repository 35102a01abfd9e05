/** What a run waits for: the checks that have begun, and the requests that are open. */
import type { Waiting } from '../../engine/run-options.js';
import type { SentExchange, TargetRequest } from '../../http/client.js';
import { describeKind, kindOf, mustEnd, type RequestKind } from '../../http/request-kind.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';

/** Since when a check, or a request of it, has been open. */
interface Open {
  readonly check: string;
  readonly since: number;
}

interface OpenRequest extends Open {
  readonly exchange: SentExchange;
}

export class Activity {
  readonly #checks = new Set<Open>();
  readonly #requests = new Map<TargetRequest, OpenRequest>();
  /** Requests whose connections broke. */
  #broken: { readonly exchange: SentExchange; readonly brokenAt: number }[] = [];

  /** @returns what to call when the check has ended. */
  begin(check: string): () => void {
    const open = { check, since: performance.now() };
    this.#checks.add(open);
    return () => void this.#checks.delete(open);
  }

  /** Sees the requests of the check. */
  observer(check: string): TrafficObserver {
    return {
      onSent: (exchange) =>
        void this.#requests.set(exchange.request, { check, since: exchange.sentAt, exchange }),
      onFailed: (exchange, isBroken) => {
        this.#requests.delete(exchange.request);
        if (isBroken) this.#broken.push({ exchange, brokenAt: performance.now() });
      },
      onFinished: ({ request, sentAt }) => {
        this.#requests.delete(request);
        // The target was there after those that broke before.
        this.#broken = this.#broken.filter(({ brokenAt }) => brokenAt > sentAt);
      },
    };
  }

  /** What has been open for longest. A request that must end comes before one that may wait, and both before a check. */
  get waiting(): Waiting | undefined {
    const requests = [...this.#requests.values()];
    const request =
      oldest(requests.filter(({ exchange }) => mustEnd(kindOfSent(exchange)))) ?? oldest(requests);
    const open = request ?? oldest([...this.#checks]);
    return (
      open && {
        check: open.check,
        ...(request && { request: describeKind(kindOfSent(request.exchange)) }),
        ms: performance.now() - open.since,
      }
    );
  }

  /** The requests that were open when the target stopped responding, the latest first. */
  get inFlight(): readonly SentExchange[] {
    return this.#broken.map(({ exchange }) => exchange).sort((one, other) => other.sentAt - one.sentAt);
  }
}

const oldest = <One extends Open>(all: readonly One[]): One | undefined =>
  [...all].sort((one, other) => one.since - other.since)[0];

/** @returns the kind of the request as it was sent, with its parameters. */
export const kindOfSent = (exchange: SentExchange): RequestKind =>
  kindOf(exchange.record().request, exchange.request.json);
