/** Assertions about responses. Each throws a {@link Violation}; matchers locate the first difference in a JSON value. */
import { isDeepStrictEqual } from 'node:util';
import { type Difference, type ExchangeReference, type Place, Violation } from './outcomes.js';

/** Compares a value found at `path`. Returns the first difference, or nothing if the value is allowed. */
export type Matcher = (actual: unknown, path: string) => Difference | undefined;

/**
 * Throws a {@link Violation} unless the condition holds.
 *
 * @param what one sentence that says what the target does wrong.
 */
export function must(condition: boolean, what: string, place: Partial<Place> = {}): asserts condition {
  if (!condition) throw new Violation(what, place);
}

/** If it has its request, a violation is shown by it, whatever the check has read later. */
interface Response extends Partial<ExchangeReference> {
  readonly status: number;
}

const exchangeOf = ({ request }: Response): Partial<Place> => (request ? { exchange: { request } } : {});

/** Throws a {@link Violation} unless the response has this status. */
export function mustRespond(response: Response, expected: number, what: string): void {
  const { status } = response;
  must(status === expected, what, {
    path: '$status',
    expected,
    actual: status,
    ...exchangeOf(response),
  });
}

/** Throws a {@link Violation} if the response reports an error. */
export function mustSucceed(response: Response, what: string): void {
  const { status } = response;
  must(status < 400, what, {
    path: '$status',
    expected: 'a status below 400',
    actual: status,
    ...exchangeOf(response),
  });
}

/**
 * Throws a {@link Violation} with the first difference unless the matcher allows `actual`.
 *
 * @param path the path of `actual` in the response.
 */
export function mustMatch(what: string, actual: unknown, matcher: Matcher, path = '$'): void {
  const difference = matcher(actual, path);
  if (difference) throw new Violation(what, difference);
}

/** Allows values for which `test` returns true. The report shows the phrase `expected`. */
export function satisfying(expected: string, test: (actual: unknown) => boolean): Matcher {
  return (actual, path) => (test(actual) ? undefined : { path, expected, actual });
}

export const aString = satisfying('a string', (actual) => typeof actual === 'string');
export const anObject = satisfying('an object', isObject);
export const absent = satisfying('nothing', (actual) => actual === undefined);

/** Allows also that there is no value. */
export const orNothing =
  (matcher: Matcher): Matcher =>
  (actual, path) =>
    actual === undefined || actual === null ? undefined : matcher(actual, path);

export function anInteger(options: { min: number }): Matcher {
  return satisfying(
    `an integer of ${options.min} or more`,
    (actual) => Number.isInteger(actual) && (actual as number) >= options.min,
  );
}

/** A string that matches `pattern`. The report shows `meaning`, such as `a version <n>.<n>`. */
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

/** An array whose elements are all allowed by `element`. */
export function arrayOf(element: Matcher): Matcher {
  return (actual, path) => {
    if (!Array.isArray(actual)) return { path, expected: 'an array', actual };
    return firstDifference(actual.keys(), (index) => element(actual[index], `${path}[${index}]`));
  };
}

/** An object with at least these members. The service may add others. */
export function objectWith(members: Readonly<Record<string, Matcher>>): Matcher {
  return (actual, path) => {
    if (!isObject(actual)) return { path, expected: 'an object', actual };
    return firstDifference(Object.keys(members), (key) =>
      members[key]!(ownMember(actual, key), `${path}${pathStep(key)}`),
    );
  };
}

/** Exactly this JSON value. The difference is reported at the deepest path that differs. */
export function equalTo(expected: unknown): Matcher {
  return (actual, path) => {
    if (isDeepStrictEqual(actual, expected)) return undefined;
    if (Array.isArray(actual) && Array.isArray(expected)) {
      const length = Math.max(actual.length, expected.length);
      return firstDifference(Array(length).keys(), (index) =>
        equalTo(expected[index])(actual[index], `${path}[${index}]`),
      );
    }
    if (isObject(actual) && isObject(expected)) {
      return firstDifference(new Set([...Object.keys(expected), ...Object.keys(actual)]), (key) =>
        equalTo(ownMember(expected, key))(ownMember(actual, key), `${path}${pathStep(key)}`),
      );
    }
    return { path, expected, actual };
  };
}

/** An array with exactly these elements in any order. An element that is given twice must occur twice. */
export function sameElements(expected: readonly unknown[]): Matcher {
  return (actual, path) => {
    if (!Array.isArray(actual)) return { path, expected, actual };
    const missing = [...expected];
    for (const [index, element] of actual.entries()) {
      const match = missing.findIndex((candidate) => isDeepStrictEqual(candidate, element));
      if (match < 0) {
        const expected = missing.length === 0 ? 'no other element' : { oneOf: missing };
        return { path: `${path}[${index}]`, expected, actual: element };
      }
      missing.splice(match, 1);
    }
    return missing.length === 0
      ? undefined
      : { path: `${path}[${actual.length}]`, expected: { oneOf: missing }, actual: undefined };
  };
}

function firstDifference<Key>(
  keys: Iterable<Key>,
  compare: (key: Key) => Difference | undefined,
): Difference | undefined {
  for (const key of keys) {
    const difference = compare(key);
    if (difference) return difference;
  }
  return undefined;
}

/** Ignores inherited members: a document may have or lack a field named `valueOf`. */
function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathStep(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
