/** Runs the checks of a selection and gives each its outcome. */
import fc from 'fast-check';
import pMap from 'p-map';
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { type Rule, rules } from '../../openapi/generated/rules.js';
import type { CheckResult, Counterexample, Outcome } from '../../reports/report.js';
import type { Check, ConfiguredTarget, PropertySettings } from '../check.js';
import type { Configuration } from './configuration.js';
import { groupBySettings, settingsOf } from './settings-groups.js';
import { replayToken } from './replay.js';
import { inScope, type RunState, type Usage } from './scope.js';
import { redactDeep } from '../client/redact.js';
import { startDeadline } from '../verdict/deadlines.js';
import { Blocked, Inconclusive, Skip, Violation } from '../verdict/outcomes.js';

export interface RunOptions {
  readonly property: PropertySettings;
  /** How many checks run beside each other; of those that wait, twice as many run beside them. */
  readonly concurrency: number;
  /** How long one check may take before it is inconclusive, in milliseconds. */
  readonly deadlineMs: number;
  /** Ends the run: what is under way becomes inconclusive, what has not begun is not begun. */
  readonly signal: AbortSignal;
  /** Told of each result when it is there. */
  readonly onResult: (result: CheckResult) => void;
}

/** An inconclusive check is run again this often. */
const reruns = 3;

/** How long a check has at most to return after its time is over: a violation that it has already found still counts. */
const graceMs = 2_000;

const ruleById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** Results in the order of `checks`. Checks that judge the traffic of the whole run come after all others. */
export async function runChecks(
  checks: readonly Check[],
  state: RunState,
  configuration: Configuration,
  options: RunOptions,
): Promise<CheckResult[]> {
  const results = new Map<Check, CheckResult>();
  const one = async (check: Check, world: RunState, problem?: string): Promise<void> => {
    const result = await runCheck(check, world, options, problem);
    results.set(check, result);
    options.onResult(result);
  };
  const groups = groupBySettings(
    checks.filter(({ runsLast: last }) => !last),
    configuredTarget(state),
  );
  for (const group of groups) {
    await configuration.withSettings(group.settings, async (known, problem) => {
      const world = { ...state, known };
      // Of an interrupted run each check says so itself.
      const reason = options.signal.aborted ? undefined : problem;
      const beside = (some: readonly Check[], concurrency: number): Promise<void[]> =>
        pMap(some, (check) => one(check, world, reason), { concurrency });
      await Promise.all([
        beside(
          group.checks.filter(({ isWaiting: waits }) => !waits),
          options.concurrency,
        ),
        beside(
          group.checks.filter(({ isWaiting: waits }) => waits),
          2 * options.concurrency,
        ),
      ]);
    });
  }
  for (const check of checks.filter((check) => check.runsLast)) await one(check, state);
  return checks.map((check) => results.get(check)!);
}

/** @param problem why the settings are not those that the check wants. */
async function runCheck(
  check: Check,
  state: RunState,
  options: RunOptions,
  problem?: string,
): Promise<CheckResult> {
  const rule = ruleOf(check);
  const usage: Usage = { requests: 0, runs: 0 };
  const startedAt = performance.now();
  const settings = settingsOf(check, configuredTarget(state));
  const result = (verdict: Verdict): CheckResult => ({
    id: check.id,
    rule: rule.id,
    level: rule.level,
    statement: rule.statement,
    source: rule.source,
    ...verdict,
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
    durationMs: Math.round(performance.now() - startedAt),
    runs: verdict.outcome === 'skipped' ? 0 : Math.max(usage.runs, 1),
    requests: usage.requests,
    ...(usage.planned === undefined ? {} : { planned: usage.planned }),
  });

  const missing = skipReason(check, rule, state);
  if (missing !== undefined) return result({ outcome: 'skipped', reason: missing });
  if (problem !== undefined) return result({ outcome: 'blocked', reason: state.redact(problem) });
  for (let attempt = 0; ; attempt += 1) {
    const verdict = await runOnce(check, rule, state, usage, options);
    if (verdict.outcome !== 'inconclusive' || attempt === reruns || options.signal.aborted) {
      return result(verdict);
    }
  }
}

export function ruleOf(check: Check): Rule {
  const rule = ruleById.get(check.rule);
  if (!rule) throw new Error(`Check ${check.id} is of a rule that the catalogue does not have.`);
  return rule;
}

