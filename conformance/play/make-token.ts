/** Creates JSON Web Tokens from separate parts, so that a check can make any part invalid. */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { Claims } from '../oracle/accepted-tokens.js';

export interface Signer {
  readonly key: KeyObject;
  /** `HS`, `RS` or `ES`, followed by the number of bits of the hash. */
  readonly alg: string;
}

/** A token that `signer` has signed, regardless of the `alg` in the header. */
export function token(header: Claims, claims: Claims, signer: Signer): string {
  const input = unsigned(header, claims);
  return `${input}.${signature(input, signer).toString('base64url')}`;
}

/** The encoded header and claims, joined by a dot: the input of the signature. */
export function unsigned(header: Claims, claims: Claims): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

export function signature(input: string, { key, alg }: Signer): Buffer {
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith('HS')) return createHmac(hash, key).update(input).digest();
  return sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}

const encoded = (content: Claims): string => Buffer.from(JSON.stringify(content)).toString('base64url');
