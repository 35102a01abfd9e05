/** Selectors in the syntax of `_find` (SERVICE 4.6, 4.8). */
import { isDeepStrictEqual } from 'node:util';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { isJsonObject, type Json, type JsonObject } from '../../store/json.js';
import { compare, compareIds, type Order, type Value } from './collation.js';

/** Returns whether a document, or a value in it, matches. */
export type Selector = (value: Json) => boolean;

/** The selector is invalid. The message is the `reason` of the response (SERVICE 7). */
export class SelectorError extends Error {
  constructor(problem?: string) {
    super(
      `Selector error: expected a JSON object${problem === undefined ? '' : ` with valid expressions: ${problem}`}`,
    );
  }
}

/** @throws SelectorError */
export function compileSelector(selector: unknown): Selector {
  if (!isJsonObject(selector)) throw new SelectorError();
  if (Object.keys(selector).length === 0) return () => true;
  return compile(selector, { path: undefined, negated: false });
}

/** Context of a part of a selector. */
interface Scope {
  /** Path of the field; undefined for the whole document, which operators cannot be applied to. */
  readonly path: readonly string[] | undefined;
  /** As in CouchDB, negation applies to single conditions: a missing field matches neither a condition nor its negation. */
  readonly negated: boolean;
}

function compile(condition: Json, scope: Scope): Selector {
  const members = isJsonObject(condition) ? Object.entries(condition) : [];
  // Any other value is an implicit `$eq`.
  if (members.length === 0) return compileOperator('$eq', condition, scope);
  return combine(
    members.map(([name, argument]) => compileMember(name, argument, scope)),
    !scope.negated,
  );
}

function compileMember(name: string, argument: Json, scope: Scope): Selector {
  const { path = [], negated } = scope;
  const opposite = { ...scope, negated: !negated };
  switch (name) {
    case '$and':
      return combine(compileList(name, argument, scope), !negated);
    case '$or':
      return combine(compileList(name, argument, scope), negated);
    case '$nor':
      return combine(compileList(name, argument, opposite), !negated);
    case '$not':
      return compile(objectArgument(name, argument), opposite);
  }
  if (name.startsWith('$')) return compileOperator(name, argument, scope);
  return compile(argument, { path: [...path, ...parsePath(name)], negated });
}

function compileList(operator: string, conditions: Json, scope: Scope): Selector[] {
  if (!Array.isArray(conditions)) throw wrongArgument(operator, 'an array');
  return conditions.map((condition) => compile(condition, scope));
}

/** Combines selectors with AND or OR. As in CouchDB, an empty list always matches. */
function combine(selectors: Selector[], all: boolean): Selector {
  const [only] = selectors;
  if (only && selectors.length === 1) return only;
  if (all || selectors.length === 0) return (value) => selectors.every((matches) => matches(value));
  return (value) => selectors.some((matches) => matches(value));
}

function compileOperator(operator: string, argument: Json, { path, negated }: Scope): Selector {
  if (!path) throw new SelectorError(`a condition (${operator}) has no field`);
  if (operator === '$exists') {
    if (typeof argument !== 'boolean') throw wrongArgument(operator, 'true or false');
    return (value) => (lookUp(value, path) !== undefined) === (argument !== negated);
  }
  const make = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (!make) throw new SelectorError(`there is no operator ${operator}`);
  const isId = path.length === 1 && path[0] === '_id';
  const matches = make(argument, operator, isId ? compareIds : compare);
  return (value) => {
    const found = lookUp(value, path);
    return found !== undefined && matches(found) !== negated;
  };
}

/** Creates the condition for existing values. Throws a SelectorError for an invalid argument. */
type Operator = (argument: Json, operator: string, order: Order) => Selector;

/** Compares the value with the argument. */
const comparison =
  (holds: (difference: number) => boolean): Operator =>
  (argument, _, order) =>
  (value) =>
    holds(order(value, argument));

const equals = comparison((difference) => difference === 0);

const isDifferent = comparison((difference) => difference !== 0);

const not =
  (matches: Selector): Selector =>
  (value) =>
    !matches(value);

const isIn: Operator = (argument, operator, order) => {
  const options = arrayArgument(operator, argument).map((one) => equals(one, operator, order));
  // For an array, check its elements.
  return (value) => options.some((matches) => (Array.isArray(value) ? value.some(matches) : matches(value)));
};

