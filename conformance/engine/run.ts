/** Runs the selected checks: concurrently, in groups, with deadlines and retries. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import pMap from 'p-map';
import type { CheckResult } from '../../reports/report.js';
import type { CheckOf, PropertySettings, ScopeContext, Waits } from './check.js';
import { type CheckOutcome, outcomeOf } from './check-outcome.js';
import { startDeadline } from './deadlines.js';
import type { Environment } from './environment.js';
import type { Finding } from './finding.js';
import { Inconclusive, OutOfTime } from './outcomes.js';
import { readReplayToken, replayToken } from './replay.js';
import { inScope, type Usage } from './scope.js';
import { SharedResults } from './shared-results.js';
import { runWithin, timesWaiting, type Width } from './width.js';

export interface RunSettings {
  readonly property: PropertySettings;
  /** What the baseline says of a violation of the check with this id. */
  readonly knownDeviation: (
    check: string,
    ...failure: Parameters<NonNullable<PropertySettings['knownDeviation']>>
  ) => ReturnType<NonNullable<PropertySettings['knownDeviation']>>;
  /**
   * How many checks run concurrently. Twice as many checks that wait for changes, and all that wait for a period, run in
   * addition. Cases run ahead in the room that checks leave.
   */
  readonly width: Width;
  /** Time after which a check is inconclusive, in milliseconds. */
  readonly deadlineMs: number;
  /** Ends the run: all checks that are not finished become inconclusive. */
  readonly signal: AbortSignal;
  /** The options that the cases depend on, for replay tokens. */
  readonly replayOptions: readonly string[];
  /** Called for each result as soon as it is available. */
  readonly onResult: (result: CheckResult) => void;
}

/** What the run of the checks gives, without the baseline. */
export interface RunOutcome {
  /** In the order of the checks. */
  readonly results: readonly CheckResult[];
  readonly observations: ReadonlyMap<string, unknown>;
  /** Why the run ended before all checks had finished, if it did. */
  readonly stopped: string | undefined;
}

/** What all checks of a run share. */
interface Run extends RunSettings {
  readonly shared: SharedResults;
  readonly observations: Map<string, unknown>;
}

/**
 * Periods are measured after this number of other checks: while V8 compiles the code of the suite, and perhaps that of the
 * target, stalls would leave many of them undecided. A group without such checks does not wait.
 */
const warmUpChecks = 24;

/** Number of times that an inconclusive check runs again. */
const maxRetries = 3;

/** Time after the deadline in which a check can still report a violation that it has found, in milliseconds. */
const graceMs = 2_000;

/** Runs the checks. Checks that evaluate what the others have done run after them. */
export async function runChecks<Context extends ScopeContext<Context>, Check extends CheckOf<Context>>(
  checks: readonly Check[],
  environment: Environment<Context, Check>,
  settings: RunSettings,
): Promise<RunOutcome> {
  const { signal, deadlineMs, width } = settings;
  const shared = new SharedResults(signal, deadlineMs, environment.uncountedMs);
  const run: Run = { ...settings, shared, observations: new Map() };
  const results = new Map<Check, CheckResult>();
  const report = (check: Check, result: CheckResult): void => {
    results.set(check, result);
    settings.onResult(result);
  };
  let done = 0;
  let setWarm!: () => void;
  const isWarm = new Promise<void>((resolve) => (setWarm = resolve));
  const runGroup: Parameters<NonNullable<typeof environment.inGroups>>[1] = async (
    group,
    groupEnvironment,
    problem,
  ) => {
    // An interrupted run is the better reason.
    const blockedBy = signal.aborted ? undefined : problem;
    const unconfirmed: Unconfirmed<Check>[] = [];
    const runOne = async (check: Check): Promise<void> => {
      const usage = newUsage();
      const attempt = await runCheck(check, groupEnvironment, run, usage, blockedBy);
      const { result, dependsOnTiming, mayPass } = attempt;
      if (groupEnvironment.isSerial) report(check, result);
      else if (dependsOnTiming) unconfirmed.push({ check, usage, failed: result });
      // What could not be measured beside the other checks may be measurable after them.
      else if (mayPass && check.waits !== false) unconfirmed.push({ check, usage });
      else report(check, result);
      done += 1;
      if (done >= warmUpChecks) setWarm();
    };
    const inOrder = group.toSorted((one, other) => Number(other.isLong) - Number(one.isLong));
    const waiting = (waits: Waits): readonly Check[] => inOrder.filter((check) => check.waits === waits);
    if (groupEnvironment.isSerial) {
      await pMap(group, runOne, { concurrency: 1 });
      return undefined;
    }
    // All periods are measured at the same time as most of the rest, so the run takes little longer than the longest of them.
    const rest = Promise.all([
      runWithin(waiting('changes'), runOne, width, () => timesWaiting * width.now),
      runWithin(waiting(false), runOne, width),
    ]);
    await Promise.race([rest, isWarm]);
    await Promise.all([rest, pMap(waiting('period'), runOne)]);
    if (unconfirmed.length === 0) return undefined;
    return async () => {
      const repeat = async (one: Unconfirmed<Check>): Promise<void> =>
        report(one.check, await repeatAlone(one, groupEnvironment, run));
      // One at work at a time. What only waits disturbs nobody.
      await runWithin(unconfirmed, repeat, width, () => 1);
    };
  };
  const first = checks.filter(({ runsLast }) => !runsLast);
  if (environment.inGroups) await environment.inGroups(first, runGroup);
  else await (await runGroup(first, environment))?.();
  for (const check of checks.filter(({ runsLast }) => runsLast)) {
    report(check, (await runCheck(check, environment, run, newUsage())).result);
  }
  return {
    results: checks.map((check) => results.get(check)!),
    observations: run.observations,
    stopped: stoppedBy(signal),
  };
}

