/** Turns what a check throws into its outcome, with the reason and counterexample for the report. */
import type { Rule } from '../../openapi/generated/rules.js';
import { type CheckResult, type Counterexample, violatingExchange } from '../../reports/report.js';
import type { Check, PropertySettings } from '../target/check.js';
import { describeResponse } from '../http/describe-response.js';
import { symptomsOf } from '../http/symptoms.js';
import { jsonOf, limitSize } from '../http/json.js';
import { redactDeep } from '../http/redact.js';
import { Unreachable } from '../http/unreachable.js';
import { Finding } from './finding.js';
import { Blocked, Inconclusive, Skip } from './outcomes.js';
import { type CapabilityState, outcomeOfSkip } from '../target/skip-reason.js';
import { replayToken } from './replay.js';
import type { RunState } from './scope.js';

export interface CheckOutcome extends Pick<
  CheckResult,
  'outcome' | 'reason' | 'obstacle' | 'missing' | 'counterexample' | 'replay'
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
  const { missingEndpoints } = state.targetInfo;
  if (thrown instanceof Finding) {
    const { found, isUnconfirmed } = thrown.circumstances;
    const { seed, path } = found ?? { seed: property.seed, path: undefined };
    const counterexample = counterexampleOf(thrown, redact);
    const missing = missingEndpoints.get(responseIn(counterexample) ?? '');
    if (missing !== undefined) return { outcome: 'blocked', reason: `${missing}.`, obstacle: missing };
    return {
      outcome: rule.level === 'MUST' ? 'fail' : 'warn',
      reason: describe(counterexample) + (isUnconfirmed ? unconfirmed : ''),
      counterexample: {
        ...counterexample,
        symptoms: symptomsOf(counterexample, rule),
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
    const { message, obstacle = '', mayPass } = thrown;
    const missing = missingEndpoints.get(obstacle);
    if (missing !== undefined) return { outcome: 'blocked', reason: `${missing}.`, obstacle: missing };
    return {
      outcome: 'blocked',
      reason: redact(message),
      ...(obstacle !== '' && { obstacle: redact(obstacle) }),
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

/** The response of the violating exchange. */
function responseIn(counterexample: Counterexample): string | undefined {
  const { request, response } = violatingExchange(counterexample) ?? {};
  if (!request || !response) return undefined;
  return describeResponse({ ...request, status: response.status });
}

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
