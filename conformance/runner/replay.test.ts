import test from 'ava';
import { check } from '../checks/check.js';
import { Refusal } from './refusal.js';
import { readReplayToken, replayToken } from './replay.js';

const checks = [check({ rule: 'root-vendor', run: async () => {} })];
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token leads back to what it was made of', (t) => {
  for (const replay of [
    { check: 'root-vendor', seed: -5, path: '3:0:12' },
    { check: 'root-vendor', seed: 7 },
  ]) {
    const token = replayToken(replay);
    t.regex(token, /^[\w-]+$/);
    t.deepEqual(readReplayToken(token, checks), replay);
  }
});

for (const [what, token] of [
  ['no base64', '%%%'],
  ['no object', encoded(null)],
  ['no seed', encoded({ check: 'root-vendor' })],
  ['a path of another form', encoded({ check: 'root-vendor', seed: 1, path: '../..' })],
  ['a check that is gone', encoded({ check: 'root-color', seed: 1 })],
] as const) {
  test(`refuses a token with ${what}`, (t) => {
    t.throws(() => readReplayToken(token, checks), { instanceOf: Refusal, message: /replay token/ });
  });
}