function stoppedBy({ aborted, reason }: AbortSignal): string | undefined {
  if (!aborted) return undefined;
  return reason instanceof Inconclusive ? reason.message : 'The run was interrupted.';
}

/** What must be repeated alone: a violation that a busy machine might have caused, or a check that was not decided. */
interface Unconfirmed<Check> {
  readonly check: Check;
  readonly usage: Usage;
  readonly failed?: CheckResult;
}

/** A violation stands if its replay shows it again. Otherwise all cases run once more. */
async function repeatAlone<Context extends ScopeContext<Context>, Check extends CheckOf<Context>>(
  { check, usage, failed }: Unconfirmed<Check>,
  environment: Environment<Context, Check>,
  run: Run,
): Promise<CheckResult> {
  if (failed?.replay !== undefined) {
    const { path, seed, cases } = readReplayToken(failed.replay, [check], run.replayOptions);
    const property = { ...run.property, path, seed, cases };
    const { result } = await runCheck(check, environment, { ...run, property }, usage);
    if (result.outcome === failed.outcome) return { ...failed, requests: result.requests };
  }
  const { result } = await runCheck(check, environment, run, usage);
  return failed && result.outcome === 'pass' ? notConfirmed(failed) : result;
}

/** The result of a check that passed when it was repeated. It keeps the evidence of the failure. */
const notConfirmed = (failed: CheckResult): CheckResult => ({
  ...failed,
  outcome: 'inconclusive',
  obstacle: 'The check failed beside others and passed when it ran alone',
  reason: `The check failed beside others and passed when it ran alone. The failure was: ${failed.reason}`,
});

const newUsage = (): Usage => ({ requests: 0, resends: 0, cases: 0, lagging: 0 });

/**
 * @param usage what the check has used in an earlier attempt.
 * @param problem why what the check needs could not be arranged.
 * @returns the result, whether it is a violation that a busy machine might have caused, and whether another attempt may
 * pass.
 */
