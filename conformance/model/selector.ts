/**
 * Selectors in the syntax of `_find` (SERVICE 4.6, 4.8), with the meaning that every server must give them.
 *
 * The service document names the syntax and no more. Left open is therefore what implementations answer differently:
 *
 * - a negated condition on a field that is not there, and any condition on a field below something that is no object;
 * - the order of values of different kinds, of arrays, of objects, and of text that collation may sort otherwise than
 *   its bytes; the equality of text that collation or normalisation may take for the same;
 * - the order of members in the comparison of objects; `$in` on an array; remainders of negative numbers;
 * - empty lists of conditions, an empty selector, `$all` of nothing or of a single array, `$allMatch` of no elements;
 * - regular expressions on text beyond printable ASCII. Their dialects differ too: only such may be used here as all
 *   dialects understand.
 */
import { every, not, some, type Ternary } from './ternary.js';

export type Selector = Readonly<Record<string, unknown>>;

/** What a condition is about: a value; nothing, where no member is; or something below what is no object. */
type Place = { readonly value: unknown } | 'missing' | 'unclear';

/** Whether the document matches. */
export function matches(selector: Selector, document: unknown): Ternary {
  return judge(selector, { value: document }, false);
}

/** @param negated to judge the opposite. Negation goes down to the conditions, since one on a missing field is special. */
function judge(condition: unknown, place: Place, negated: boolean): Ternary {
  if (!isObject(condition)) return judgeOperator('$eq', condition, place, negated);
  const members = Object.entries(condition);
  if (members.length === 0) return undefined;
  return (negated ? some : every)(members, ([name, argument]) => judgeMember(name, argument, place, negated));
}

function judgeMember(name: string, argument: unknown, place: Place, negated: boolean): Ternary {
  switch (name) {
    case '$and':
      return judgeList(negated ? some : every, argument, place, negated);
    case '$or':
      return judgeList(negated ? every : some, argument, place, negated);
    case '$nor':
      return judgeMember('$or', argument, place, !negated);
    case '$not':
      return judge(argument, place, !negated);
    case '$ne':
      return judgeOperator('$eq', argument, place, !negated);
    case '$nin':
      return judgeOperator('$in', argument, place, !negated);
  }
  if (name.startsWith('$')) return judgeOperator(name, argument, place, negated);
  return judge(argument, pathOf(name).reduce(below, place), negated);
}

function judgeList(join: typeof every, conditions: unknown, place: Place, negated: boolean): Ternary {
  const list = conditions as readonly unknown[];
  return list.length === 0 ? undefined : join(list, (condition) => judge(condition, place, negated));
}

function judgeOperator(name: string, argument: unknown, place: Place, negated: boolean): Ternary {
  if (place === 'unclear') return undefined;
  if (name === '$exists') return ((place !== 'missing') === argument) !== negated;
  if (place === 'missing') return negated ? undefined : false;
  const operator = operators[name];
  if (!operator) throw new Error(`the model has no operator ${name}`);
  const judgement = operator(place.value, argument);
  return negated ? not(judgement) : judgement;
}

/** The members that a name such as `a.b` leads through; a backslash before a dot makes it one of the name. */
function pathOf(name: string): string[] {
  return name.split(/(?<!\\)\./).map((member) => member.replaceAll('\\.', '.'));
}

function below(place: Place, member: string): Place {
  if (typeof place === 'string') return place;
  if (!isObject(place.value)) return 'unclear';
  return Object.hasOwn(place.value, member) ? { value: place.value[member] } : 'missing';
}

const operators: Readonly<Record<string, (value: unknown, argument: unknown) => Ternary>> = {
  $eq: equal,
  $lt: (value, argument) => holds(order(value, argument), (sign) => sign < 0),
  $lte: (value, argument) => holds(order(value, argument), (sign) => sign <= 0),
  $gte: (value, argument) => holds(order(value, argument), (sign) => sign >= 0),
  $gt: (value, argument) => holds(order(value, argument), (sign) => sign > 0),
  $in: (value, options) =>
    Array.isArray(value) ? undefined : some(options as unknown[], (option) => equal(value, option)),
  $type: (value, kind) => kindOf(value) === kind,
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
    Array.isArray(value) && some(value, (element) => judge(condition, { value: element }, false)),
  $allMatch(value, condition) {
    if (!Array.isArray(value)) return false;
    if (value.length === 0) return undefined;
    return every(value, (element) => judge(condition, { value: element }, false));
  },
  $keyMapMatch: (value, condition) =>
    isObject(value) && some(Object.keys(value), (key) => judge(condition, { value: key }, false)),
};

function holds(sign: number | undefined, test: (sign: number) => boolean): Ternary {
  return sign === undefined ? undefined : test(sign);
}

function equal(a: unknown, b: unknown): Ternary {
  if (a === b) return true;
  if (kindOf(a) !== kindOf(b)) return false;
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
  // Whether the order counts is left open. Without a name that the other certainly lacks, so is the answer.
  return every(names, (name) => some(others, (other) => sameText(name, other))) === false ? false : undefined;
}

function sameText(a: string, b: string): Ternary {
  if (a === b) return true;
  return isPlain(a) && isPlain(b) ? false : undefined;
}

/** Less than 0, 0, or greater than 0; undefined where the order is left open. */
function order(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  if (a === b) return 0;
  return [a, b].every((text) => /^[a-z0-9]*$/.test(text)) ? (a < b ? -1 : 1) : undefined;
}

/** Printable ASCII, which every collation tells apart and every regular expression reads alike. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object';
}
