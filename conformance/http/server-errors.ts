/** Remembers the valid requests of a run that the target answers with an internal error. */
import type { RecordedExchange } from '../../reports/report.js';
import type { Exchange, TargetRequest } from './client.js';
import { describeKind, kindOf, type RequestKind } from './request-kind.js';

/** The first error of a kind of request. */
export interface ServerError {
  readonly kind: RequestKind;
  readonly request: TargetRequest;
  readonly exchange: RecordedExchange;
  /** Number of exchanges of the run that finished earlier. */
  readonly before: number;
  /** How often a request of the kind got the error again. */
  readonly again: number;
  /** How often a later request of the kind got something else. */
  readonly others: number;
}

/**
 * The status of an internal error. Others say something else: 501 that the target does not have this part of the service,
 * 502 to 504 that a gateway did not reach it.
 */
export const internalError = 500;

/** Counts responses to valid requests. */
export class ServerErrors {
  readonly #first = new Map<string, { -readonly [name in keyof ServerError]: ServerError[name] }>();
  #checked = 0;

  /** @param before number of exchanges of the run that finished earlier */
  add(exchange: Exchange, before: number): void {
    const { request, status } = exchange;
    // Only requests of the administrator are certain to authenticate.
    if (request.as !== 'admin' || request.deliberatelyWrong) return;
    this.#checked += 1;
    const isError = status === internalError;
    if (!isError && this.#first.size === 0) return;
    const kind = kindOf(exchange, request.json);
    const name = describeKind(kind);
    const first = this.#first.get(name);
    if (first) first[isError ? 'again' : 'others'] += 1;
    else if (isError) {
      this.#first.set(name, { kind, request, exchange: exchange.record(), before, again: 0, others: 0 });
    }
  }

  /** Number of responses to valid requests. */
  get checked(): number {
    return this.#checked;
  }

  get errors(): readonly ServerError[] {
    return [...this.#first.values()];
  }
}
