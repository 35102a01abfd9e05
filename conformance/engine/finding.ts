/** A violation together with what shows it. */
import type { Counterexample } from '../../reports/report.js';
import type { Violation } from './outcomes.js';

/** What a scope recorded about a violation in it. */
export type RecordedEvidence = Omit<
  Counterexample,
  'message' | 'path' | 'expected' | 'actual' | 'symptoms' | 'terms' | 'input' | 'shrunk' | 'frequency'
>;

interface Circumstances {
  /** Whether the case used a database that other checks read as well. */
  readonly isShared: boolean;
  /** Whether a copy of the database that lags behind may have caused it: the case read soon after a write. */
  readonly mayBeLag: boolean;
  /** Whether the violation showed in a shared database, but not again when the case ran alone. */
  readonly isUnconfirmed?: boolean;
  /** For a property: how it came to the violation. */
  readonly found?: Found;
}

interface Found {
  /** The smallest input found that breaks the rule. */
  readonly input: unknown;
  /** How fast-check reproduces it. */
  readonly seed: number;
  readonly path: string;
  /** The number of cases among which the choices of each are even. */
  readonly cases: number;
  /** False if there was no time to try all smaller inputs; missing if no smaller inputs are tried. */
  readonly isShrunk?: boolean;
  /** How many cases showed a violation that the baseline explains. */
  readonly frequency?: { readonly failed: number; readonly of: number };
}

/** What a scope throws if its body throws a {@link Violation}. It never changes: {@link Finding.with} makes another one. */
export class Finding extends Error {
  override readonly name = 'Finding';
  readonly violation: Violation;
  readonly evidence: RecordedEvidence;
  readonly circumstances: Circumstances;

  constructor(violation: Violation, evidence: RecordedEvidence, circumstances: Circumstances) {
    super(violation.message, { cause: violation });
    this.violation = violation;
    this.evidence = evidence;
    this.circumstances = circumstances;
  }

  /** The same finding under other circumstances. */
  with(changed: Partial<Circumstances>): Finding {
    return new Finding(this.violation, this.evidence, { ...this.circumstances, ...changed });
  }
}
