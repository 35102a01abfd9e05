import test from 'ava';
import fc from 'fast-check';
import type { Json } from '../../store/json.js';
import { compileSelector, SelectorError } from './selector.js';

const soup = {
  _id: 'soup',
  minutes: 30,
  vegan: false,
  note: null,
  tags: ['warm', 'easy'],
  sizes: [1, 2, 3],
  cook: { name: 'Ann', 'first.name': 'A', years: [{ n: 1 }, { n: 5 }] },
  $odd: 1,
  'a.b': 2,
};

/** Selectors, and whether the test document matches. */
const table: [selector: object, matches: boolean][] = [
  [{}, true],
  [{ note: null }, true],
  [{ missing: null }, false],
  // Inherited members are not found.
  [{ constructor: { $exists: true } }, false],
  [{ toString: { $ne: 1 } }, false],

  // Order of types: null, booleans, numbers, strings, arrays, objects.
  [{ minutes: { $gt: null } }, true],
  [{ minutes: { $lt: 'a' } }, true],
  [{ cook: { $gt: ['z'] } }, true],
  [{ missing: { $lt: 5 } }, false],
  // Texts have the order of dictionaries, and arrays and objects that of their parts.
  [{ 'cook.name': { $gt: 'ann' } }, true],
  [{ 'cook.name': { $lt: 'anna' } }, true],
  [{ 'cook.name': { $lt: 'bob' } }, true],
  [{ 'cook.name': { $gt: '~' } }, true],
  [{ tags: { $gt: ['warm'] } }, true],
  [{ tags: { $lt: ['warm', 'Easz'] } }, true],
  [{ tags: { $gt: ['Warm', 'z'] } }, false],
  [{ 'cook.years.0': { $lt: { n: 1, o: 1 } } }, true],
  [{ 'cook.years.0': { $lt: { N: 2 } } }, true],
  [{ 'cook.years.0': { $gte: { n: 1 } } }, true],
  [{ vegan: { $lt: true } }, true],
  // IDs have the order of their bytes, after all other values.
  [{ _id: { $gt: 'TEA' } }, true],
  [{ _id: { $lt: 'TEA' } }, false],
  [{ _id: { $in: ['soup'] } }, true],
  [{ _id: { $gt: { a: 1 } } }, true],
  [{ cook: { $lt: { _id: 'x' } } }, false],
  [{ tags: { $ne: ['warm', 'easy'] } }, false],
  [{ tags: { $ne: ['warm'] } }, true],
  [{ missing: { $ne: 1 } }, false],
  [{ tags: ['warm', 'easy'] }, true],
  [{ tags: ['easy', 'warm'] }, false],
  [{ cook: {} }, false],

  [{ note: { $exists: true } }, true],
  [{ missing: { $exists: false } }, true],
  [{ 'missing.deep': { $exists: false } }, true],
  [{ note: { $type: 'null' } }, true],
  [{ tags: { $type: 'object' } }, false],
  [{ tags: { $type: 'something' } }, false],

  [{ note: { $in: [null] } }, true],
  [{ tags: { $in: ['easy'] } }, true],
  [{ tags: { $in: [['warm', 'easy']] } }, false],
  [{ minutes: { $in: [] } }, false],
  [{ missing: { $in: [1] } }, false],
  [{ note: { $nin: [1] } }, true],
  [{ minutes: { $nin: [] } }, true],
  [{ missing: { $nin: [1] } }, false],
  [{ tags: { $all: ['easy', 'warm'] } }, true],
  [{ tags: { $all: ['easy', 'cold'] } }, false],
  [{ tags: { $all: [['warm', 'easy']] } }, true],
  [{ tags: { $all: [] } }, false],
  [{ minutes: { $all: [30] } }, false],
  [{ minutes: { $size: 1 } }, false],
  [{ minutes: { $mod: [7, 2] } }, true],
  [{ minutes: { $mod: [7, 3] } }, false],
  [{ tags: { $mod: [7, 0] } }, false],
  [{ 'cook.name': { $regex: '^A' } }, true],
  [{ 'cook.name': { $regex: '(?i)^a' } }, true],
  [{ 'cook.name': { $regex: '^a' } }, false],
  [{ minutes: { $regex: '30' } }, false],
  [{ 'cook.name': { $regex: '(?<first>[A-Z])\\w+$' } }, true],
  [{ 'cook.name': { $beginsWith: 'An' } }, true],
  [{ 'cook.name': { $beginsWith: 'n' } }, false],
  [{ minutes: { $beginsWith: '3' } }, false],

  [{ cook: { name: 'Ann' } }, true],
  [{ 'a\\.b': 2 }, true],
  [{ 'a.b': 2 }, false],
  [{ '\\$odd': 1 }, true],
  [{ 'sizes.1': 2 }, true],
  [{ 'sizes.3': 2 }, false],
  [{ 'sizes.length': 3 }, false],
  [{ 'cook.years.1.n': 5 }, true],
  [{ 'minutes.n': 1 }, false],

  [{ sizes: { $elemMatch: { $gt: 2 } } }, true],
  [{ sizes: { $elemMatch: { $gt: 1, $lt: 2 } } }, false],
  [{ 'cook.years': { $elemMatch: { n: { $gt: 4 } } } }, true],
  [{ sizes: { $elemMatch: { $or: [{ $lt: 0 }, { $gt: 2 }] } } }, true],
  [{ minutes: { $elemMatch: { $gt: 2 } } }, false],
  [{ sizes: { $allMatch: { $gt: 0 } } }, true],
  [{ sizes: { $allMatch: { $gt: 1 } } }, false],
  [{ cook: { $keyMapMatch: { $eq: 'name' } } }, true],
  [{ cook: { $keyMapMatch: { $eq: 'Ann' } } }, false],
  [{ tags: { $keyMapMatch: { $eq: '0' } } }, false],

  [{ $or: [{ minutes: 1 }, { $and: [{ vegan: false }, { minutes: 30 }] }] }, true],
  [{ $nor: [{ minutes: 1 }, { vegan: true }] }, true],
  [{ $nor: [{ minutes: 30 }, { vegan: true }] }, false],
  [{ $not: { minutes: 30 } }, false],
  [{ $not: { minutes: 31 } }, true],
  [{ $not: { minutes: 30, vegan: true } }, true],
  [{ $not: { $not: { minutes: 30 } } }, true],
  // A missing field does not match $ne either.
  [{ $not: { missing: 1 } }, false],
  [{ $nor: [{ missing: { $exists: true } }] }, true],
  [{ minutes: { $not: { $gt: 30 } } }, true],
  [{ minutes: { $or: [{ $lt: 5 }, { $gt: 29 }] } }, true],
  [{ $and: [] }, true],
  [{ $or: [] }, true],
];

