/** Defines the options of a run. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { RunBegin } from '../../reports/reporters/reporter.js';
import type { CheckResult } from '../../reports/report.js';
import type { Check, Profile } from './check.js';
import type { Credentials } from '../http/client.js';

/** Options of `runConformance` and `startConformance`. Only `urls` is required. */
export interface ConformanceOptions {
  /** Base URLs of the target. Several URLs are nodes of one cluster. */
  urls: readonly string[];
  /** An administrator of the target. Without one, checks that need users are skipped. */
  admin?: Credentials;
  /** Default: the dialect of the greeting. */
  dialect?: Dialect;
  /** Default: the version in the greeting. Rules of later versions are skipped. */
  serviceVersion?: string;
  /** A YAML file that declares capabilities and secrets of the target (`docfeed/target-file.schema.json`). */
  target?: string;
  /** Capabilities that the target has. Overrides probes and the target file. */
  have?: readonly string[];
  /** Capabilities that the target lacks. Overrides probes and the target file. */
  lack?: readonly string[];
  /** Capabilities that the target must have: a check that would be skipped for lack of one is blocked. */
  require?: readonly string[];
  /** The checks to select from. Default: the whole suite. */
  checks?: readonly Check[];
  /** Globs over ids of checks and rules to run. */
  only?: readonly string[];
  /** Globs over ids of checks and rules not to run. */
  skip?: readonly string[];
  /** Exact ids of the checks to run. Default: all that `only` and `skip` select. */
  ids?: readonly string[];
  /** Runs one of `count` equal parts of the selection. `index` starts at 1. */
  shard?: { index: number; count: number };
  /**
   * Number of generated cases of each property: 1 with `smoke`, 20 with `default`, 200 with `thorough`, and fewer if a
   * case must wait. `smoke` also runs only one check of each rule, unless `only` is given.
   */
  profile?: Profile;
  /** Overrides the number of cases of every property. */
  cases?: number;
  /** Seed of all generated cases, a 32-bit integer. Default: random. */
  seed?: number;
  /** Number of concurrent checks. Default: 4. */
  concurrency?: number;
  /** A YAML file with known deviations. */
  baseline?: string;
  /**
   * A token from a report. Runs only its check and, of a property, only its case. Options that the cases depend on must
   * be the same as in that run.
   */
  replay?: string;
  /** Lets the run change settings of the target and add keys. The run restores everything at its end. */
  configure?: boolean;
  /**
   * Folder for a journal of what the run must restore and remove, so that `docfeed restore` can do so if the run is
   * killed. Default: the state folder of the user with `configure`, otherwise no journal.
   */
  journalDir?: string;
  /** How long the body of a response may be, in bytes. A longer one is not read to its end, and is a failure. Default: 64 MiB. */
  maxBodyBytes?: number;
  /** Time after which a check is inconclusive, in milliseconds. Default: depends on the profile. */
  deadlineMs?: number;
  /** Time for shrinking the counterexample of a property, in milliseconds. Default: 15 s. */
  shrinkMs?: number;
  /**
   * Ends the run early. The report then has the results so far, and the run still removes what it created. If the signal
   * has a reason of the class `Inconclusive`, the report names it.
   */
  signal?: AbortSignal;
  /** Called once, before the first check, when the target and all options are known. */
  onBegin?: (run: RunBegin) => void;
  /** Called for each result as soon as it is available. */
  onProgress?: (progress: { result: CheckResult; done: number; total: number }) => void;
}
