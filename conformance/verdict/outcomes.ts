/**
 * How a check says what it found. A check that returns has passed; otherwise it throws one of these:
 *
 * - {@link Violation}: the target does what the rule forbids. The only one that blames the target.
 * - {@link Skip}: the target does not offer what the check needs.
 * - {@link Blocked}: a prerequisite that is not the rule of this check failed, so nothing was judged.
 * - {@link Inconclusive}: time or the connection decided, not the target; the runner tries again.
 *
 * Anything else that a check throws is the kit's own fault and is reported as `error`.
 */
import type { RecordedExchange } from '../../reports/report.js';

/** Where an actual value first leaves what is allowed. `path` is a JSONPath such as `$.results[2].changes[0].rev`. */
export interface Difference {
  path: string;
  expected: unknown;
  actual: unknown;
}

/** The target broke the rule. `expected` is a value, or a phrase where many values are allowed. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly difference: Partial<Difference>;
  /** The evidence. A check need not set it: the scope that the check ran in adds what was exchanged. */
  exchanges: RecordedExchange[] = [];
  /** How many exchanges went before those. */
  omitted = 0;
  /** For a property: the smallest input that still breaks the rule, and the way back to it. */
  found?: { input: unknown; seed: number; path: string };

  /** @param what one sentence on what is wrong, without the values. */
  constructor(what: string, difference: Partial<Difference> = {}) {
    super(what);
    this.difference = difference;
  }
}

export class Skip extends Error {
  override readonly name = 'Skip';
}

export class Blocked extends Error {
  override readonly name = 'Blocked';
}

export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}
