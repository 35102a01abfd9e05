/** Reads the known deviations of a target, and turns expected failures into `known`. */
import { readFile } from 'node:fs/promises';
import type { CheckResult } from '../../reports/report.js';
import { isTooOften } from './property-search.js';
import { Refusal } from './refusal.js';
import { suggestion } from '../../reports/suggestion.js';
import { arrayOf, aString, objectWith, satisfying } from './matchers.js';

export interface BaselineEntry {
  /** The full id of a check. */
  check: string;
  /** How the target deviates. */
  reason: string;
  /** An issue that tracks the deviation. */
  link?: string;
  /** Part of the message of the failure. Like the following, it is a text, or a regular expression in slashes. */
  message?: string;
  /** Part of the path of the difference. */
  at?: string;
  /** Part of what the target returned there, as JSON without spaces. */
  actual?: string;
  /** Part of the generated input, as JSON without spaces. */
  input?: string;
  /**
   * If only some generated cases show the deviation, so that a check may pass by chance: the greatest share of the cases
   * that may show it, or `true` for any share. Requires a cause.
   */
  sometimes?: boolean | number;
}

/** An entry with the file that has it. */
export type BaselineEntryOf = BaselineEntry & { readonly file?: string };

/** What identifies the cause of a failure. */
export interface Failure {
  readonly message: string;
  readonly path?: string;
  readonly actual?: unknown;
  readonly input?: unknown;
  /** How many cases showed it. */
  readonly frequency?: { readonly failed: number; readonly of: number };
}

/** Fields of an entry that name a cause, and what they match. */
const causes = {
  message: ({ message }) => message,
  at: ({ path = '' }) => path,
  actual: ({ actual }) => JSON.stringify(actual ?? null),
  input: ({ input }) => JSON.stringify(input ?? null),
} as const satisfies Partial<Record<keyof BaselineEntry, (failure: Failure) => string>>;

const causeNames = Object.keys(causes) as (keyof typeof causes)[];

const nonEmptyString = satisfying(
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);
const pattern = satisfying(
  'a text, or a valid regular expression in slashes',
  (value) => value === undefined || (typeof value === 'string' && value !== '' && isValidPattern(value)),
);
const entries = arrayOf(
  objectWith({
    check: nonEmptyString,
    reason: nonEmptyString,
    link: (value, path) => (value === undefined ? undefined : aString(value, path)),
    message: pattern,
    at: pattern,
    actual: pattern,
    input: pattern,
    sometimes: satisfying(
      'true, or the greatest share of cases that may show the deviation: a number above 0 and up to 1',
      (value) =>
        value === undefined ||
        typeof value === 'boolean' ||
        (typeof value === 'number' && value > 0 && value <= 1),
    ),
  }),
);

const fields = ['check', 'reason', 'link', ...causeNames, 'sometimes'];

/** @throws Refusal if the file is unreadable or malformed, or if a check does not exist. */
export async function readBaseline(
  file: string,
  checks: readonly { readonly id: string }[],
): Promise<BaselineEntryOf[]> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(await readFile(file, 'utf8')) ?? [];
  } catch (error) {
    throw new Refusal('file', `cannot read baseline ${file}: ${firstLine(error)}`, { cause: error });
  }
  const difference = entries(content, '$');
  if (difference) {
    throw new Refusal('file', `baseline ${file}: ${difference.path} must be ${String(difference.expected)}`);
  }
  const baseline = content as BaselineEntry[];
  const ids = new Set(checks.map(({ id }) => id));
  for (const [index, entry] of baseline.entries()) {
    const { check } = entry;
    if (!ids.has(check)) {
      const hint = suggestion(check, [...ids]);
      throw new Refusal('file', `baseline ${file}: check "${check}" does not exist${hint}`);
    }
    const refuse = (problem: string): never => {
      throw new Refusal('file', `baseline ${file}: check "${check}" ${problem}`);
    };
    const earlier = baseline.slice(0, index).filter((other) => other.check === check);
    if (earlier.some((other) => causeNames.every((name) => other[name] === entry[name]))) {
      refuse('is listed twice with the same cause');
    }
    const unknown = Object.keys(entry).find((name) => !fields.includes(name));
    if (unknown !== undefined) refuse(`has an unknown field "${unknown}"${suggestion(unknown, fields)}`);
    if (entry.sometimes && !hasCause(entry)) {
      refuse(
        `has "sometimes" without a cause; add ${causeNames.slice(0, -1).join(', ')} or ${causeNames.at(-1)}`,
      );
    }
  }
  return baseline.map((entry) => ({ ...entry, file }));
}

/** The entry that names the cause of the failure, so that a check can go on to look for another one. */
export const knownDeviation = (
  baseline: readonly BaselineEntry[],
  check: string,
  failure: Failure,
): BaselineEntry | undefined =>
  baseline.find((entry) => entry.check === check && hasCause(entry) && explains(entry, failure));

/**
 * Applies the baseline to a result. A failure that an entry explains becomes `known`. A pass becomes `error` if a
 * failure is always expected, so that outdated entries get removed.
 */
export function withBaseline(result: CheckResult, baseline: readonly BaselineEntryOf[]): CheckResult {
  const entries = baseline.filter(({ check }) => check === result.id);
  const failure = failureOf(result);
  if (failure) {
    const entry = entries.find((one) => explains(one, failure));
    if (!entry) return result;
    const excess = excessOf(entry, failure);
    if (excess !== undefined) return { ...result, reason: `${result.reason} ${excess}` };
    const link = entry.link === undefined ? '' : ` (${entry.link})`;
    return { ...result, outcome: 'known', reason: `${entry.reason}${link}` };
  }
  const always = entries.find(({ sometimes }) => !sometimes);
  if (result.outcome === 'pass' && always) {
    return {
      ...result,
      outcome: 'error',
      reason: `The check passes, but the baseline expects a failure ("${always.reason}"). Remove the entry.`,
      remedy: `remove ${always.check} from ${always.file ?? 'the baseline'}`,
    };
  }
  return result;
}

/**
 * An inconclusive check has a failure if it failed beside others and passed when it ran alone, and a blocked one if
 * something that the target lacks explains it.
 */
function failureOf({ outcome, counterexample, reason = '' }: CheckResult): Failure | undefined {
  if (outcome === 'fail' || outcome === 'warn') return counterexample ?? { message: reason };
  return outcome === 'inconclusive' || outcome === 'blocked' ? counterexample : undefined;
}

const hasCause = (entry: BaselineEntry): boolean => causeNames.some((name) => entry[name] !== undefined);

function explains(entry: BaselineEntry, failure: Failure): boolean {
  return causeNames.every((name) => {
    const wanted = entry[name];
    if (wanted === undefined) return true;
    const expression = expressionIn(wanted);
    const text = causes[name](failure);
    return expression === undefined ? text.includes(wanted) : new RegExp(expression, 'u').test(text);
  });
}

/** Why the failure shows too often for an entry that explains it in some cases. */
function excessOf({ sometimes }: BaselineEntry, { frequency }: Failure): string | undefined {
  if (typeof sometimes !== 'number' || !frequency || !isTooOften(frequency, sometimes)) return undefined;
  const { failed, of } = frequency;
  return `The baseline explains this in at most ${Math.round(100 * sometimes)} % of the cases, but ${failed} of ${of} show it.`;
}

/** The source of a regular expression in slashes. */
const expressionIn = (text: string): string | undefined => /^\/(.+)\/$/s.exec(text)?.[1];

function isValidPattern(text: string): boolean {
  try {
    const expression = expressionIn(text);
    return expression === undefined || new RegExp(expression, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!;
