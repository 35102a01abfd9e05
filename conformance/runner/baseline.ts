/** Reads the known deviations of a target, and turns expected failures into `known`. */
import { readFile } from 'node:fs/promises';
import type { CheckResult } from '../../reports/report.js';
import type { Check } from '../check.js';
import { Refusal } from '../verdict/refusal.js';
import { suggestion } from '../verdict/suggestion.js';
import { arrayOf, aString, objectWith, oneOf, satisfying } from '../verdict/matchers.js';

export interface BaselineEntry {
  /** The full id of a check. */
  check: string;
  /** How the target deviates. */
  reason: string;
  /** An issue that tracks the deviation. */
  link?: string;
  /** True if only some generated cases show the deviation, so that a check may pass by chance. */
  sometimes?: boolean;
}

const nonEmptyString = satisfying(
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);
const entries = arrayOf(
  objectWith({
    check: nonEmptyString,
    reason: nonEmptyString,
    link: (value, path) => (value === undefined ? undefined : aString(value, path)),
    sometimes: oneOf([true, false, undefined]),
  }),
);

/** @throws Refusal if the file is unreadable or malformed, or if a check does not exist or is listed twice. */
export async function readBaseline(file: string, checks: readonly Check[]): Promise<BaselineEntry[]> {
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
  const listed = new Set<string>();
  for (const { check } of baseline) {
    if (!ids.has(check)) {
      const hint = suggestion(check, [...ids]);
      throw new Refusal('file', `baseline ${file}: check "${check}" does not exist${hint}`);
    }
    if (listed.has(check)) throw new Refusal('file', `baseline ${file}: check "${check}" is listed twice`);
    listed.add(check);
  }
  return baseline;
}

/**
 * Applies the baseline to a result. An expected failure becomes `known`. A pass becomes `error` if a failure is always
 * expected, so that outdated entries get removed.
 */
export function withBaseline(result: CheckResult, baseline: readonly BaselineEntry[]): CheckResult {
  const entry = baseline.find(({ check }) => check === result.id);
  if (!entry) return result;
  if (result.outcome === 'fail' || result.outcome === 'warn') {
    const link = entry.link === undefined ? '' : ` (${entry.link})`;
    return { ...result, outcome: 'known', reason: `${entry.reason}${link}` };
  }
  if (result.outcome === 'pass' && !entry.sometimes) {
    return {
      ...result,
      outcome: 'error',
      reason: `The check passes, but the baseline expects a failure ("${entry.reason}"). Remove the entry.`,
    };
  }
  return result;
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!;
