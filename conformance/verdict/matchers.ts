/** Matchers compare a value of a response with what a rule allows and name the first difference. */
import { isDeepStrictEqual } from 'node:util';
import { type Difference, Violation } from './outcomes.js';

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
