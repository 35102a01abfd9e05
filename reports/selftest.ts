/** The data of `selftest.json`, format `docfeed-selftest/1`: results of `docfeed selftest`. */
import type { CheckResult, Environment } from './report.js';

/** The result of running the suite against a server with one fault. */
export type FaultOutcome =
  /** A check of the rule that the fault breaks failed. */
  | 'killed'
  /** Only checks of other rules failed. */
  | 'killed by another rule'
  /** Every check passed. */
  | 'survived'
  /** No check failed, and at least one check was undecided. */
  | 'undecided';

export interface FaultTrial {
  readonly id: string;
  readonly rule: string;
  /** The area of the rule. */
  readonly area: string;
  readonly summary: string;
  readonly seed: number;
  readonly outcome: FaultOutcome;
  /** The checks of its rule that failed. */
  readonly by: readonly string[];
  /** The checks of other rules that failed. They run in the thorough profile, or if no check of the rule fails. */
  readonly others?: readonly string[];
  /**
   * The shipped baselines under which every check passes, since their entries explain the failures. An entry for rare
   * failures may hide a fault at some seeds, and must not at all of them.
   */
  readonly hiddenBy?: readonly string[];
  /** Whether other processes kept the machine busy. */
  readonly busy?: boolean;
  /** What the server also lacks (`serve --lack`), separated by commas. */
  readonly lack?: string;
  readonly durationMs: number;
}

/**
 * A check that failed in no trial of a fault. Another check of its rule may have killed each fault first, so the
 * self-test runs this check alone.
 */
export interface CheckTrial {
  readonly check: string;
  readonly rule: string;
  readonly seed: number;
  /** A fault that makes the check fail; missing if there is none. */
  readonly fault?: string;
  readonly durationMs: number;
}

/**
 * A check whose outcome for a conforming server is neither `pass` nor `skipped`. If the server lacks something, only what
 * is not about that counts, also a check that is not run although its rule has no other.
 */
export type Alarm = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'replay'>;

/** A run of the whole suite against a conforming server. */
export interface ConformingTrial {
  /** What is unusual, but conforming, about the server or the network, or what the server lacks. */
  readonly circumstances: string;
  readonly seed: number;
  /** Value of `--profile`: the number of generated cases for each check. */
  readonly profile: string;
  readonly passed: number;
  readonly skipped: number;
  readonly alarms: readonly Alarm[];
  readonly durationMs: number;
}

export interface SelftestReport {
  readonly format: 'docfeed-selftest/1';
  readonly version: string;
  readonly startedAt: string;
  readonly environment: Environment;
  /** The command line that repeats the self-test. */
  readonly command: string;
  /** Number of generated cases per property against a fault, if not those of the default profile. */
  readonly cases?: number;
  readonly faults: readonly FaultTrial[];
  /** Trials of the faults in periods on a busy machine, where a check may be undecided, but must not pass. */
  readonly busyFaults?: readonly FaultTrial[];
  readonly checks: readonly CheckTrial[];
  /** Runs against servers whose behaviour or version varies within the rules (`serve --vary`, `--service-version`). */
  readonly variations: readonly ConformingTrial[];
  /** Runs against servers that lack something (`serve --lack`): whatever is not about that must be judged. */
  readonly lacking?: readonly ConformingTrial[];
  /** Trials of faults of servers that also lack something. */
  readonly lackingFaults?: readonly FaultTrial[];
  /** Runs against the unchanged server on a busy machine and over a slow network. */
  readonly repeats: readonly ConformingTrial[];
  /** Rules that have checks and no fault. */
  readonly rulesWithoutFault: readonly string[];
}

/** Whether a run skipped so much that it cannot tell whether the suite passes a conforming server. */
export const showsNothing = ({ passed, skipped }: ConformingTrial): boolean => passed <= skipped;

/** Faults that a baseline hides at every seed. */
function hiddenFaults(faults: readonly FaultTrial[]): string[] {
  const sentences = faults.flatMap(({ id, rule, hiddenBy = [] }) =>
    hiddenBy
      .filter((name) => faults.every((other) => other.id !== id || other.hiddenBy?.includes(name)))
      .map((name) => `Fault ${id} of ${rule} passes under the baseline ${name}.`),
  );
  return [...new Set(sentences)];
}

/** @returns why the self-test fails, one sentence for each problem; empty if it passes. */
export function findings(report: SelftestReport): string[] {
  const { faults, busyFaults = [], checks, variations, repeats, rulesWithoutFault } = report;
  const { lacking = [], lackingFaults = [] } = report;
  return [
    ...rulesWithoutFault.map((rule) => `No fault breaks ${rule}.`),
    ...[...faults, ...lackingFaults]
      .filter(({ outcome }) => outcome !== 'killed')
      .map(({ id, rule, seed, outcome, lack }) => {
        const without = lack === undefined ? '' : `, without ${lack}`;
        return `Fault ${id} of ${rule}, seed ${seed}${without}: ${outcome}.`;
      }),
    ...hiddenFaults(faults),
    ...busyFaults
      .filter(({ outcome }) => outcome === 'survived')
      .map(({ id, rule, seed }) => `Fault ${id} of ${rule}, seed ${seed}, on a busy machine: survived.`),
    ...checks.filter(({ fault }) => fault === undefined).map(({ check }) => `No fault makes ${check} fail.`),
    ...[...variations, ...repeats]
      .filter(showsNothing)
      .map(
        ({ circumstances, seed, passed, skipped }) =>
          `${circumstances}, seed ${seed}: ${skipped} checks skipped and only ${passed} passed, so the run shows nothing.`,
      ),
    ...[...variations, ...lacking, ...repeats].flatMap(({ circumstances, seed, alarms }) =>
      alarms.map(
        (alarm) => `${circumstances}, seed ${seed}: ${alarm.id} ${alarm.outcome}: ${alarm.reason ?? ''}`,
      ),
    ),
  ];
}
