import test from 'ava';
import fc from 'fast-check';
import { parseJson } from '../../http/json-text.js';
import { compare, type Value } from './collation.js';

/** As CouchDB 3.5.0 orders them: each is less than the next one. */
const ordered = `[
  null, false, true,
  -9007199254740993, -1, 0, 0.5, 1, 9007199254740992, 9007199254740993, 9007199254740994.5, 12345678901234567890,
  "", "_", "-", "~", "1", "10", "2", "a", "A", "ä", "aa", "ab", "Ab", "AB", "b", "B", "e", "é", "ss", "ß", "z", "日",
  [], [null], ["a"], ["a", 1], ["a", []], ["A"],
  {}, {"a": 1}, {"a": 1, "b": 1}, {"a": 2}, {"A": 0}, {"b": 2, "a": 1}
]`;

test('values have the order of CouchDB', (t) => {
  const values = parseJson(ordered) as Value[];
  for (const [index, one] of values.entries())
    for (const [other, another] of values.entries())
      t.is(Math.sign(compare(one, another)), Math.sign(index - other), ordered.split(',')[index]);
});

test('any values have a total order', (t) => {
  const values = fc.array(fc.jsonValue() as fc.Arbitrary<Value>, { minLength: 3, maxLength: 3 });
  t.notThrows(() =>
    fc.assert(
      fc.property(values, ([a, b, c]) => {
        const isReversed =
          Math.sign(compare(a!, b!)) === -Math.sign(compare(b!, a!)) || compare(a!, b!) === 0;
        return isReversed && !(compare(a!, b!) <= 0 && compare(b!, c!) <= 0 && compare(a!, c!) > 0);
      }),
    ),
  );
});
