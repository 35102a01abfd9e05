/** What a self-test of the suite has found: `docfeed-selftest/1`. */
import type { CheckResult } from './report.js';

/** What became of a server with a fault. */
export type FaultOutcome =
  /** A check of the rule that the fault breaks failed. */
  | 'killed'
  /** Only checks of other rules failed. */
  | 'killed by another rule'
  /** Every check passed. */
  | 'survived'
  /** No check failed, and some could not be decided. */
  | 'undecided';

export interface FaultTrial {
  readonly id: string;
  readonly rule: string;
  readonly summary: string;
  readonly seed: number;
  readonly outcome: FaultOutcome;
  /** The checks of its rule that failed. */
  readonly by: readonly string[];
  /** The checks of other rules that failed: tried in the thorough profile, and where no check of its rule fails. */
  readonly others?: readonly string[];
  readonly durationMs: number;
}

/** A check that did not fail in any trial of a fault, where another of its rule may have been first; tried alone. */
export interface CheckTrial {
  readonly check: string;
  readonly rule: string;
  readonly seed: number;
  /** A fault of its rule that makes it fail; missing when none does. */
  readonly fault?: string;
  readonly durationMs: number;
}

/** A check that came to anything but `pass` or `skipped` where the server is lawful. */
export type Alarm = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'replay'>;

/** The whole suite against a lawful server. */
export interface LawfulTrial {
  /** What is lawful but unusual about the server or the way to it. */
  readonly circumstances: string;
  readonly seed: number;
  /** How many generated cases a check had: see `--profile`. */
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
  /** Generated cases a check had at most against a fault. */
  readonly runs: number;
  readonly faults: readonly FaultTrial[];
  readonly checks: readonly CheckTrial[];
  /** Servers that vary within what the rules allow. */
  readonly variations: readonly LawfulTrial[];
  /** The server as it is, on a busy machine and behind a slow network. */
  readonly repeats: readonly LawfulTrial[];
  /** Rules that checks judge and no fault breaks. */
  readonly rulesWithoutFault: readonly string[];
}

/** What keeps a self-test from being green, one sentence each. */
export function findings(report: SelftestReport): string[] {
  const { faults, checks, variations, repeats, rulesWithoutFault } = report;
  return [
    ...rulesWithoutFault.map((rule) => `No fault breaks ${rule}.`),
    ...faults
      .filter(({ outcome }) => outcome !== 'killed')
      .map(({ id, rule, seed, outcome }) => `Fault ${id} of ${rule}, seed ${seed}: ${outcome}.`),
    ...checks.filter(({ fault }) => fault === undefined).map(({ check }) => `No fault makes ${check} fail.`),
    ...[...variations, ...repeats].flatMap(({ circumstances, seed, alarms }) =>
      alarms.map(
        (alarm) => `${circumstances}, seed ${seed}: ${alarm.id} ${alarm.outcome}: ${alarm.reason ?? ''}`,
      ),
    ),
  ];
}