const withSelector =
  (test: (value: Json, matches: Selector) => boolean): Operator =>
  (argument, operator) => {
    const matches = compile(objectArgument(operator, argument), { path: [], negated: false });
    return (value) => test(value, matches);
  };

const operators: Readonly<Record<string, Operator>> = {
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
  $eq: equals,
  $gte: comparison((difference) => difference >= 0),
  $gt: comparison((difference) => difference > 0),
  $ne: isDifferent,
  $in: isIn,
  $nin: (argument, operator, order) => not(isIn(argument, operator, order)),
  $all(argument, operator) {
    const options = arrayArgument(operator, argument);
    // As in CouchDB, a single array can also be the whole value.
    const isOnly = (value: Json) => options.length === 1 && isDeepStrictEqual(options[0], value);
    const hasAll = (value: Json[]) =>
      options.every((option) => value.some((element) => isDeepStrictEqual(element, option)));
    return (value) => options.length > 0 && Array.isArray(value) && (hasAll(value) || isOnly(value));
  },
  $elemMatch: withSelector((value, matches) => Array.isArray(value) && value.some(matches)),
  $allMatch: withSelector(
    (value, matches) => Array.isArray(value) && value.length > 0 && value.every(matches),
  ),
  $keyMapMatch: withSelector((value, matches) => isJsonObject(value) && Object.keys(value).some(matches)),
  $size(argument, operator) {
    if (!isInteger(argument) || argument < 0) throw wrongArgument(operator, 'an integer of 0 or more');
    return (value) => Array.isArray(value) && value.length === argument;
  },
  $mod(argument, operator) {
    const [divisor, remainder, ...rest] = arrayArgument(operator, argument).map((one) =>
      isInteger(one) ? BigInt(one) : undefined,
    );
    if (!divisor || remainder === undefined || rest.length > 0)
      throw wrongArgument(operator, 'an array of two integers, the first not 0');
    return (value) => isInteger(value) && BigInt(value) % divisor === remainder;
  },
  $type(argument, operator) {
    const type = stringArgument(operator, argument);
    return (value) => typeOf(value) === type;
  },
  $beginsWith(argument, operator) {
    const prefix = stringArgument(operator, argument);
    return (value) => typeof value === 'string' && value.startsWith(prefix);
  },
  $regex(argument, operator) {
    const expression = regularExpression(operator, stringArgument(operator, argument));
    return (value) => typeof value === 'string' && expression.test(value);
  },
};

/** RE2 needs linear time, so that an expression cannot occupy a process. It lacks some features of PCRE. */
function regularExpression(operator: string, text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const problem = error.message.replace(/^error parsing regexp: /, '');
    const wanted =
      'a regular expression without backreferences, lookarounds and other features that RE2 lacks';
    throw wrongArgument(operator, `${wanted}: ${problem}`);
  }
}

const isInteger = (value: Value): value is number | bigint =>
  Number.isInteger(value) || typeof value === 'bigint';

function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function stringArgument(operator: string, argument: Json): string {
  if (typeof argument !== 'string') throw wrongArgument(operator, 'a string');
  return argument;
}

function arrayArgument(operator: string, argument: Json): Json[] {
  if (!Array.isArray(argument)) throw wrongArgument(operator, 'an array');
  return argument;
}

function objectArgument(operator: string, argument: Json): JsonObject {
  if (!isJsonObject(argument)) throw wrongArgument(operator, 'an object');
  return argument;
}

const wrongArgument = (operator: string, wanted: string) =>
  new SelectorError(`the argument of ${operator} must be ${wanted}`);

/** Parses a field name such as `a.b`. A dot after a backslash is part of a name. */
function parsePath(field: string): string[] {
  const members = field.split(/(?<!\\)\./).map((member) => member.replaceAll('\\', ''));
  if (members.includes('')) throw new SelectorError(`the field name "${field}" has an empty part`);
  return members;
}

/** @returns undefined if there is no such value */
function lookUp(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const member of path) {
    if (Array.isArray(found)) found = /^\d+$/.test(member) ? found[Number(member)] : undefined;
    else if (isJsonObject(found) && Object.hasOwn(found, member)) found = found[member];
    else return undefined;
  }
  return found;
}
