/** Turns what a check throws into its outcome, with the reason and counterexample for the report. */
import type { Rule } from '../../openapi/generated/rules.js';
import { type CheckResult, type Counterexample, violatingExchange } from '../../reports/report.js';
import type { Check, PropertySettings } from './check.js';
import { symptomsOf } from '../http/symptoms.js';
import { jsonOf, limitSize } from '../http/json.js';
import { redactDeep } from '../http/redact.js';
import { Unreachable } from '../http/unreachable.js';
import { type Obstacle, obstacleTo } from '../target/obstacles.js';
import { Finding, type RecordedEvidence } from '../verdict/finding.js';
import { Blocked, Inconclusive, Skip } from '../verdict/outcomes.js';
import { type CapabilityState, outcomeOfSkip } from './skip-reason.js';
import { replayToken } from './replay.js';
import type { RunState } from './scope.js';

export interface CheckOutcome extends Pick<
  CheckResult,
  'outcome' | 'reason' | 'obstacle' | 'missing' | 'exchange' | 'counterexample' | 'replay'
> {
  /** Whether a busy machine might have caused the violation. */
  readonly dependsOnTiming?: boolean;
  /** Whether another attempt may succeed, although the outcome is not `inconclusive`. */
  readonly mayPass?: boolean;
  /** Whether the target gave no complete response to a request. */
  readonly isUnreachable?: boolean;
}

export function outcomeOf(
  thrown: unknown,
  check: Check,
  rule: Rule,
  property: PropertySettings,
  state: Pick<RunState, 'redact' | 'replayOptions' | 'explainTerms'> & CapabilityState,
): CheckOutcome {
  const { redact, replayOptions, explainTerms } = state;
  const { targetInfo } = state;
  if (thrown instanceof Finding) {
    const { found, isUnconfirmed } = thrown.circumstances;
    const { seed, path } = found ?? { seed: property.seed, path: undefined };
    const counterexample = counterexampleOf(thrown, redact);
    const symptoms = symptomsOf(counterexample, rule);
    const obstacle = obstacleOf(counterexample, rule, targetInfo);
    if (obstacle)
      return { ...blockedBy(obstacle), counterexample: { ...essenceOf(counterexample), symptoms } };
    // A rule that is about the obstacle itself.
    const own = obstacleTo(targetInfo.obstacles, violatingExchange(counterexample), counterexample.trees);
    return {
      outcome: rule.level === 'MUST' ? 'fail' : 'warn',
      reason: describe(counterexample) + (isUnconfirmed ? unconfirmed : ''),
      ...(own && { obstacle: own.name }),
      counterexample: {
        ...counterexample,
        symptoms,
        terms: explainTerms(
          [counterexample.message, rule.statement, JSON.stringify(counterexample.input, null, 2)].join('\n'),
        ),
      },
      dependsOnTiming: thrown.violation.dependsOnTiming,
      replay: replayToken({
        check: check.id,
        seed,
        pool: property.pool,
        ...(path === undefined ? {} : { path }),
        with: replayOptions,
      }),
    };
  }
  if (thrown instanceof Skip) return outcomeOfSkip(thrown, state);
  // The following reasons may quote the target.
  if (thrown instanceof Blocked) {
    const { message, obstacle = '', mayPass, shownBy } = thrown;
    const shown = shownBy && { exchange: shownBy };
    const known = obstacleTo(targetInfo.obstacles, shownBy);
    if (known) return { ...blockedBy(known), ...shown };
    return {
      outcome: 'blocked',
      reason: redact(message),
      ...(obstacle !== '' && { obstacle: redact(obstacle) }),
      ...shown,
      mayPass,
    };
  }
  if (thrown instanceof Inconclusive) {
    const isUnreachable = thrown instanceof Unreachable;
    return { outcome: 'inconclusive', reason: redact(thrown.message), isUnreachable };
  }
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { outcome: 'error', reason: redact(reason) };
}

/** What the target lacks, if that explains the violation and the rule is not about that alone. */
export function obstacleOf(
  evidence: RecordedEvidence,
  rule: Rule,
  { obstacles }: CapabilityState['targetInfo'],
): Obstacle | undefined {
  const obstacle = obstacleTo(obstacles, violatingExchange(evidence), evidence.trees);
  return obstacle?.breaks.includes(rule.id) ? undefined : obstacle;
}

/** The violation without what led to it, which many blocked checks have in common. */
function essenceOf(counterexample: Counterexample): Counterexample {
  const { message, path, expected, actual, input } = counterexample;
  const exchange = violatingExchange(counterexample);
  return {
    message,
    ...(path !== undefined && { path, expected, actual }),
    ...(input !== undefined && { input }),
    exchanges: exchange ? [exchange] : [],
    ...(exchange && { violating: 0 }),
  };
}

const blockedBy = ({ name }: Obstacle): CheckOutcome => ({
  outcome: 'blocked',
  reason: `${name.charAt(0).toUpperCase()}${name.slice(1)}.`,
  obstacle: name,
});

const unconfirmed =
  ' This showed in a database that several checks read, but not when the history was played again in a new one.';

function counterexampleOf(
  { violation: { message, difference }, evidence, circumstances: { found } }: Finding,
  redact: (text: string) => string,
): Counterexample {
  const { exchanges, ...recorded } = evidence;
  return {
    message,
    ...redactDeep(redact, {
      ...(mapValues(difference, limitSize) as typeof difference),
      ...(found ? { input: jsonOf(found.input) } : {}),
      ...recorded,
    }),
    // These have no secrets since they were recorded.
    exchanges,
    ...(found?.isShrunk === undefined ? {} : { shrunk: found.isShrunk }),
    ...(found?.frequency === undefined ? {} : { frequency: found.frequency }),
  };
}

function mapValues(values: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function describe({ message, path, expected, actual }: Counterexample): string {
  if (path === undefined) return `${message}.`;
  // Matchers give phrases as strings, which need no quotes. Other values are shown as JSON.
  const allowed = typeof expected === 'string' ? expected : shortJson(expected);
  return `${message}: at ${path} expected ${allowed}, got ${shortJson(actual)}.`;
}

function shortJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}
