/** Generates keys for signing tokens, with their public form for `jwt_keys` (SERVICE 5.4). */
import { createPublicKey, createSecretKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { algOf, type KeyType, keyTypes, type SigningKey } from './authentication.js';

export interface GeneratedKey extends Pick<SigningKey, 'type' | 'kid' | 'key' | 'alg'> {
  /** The name of the setting in `jwt_keys`. */
  readonly name: string;
  /** The value of the setting: the secret in base64, or the public key in PEM format with escaped line feeds. */
  readonly value: string;
}

const generators: Readonly<Record<KeyType, (kid?: string) => Promise<KeyObject>>> = {
  // The base64 of 32 bytes ends in `=`, and that of 40 in `==`, which tests that the target keeps it.
  hmac: (kid) => Promise.resolve(createSecretKey(randomBytes(kid === undefined ? 40 : 32))),
  rsa: async () => (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey,
  ec: async () => (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey,
};

/** @param kid missing for `_default`, the key for tokens without `kid`. */
async function generateKey(type: KeyType, kid?: string): Promise<GeneratedKey> {
  const key = await generators[type](kid);
  return {
    type,
    ...(kid === undefined ? {} : { kid }),
    key,
    alg: algOf(type, key),
    name: nameOf(type, kid),
    value: settingValue(type, key),
  };
}

/**
 * Generates keys of each type, and a secret with `=` in its name. RSA keys take some tenths of a second.
 *
 * @param kidsOf the names for a type, `undefined` for `_default`: more than one, so that checks can use the wrong key. RSA
 * and EC keys share names that no secret has, so that checks can sign with a public key as if it were a secret.
 */
export const generateKeys = (
  kidsOf: (type: KeyType) => readonly (string | undefined)[],
  kidWithEquals: string,
): Promise<GeneratedKey[]> =>
  Promise.all([
    ...keyTypes.flatMap((type) => kidsOf(type).map((kid) => generateKey(type, kid))),
    generateKey('hmac', kidWithEquals),
  ]);

/** Lets a key be another one than the default. */
export const withKid = (key: GeneratedKey, kid: string): GeneratedKey => ({
  ...key,
  kid,
  name: nameOf(key.type, kid),
});

const nameOf = (type: KeyType, kid?: string): string => `${type}:${kid ?? '_default'}`;

function settingValue(type: KeyType, key: KeyObject): string {
  if (type === 'hmac') return key.export().toString('base64');
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  return pem.trimEnd().replaceAll('\n', '\\n');
}
