import { rules } from '../../openapi/generated/rules.js';

const positions: ReadonlyMap<string, number> = new Map(rules.map(({ id }, position) => [id, position]));

interface Item {
  readonly id: string;
  readonly rule: string;
}

/** In the order of the rule catalogue. Of a rule, the check with its id comes first, and the others stay in their order. */
export const inCatalogueOrder = <T extends Item>(items: readonly T[]): readonly T[] =>
  items.toSorted(
    (one, other) =>
      positions.get(one.rule)! - positions.get(other.rule)! ||
      Number(one.id !== one.rule) - Number(other.id !== other.rule),
  );
