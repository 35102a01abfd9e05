/** Keys for the verification of JSON Web Tokens: values of the section `jwt_keys` (SERVICE 5.4). */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { InvalidValue } from './value-parsers.js';

/** Curves of ES256, ES384 and ES512. */
const curves: ReadonlySet<unknown> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Minimum for RS256, RS384 and RS512 (RFC 7518). */
const minModulusBits = 2048;

/**
 * Parses a key.
 *
 * @param name `<alg_type>:<kid>`
 */
export function trustedKey(value: string, name: string): KeyObject {
  const [, type] = /^(hmac|rsa|ec):./s.exec(name) ?? [];
  if (type === undefined) throw new InvalidValue('must be named hmac:<kid>, rsa:<kid> or ec:<kid>');
  if (type === 'hmac') return secretKey(value);
  const key = publicKey(value);
  if (key.asymmetricKeyType !== type) throw new InvalidValue(`must be a key of type ${type}`);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (type === 'rsa' && modulusLength < minModulusBits) {
    throw new InvalidValue(`must have at least ${minModulusBits} bits`);
  }
  if (type === 'ec' && !curves.has(namedCurve))
    throw new InvalidValue('must use the curve P-256, P-384 or P-521');
  return key;
}

function secretKey(value: string): KeyObject {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== value) throw new InvalidValue('must be base64');
  return createSecretKey(bytes);
}

/** A value is a single line, so the line feeds of the PEM are written as `\n`. */
function publicKey(value: string): KeyObject {
  const pem = value.replaceAll('\\n', '\n').trim();
  // Node would accept private keys and derive the public key, but they do not belong into this configuration.
  if (/^-----BEGIN (?:RSA )?PUBLIC KEY-----\n/.test(pem)) {
    try {
      return createPublicKey(pem);
    } catch {
      // Node's error message would not help.
    }
  }
  throw new InvalidValue('must be a public key in PEM format with line feeds written as \\n');
}
