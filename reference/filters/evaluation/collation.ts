/**
 * The order of JSON values in selectors, as in CouchDB: null, false, true, numbers, texts, arrays, objects. Texts have the
 * order of the Unicode collation algorithm, so `a` is less than `B`. A library for it compares texts by their characters.
 */
import { isJsonObject, type Json } from '../../store/json.js';

/** A value of `parseJson`: a long integer keeps its digits. */
export type Value = Json | bigint;

const texts = new Intl.Collator('und');

/** An order of values. Returns a number below, equal to or above 0, as functions for sorting do. */
export type Order = (one: Value, other: Value) => number;

/** The order of what has the name `_id`: that of the bytes of texts, which are greater than other values. */
export const compareIds: Order = (one, other) => {
  if (typeof one === 'string')
    return typeof other === 'string' ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : 1;
  return typeof other === 'string' ? -1 : compare(one, other);
};

/** The order of all other values. */
export function compare(one: Value, other: Value): number {
  const rank = rankOf(one);
  const difference = rank - rankOf(other);
  if (difference !== 0) return difference;
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : Number(one > other);
  if (typeof one === 'string') return one === other ? 0 : texts.compare(one, other as string);
  if (Array.isArray(one)) return compareLists(one, other as Json[]);
  if (isJsonObject(one))
    return compareLists(Object.entries(one).flat(), Object.entries(other as object).flat());
  return 0;
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

function rankOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 2 : 1;
  if (isNumber(value)) return 3;
  if (typeof value === 'string') return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** Compares the elements in order. The shorter list comes first if it is the beginning of the other one. */
function compareLists(one: readonly Value[], other: readonly Value[]): number {
  for (const [index, element] of one.entries()) {
    if (index === other.length) return 1;
    const difference = compare(element, other[index]!);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
