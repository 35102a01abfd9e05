import test from 'ava';
import fc from 'fast-check';
import {
  absent,
  anInteger,
  anObject,
  arrayOf,
  aString,
  equalTo,
  matching,
  mustMatch,
  objectWith,
  oneOf,
  sameElements,
  type Matcher,
} from './matchers.js';
import { Violation } from './outcomes.js';

test('a violation says what is wrong, where, what was allowed and what came', (t) => {
  const body = { results: [{ changes: [] }, { changes: [{ rev: '1-a' }, { rev: 2 }] }] };
  const rows = objectWith({
    results: arrayOf(objectWith({ changes: arrayOf(objectWith({ rev: aString })) })),
  });
  const violation = t.throws(() => mustMatch('A row is wrong', body, rows), {
    instanceOf: Violation,
    name: 'Violation',
    message: 'A row is wrong',
  });
  t.deepEqual(violation.difference, {
    path: '$.results[1].changes[1].rev',
    expected: 'a string',
    actual: 2,
  });
  t.deepEqual(violation.exchanges, []);
});

test('what matches is no violation', (t) => {
  t.notThrows(() => mustMatch('A row is wrong', { rev: '1-a' }, objectWith({ rev: aString })));
});

test('the path begins where the value was found, and quotes what is no name', (t) => {
  t.is(equalTo({ 'a b': [1] })({ 'a b': [2] }, '$.doc')?.path, '$.doc["a b"][0]');
});

test('what an object inherits is no member of it', (t) => {
  const lacking = { path: '$.valueOf', expected: 1, actual: undefined };
  t.deepEqual(equalTo({ valueOf: 1 })({}, '$'), lacking);
  t.deepEqual(equalTo({})({ valueOf: 1 }, '$'), { ...lacking, expected: undefined, actual: 1 });
  t.deepEqual(objectWith({ valueOf: anObject })({}, '$'), { ...lacking, expected: 'an object' });
});

test('a value equals itself and no other', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [left, right] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))] as unknown[];
      t.is(equalTo(left)(JSON.parse(JSON.stringify(left)), '$'), undefined);
      t.is(
        equalTo(left)(right, '$') === undefined,
        JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)),
      );
    }),
  );
});

/** The same value with its members in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Not an array, which an empty object would then be taken for.
  return { members: members.map(([key, member]) => [key, sorted(member)]) };
}

test('a missing and an additional member are differences', (t) => {
  t.deepEqual(equalTo({ a: 1, b: 2 })({ a: 1 }, '$'), { path: '$.b', expected: 2, actual: undefined });
  t.deepEqual(equalTo({ a: 1 })({ a: 1, b: 2 }, '$'), { path: '$.b', expected: undefined, actual: 2 });
  t.deepEqual(equalTo([1])([1, 2], '$'), { path: '$[1]', expected: undefined, actual: 2 });
});

test('elements match in any order, each as often as expected', (t) => {
  const matcher = sameElements(['a', 'b', 'b']);
  t.is(matcher(['b', 'a', 'b'], '$'), undefined);
  t.deepEqual(matcher(['a', 'a', 'b'], '$'), { path: '$[1]', expected: { oneOf: ['b', 'b'] }, actual: 'a' });
  t.deepEqual(matcher(['a', 'b'], '$'), { path: '$[2]', expected: { oneOf: ['b'] }, actual: undefined });
});

test('an object may have more members than it must', (t) => {
  t.is(objectWith({ a: aString, b: absent })({ a: '', c: 1 }, '$'), undefined);
  t.is(objectWith({ b: absent })({ b: false }, '$')?.path, '$.b');
});

test('simple matchers', (t) => {
  t.is(anInteger({ min: 0 })(0, '$'), undefined);
  t.is(matching(/^\d+-/, 'a revision')('1-a', '$'), undefined);
  t.is(oneOf([1, { a: [] }])({ a: [] }, '$'), undefined);
  t.is(anObject({}, '$'), undefined);
});

const refused: [matcher: Matcher, actual: unknown, expected: unknown][] = [
  [anInteger({ min: 0 }), -1, 'an integer of 0 or more'],
  [anInteger({ min: 0 }), 0.5, 'an integer of 0 or more'],
  [anInteger({ min: 0 }), '1', 'an integer of 0 or more'],
  [matching(/1/, 'a one'), 1, 'a one'],
  [matching(/1/, 'a one'), '2', 'a one'],
  [aString, null, 'a string'],
  [anObject, '', 'an object'],
  [absent, null, 'nothing'],
  [oneOf([1]), '1', { oneOf: [1] }],
  [arrayOf(aString), {}, 'an array'],
  [objectWith({}), null, 'an object'],
  [objectWith({}), [], 'an object'],
  [sameElements(['a', 'b']), 'ab', ['a', 'b']],
];

for (const [matcher, actual, expected] of refused) {
  test(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`, (t) => {
    t.deepEqual(matcher(actual, '$.a'), { path: '$.a', expected, actual });
  });
}