// With backtracking, it would take 2^50 steps.
test('a regular expression needs linear time', (t) => {
  t.false(compileSelector({ text: { $regex: '^(a+)+$' } })({ text: `${'a'.repeat(50)}b` }));
});

for (const [selector, matches] of table)
  test(`${JSON.stringify(selector)} ${matches ? 'matches' : 'does not match'}`, (t) => {
    t.is(compileSelector(selector)(soup), matches);
  });

const invalid: [selector: object, problem: RegExp][] = [
  [{ minutes: { $foo: 1 } }, /there is no operator \$foo/],
  [{ $where: 'true' }, /\$where/],
  [{ minutes: { $constructor: 1 } }, /\$constructor/],
  [{ $gt: 5 }, /has no field/],
  [{ $and: [{ $eq: 1 }] }, /has no field/],
  [{ $and: {} }, /argument of \$and must be an array/],
  [{ $or: 'x' }, /argument of \$or/],
  [{ $nor: 5 }, /argument of \$nor/],
  [{ $not: [{ minutes: 1 }] }, /argument of \$not must be an object/],
  [{ minutes: { $in: 30 } }, /argument of \$in must be an array/],
  [{ minutes: { $nin: 30 } }, /argument of \$nin/],
  [{ tags: { $all: 'warm' } }, /argument of \$all/],
  [{ minutes: { $exists: 1 } }, /argument of \$exists/],
  [{ minutes: { $type: 1 } }, /argument of \$type/],
  [{ minutes: { $size: -1 } }, /argument of \$size/],
  [{ minutes: { $mod: [0, 1] } }, /argument of \$mod/],
  [{ minutes: { $mod: [1.5, 1] } }, /argument of \$mod/],
  [{ minutes: { $mod: 2 } }, /argument of \$mod/],
  [{ minutes: { $regex: '(' } }, /argument of \$regex/],
  [{ minutes: { $regex: '(?=a)' } }, /\$regex must be a regular expression without .*: .*`\(\?=`$/],
  [{ minutes: { $regex: '(a)\\1' } }, /without backreferences, .*: invalid escape sequence: `\\1`$/],
  [{ minutes: { $regex: 'a++' } }, /invalid nested repetition operator/],
  [{ minutes: { $regex: 'a{1001}' } }, /invalid repeat count/],
  [{ minutes: { $regex: 5 } }, /argument of \$regex/],
  [{ minutes: { $beginsWith: 5 } }, /argument of \$beginsWith/],
  [{ tags: { $elemMatch: 5 } }, /argument of \$elemMatch/],
  [{ tags: { $allMatch: [] } }, /argument of \$allMatch/],
  [{ tags: { $keyMapMatch: 'x' } }, /argument of \$keyMapMatch/],
  [{ 'a..b': 1 }, /"a\.\.b" has an empty part/],
  [{ '': 1 }, /empty part/],
  // Errors are found without evaluating a document.
  [{ $and: [{ missing: 1 }, { minutes: { $foo: 1 } }] }, /\$foo/],
];

