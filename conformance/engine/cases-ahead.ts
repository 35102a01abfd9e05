/**
 * Runs cases of a property before it is their turn, beside the one whose turn it is. The property takes their results in
 * order, so its verdict is the same: only a case after a violation has run in vain.
 */
import type { PropertySettings } from './check.js';

export class CasesAhead<Result> {
  readonly #count: number;
  readonly #run: (index: number) => Promise<Result>;
  readonly #beside: NonNullable<PropertySettings['beside']>;
  /** By the number of the case, from 0. */
  readonly #started = new Map<number, Promise<Result>>();
  #next = 0;

  /** @param run runs the case with a number */
  constructor(count: number, run: (index: number) => Promise<Result>, beside: PropertySettings['beside']) {
    this.#count = beside ? count : 0;
    this.#run = run;
    this.#beside = beside ?? (() => undefined);
  }

  /** It is the turn of the case with this number. @returns its result, if it was started before */
  take(index: number): Promise<Result> | undefined {
    this.#next = Math.max(this.#next, index + 1);
    this.#start();
    return this.#started.get(index);
  }

  /** Starts no other case. Resolves when none runs any more. */
  async end(): Promise<void> {
    this.#next = this.#count;
    await Promise.allSettled(this.#started.values());
  }

  #start(): void {
    while (this.#next < this.#count) {
      const index = this.#next;
      const result = this.#beside(() => this.#run(index));
      if (!result) return;
      this.#next += 1;
      this.#started.set(index, result);
      // An error is for the turn of the case.
      result.then(
        () => this.#start(),
        () => {},
      );
    }
  }
}
