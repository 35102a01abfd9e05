/** What a scope does and learns. What that is, and how it is recorded, is up to the suite: see `session/scope/target-evidence.ts`. */
import type { Finding } from './finding.js';
import type { Blocked, OutOfTime, Violation } from './outcomes.js';

export interface Evidence {
  /** Adds what led to a shared result, which the scope uses. */
  include(shared: Evidence): void;
  /** The violation with what shows it. */
  findingOf(violation: Violation): Finding;
  /** Records what shows why the check is blocked or has no time left, unless an inner scope has done so. */
  explain?(error: Blocked | OutOfTime): void;
}
