/** Turns what a check throws into its outcome, with the reason and counterexample for the report. */
import type { CheckResult, Counterexample } from '../../reports/report.js';
import { Finding } from './finding.js';
import { jsonOf, limitSize, redactDeep } from './json-data.js';
import { Blocked, Inconclusive, OutOfTime, Skip, Unreachable } from './outcomes.js';

export interface CheckOutcome extends Pick<
  CheckResult,
  'outcome' | 'reason' | 'obstacle' | 'missing' | 'remedy' | 'exchange' | 'counterexample' | 'replay'
> {
  /** Whether a busy machine might have caused the violation. */
  readonly dependsOnTiming?: boolean;
  /** Whether another attempt may succeed, although the outcome is not `inconclusive`. */
  readonly mayPass?: boolean;
  /** Whether the target gave no complete response to a request. */
  readonly isUnreachable?: boolean;
}

/**
 * @param options.redact removes secrets: many reasons quote the target
 * @param options.replayOf makes the token that repeats a finding
 */
export function outcomeOf(
  thrown: unknown,
  level: CheckResult['level'],
  { redact, replayOf }: { redact: (text: string) => string; replayOf: (finding: Finding) => string },
): CheckOutcome {
  if (thrown instanceof Finding) {
    const counterexample = counterexampleOf(thrown, redact);
    return {
      outcome: level === 'MUST' ? 'fail' : 'warn',
      reason: describe(counterexample) + (thrown.circumstances.isUnconfirmed ? unconfirmed : ''),
      counterexample,
      dependsOnTiming: thrown.violation.dependsOnTiming,
      replay: replayOf(thrown),
    };
  }
  if (thrown instanceof Skip) {
    const { message, missing } = thrown;
    return { outcome: 'skipped', reason: message, ...(missing !== undefined && { missing }) };
  }
  if (thrown instanceof Blocked) {
    const { message, obstacle, mayPass, shownBy } = thrown;
    return {
      outcome: 'blocked',
      reason: redact(message),
      ...(obstacle !== undefined && obstacle !== '' && { obstacle: redact(obstacle) }),
      // It has no secrets since it was recorded.
      ...(shownBy && { exchange: shownBy }),
      mayPass,
    };
  }
  if (thrown instanceof Inconclusive) {
    const { message, obstacle } = thrown;
    return {
      outcome: 'inconclusive',
      reason: redact(message),
      ...(obstacle !== undefined && { obstacle: redact(obstacle) }),
      ...(thrown instanceof OutOfTime && thrown.shownBy && { exchange: thrown.shownBy }),
      ...(thrown instanceof OutOfTime && thrown.remedy !== undefined && { remedy: redact(thrown.remedy) }),
      isUnreachable: thrown instanceof Unreachable,
    };
  }
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { outcome: 'error', reason: redact(reason) };
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

export function describe({ message, path, expected, actual }: Counterexample): string {
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
