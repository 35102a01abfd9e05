/** Known deviations of a target: a file that turns expected failures into `known`, and tells when they are gone. */
import { readFile } from 'node:fs/promises';
import type { CheckResult } from '../../reports/report.js';
import type { Check } from '../check.js';
import { Refusal } from '../verdict/refusal.js';
import { suggestion } from './suggestion.js';
import { arrayOf, aString, objectWith, oneOf, satisfying } from '../verdict/matchers.js';

export interface BaselineEntry {
  /** The id of a check, in full. */
  check: string;
  /** Why the target deviates. */
  reason: string;
  /** An issue that tracks the deviation. */
  link?: string;
  /** True where only some generated cases show the deviation, so that a run may see none of it. */
  sometimes?: boolean;
}

const someText = satisfying('some text', (value) => typeof value === 'string' && value.trim() !== '');
const entries = arrayOf(
  objectWith({
    check: someText,
    reason: someText,
    link: (value, path) => (value === undefined ? undefined : aString(value, path)),
    sometimes: oneOf([true, false, undefined]),
  }),
);

/** @throws Refusal when the file cannot be read, has another form, or names a check that there is not, or one twice. */
export async function readBaseline(file: string, checks: readonly Check[]): Promise<BaselineEntry[]> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(await readFile(file, 'utf8')) ?? [];
  } catch (error) {
    throw new Refusal('file', `cannot read baseline ${file}: ${oneLine(error)}`, { cause: error });
  }
  const difference = entries(content, '$');
  if (difference) {
    throw new Refusal('file', `baseline ${file}: ${difference.path} must be ${String(difference.expected)}`);
  }
  const baseline = content as BaselineEntry[];
  const ids = new Set(checks.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { check } of baseline) {
    if (!ids.has(check)) {
      const hint = suggestion(check, [...ids]);
      throw new Refusal('file', `baseline ${file}: there is no check "${check}"${hint}`);
    }
    if (seen.has(check)) throw new Refusal('file', `baseline ${file}: "${check}" is listed twice`);
    seen.add(check);
  }
  return baseline;
}

/**
 * What the outcome of a check is in the light of the baseline. An expected failure is `known`; a check that was
 * judged and held although a failure is always expected is an `error`, so that the file is kept true.
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
      reason: `The baseline expects a failure ("${entry.reason}"), but the rule holds: remove the entry.`,
    };
  }
  return result;
}

const oneLine = (error: unknown): string => (error as Error).message.split('\n')[0]!;
