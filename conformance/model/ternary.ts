/** Answers that may be left open: what the service document does not determine, a server decides for itself. */

/** `undefined`: both are right. */
export type Ternary = boolean | undefined;

export function not(judgement: Ternary): Ternary {
  return judgement === undefined ? undefined : !judgement;
}

/** True when all are, false when one is false whatever the open ones are. */
export function every<T>(values: readonly T[], judge: (value: T) => Ternary): Ternary {
  const judgements = values.map(judge);
  if (judgements.includes(false)) return false;
  return judgements.includes(undefined) ? undefined : true;
}

/** True when one is, whatever the open ones are; false when none can be. */
export function some<T>(values: readonly T[], judge: (value: T) => Ternary): Ternary {
  return not(every(values, (value) => not(judge(value))));
}
