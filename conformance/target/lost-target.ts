/** Ends a run whose target has stopped responding: the remaining checks could only report the same. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../http/http.js';
import { Oversized } from '../http/oversized.js';
import { Inconclusive } from '../engine/outcomes.js';

/** Time for one response, in milliseconds. A busy target is slow, but it responds. */
const responseMs = 10_000;
const tries = 3;
/** Time between the tries, in milliseconds: a target that restarts itself may be back. */
const pauseMs = 500;

export class LostTargetGuard {
  /** Aborts when the run is interrupted or the target is lost. */
  readonly signal: AbortSignal;
  readonly #connection: Connection;
  readonly #lost = new AbortController();

  constructor(connection: Connection, interruption: AbortSignal) {
    this.#connection = connection;
    this.signal = AbortSignal.any([interruption, this.#lost.signal]);
    // Each running check listens to the signal.
    setMaxListeners(0, this.signal);
  }

  /**
   * Call this after a check that has not passed.
   *
   * @param reason why the check has not passed
   * @returns why the run has ended, if the target is lost.
   */
  async reasonIfLost(check: string, reason: string): Promise<string | undefined> {
    if (!this.signal.aborted && !(await this.#responds())) {
      const message = `The target stopped responding, so the run ended. The first check that noticed is ${check}: ${reason}`;
      this.#lost.abort(new Inconclusive(message));
    }
    return this.#lost.signal.aborted ? (this.#lost.signal.reason as Inconclusive).message : undefined;
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
    const { responses } = this.#connection.meter;
    const before = responses[node];
    const signal = AbortSignal.any([AbortSignal.timeout(responseMs), this.signal]);
    try {
      await this.#connection.client(signal, []).request({ path: '/', node });
      return true;
    } catch (error) {
      return error instanceof Oversized || responses[node] !== before;
    }
  }
}
