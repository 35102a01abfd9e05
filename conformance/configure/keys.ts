/** Keys made on the spot, for a target to trust: in the form of `jwt_keys` (SERVICE 5.4), and to sign with. */
import { createPublicKey, createSecretKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { algOf, type KeyType } from '../client/authentication.js';

export interface MadeKey {
  readonly type: KeyType;
  /** Missing for `_default`. */
  readonly kid?: string;
  /** The secret, or the private key. */
  readonly key: KeyObject;
  readonly alg: string;
  /** The name in `jwt_keys`. */
  readonly name: string;
  /** The value in `jwt_keys`: the secret in base64, or the public key in PEM with its line feeds escaped. */
  readonly value: string;
}

const makers: Readonly<Record<KeyType, () => Promise<KeyObject>>> = {
  // 32 bytes end in one `=` as base64, which belongs to the value.
  hmac: () => Promise.resolve(createSecretKey(randomBytes(32))),
  rsa: async () => (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey,
  ec: async () => (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey,
};

/** @param kid missing for the key of tokens without one. */
export async function makeKey(type: KeyType, kid?: string): Promise<MadeKey> {
  const key = await makers[type]();
  return {
    type,
    ...(kid === undefined ? {} : { kid }),
    key,
    alg: algOf(type, key),
    name: `${type}:${kid ?? '_default'}`,
    value: settingOf(type, key),
  };
}

function settingOf(type: KeyType, key: KeyObject): string {
  if (type === 'hmac') return key.export().toString('base64');
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  return pem.trimEnd().replaceAll('\n', '\\n');
}
