/** What the engine needs of a suite: where its checks run, and what is known there. See `session/scope/target-environment.ts`. */
import type { CheckResult } from '../../reports/report.js';
import type { CheckOf, ScopeContext } from './check.js';
import type { CheckOutcome } from './check-outcome.js';
import type { Evidence } from './evidence.js';
import type { Finding } from './finding.js';
import type { Waiting } from './run-options.js';
import type { Scopes } from './scope.js';
import type { Width } from './width.js';

/** What a result says of its check, whatever the outcome. */
export type CheckDescription = Pick<
  CheckResult,
  'rule' | 'area' | 'level' | 'statement' | 'source' | 'settings'
>;

/** Only what has no default must be there: the engine does without the rest. */
export interface Environment<
  Context extends ScopeContext<Context>,
  Check extends CheckOf<Context>,
> extends Scopes<Context> {
  /** Removes secrets from a text that may quote a target. */
  readonly redact: (text: string) => string;
  describe(check: Check): CheckDescription;
  /**
   * Calls `runGroup` for checks that can run concurrently. Default: all in one group.
   *
   * @param runGroup receives what is known while the group runs and, if what its checks need could not be arranged, why.
   * If other checks may have caused a result, it returns what repeats that check: call it when no other group runs.
   */
  inGroups?(
    checks: readonly Check[],
    runGroup: (
      group: readonly Check[],
      environment: Environment<Context, Check>,
      problem?: string,
    ) => Promise<(() => Promise<void>) | undefined>,
  ): Promise<void>;
  /** Whether checks run one after the other and share nothing. */
  readonly isSerial?: boolean;
  /** @returns the outcome of a check that must not run, or `undefined` if it can run. */
  reasonNotToRun?(check: Check): CheckOutcome | undefined;
  /** Throws NothingJudged if the evidence has no response that the rule of the check is about. */
  mustHaveJudged?(check: Check, evidence: Evidence): void;
  /** What is known of the environment that explains a violation, unless the check is about that. */
  obstacle?(finding: Finding, check: Check): object | undefined;
  /** Judges an outcome by what is known of the environment, and adds to its counterexample. */
  conclude?(outcome: CheckOutcome, check: Check): CheckOutcome;
  /**
   * Called after each attempt that has not passed. It may abort the signal of the run.
   *
   * @returns why the run has ended, if it has, and what shows it: the remaining checks could only report the same.
   */
  reasonToEnd?(check: Check, reason: string): Promise<Pick<CheckOutcome, 'reason' | 'exchange'> | undefined>;
  /** Called before each attempt of a check. @returns what to call after it. */
  onAttempt?(check: Check): () => void;
  /** What the checks that run wait for. */
  waiting?(): Waiting | undefined;
  /** How many checks run at a time if no option says it: it may follow the answers. */
  readonly width?: Width;
  /** How much time of the run no deadline counts so far, in milliseconds. */
  readonly uncountedMs?: () => number;
  /** A check runs again because a request got no complete response. */
  onResend?(): void;
}
