/** JSON Web Tokens put together piece by piece, so that each piece can be wrong. */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { Claims } from '../model/tokens.js';

export interface Signer {
  readonly key: KeyObject;
  /** HS, RS or ES and the bits of the hash. */
  readonly alg: string;
}

/** The token, signed by `signer` whatever its header says. */
export function token(header: Claims, claims: Claims, signer: Signer): string {
  const input = unsigned(header, claims);
  return `${input}.${signature(input, signer).toString('base64url')}`;
}

/** Header and claims, with the dot between them: what a signature is made of. */
export function unsigned(header: Claims, claims: Claims): string {
  return `${part(header)}.${part(claims)}`;
}

export function signature(input: string, { key, alg }: Signer): Buffer {
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith('HS')) return createHmac(hash, key).update(input).digest();
  return sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}

const part = (content: Claims): string => Buffer.from(JSON.stringify(content)).toString('base64url');
