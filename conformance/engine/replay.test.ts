import test from 'ava';
import { checksOf } from '../session/scope/rule-checks.js';
import { Refusal } from './refusal.js';
import { type ConformanceOptions, replayOptions, reportedOptions } from '../session/conformance-options.js';
import { readReplayToken, replayToken } from './replay.js';

const checks = checksOf({ 'root-vendor': async () => {} });
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const pool = { seed: 5, size: 48 };

test('decodes a token that it has encoded', (t) => {
  for (const replay of [
    { check: 'root-vendor', seed: -5, path: '3:0:12', cases: 12, pool, with: [] },
    { check: 'root-vendor', seed: 7, pool, with: [] },
  ]) {
    const token = replayToken(replay);
    t.regex(token, /^[\w-]+$/);
    t.deepEqual(readReplayToken(token, checks, []), replay);
  }
});

for (const [what, token] of [
  ['invalid base64', '%%%'],
  ['null instead of an object', encoded(null)],
  ['no seed', encoded({ check: 'root-vendor', with: [] })],
  ['an invalid path', encoded({ check: 'root-vendor', seed: 1, path: '../..', with: [] })],
  ['an unknown check', encoded({ check: 'root-color', seed: 1, pool, with: [] })],
  ['no pool, as in older versions', encoded({ check: 'root-vendor', seed: 1, with: [] })],
  ['no cases, as in older versions', encoded({ check: 'root-vendor', seed: 1, path: '3', pool, with: [] })],
  ['no options', encoded({ check: 'root-vendor', seed: 1 })],
] as const) {
  test(`refuses a token with ${what}`, (t) => {
    t.throws(() => readReplayToken(token, checks, []), { instanceOf: Refusal, message: /replay token/ });
  });
}

const admin = { name: 'admin', password: 'secret' };

test('a token of a run with other options is refused with the differences', (t) => {
  const token = replayToken({ check: 'root-vendor', seed: 1, pool, with: ['--configure', '--target FILE'] });
  const refused = (options: Partial<ConformanceOptions>) =>
    t.throws(() => readReplayToken(token, checks, replayOptions(options)), { instanceOf: Refusal }).message;
  const same = { configure: true, target: 'x.yaml' };
  t.notThrows(() => readReplayToken(token, checks, replayOptions(same)));
  t.is(
    refused({}),
    'the replay token is from a run with --configure and with --target FILE; use the same options',
  );
  t.is(
    refused({ ...same, admin, lack: ['users'] }),
    'the replay token is from a run without --admin and without --lack users; use the same options',
  );
});

test('options become command-line arguments without credentials', (t) => {
  const options = {
    admin,
    configure: true,
    target: 'a b.yaml',
    dialect: 'couchdb',
    have: ['totp'],
  } as const;
  t.deepEqual(reportedOptions(options), [
    '--configure',
    '--target',
    'a b.yaml',
    '--dialect',
    'couchdb',
    '--have',
    'totp',
  ]);
});
