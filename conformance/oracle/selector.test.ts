import test from 'ava';
import fc from 'fast-check';
import { selectorBodies, selectors } from '../arbitraries/filter-scenarios.js';
import type { Ternary } from './ternary.js';
import { matches, type Selector } from './selector.js';

const pancake = {
  type: 'a',
  value: 4,
  debt: -7,
  half: 0.5,
  none: null,
  zero: 0,
  name: 'crêpe',
  tags: ['red', 'blue'],
  empty: [],
  place: { city: 'oslo', 'zip.code': 5, more: { deep: true } },
  parts: [{ n: 1 }, { n: 2 }],
  bare: {},
  names: { é: 1, a: 2, b: 3 },
};

const open = undefined;

const cases: [selector: Selector, expected: Ternary][] = [
  [{ type: 'a' }, true],
  [{ type: { $eq: 'b' } }, false],
  [{ type: 'a', value: 4 }, true],
  [{ type: 'a', value: 5 }, false],
  [{ value: { $gt: 4 } }, false],
  [{ value: { $gte: 4 } }, true],
  [{ value: { $lt: 4 } }, false],
  [{ value: { $lte: 4 } }, true],
  [{ value: { $lte: 3 } }, false],
  [{ value: { $gte: 5 } }, false],
  [{ value: { $gt: 3, $lt: 5 } }, true],
  [{ value: { $gt: 3, $lt: 4 } }, false],
  [{ type: { $gt: 'aa' } }, false],
  [{ type: { $lt: 'aa' } }, true],
  [{ type: { $gt: '9' } }, true],
  [{ type: { $lte: 'a' } }, true],
  [{ name: { $lte: 'crêpe' } }, true],
  [{ type: { $lt: 'B' } }, open],
  [{ name: { $gt: 'd' } }, open],
  [{ type: { $gt: 4 } }, open],
  [{ value: { $gt: '3' } }, open],
  [{ tags: { $gt: ['blue'] } }, open],
  [{ none: null }, true],
  [{ value: null }, false],
  [{ name: 'crêpe' }, true],
  [{ name: 'cre\u0302pe' }, open],
  [{ name: 'crepe' }, open],
  [{ name: 4 }, false],
  [{ type: { $ne: 'b' } }, true],
  [{ absent: { $ne: 'b' } }, open],
  [{ absent: 'b' }, false],
  [{ absent: { $lt: 5 } }, false],
  [{ absent: { $exists: false } }, true],
  [{ absent: { $exists: true } }, false],
  [{ absent: { $not: { $exists: true } } }, true],
  [{ none: { $exists: true } }, true],
  [{ value: { $in: [3, 4] } }, true],
  [{ value: { $in: [3, 5] } }, false],
  [{ value: { $nin: [3, 5] } }, true],
  [{ absent: { $nin: [3] } }, open],
  [{ tags: { $in: ['red'] } }, open],
  [{ tags: { $all: ['blue', 'red'] } }, true],
  [{ tags: { $all: ['blue', 'green'] } }, false],
  [{ tags: { $all: [] } }, open],
  [{ tags: { $all: [['red', 'blue']] } }, open],
  [{ tags: { $all: [['red', 'blue'], 'red'] } }, false],
  [{ type: { $all: ['a'] } }, false],
  [{ tags: { $size: 2 } }, true],
  [{ tags: { $size: 1 } }, false],
  [{ type: { $size: 1 } }, false],
  [{ type: { $not: { $size: 1 } } }, true],
  [{ tags: { $elemMatch: { $eq: 'red' } } }, true],
  [{ tags: { $elemMatch: { $eq: 'green' } } }, false],
  [{ empty: { $elemMatch: { $eq: 'red' } } }, false],
  [{ parts: { $elemMatch: { n: 2 } } }, true],
  [{ parts: { $elemMatch: { n: { $gt: 2 } } } }, false],
  [{ parts: { $allMatch: { n: { $gt: 0 } } } }, true],
  [{ parts: { $allMatch: { n: { $gt: 1 } } } }, false],
  [{ empty: { $allMatch: { n: 1 } } }, open],
  [{ type: { $allMatch: { n: 1 } } }, false],
  [{ place: { $keyMapMatch: { $eq: 'city' } } }, true],
  [{ place: { $keyMapMatch: { $eq: 'oslo' } } }, false],
  [{ type: { $keyMapMatch: { $eq: 'a' } } }, false],
  [{ value: { $mod: [3, 1] } }, true],
  [{ value: { $mod: [3, 2] } }, false],
  [{ debt: { $mod: [3, 2] } }, open],
  [{ half: { $mod: [3, 0] } }, false],
  [{ zero: { $mod: [3, 0] } }, true],
  [{ none: { $mod: [3, 0] } }, false],
  [{ type: { $type: 'string' } }, true],
  [{ none: { $type: 'null' } }, true],
  [{ tags: { $type: 'array' } }, true],
  [{ place: { $type: 'object' } }, true],
  [{ half: { $type: 'number' } }, true],
  [{ tags: { $type: 'object' } }, false],
  [{ type: { $regex: '^a$' } }, true],
  [{ type: { $regex: 'b' } }, false],
  [{ value: { $regex: '4' } }, false],
  [{ name: { $regex: '^c' } }, open],
  [{ 'place.city': 'oslo' }, true],
  [{ place: { city: 'oslo' } }, true],
  [{ place: { city: 'rome' } }, false],
  [{ 'place.more.deep': true }, true],
  [{ place: { 'more.deep': true } }, true],
  [{ 'place.zip\\.code': 5 }, true],
  [{ 'place.zip.code': 5 }, false],
  [{ 'type.length': 1 }, open],
  [{ 'tags.0': 'red' }, open],
  [{ 'absent.b': { $exists: false } }, true],
  [{ 'constructor.name': { $exists: true } }, false],
  [{ tags: ['red', 'blue'] }, true],
  [{ tags: ['blue', 'red'] }, false],
  [{ tags: ['red', 'blue', 'green'] }, false],
  [{ parts: [{ n: 1 }, { n: 2 }] }, true],
  [{ place: { $eq: { city: 'oslo', 'zip.code': 5, more: { deep: true } } } }, true],
  [{ place: { $eq: { 'zip.code': 5, city: 'oslo', more: { deep: true } } } }, open],
  [{ place: { $eq: { city: 'oslo' } } }, false],
  [{ place: { $eq: { 'zip.code': 5, city: 'oslo', less: {} } } }, false],
  [{ names: { $eq: { é: 1, b: 3, a: 2 } } }, open],
  [{ names: { $eq: { 'e\u0301': 1, a: 2, b: 3 } } }, open],
  [{ bare: { $eq: { n: 1 } } }, false],
  [{ $and: [{ type: 'a' }, { value: 4 }] }, true],
  [{ $and: [{ type: 'a' }, { value: 5 }] }, false],
  [{ $or: [{ type: 'b' }, { value: 4 }] }, true],
  [{ $or: [{ type: 'b' }, { value: 5 }] }, false],
  [{ $nor: [{ type: 'b' }, { value: 5 }] }, true],
  [{ $nor: [{ type: 'b' }, { value: 4 }] }, false],
  [{ $not: { type: 'a' } }, false],
  [{ $not: { type: 'a', value: 5 } }, true],
  [{ $not: { absent: 1 } }, open],
  [{ $not: { absent: 1, value: 5 } }, true],
  [{ $or: [{ absent: { $ne: 1 } }, { type: 'a' }] }, true],
  [{ $and: [{ absent: { $ne: 1 } }, { type: 'b' }] }, false],
  [{ value: { $or: [{ $eq: 1 }, { $eq: 4 }] } }, true],
  [{ value: { $not: { $not: { $eq: 4 } } } }, true],
  [{ $or: [] }, open],
  [{}, open],
  [{ bare: {} }, open],
];

for (const [selector, expected] of cases) {
  test(`${JSON.stringify(selector)} is ${expected === undefined ? 'undetermined' : String(expected)}`, (t) => {
    t.is(matches(selector, pancake), expected);
  });
}

test('an unknown operator throws', (t) => {
  t.throws(() => matches({ value: { $near: 1 } }, pancake), { message: /no operator \$near/ });
});

test('$and, $or and $nor obey the laws of De Morgan', (t) => {
  fc.assert(
    fc.property(selectors, selectors, selectorBodies, (one, other, body) => {
      const both = matches({ $and: [one, other] }, body);
      t.is(matches({ $not: { $or: [{ $not: one }, { $not: other }] } }, body), both);
      t.is(matches({ $nor: [{ $not: one }, { $not: other }] }, body), both);
    }),
  );
});
