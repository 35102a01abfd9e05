/** Ends a run whose target has stopped responding: the remaining checks could only report the same. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedExchange } from '../../../reports/report.js';
import type { SentExchange } from '../../http/client.js';
import type { Connection } from '../../http/http.js';
import { Oversized } from '../../http/oversized.js';
import { describeKind } from '../../http/request-kind.js';
import { abortAfter } from '../../engine/deadlines.js';
import { Inconclusive } from '../../engine/outcomes.js';
import { type Activity, kindOfSent } from './activity.js';

/** Time for one response, in milliseconds. A busy target is slow, but it responds. */
const responseMs = 10_000;
const tries = 3;
/** Time between the tries, in milliseconds: a target that restarts itself may be back. */
const pauseMs = 500;

/** Number of kinds of requests that a message names. */
const mostNamed = 5;

export class LostTargetGuard {
  /** Aborts when the run is interrupted or the target is lost. */
  readonly signal: AbortSignal;
  readonly #connection: Connection;
  readonly #activity: Pick<Activity, 'inFlight'>;
  readonly #lost = new AbortController();

  constructor(connection: Connection, activity: Pick<Activity, 'inFlight'>, interruption: AbortSignal) {
    this.#connection = connection;
    this.#activity = activity;
    this.signal = AbortSignal.any([interruption, this.#lost.signal]);
    // Each running check listens to the signal.
    setMaxListeners(0, this.signal);
  }

  /**
   * Call this after a check that has not passed.
   *
   * @param reason why the check has not passed
   * @returns why the run has ended, if the target is lost, and the latest of the requests that may be the cause.
   */
  async reasonIfLost(
    check: string,
    reason: string,
  ): Promise<{ reason: string; exchange?: RecordedExchange } | undefined> {
    if (!this.signal.aborted && !(await this.#responds())) {
      const suspects = describeInFlight(this.#activity.inFlight);
      const message = `The target stopped responding, so the run ended. ${suspects}The first check that noticed is ${check}: ${reason}`;
      this.#lost.abort(new Inconclusive(message));
    }
    if (!this.#lost.signal.aborted) return undefined;
    const [latest] = this.#activity.inFlight;
    return {
      reason: (this.#lost.signal.reason as Inconclusive).message,
      ...(latest && { exchange: latest.record() }),
    };
  }

  async #responds(): Promise<boolean> {
    for (let left = tries; left > 0 && !this.signal.aborted; left -= 1) {
      const nodes = Array.from({ length: this.#connection.nodes }, (_, node) => this.#nodeResponds(node));
      if ((await Promise.all(nodes)).every((isUp) => isUp)) return true;
      await wait(pauseMs);
    }
    // An interruption ends the tries without a result.
    return this.signal.aborted;
  }

  /** Any response counts: a target that is busy with many connections may get to a new one late. */
  async #nodeResponds(node: number): Promise<boolean> {
    const { meter, rate } = this.#connection;
    const { responses } = meter;
    const before = responses[node];
    const signal = abortAfter(responseMs, this.signal, () => rate.heldMs);
    try {
      await this.#connection.client(signal, []).request({ path: '/', node });
      return true;
    } catch (error) {
      return error instanceof Oversized || responses[node] !== before;
    }
  }
}

/** One of the requests has probably ended the target. */
function describeInFlight(inFlight: readonly SentExchange[]): string {
  const kinds = [...new Set(inFlight.map((exchange) => describeKind(kindOfSent(exchange))))];
  if (kinds.length === 0) return '';
  const others = kinds.length - mostNamed;
  const named = [...kinds.slice(0, mostNamed), ...(others > 0 ? [`${others} more`] : [])];
  const [verb, order] = kinds.length === 1 ? ['was', ''] : ['were', ', the latest first'];
  return `In flight ${verb} ${new Intl.ListFormat('en-GB').format(named)}${order}. `;
}
