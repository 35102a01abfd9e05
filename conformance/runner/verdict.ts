/**
 * How a check says what it found. A check that returns has passed; otherwise it throws one of these:
 *
 * - {@link Violation}: the target does what the rule forbids. The only one that blames the target.
 * - {@link Skip}: the target does not offer what the check needs.
 * - {@link Blocked}: a prerequisite that is not the rule of this check failed, so nothing was judged.
 * - {@link Inconclusive}: time or the connection decided, not the target; the runner tries again.
 *
 * Anything else that a check throws is the kit's own fault and is reported as `error`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RecordedExchange } from '../../reports/report.js';

/** Where an actual value first leaves what is allowed. `path` is a JSONPath such as `$.results[2].changes[0].rev`. */
export interface Difference {
  path: string;
  expected: unknown;
  actual: unknown;
}

/** The target broke the rule. `expected` is a value, or a phrase where many values are allowed. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly difference: Partial<Difference>;
  /** The evidence. A check need not set it: the scope that the check ran in adds what was exchanged. */
  exchanges: RecordedExchange[] = [];
  /** How many exchanges went before those. */
  omitted = 0;
  /** For a property: the smallest input that still breaks the rule, and the way back to it. */
  found?: { input: unknown; seed: number; path: string };

  /** @param what one sentence on what is wrong, without the values. */
  constructor(what: string, difference: Partial<Difference> = {}) {
    super(what);
    this.difference = difference;
  }
}

export class Skip extends Error {
  override readonly name = 'Skip';
}

export class Blocked extends Error {
  override readonly name = 'Blocked';
}

export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** Judges a value found at `path`: the first difference, or nothing when the value is allowed. */
export type Matcher = (actual: unknown, path: string) => Difference | undefined;

/**
 * Judges `actual` and throws a {@link Violation} that says `what` and where the first difference is.
 *
 * @param path where `actual` itself was found, when it is a part of something larger.
 */
export function mustMatch(what: string, actual: unknown, matcher: Matcher, path = '$'): void {
  const difference = matcher(actual, path);
  if (difference) throw new Violation(what, difference);
}

/** Any value for which `test` is true; `expected` is the phrase that the report shows. */
export function satisfying(expected: string, test: (actual: unknown) => boolean): Matcher {
  return (actual, path) => (test(actual) ? undefined : { path, expected, actual });
}

export const aString = satisfying('a string', (actual) => typeof actual === 'string');
export const anObject = satisfying('an object', isObject);
export const absent = satisfying('nothing', (actual) => actual === undefined);

export function anInteger(options: { min: number }): Matcher {
  return satisfying(
    `an integer of ${options.min} or more`,
    (actual) => Number.isInteger(actual) && (actual as number) >= options.min,
  );
}

/** A string that fits `pattern`; `meaning` says it for people, such as `a revision <n>-<hash>`. */
export function matching(pattern: RegExp, meaning: string): Matcher {
  return satisfying(meaning, (actual) => typeof actual === 'string' && pattern.test(actual));
}

/** One of the listed JSON values. */
export function oneOf(values: readonly unknown[]): Matcher {
  return (actual, path) =>
    values.some((value) => isDeepStrictEqual(value, actual))
      ? undefined
      : { path, expected: { oneOf: values }, actual };
}

/** An array, each element of which is allowed by `element`. */
export function arrayOf(element: Matcher): Matcher {
  return (actual, path) => {
    if (!Array.isArray(actual)) return { path, expected: 'an array', actual };
    return firstOf(actual.keys(), (index) => element(actual[index], `${path}[${index}]`));
  };
}

/** An object with at least these members; others are allowed, since the service may say more than it must. */
export function objectWith(members: Readonly<Record<string, Matcher>>): Matcher {
  return (actual, path) => {
    if (!isObject(actual)) return { path, expected: 'an object', actual };
    return firstOf(Object.keys(members), (key) => members[key]!(own(actual, key), `${path}${step(key)}`));
  };
}

/** Exactly this JSON value; the difference is reported at the deepest place where the two part. */
export function equalTo(expected: unknown): Matcher {
  return (actual, path) => {
    if (isDeepStrictEqual(actual, expected)) return undefined;
    if (Array.isArray(actual) && Array.isArray(expected)) {
      const length = Math.max(actual.length, expected.length);
      return firstOf(Array(length).keys(), (index) =>
        equalTo(expected[index])(actual[index], `${path}[${index}]`),
      );
    }
    if (isObject(actual) && isObject(expected)) {
      return firstOf(new Set([...Object.keys(expected), ...Object.keys(actual)]), (key) =>
        equalTo(own(expected, key))(own(actual, key), `${path}${step(key)}`),
      );
    }
    return { path, expected, actual };
  };
}

/** An array with exactly these elements, each as often as given, in any order. */
export function sameElements(expected: readonly unknown[]): Matcher {
  return (actual, path) => {
    if (!Array.isArray(actual)) return { path, expected, actual };
    const missing = [...expected];
    for (const [index, element] of actual.entries()) {
      const match = missing.findIndex((candidate) => isDeepStrictEqual(candidate, element));
      if (match < 0) return { path: `${path}[${index}]`, expected: { oneOf: missing }, actual: element };
      missing.splice(match, 1);
    }
    return missing.length === 0
      ? undefined
      : { path: `${path}[${actual.length}]`, expected: { oneOf: missing }, actual: undefined };
  };
}

function firstOf<Key>(
  keys: Iterable<Key>,
  judge: (key: Key) => Difference | undefined,
): Difference | undefined {
  for (const key of keys) {
    const difference = judge(key);
    if (difference) return difference;
  }
  return undefined;
}

/** A member, not what every object inherits: a document may well have a field `valueOf`, or lack it. */
function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function step(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
