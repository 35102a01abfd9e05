/** Three-valued logic: where the service document leaves an answer open, a server decides for itself. */

/** `undefined` means that both answers are allowed. */
export type Ternary = boolean | undefined;

export function not(value: Ternary): Ternary {
  return value === undefined ? undefined : !value;
}

/** True if all are true; false if one is false, regardless of open ones. */
export function every<T>(values: readonly T[], test: (value: T) => Ternary): Ternary {
  const results = values.map(test);
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

/** True if one is true, regardless of open ones; false if all are false. */
export function some<T>(values: readonly T[], test: (value: T) => Ternary): Ternary {
  return not(every(values, (value) => not(test(value))));
}
