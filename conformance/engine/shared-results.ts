/** Keeps what several checks of a run share, together with the evidence of how it came about. */
import { startDeadline, type Uncounted } from './deadlines.js';
import { OutOfTime } from './outcomes.js';
import type { Evidence } from './evidence.js';

export interface SharedResult<T> {
  readonly value: T;
  readonly evidence: Evidence;
}

export class SharedResults {
  readonly #results = new Map<string, Promise<SharedResult<unknown>>>();
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;
  readonly #uncounted: Uncounted | undefined;

  /** @param signal ends the run. The deadline of the check that comes first must not affect the others. */
  constructor(signal: AbortSignal, deadlineMs: number, uncounted?: Uncounted) {
    this.#signal = signal;
    this.#deadlineMs = deadlineMs;
    this.#uncounted = uncounted;
  }

  /** Returns the result for this key, which must be valid JSON. After an error, the next call tries again. */
  get<T>(key: unknown, make: (signal: AbortSignal) => Promise<SharedResult<T>>): Promise<SharedResult<T>> {
    const text = JSON.stringify(key);
    const existing = this.#results.get(text);
    if (existing) return existing as Promise<SharedResult<T>>;
    const tooSlow = new OutOfTime(`A shared history was not played within ${this.#deadlineMs / 1000} s.`);
    const deadline = startDeadline(this.#signal, this.#deadlineMs, tooSlow, this.#uncounted);
    const result = make(deadline.signal).finally(() => deadline.clear());
    this.#results.set(text, result);
    result.catch(() => this.#results.delete(text));
    return result;
  }
}
