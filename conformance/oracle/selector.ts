/**
 * Evaluates selectors in the syntax of `_find` (SERVICE 4.6, 4.8).
 *
 * The service document only names the syntax. The result is therefore undetermined where implementations differ:
 *
 * - a negated condition on a missing field, and any condition on a field of a value that is not an object;
 * - the order of values of different types, of arrays, of objects, and of text that a collation may sort differently
 *   from its bytes; the equality of text that a collation or normalization may consider the same;
 * - the order of members when objects are compared; `$in` on an array; `$mod` of negative numbers;
 * - empty lists of conditions, an empty selector, `$all` of nothing or of a single array, `$allMatch` of no elements;
 * - regular expressions on text beyond printable ASCII. Selectors must only use regular expressions that have the same
 *   meaning in all dialects.
 */
import { every, not, some, type Ternary } from './ternary.js';

export type Selector = Readonly<Record<string, unknown>>;

/** What a condition applies to: a value, a missing field, or a field of a value that is not an object. */
type Operand = { readonly value: unknown } | 'missing' | 'undetermined';

/** Whether the document matches the selector. */
export function matches(selector: Selector, document: unknown): Ternary {
  return evaluate(selector, { value: document }, false);
}

/** @param negated evaluates the opposite. Negation is pushed down to the operators, which treat missing fields specially. */
function evaluate(condition: unknown, operand: Operand, negated: boolean): Ternary {
  if (!isObject(condition)) return evaluateOperator('$eq', condition, operand, negated);
  const members = Object.entries(condition);
  if (members.length === 0) return undefined;
  return (negated ? some : every)(members, ([name, argument]) =>
    evaluateMember(name, argument, operand, negated),
  );
}

function evaluateMember(name: string, argument: unknown, operand: Operand, negated: boolean): Ternary {
  switch (name) {
    case '$and':
      return evaluateList(negated ? some : every, argument, operand, negated);
    case '$or':
      return evaluateList(negated ? every : some, argument, operand, negated);
    case '$nor':
      return evaluateMember('$or', argument, operand, !negated);
    case '$not':
      return evaluate(argument, operand, !negated);
    case '$ne':
      return evaluateOperator('$eq', argument, operand, !negated);
    case '$nin':
      return evaluateOperator('$in', argument, operand, !negated);
  }
  if (name.startsWith('$')) return evaluateOperator(name, argument, operand, negated);
  return evaluate(argument, pathOf(name).reduce(memberOf, operand), negated);
}

function evaluateList(join: typeof every, conditions: unknown, operand: Operand, negated: boolean): Ternary {
  const list = conditions as readonly unknown[];
  return list.length === 0 ? undefined : join(list, (condition) => evaluate(condition, operand, negated));
}

function evaluateOperator(name: string, argument: unknown, operand: Operand, negated: boolean): Ternary {
  if (operand === 'undetermined') return undefined;
  if (name === '$exists') return ((operand !== 'missing') === argument) !== negated;
  if (operand === 'missing') return negated ? undefined : false;
  const operator = operators[name];
  if (!operator) throw new Error(`the model has no operator ${name}`);
  const result = operator(operand.value, argument);
  return negated ? not(result) : result;
}

/** Splits a name such as `a.b` into member names. A backslash escapes a dot that is part of a name. */
function pathOf(name: string): string[] {
  return name.split(/(?<!\\)\./).map((member) => member.replaceAll('\\.', '.'));
}

function memberOf(operand: Operand, member: string): Operand {
  if (typeof operand === 'string') return operand;
  if (!isObject(operand.value)) return 'undetermined';
  return Object.hasOwn(operand.value, member) ? { value: operand.value[member] } : 'missing';
}

const operators: Readonly<Record<string, (value: unknown, argument: unknown) => Ternary>> = {
  $eq: equal,
  $lt: (value, argument) => holds(order(value, argument), (sign) => sign < 0),
  $lte: (value, argument) => holds(order(value, argument), (sign) => sign <= 0),
  $gte: (value, argument) => holds(order(value, argument), (sign) => sign >= 0),
  $gt: (value, argument) => holds(order(value, argument), (sign) => sign > 0),
  $in: (value, options) =>
    Array.isArray(value) ? undefined : some(options as unknown[], (option) => equal(value, option)),
  $type: (value, type) => typeOf(value) === type,
  $size: (value, size) => Array.isArray(value) && value.length === size,
  $mod(value, argument) {
    const [divisor, remainder] = argument as [number, number];
    if (!Number.isInteger(value)) return false;
    return (value as number) < 0 ? undefined : (value as number) % divisor === remainder;
  },
  $regex(value, expression) {
    if (typeof value !== 'string') return false;
    return isPlain(value) ? new RegExp(expression as string).test(value) : undefined;
  },
  $all(value, argument) {
    const wanted = argument as readonly unknown[];
    if (wanted.length === 0 || (wanted.length === 1 && Array.isArray(wanted[0]))) return undefined;
    if (!Array.isArray(value)) return false;
    return every(wanted, (one) => some(value, (element) => equal(element, one)));
  },
  $elemMatch: (value, condition) =>
    Array.isArray(value) && some(value, (element) => evaluate(condition, { value: element }, false)),
  $allMatch(value, condition) {
    if (!Array.isArray(value)) return false;
    if (value.length === 0) return undefined;
    return every(value, (element) => evaluate(condition, { value: element }, false));
  },
  $keyMapMatch: (value, condition) =>
    isObject(value) && some(Object.keys(value), (key) => evaluate(condition, { value: key }, false)),
};

function holds(sign: number | undefined, test: (sign: number) => boolean): Ternary {
  return sign === undefined ? undefined : test(sign);
}

function equal(a: unknown, b: unknown): Ternary {
  if (a === b) return true;
  if (typeOf(a) !== typeOf(b)) return false;
  if (typeof a === 'string') return sameText(a, b as string);
  if (Array.isArray(a)) {
    const other = b as readonly unknown[];
    return a.length === other.length && every([...a.keys()], (index) => equal(a[index], other[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  if (names.every((name, index) => name === others[index]))
    return every(names, (name) => equal(a[name], b[name]));
  // Whether the order counts is undetermined, unless one object certainly lacks a name of the other.
  return every(names, (name) => some(others, (other) => sameText(name, other))) === false ? false : undefined;
}

function sameText(a: string, b: string): Ternary {
  if (a === b) return true;
  return isPlain(a) && isPlain(b) ? false : undefined;
}

/** Negative, 0 or positive; undefined if the order is undetermined. */
function order(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  if (a === b) return 0;
  return [a, b].every((text) => /^[a-z0-9]*$/.test(text)) ? (a < b ? -1 : 1) : undefined;
}

/** Printable ASCII: every collation distinguishes it, and all regular expression dialects treat it alike. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** The type of a JSON value, as `$type` names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeOf(value) === 'object';
}
