/** Runs the selected checks: concurrently, grouped by settings, with deadlines and retries. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import pMap from 'p-map';
import { type Rule, rules } from '../../openapi/generated/rules.js';
import type { CheckResult } from '../../reports/report.js';
import type { Check, PropertySettings, Waits } from '../target/check.js';
import { startDeadline } from './deadlines.js';
import { Inconclusive } from './outcomes.js';
import { type CheckOutcome, outcomeOf } from './check-outcome.js';
import type { TargetSettings } from '../target/target-settings.js';
import { LostTargetGuard } from '../target/lost-target.js';
import { inScope, type RunState, type Usage } from './scope.js';
import { SharedResults } from './shared-results.js';
import { groupBySettings, settingsOf } from '../target/settings-groups.js';
import { reasonNotToRun } from '../target/skip-reason.js';

export interface RunOptions {
  readonly property: PropertySettings;
  /** What the baseline says of a violation. */
  readonly knownDeviation: (
    check: Check,
    ...failure: Parameters<NonNullable<PropertySettings['knownDeviation']>>
  ) => ReturnType<NonNullable<PropertySettings['knownDeviation']>>;
  /** Number of checks that run concurrently. Twice as many checks that wait for changes, and all that wait for a period, run in addition. */
  readonly concurrency: number;
  /** Time after which a check is inconclusive, in milliseconds. */
  readonly deadlineMs: number;
  /** Ends the run: all checks that are not finished become inconclusive. */
  readonly signal: AbortSignal;
  /** Called for each result as soon as it is available. */
  readonly onResult: (result: CheckResult) => void;
}

interface GuardedOptions extends RunOptions {
  readonly guard: LostTargetGuard;
  readonly shared: SharedResults;
}

/** Number of times that an inconclusive check runs again. */
const maxRetries = 3;

/** Time after the deadline in which a check can still report a violation that it has found, in milliseconds. */
const graceMs = 2_000;

const ruleById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

export function ruleOf(check: Check): Rule {
  const rule = ruleById.get(check.rule);
  if (!rule) throw new Error(`The rule of check ${check.id} is not in the catalogue.`);
  return rule;
}

/**
 * Runs the checks. Checks that evaluate all traffic run after the others. If the target stops responding, the run ends.
 *
 * @returns results in the order of `checks`, and why the run ended early, if it did
 */