for (const [selector, problem] of invalid)
  test(`${JSON.stringify(selector)} is rejected`, (t) => {
    const error = t.throws(() => compileSelector(selector), { instanceOf: SelectorError });
    t.regex(error.message, /^Selector error: expected a JSON object with valid expressions: /);
    t.regex(error.message, problem);
  });

const anyDocument = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()) as fc.Arbitrary<
  Record<string, Json>
>;
const name = fc.constantFrom(
  'a',
  'b',
  'a.b',
  '$eq',
  '$gt',
  '$in',
  '$not',
  '$or',
  '$elemMatch',
  '$size',
  '$x',
);

test('any value is either rejected or a selector that can be applied to any document', (t) => {
  const { selector } = fc.letrec((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue(),
      tie('selector'),
      fc.array(tie('selector'), { maxLength: 3 }),
    ),
    selector: fc.dictionary(name, tie('part'), { maxKeys: 3 }),
  }));
  t.notThrows(() =>
    fc.assert(
      fc.property(selector, anyDocument, (selector, document) => {
        let matches;
        try {
          matches = compileSelector(selector);
        } catch (error) {
          return error instanceof SelectorError;
        }
        return typeof matches(document) === 'boolean';
      }),
      { numRuns: 500 },
    ),
  );
});

test('for an existing field, either a condition or its negation matches', (t) => {
  const operator = fc.constantFrom('$eq', '$ne', '$lt', '$lte', '$gt', '$gte');
  t.notThrows(() =>
    fc.assert(
      fc.property(operator, fc.jsonValue(), fc.jsonValue(), (operator, value, argument) => {
        const condition = { field: { [operator]: argument } };
        const document = { field: value } as Json;
        return compileSelector(condition)(document) !== compileSelector({ $not: condition })(document);
      }),
    ),
  );
});
