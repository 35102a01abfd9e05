/** Valid and invalid keys for the verification of tokens (SERVICE 5.4 keys). */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import test from 'ava';
import { ec, escaped, pem, rsa } from '../testing/signed-tokens.js';
import { trustedKey } from './trusted-keys.js';
import { InvalidValue } from './value-parsers.js';

const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey;
const bitcoin = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
const edwards = generateKeyPairSync('ed25519').publicKey;
const inPkcs8 = (key: KeyObject) =>
  (key.export({ type: 'pkcs8', format: 'pem' }) as string).replaceAll('\n', '\\n');

for (const [name, value] of [
  ['hmac:a', 'aGVsbG8='],
  ['hmac:a:b=c d', 'AAAA'],
  ['rsa:a', escaped(rsa.publicKey)],
  ['rsa:a', escaped(rsa.publicKey).replace(/\\n$/, '')],
  ['rsa:a', pem(rsa.publicKey)],
  ['rsa:a', (rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }) as string).replaceAll('\n', '\\n')],
  ...Object.values(ec).map(({ publicKey }) => ['ec:a', escaped(publicKey)] as const),
] as const) {
  test(`${name} accepts ${value.slice(0, 30)} with ${value.length} characters`, (t) => {
    t.notThrows(() => trustedKey(value, name));
  });
}

for (const [what, name, value] of [
  ['no type', 'a', 'aGVsbG8='],
  ['an invalid type', 'dsa:a', 'aGVsbG8='],
  ['no kid', 'hmac:', 'aGVsbG8='],
  ['a type in upper case', 'HMAC:a', 'aGVsbG8='],
  ['an empty secret', 'hmac:a', ''],
  ['a secret that is not base64', 'hmac:a', 'not base64'],
  ['base64 without its padding', 'hmac:a', 'aGVsbG8'],
  ['base64url', 'hmac:a', '-_-_'],
  ['base64 with a line feed', 'hmac:a', 'aGVs\\nbG8='],
  ['a PEM as a secret', 'hmac:a', escaped(rsa.publicKey)],
  ['an ec key as rsa', 'rsa:a', escaped(ec.ES256.publicKey)],
  ['an rsa key as ec', 'ec:a', escaped(rsa.publicKey)],
  ['a key of rsa-pss', 'rsa:a', escaped(pss)],
  ['an rsa key of 1024 bits', 'rsa:a', escaped(small)],
  ['another curve', 'ec:a', escaped(bitcoin)],
  ['an Edwards curve', 'ec:a', escaped(edwards)],
  ['a private rsa key', 'rsa:a', inPkcs8(rsa.privateKey)],
  ['a private ec key', 'ec:a', inPkcs8(ec.ES256.privateKey)],
  ['half a PEM', 'rsa:a', escaped(rsa.publicKey).slice(0, 200)],
  ['words', 'rsa:a', 'a public key'],
  ['an empty PEM', 'ec:a', '-----BEGIN PUBLIC KEY-----\\n-----END PUBLIC KEY-----'],
] as const) {
  test(`${what} is rejected with a reason that does not repeat it`, (t) => {
    const { message } = t.throws(() => trustedKey(value, name), {
      instanceOf: InvalidValue,
      message: /must /,
    });
    if (value.length > 20) t.false(message.includes(value.slice(20, 60)));
  });
}