function skipReason(check: Check, rule: Rule, state: RunState): string | undefined {
  const declared = coerce(state.version);
  const since = coerce(rule.since);
  if (declared && since && lt(declared, since)) {
    return `The rule is there since version ${rule.since}; the target declares ${state.version}.`;
  }
  const { capabilities, capabilityStatuses: claims, settings } = state.targetInfo;
  const wanted = Object.entries(settingsOf(check, configuredTarget(state)));
  const settled =
    capabilities.has('config-write') || wanted.every(([name, value]) => settings.get(name) === value);
  if (!settled) {
    const list = wanted
      .map(([name, value]) => (value === null ? `no ${name}` : `${name} = ${value}`))
      .join(', ');
    return `It judges the target with ${list}, which is not so; --configure would set it.`;
  }
  // Nothing needs to be changed where the settings are right already.
  const needs = [...rule.needs, ...check.needs].filter(
    (capability) => capability !== 'config-write' || wanted.length === 0,
  );
  const missing = needs.find((capability) => !capabilities.has(capability));
  if (missing === undefined) return undefined;
  const how = claims.find(({ name }) => name === missing)?.how;
  return `The target does not offer "${missing}"${how === undefined ? '' : `: ${how}`}.`;
}

const configuredTarget = ({ dialect, targetInfo: { auth } }: RunState): ConfiguredTarget => ({
  dialect,
  auth,
});

interface Verdict extends Pick<CheckResult, 'reason' | 'counterexample' | 'replay'> {
  outcome: Outcome;
}

async function runOnce(
  check: Check,
  rule: Rule,
  state: RunState,
  usage: Usage,
  { deadlineMs, property, signal: runSignal }: RunOptions,
): Promise<Verdict> {
  const time = startDeadline(
    runSignal,
    deadlineMs,
    new Inconclusive(`The check was not done after ${deadlineMs / 1000} s.`),
  );
  try {
    const enoughAt = performance.now() + deadlineMs / 2;
    const mixed = { ...property, seed: seedOf(check, property), enoughAt };
    const running = inScope(state, { signal: time.signal, property: mixed, usage }, async (context) => {
      time.signal.throwIfAborted();
      await check.run(context);
    });
    await Promise.race([running, overdue(time.signal, Math.min(graceMs, deadlineMs))]);
    return { outcome: 'pass' };
  } catch (thrown) {
    try {
      return verdictOf(thrown, check, rule, property, state);
    } catch (problem) {
      // What cannot be reported is a fault of the kit, and must not take the verdicts of the others with it.
      return verdictOf(problem, check, rule, property, state);
    }
  } finally {
    time.clear();
  }
}

/** Each check generates other cases from the seed of the run. The seed of a case to replay is that of its check. */
function seedOf({ id }: Check, { seed, path }: PropertySettings): number {
  return path === undefined ? seed ^ fc.hash(id) : seed;
}

/** Rejects a while after the signal, for a check that does not heed it. */
function overdue(signal: AbortSignal, afterMs: number): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener(
      'abort',
      () => setTimeout(() => reject(signal.reason as Error), afterMs).unref(),
      { once: true },
    );
  });
}

/** What a thrown value says of the target, or of the kit. */
export function verdictOf(
  thrown: unknown,
  check: Check,
  rule: Rule,
  property: PropertySettings,
  { redact: hide, replayOptions: circumstances }: Pick<RunState, 'redact' | 'replayOptions'>,
): Verdict {
  if (thrown instanceof Violation) {
    const { seed, path } = thrown.found ?? { seed: property.seed, path: undefined };
    const found = counterexample(thrown, hide);
    return {
      outcome: rule.level === 'MUST' ? 'fail' : 'warn',
      reason: sentence(found),
      counterexample: found,
      replay: replayToken({
        check: check.id,
        seed,
        ...(path === undefined ? {} : { path }),
        with: circumstances,
      }),
    };
  }
  if (thrown instanceof Skip) return { outcome: 'skipped', reason: thrown.message };
  // These may quote the target.
  if (thrown instanceof Blocked) return { outcome: 'blocked', reason: hide(thrown.message) };
  if (thrown instanceof Inconclusive) return { outcome: 'inconclusive', reason: hide(thrown.message) };
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { outcome: 'error', reason: hide(reason) };
}

function sentence({ message, path, expected, actual }: Counterexample): string {
  if (path === undefined) return `${message}.`;
  // A phrase of a matcher stands as it is; values are shown as JSON.
  const allowed = typeof expected === 'string' ? expected : brief(expected);
  return `${message}: at ${path} expected ${allowed}, got ${brief(actual)}.`;
}

function brief(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}

function counterexample(
  { message, difference, found, exchanges, omitted }: Violation,
  hide: (text: string) => string,
): Counterexample {
  return {
    message,
    ...redactDeep(hide, {
      ...difference,
      ...(found ? { input: asData(found.input) } : {}),
      exchanges,
    }),
    ...(omitted > 0 ? { omitted } : {}),
  };
}

/** Generated inputs are data but for `undefined`, byte arrays and the like, which JSON has no form for. */
function asData(input: unknown): unknown {
  return JSON.parse(
    JSON.stringify(input, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ) ?? 'null',
  );
}
