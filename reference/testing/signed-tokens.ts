/** Creates JSON Web Tokens without a library, so that they can be malformed. */
import { createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export const secret = randomBytes(32);
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const ec = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
};

export const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
/** PEM text in the format of settings. */
export const escaped = (key: KeyObject) => pem(key).replaceAll('\n', '\\n');

/** Settings with the keys above. */
export const keySettings = {
  'hmac:_default': secret.toString('base64'),
  'hmac:kitchen': secret.toString('base64'),
  'rsa:_default': escaped(rsa.publicKey),
  'rsa:kitchen': escaped(rsa.publicKey),
  'ec:_default': escaped(ec.ES256.publicKey),
  'ec:kitchen': escaped(ec.ES256.publicKey),
  'ec:384': escaped(ec.ES384.publicKey),
  'ec:512': escaped(ec.ES512.publicKey),
};

/** Encodes a value in base64url. Values other than strings and buffers are converted to JSON. */
export function base64url(value: unknown): string {
  const bytes = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString('base64url');
}

/** Signs content. The key need not be suitable for the algorithm. */
export function signature(algorithm: string, content: string, key: KeyObject | Buffer | string): Buffer {
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('HS')) return createHmac(hash, key).update(content).digest();
  return sign(hash, Buffer.from(content), { key: key as KeyObject, dsaEncoding: 'ieee-p1363' });
}

/** Creates a token. See `base64url` for the types of header and claims. */
export function token(
  header: unknown,
  claims: unknown,
  key: KeyObject | Buffer | string = secret,
  algorithm = 'HS256',
): string {
  const content = `${base64url(header)}.${base64url(claims)}`;
  return `${content}.${signature(algorithm, content, key).toString('base64url')}`;
}

/** Token of a proxy for a user (SERVICE 5.3). */
export const proxyToken = (name: string, secret: string, algorithm = 'sha256'): string =>
  createHmac(algorithm, secret).update(name).digest('hex');

/** Current time in seconds. */
export const now = () => Math.floor(Date.now() / 1000);