async function runCheck<Context extends ScopeContext<Context>, Check extends CheckOf<Context>>(
  check: Check,
  environment: Environment<Context, Check>,
  run: Run,
  usage: Usage,
  problem?: string,
): Promise<{ result: CheckResult; dependsOnTiming: boolean; mayPass: boolean }> {
  const startedAt = performance.now();

  const determineOutcome = async (): Promise<CheckOutcome> => {
    const notRun = environment.reasonNotToRun?.(check);
    if (notRun) return notRun;
    if (problem !== undefined) return { outcome: 'blocked', reason: environment.redact(problem) };
    for (let retries = 0; ; retries += 1) {
      // The result counts the cases of the last attempt, but all requests.
      usage.cases = 0;
      usage.lagging = 0;
      usage.planned = undefined;
      const outcome = await runOnce(check, environment, run, usage);
      if (outcome.outcome === 'pass' || outcome.outcome === 'skipped') return outcome;
      const ended = await environment.reasonToEnd?.(check, outcome.reason ?? '');
      if (ended !== undefined) return { outcome: 'inconclusive', ...ended };
      const mayPass = outcome.outcome === 'inconclusive' || outcome.mayPass === true;
      const isFinal = !mayPass || retries === maxRetries || run.signal.aborted;
      if (isFinal) return outcome;
      if (outcome.isUnreachable) {
        usage.resends += 1;
        environment.onResend?.();
      }
    }
  };

  const { dependsOnTiming = false, mayPass, isUnreachable, ...outcome } = await determineOutcome();
  const result: CheckResult = {
    id: check.id,
    ...environment.describe(check),
    ...outcome,
    durationMs: Math.round(performance.now() - startedAt),
    cases: outcome.outcome === 'skipped' ? 0 : Math.max(usage.cases, 1),
    requests: usage.requests,
    ...(usage.resends === 0 ? {} : { resends: usage.resends }),
    ...(usage.lagging === 0 ? {} : { lagging: usage.lagging }),
    ...(usage.planned === undefined ? {} : { planned: usage.planned }),
  };
  return { result, dependsOnTiming, mayPass: mayPass ?? outcome.outcome === 'inconclusive' };
}

async function runOnce<Context extends ScopeContext<Context>, Check extends CheckOf<Context>>(
  check: Check,
  environment: Environment<Context, Check>,
  { deadlineMs, property, knownDeviation, signal, shared, observations, replayOptions, width }: Run,
  usage: Usage,
): Promise<CheckOutcome> {
  const tooSlow = new OutOfTime(`The check did not finish within ${deadlineMs / 1000} s.`);
  const deadline = startDeadline(signal, deadlineMs, tooSlow, environment.uncountedMs);
  const checkProperty: PropertySettings = {
    ...property,
    seed: seedOf(check, property),
    knownDeviation: (violation, input) => knownDeviation(check.id, violation, input),
    obstacle: (finding) => environment.obstacle?.(finding, check),
    reduceAfter: performance.now() + deadlineMs / 2,
    ...(!environment.isSerial && { beside: (run) => width.beside(run) }),
  };
  const replayOf = ({ circumstances: { found } }: Finding): string => {
    const { seed, path, cases } = { seed: property.seed, ...found };
    return replayToken({
      check: check.id,
      seed,
      pool: property.pool,
      ...(path === undefined ? {} : { path, cases }),
      with: replayOptions,
    });
  };
  const conclude = (outcome: CheckOutcome): CheckOutcome => environment.conclude?.(outcome, check) ?? outcome;
  const judge = (thrown: unknown): CheckOutcome => {
    const { redact } = environment;
    return conclude(outcomeOf(thrown, environment.describe(check).level, { redact, replayOf }));
  };
  const end = environment.onAttempt?.(check);
  try {
    const running = inScope(
      environment,
      {
        check: check.id,
        signal: deadline.signal,
        property: checkProperty,
        usage,
        observations,
        shared: environment.isSerial ? undefined : shared,
        mustHaveJudged: (evidence) => environment.mustHaveJudged?.(check, evidence),
      },
      async (context) => {
        deadline.signal.throwIfAborted();
        await check.run(context);
      },
    );
    await Promise.race([running, rejectAfter(deadline.signal, Math.min(graceMs, deadlineMs))]);
    return conclude({ outcome: 'pass' });
  } catch (thrown) {
    try {
      return judge(thrown);
    } catch (error) {
      // A violation that cannot be represented in the report is an internal error and must not end the run.
      return judge(error);
    }
  } finally {
    deadline.clear();
    end?.();
  }
}

/** Derives a different seed for each check. The seed in a replay token is already that of its check. */
function seedOf({ id }: { id: string }, { seed, path }: PropertySettings): number {
  return path === undefined ? seed ^ fc.hash(id) : seed;
}

/** Rejects some time after the signal aborts, for checks that ignore it. */
async function rejectAfter(signal: AbortSignal, ms: number): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  await wait(ms, undefined, { ref: false });
  throw signal.reason;
}
