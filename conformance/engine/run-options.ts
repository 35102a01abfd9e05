/** The options of a run, whatever its checks verify. */
import type { CheckResult } from '../../reports/report.js';
import type { RunBegin } from '../../reports/reporters/reporter.js';
import type { Profile } from './check.js';
import type { Selection } from './select.js';

export const defaultConcurrency = 4;

/** The number of cases of a property. */
export const defaultCases: Readonly<Record<Profile, number>> = { smoke: 1, default: 10, thorough: 200 };

/** What a run waits for. */
export interface Waiting {
  readonly check: string;
  /** The request of the check that is open: its method and path. */
  readonly request?: string;
  /** For how long. */
  readonly ms: number;
}

/** What a user may say of a run. */
export interface RunOptions extends Selection {
  /**
   * Number of generated cases of each property: 1 with `smoke`, 10 with `default`, 200 with `thorough`, and fewer if a
   * case must wait. `smoke` also runs only one check of each rule, unless `only` or `ids` is given.
   */
  profile?: Profile;
  /** Overrides the number of cases of every property. */
  cases?: number;
  /** Seed of all generated cases, a 32-bit integer. Default: random. */
  seed?: number;
  /** Number of concurrent checks. Default: `defaultConcurrency`, and more while a target far away answers as quickly as ever. */
  concurrency?: number;
  /** A YAML file with known deviations. */
  baseline?: string;
  /**
   * A token from a report. Runs only its check and, of a property, only its case. Options that the cases depend on must
   * be the same as in that run.
   */
  replay?: string;
  /** Time after which a check is inconclusive, in milliseconds. Default: depends on the profile. */
  deadlineMs?: number;
  /** Time for shrinking the counterexamples of all properties together, in milliseconds. Default: 30 s. */
  shrinkMs?: number;
  /**
   * Ends the run early. The report then has the results so far, and the run still removes what it created. If the signal
   * has a reason of the class `Inconclusive`, the report names it.
   */
  signal?: AbortSignal;
  /**
   * Called once, before the first check, when all that the run depends on is known.
   *
   * @param waiting tells what the run waits for.
   */
  onBegin?: (run: RunBegin, waiting: () => Waiting | undefined) => void;
  /** Called for each result as soon as it is available. */
  onProgress?: (progress: { result: CheckResult; done: number; total: number }) => void;
}