export async function runChecks(
  checks: readonly Check[],
  state: RunState,
  configuration: TargetSettings,
  runOptions: RunOptions,
): Promise<{ results: CheckResult[]; stopped?: string }> {
  const guard = new LostTargetGuard(state.connection, runOptions.signal);
  const { signal } = guard;
  const shared = new SharedResults(signal, runOptions.deadlineMs);
  const options: GuardedOptions = { ...runOptions, guard, signal, shared };
  const results = new Map<Check, CheckResult>();
  const report = (check: Check, result: CheckResult): void => {
    results.set(check, result);
    options.onResult(result);
  };
  const groups = groupBySettings(
    checks.filter(({ runsLast }) => !runsLast),
    state,
  );
  for (const group of groups) {
    await configuration.withSettings(group.settings, async (targetInfo, problem) => {
      const groupState: RunState = { ...state, targetInfo };
      // An interrupted run is the better reason.
      const blockedBy = options.signal.aborted ? undefined : problem;
      const unconfirmed: { check: Check; usage: Usage; failed?: CheckResult }[] = [];
      const run = async (check: Check): Promise<void> => {
        const usage = newUsage();
        const { result, dependsOnTiming, mayPass } = await runCheck(
          check,
          groupState,
          options,
          usage,
          blockedBy,
        );
        if (dependsOnTiming) unconfirmed.push({ check, usage, failed: result });
        // What could not be measured beside the other checks may be measurable after them.
        else if (mayPass && check.waits !== false) unconfirmed.push({ check, usage });
        else report(check, result);
      };
      const runAll = (waits: Waits, concurrency: number): Promise<void[]> =>
        pMap(
          group.checks.filter((check) => check.waits === waits),
          run,
          { concurrency },
        );
      // All periods are measured at the same time as everything else, so the run takes little longer than the longest of them.
      await Promise.all([
        runAll('period', Infinity),
        runAll('changes', 2 * options.concurrency),
        runAll(false, options.concurrency),
      ]);
      for (const { check, usage, failed } of unconfirmed) {
        const { result } = await runCheck(check, groupState, options, usage);
        report(check, failed && result.outcome === 'pass' ? notConfirmed(failed) : result);
      }
    });
  }
  for (const check of checks.filter(({ runsLast }) => runsLast)) {
    report(check, (await runCheck(check, state, options, newUsage())).result);
  }
  const { stopped } = guard;
  return {
    results: checks.map((check) => results.get(check)!),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** The result of a check that passed when it was repeated. It keeps the evidence of the failure. */
const notConfirmed = (failed: CheckResult): CheckResult => ({
  ...failed,
  outcome: 'inconclusive',
  reason: `The check failed beside others and passed when it ran alone. The failure was: ${failed.reason}`,
});

const newUsage = (): Usage => ({ requests: 0, resends: 0, cases: 0, lagging: 0 });

/**
 * @param usage what the check has used in an earlier attempt.
 * @param settingsProblem why the settings that the check needs could not be applied.
 * @returns the result, whether it is a violation that a busy machine might have caused, and whether another attempt may
 * pass.
 */
async function runCheck(
  check: Check,
  state: RunState,
  options: GuardedOptions,
  usage: Usage,
  settingsProblem?: string,
): Promise<{ result: CheckResult; dependsOnTiming: boolean; mayPass: boolean }> {
  const rule = ruleOf(check);
  const startedAt = performance.now();
  const settings = settingsOf(check, state);

  const determineOutcome = async (): Promise<CheckOutcome> => {
    const notRun = reasonNotToRun(check, rule, state);
    if (notRun) return notRun;
    if (settingsProblem !== undefined) return { outcome: 'blocked', reason: state.redact(settingsProblem) };
    for (let retries = 0; ; retries += 1) {
      // The result counts the cases of the last attempt, but all requests.
      usage.cases = 0;
      usage.lagging = 0;
      usage.planned = undefined;
      const outcome = await runOnce(check, rule, state, usage, options);
      if (outcome.outcome === 'pass' || outcome.outcome === 'skipped') return outcome;
      const lost = await options.guard.reasonIfLost(check.id, outcome.reason ?? '');
      if (lost !== undefined) return { outcome: 'inconclusive', reason: lost };
      const mayPass = outcome.outcome === 'inconclusive' || outcome.mayPass === true;
      const isFinal = !mayPass || retries === maxRetries || options.signal.aborted;
      if (isFinal) return outcome;
      if (outcome.isUnreachable) {
        usage.resends += 1;
        state.connection.meter.onResend('broken');
      }
    }
  };

  const { dependsOnTiming = false, mayPass, isUnreachable, ...outcome } = await determineOutcome();
  const result: CheckResult = {
    id: check.id,
    rule: rule.id,
    area: rule.area,
    level: rule.level,
    statement: rule.statement,
    source: [...rule.source],
    ...outcome,
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
    durationMs: Math.round(performance.now() - startedAt),
    cases: outcome.outcome === 'skipped' ? 0 : Math.max(usage.cases, 1),
    requests: usage.requests,
    ...(usage.resends === 0 ? {} : { resends: usage.resends }),
    ...(usage.lagging === 0 ? {} : { lagging: usage.lagging }),
    ...(usage.planned === undefined ? {} : { planned: usage.planned }),
  };
  return { result, dependsOnTiming, mayPass: mayPass ?? outcome.outcome === 'inconclusive' };
}

async function runOnce(
  check: Check,
  rule: Rule,
  state: RunState,
  usage: Usage,
  { deadlineMs, property, knownDeviation, signal: runSignal, shared }: GuardedOptions,
): Promise<CheckOutcome> {
  const tooSlow = new Inconclusive(`The check did not finish within ${deadlineMs / 1000} s.`);
  const deadline = startDeadline(runSignal, deadlineMs, tooSlow);
  const checkProperty: PropertySettings = {
    ...property,
    seed: seedOf(check, property),
    knownDeviation: (violation, input) => knownDeviation(check, violation, input),
    reduceAfter: performance.now() + deadlineMs / 2,
  };
  try {
    const running = inScope(
      state,
      { signal: deadline.signal, property: checkProperty, usage, shared },
      async (context) => {
        deadline.signal.throwIfAborted();
        await check.run(context);
      },
    );
    await Promise.race([running, rejectAfter(deadline.signal, Math.min(graceMs, deadlineMs))]);
    return { outcome: 'pass' };
  } catch (thrown) {
    try {
      return outcomeOf(thrown, check, rule, property, state);
    } catch (error) {
      // A violation that cannot be represented in the report is an internal error and must not end the run.
      return outcomeOf(error, check, rule, property, state);
    }
  } finally {
    deadline.clear();
  }
}

/** Derives a different seed for each check. The seed in a replay token is already that of its check. */
function seedOf({ id }: Check, { seed, path }: PropertySettings): number {
  return path === undefined ? seed ^ fc.hash(id) : seed;
}

/** Rejects some time after the signal aborts, for checks that ignore it. */
async function rejectAfter(signal: AbortSignal, ms: number): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  await wait(ms, undefined, { ref: false });
  throw signal.reason;
}
