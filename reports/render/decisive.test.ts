import test from 'ava';
import type { Counterexample, RecordedExchange } from '../report.js';
import { decisiveExchange } from './decisive.js';

const exchange = (body: string, changes: Partial<RecordedExchange> = {}): RecordedExchange => ({
  request: { method: 'GET', path: '/', headers: {} },
  response: { status: 200, headers: { 'set-cookie': 'a' }, chunks: [{ atMs: 1, text: body }] },
  ...changes,
});
const lasting = (ms: number): RecordedExchange => exchange('', { time: { startMs: 5, endMs: 5 + ms } });
const bodies = [
  exchange('{"pending":2}'),
  exchange('{"pending":1,"a b":[{"c":null}]}'),
  exchange('no JSON'),
  exchange('', { response: undefined }),
];

for (const [what, found, index] of [
  ['what came at the path', { path: '$.pending', actual: 2, exchanges: bodies }, 0],
  ['a path with names that must be quoted', { path: '$["a b"][0].c', actual: null, exchanges: bodies }, 1],
  ['what lacks at the path', { path: '$.results[0]', actual: undefined, exchanges: bodies }, 1],
  ['what nobody has there', { path: '$.pending', actual: 7, exchanges: bodies }, 3],
  ['a status', { path: '$status', actual: 200, exchanges: bodies }, 2],
  ['a header', { path: '$headers["set-cookie"]', actual: 'a', exchanges: bodies }, 2],
  ['a place in a feed', { path: 'a line', exchanges: [lasting(1), lasting(90), lasting(3)] }, 1],
  ['no times', { exchanges: bodies }, 3],
  ['nothing exchanged', { path: '$.a', exchanges: [] }, -1],
] as const satisfies readonly (readonly [string, Omit<Counterexample, 'message'>, number])[]) {
  test(`of ${what}`, (t) => t.is(decisiveExchange({ message: 'wrong', ...found }), index));
}
