import test from 'ava';
import type { Counterexample, RecordedExchange } from './report.js';
import { findViolatingExchange } from './violating-exchange.js';

const exchange = (body: string, changes: Partial<RecordedExchange> = {}): RecordedExchange => ({
  request: { method: 'GET', path: '/', headers: {} },
  response: { status: 200, headers: { 'set-cookie': 'a' }, chunks: [{ atMs: 1, text: body }] },
  ...changes,
});
const lasting = (ms: number): RecordedExchange => exchange('', { time: { startMs: 5, endMs: 5 + ms } });
const exchanges = [
  exchange('{"pending":2}'),
  exchange('{"pending":1,"a b":[{"c":null}]}'),
  exchange('no JSON'),
  exchange('', { response: undefined }),
];

for (const [what, counterexample, index] of [
  ['the exchange with the actual value at the path', { path: '$.pending', actual: 2, exchanges }, 0],
  ['a path with quoted names', { path: '$["a b"][0].c', actual: null, exchanges }, 1],
  [
    'the exchange that lacks the value at the path',
    { path: '$.results[0]', actual: undefined, exchanges },
    1,
  ],
  ['the last exchange if no exchange has the value', { path: '$.pending', actual: 7, exchanges }, 3],
  ['a status', { path: '$status', actual: 200, exchanges }, 2],
  ['a header', { path: '$headers["set-cookie"]', actual: 'a', exchanges }, 2],
  [
    'the longest exchange without a JSONPath',
    { path: 'a line', exchanges: [lasting(1), lasting(90), lasting(3)] },
    1,
  ],
  ['the last exchange if times are missing', { exchanges }, 3],
  ['no exchange if there are none', { path: '$.a', exchanges: [] }, -1],
] as const satisfies readonly (readonly [string, Omit<Counterexample, 'message'>, number])[]) {
  test(`finds ${what}`, (t) => t.is(findViolatingExchange({ message: 'wrong', ...counterexample }), index));
}
