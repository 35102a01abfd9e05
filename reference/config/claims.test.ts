import test from 'ava';
import { claimPath, requiredClaims } from './claims.js';
import { InvalidValue } from './value-parsers.js';

for (const [value, expected] of [
  ['', []],
  [' ', []],
  ['exp', [{ name: 'exp' }]],
  ['exp,nbf , iat', [{ name: 'exp' }, { name: 'nbf' }, { name: 'iat' }]],
  ['{iss, "me"}', [{ name: 'iss', value: 'me' }]],
  ['exp, { iss ,"a, b" },aud', [{ name: 'exp' }, { name: 'iss', value: 'a, b' }, { name: 'aud' }]],
  ['{iss,""}', [{ name: 'iss', value: '' }]],
  ['https://x.example/y', [{ name: 'https://x.example/y' }]],
] as const) {
  test(`required claims: ${JSON.stringify(value)}`, (t) => {
    t.deepEqual(
      requiredClaims(value).map(({ name, value }) => (value === undefined ? { name } : { name, value })),
      [...expected],
    );
  });
}

for (const value of [
  ',',
  'exp,',
  ',exp',
  'exp nbf',
  '{iss}',
  '{iss, me}',
  '{iss, "me"',
  '{"iss", "me"}',
  '{iss "me"}',
  '"exp"',
]) {
  test(`no required claims: ${JSON.stringify(value)}`, (t) => {
    t.throws(() => requiredClaims(value), { instanceOf: InvalidValue });
  });
}

for (const [value, expected] of [
  ['a', ['a']],
  ['a.b', ['a', 'b']],
  ['a\\.b', ['a.b']],
  ['_service\\.roles.x', ['_service.roles', 'x']],
  ['a..b', ['a', '', 'b']],
] as const) {
  test(`path of a claim: ${value}`, (t) => t.deepEqual(claimPath(value), expected));
}

test('an empty path is rejected', (t) => {
  t.throws(() => claimPath(''), { instanceOf: InvalidValue });
});
