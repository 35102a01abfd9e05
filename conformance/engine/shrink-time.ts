/** The time for smaller inputs, which the failing checks of a run share: a single one has all of it. */
export class ShrinkTime {
  /** In milliseconds, as the following. */
  readonly totalMs: number;
  /** What each check has in any case. */
  readonly #leastMs: number;
  #leftMs: number;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#leastMs = Math.min(totalMs, 1_000);
    this.#leftMs = totalMs;
  }

  /**
   * @param spentMs what a check has spent since it asked last
   * @param ownMs what it has spent altogether
   * @param nextMs what it is going to spend on the next input
   * @returns whether it may go on
   */
  allows(spentMs: number, ownMs: number, nextMs: number): boolean {
    this.#leftMs -= spentMs;
    return this.#leftMs > nextMs || ownMs + nextMs < this.#leastMs;
  }
}
