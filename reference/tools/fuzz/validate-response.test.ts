import test from 'ava';
import { findProblem } from './validate-response.js';
import { alice } from './fixtures.js';

const get = { bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n'), isComplete: true };
const answer = (status: number, body = '{"error":"e","reason":"r"}', head = '') => ({
  status,
  head,
  body: Buffer.from(body),
});

for (const [what, request, response, isProblem] of [
  ['a success', get, answer(200, 'anything'), false],
  ['an error with error and reason', get, answer(404), false],
  ['501 for an unsupported feature', get, answer(501), false],
  ['no response to an incomplete request', { ...get, isComplete: false }, answer(0, ''), false],
  [
    'an error without a body to HEAD',
    { ...get, bytes: Buffer.from('HEAD / HTTP/1.1') },
    answer(404, ''),
    false,
  ],
  ['a timeout of an incomplete request', { ...get, isComplete: false }, answer(408), false],
  ['a timeout of a complete request', get, answer(408), true],
  ['an internal error', get, answer(500), true],
  ['a bad gateway', get, answer(502), true],
  ['no response', get, answer(0, ''), true],
  ['an error without a body', get, answer(400, ''), true],
  ['an error with another form', get, answer(400, '{"error":"e","reason":5}'), true],
  [
    'an error with a password',
    get,
    answer(400, JSON.stringify({ error: 'e', reason: alice.password })),
    true,
  ],
  [
    'an error with a password in its headers',
    get,
    answer(404, undefined, `location: ${alice.password}`),
    true,
  ],
] as const) {
  test(`${what} is ${isProblem ? 'a problem' : 'allowed'}`, (t) => {
    t.is(findProblem(request, response) !== undefined, isProblem);
  });
}
