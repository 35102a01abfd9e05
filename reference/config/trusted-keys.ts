/** The keys that tokens are verified with, as the section `jwt_keys` holds them (SERVICE 5.4). */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { InvalidValue } from './value-parsers.js';

/** Those of ES256, ES384 and ES512. */
const curves: ReadonlySet<unknown> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** What RFC 7518 asks of RS256, RS384 and RS512. */
const leastModulusBits = 2048;

/** @param name of the form `<alg_type>:<kid>` */
export function trustedKey(value: string, name: string): KeyObject {
  const [, type] = /^(hmac|rsa|ec):./s.exec(name) ?? [];
  if (type === undefined) throw new InvalidValue('must be named hmac:<kid>, rsa:<kid> or ec:<kid>');
  if (type === 'hmac') return secretKey(value);
  const key = publicKey(value);
  if (key.asymmetricKeyType !== type) throw new InvalidValue(`must be a key of type ${type}`);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (type === 'rsa' && modulusLength < leastModulusBits) {
    throw new InvalidValue(`must be a key of ${leastModulusBits} bits at least`);
  }
  if (type === 'ec' && !curves.has(namedCurve))
    throw new InvalidValue('must be on the curve P-256, P-384 or P-521');
  return key;
}

function secretKey(value: string): KeyObject {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== value) throw new InvalidValue('must be base64');
  return createSecretKey(bytes);
}

/** A setting is one line, so the line feeds of the PEM are written as `\n`. */
function publicKey(value: string): KeyObject {
  const pem = value.replaceAll('\\n', '\n').trim();
  // Of a private key node would make the public one, but such a key has no place in this configuration.
  if (/^-----BEGIN (?:RSA )?PUBLIC KEY-----\n/.test(pem)) {
    try {
      return createPublicKey(pem);
    } catch {
      // What node says of it does not help.
    }
  }
  throw new InvalidValue('must be a public key in PEM, its line feeds written as \\n');
}
