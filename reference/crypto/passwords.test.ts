import test from 'ava';
import { hashPassword, passwordMatches, storedPassword } from './passwords.js';

test('the same password is hashed with a different salt each time', async (t) => {
  const [one, other] = [await hashPassword('x', 1, ''), await hashPassword('x', 1, '')];
  t.not(one.salt, other.salt);
  t.not(one.derived_key, other.derived_key);
});

test('the stored parameters are used: test vectors of RFC 6070 and RFC 7914', async (t) => {
  const sha1 = {
    password_scheme: 'pbkdf2',
    salt: 'salt',
    iterations: 4096,
    derived_key: '4b007901b765489abead49d926f721d065a429c1',
  };
  t.true(await passwordMatches('password', storedPassword(sha1)!, ''));
  t.false(await passwordMatches('password', storedPassword({ ...sha1, iterations: 4095 })!, ''));
  const sha256 = {
    password_scheme: 'pbkdf2',
    pbkdf2_prf: 'sha256',
    salt: 'salt',
    iterations: 1,
    derived_key:
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
  };
  t.true(await passwordMatches('passwd', storedPassword(sha256)!, ''));
});

test('the scheme "simple" is the SHA-1 hash of password and salt', async (t) => {
  // printf passwordsalt | sha1sum
  const simple = {
    password_scheme: 'simple',
    salt: 'salt',
    password_sha: 'c88e9c67041a74e0357befdff93f87dde0904214',
  };
  t.true(await passwordMatches('password', storedPassword(simple)!, ''));
  t.false(await passwordMatches('password', storedPassword({ ...simple, salt: 'alt' })!, ''));
  t.false(await passwordMatches('passwor', storedPassword(simple)!, ''));
  t.is(storedPassword({ ...simple, password_sha: 'c88e' }), undefined);
  t.is(storedPassword({ ...simple, salt: undefined }), undefined);
});

const whole = { password_scheme: 'pbkdf2', salt: 's', iterations: 1, derived_key: 'ab'.repeat(20) };
for (const [what, change] of Object.entries({
  'an unknown scheme': { password_scheme: 'scrypt' },
  'another scheme than that of the hash': { password_scheme: 'simple' },
  'an unknown function': { pbkdf2_prf: 'md5' },
  'no salt': { salt: undefined },
  'no iterations': { iterations: 0 },
  'iterations that are not a number': { iterations: '10' },
  'too many iterations': { iterations: 1e12 },
  'a key that is not hexadecimal': { derived_key: 'xyz'.repeat(20) },
  'a key that is too short': { derived_key: 'ab' },
})) {
  test(`a document with ${what} has no usable hash`, (t) => {
    t.truthy(storedPassword(whole));
    t.is(storedPassword({ ...whole, ...change }), undefined);
  });
}
