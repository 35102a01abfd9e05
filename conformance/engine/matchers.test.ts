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
  mustRespond,
  mustSucceed,
  objectWith,
  oneOf,
  sameElements,
  type Matcher,
} from './matchers.js';
import { Violation } from './outcomes.js';

test('a violation has a message, a path, the expected and the actual value', (t) => {
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
});

test('mustRespond requires one status, mustSucceed any that is not an error', (t) => {
  t.notThrows(() => mustRespond({ status: 200 }, 200, 'It is refused'));
  const refused = t.throws(() => mustRespond({ status: 201 }, 200, 'It is refused'), {
    instanceOf: Violation,
    message: 'It is refused',
  });
  t.deepEqual(refused.difference, { path: '$status', expected: 200, actual: 201 });
  t.notThrows(() => mustSucceed({ status: 399 }, 'It fails'));
  const failed = t.throws(() => mustSucceed({ status: 400 }, 'It fails'), {
    instanceOf: Violation,
    message: 'It fails',
  });
  t.deepEqual(failed.difference, { path: '$status', expected: 'a status below 400', actual: 400 });
});

test('the path continues the given path and quotes keys that are not identifiers', (t) => {
  t.is(equalTo({ 'a b': [1] })({ 'a b': [2] }, '$.doc')?.path, '$.doc["a b"][0]');
});

test('inherited members are ignored', (t) => {
  const lacking = { path: '$.valueOf', expected: 1, actual: undefined };
  t.deepEqual(equalTo({ valueOf: 1 })({}, '$'), lacking);
  t.deepEqual(equalTo({})({ valueOf: 1 }, '$'), { ...lacking, expected: undefined, actual: 1 });
  t.deepEqual(objectWith({ valueOf: anObject })({}, '$'), { ...lacking, expected: 'an object' });
});

test('equalTo accepts the same JSON value only', (t) => {
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

/** The same value with sorted members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Wrapped, so that an empty object and an empty array stay different.
  return { members: members.map(([key, member]) => [key, sorted(member)]) };
}

test('a missing and an additional member are differences', (t) => {
  t.deepEqual(equalTo({ a: 1, b: 2 })({ a: 1 }, '$'), { path: '$.b', expected: 2, actual: undefined });
  t.deepEqual(equalTo({ a: 1 })({ a: 1, b: 2 }, '$'), { path: '$.b', expected: undefined, actual: 2 });
  t.deepEqual(equalTo([1])([1, 2], '$'), { path: '$[1]', expected: undefined, actual: 2 });
});

test('sameElements compares in any order and counts repetitions', (t) => {
  const matcher = sameElements(['a', 'b', 'b']);
  t.is(matcher(['b', 'a', 'b'], '$'), undefined);
  t.deepEqual(matcher(['a', 'a', 'b'], '$'), { path: '$[1]', expected: { oneOf: ['b', 'b'] }, actual: 'a' });
  t.deepEqual(matcher(['a', 'b'], '$'), { path: '$[2]', expected: { oneOf: ['b'] }, actual: undefined });
});

test('objectWith allows additional members', (t) => {
  t.is(objectWith({ a: aString, b: absent })({ a: '', c: 1 }, '$'), undefined);
  t.is(objectWith({ b: absent })({ b: false }, '$')?.path, '$.b');
});

test('simple matchers', (t) => {
  t.is(anInteger({ min: 0 })(0, '$'), undefined);
  t.is(matching(/^\d+-/, 'a revision')('1-a', '$'), undefined);
  t.is(oneOf([1, { a: [] }])({ a: [] }, '$'), undefined);
  t.is(anObject({}, '$'), undefined);
});

const rejected: [matcher: Matcher, actual: unknown, expected: unknown][] = [
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

for (const [matcher, actual, expected] of rejected) {
  test(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`, (t) => {
    t.deepEqual(matcher(actual, '$.a'), { path: '$.a', expected, actual });
  });
}
