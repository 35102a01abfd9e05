/** What must become of a token (SERVICE 5.4): decided from what it says and who has signed it, without reading one. */

export type Claims = Readonly<Record<string, unknown>>;

/** A key by what `jwt_keys` calls it. `kid` is missing for `_default`. */
export interface KeyName {
  readonly type: string;
  readonly kid?: string;
}

export interface TokenFacts {
  /** What the header says, whatever has signed the token. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  /** The trusted key that has signed exactly this header and these claims by the header's algorithm, if one has. */
  readonly signedBy?: KeyName;
}

export interface Trust {
  readonly requiredClaims: readonly { readonly name: string; readonly value?: string }[];
  /** The names on the way to the roles. */
  readonly rolesClaim: readonly string[];
  /** In seconds. */
  readonly now: number;
}

export type Decision =
  | { readonly accepted: { readonly name: string; readonly roles: readonly string[] } }
  /** Not authenticated; the status is open unless it is given. */
  | { readonly refused: string; readonly status?: 400 };

const keyTypes: Readonly<Record<string, string>> = { HS: 'hmac', RS: 'rsa', ES: 'ec' };

export function decide({ header, claims, signedBy }: TokenFacts, trust: Trust): Decision {
  const { alg, kid } = header;
  if (typeof alg !== 'string') return { refused: 'there is no alg' };
  const type = /^(HS|RS|ES)(256|384|512)$/.exec(alg)?.[1];
  if (type === undefined) return { refused: `no key is bound to the algorithm ${alg}` };
  if (!signedBy || signedBy.type !== keyTypes[type])
    return { refused: 'no trusted key of this kind has signed it' };
  if (signedBy.kid !== kid) return { refused: 'kid selects another key than the one that has signed it' };
  for (const { name, value } of trust.requiredClaims) {
    const claim = claims[name];
    if (claim === undefined) return { refused: `the required claim ${name} is missing`, status: 400 };
    if (value !== undefined && claim !== value) return { refused: `${name} is not ${value}` };
    if (name === 'exp' && !(Number(claim) > trust.now)) return { refused: 'exp is in the past' };
    if (name === 'nbf' && !(Number(claim) <= trust.now)) return { refused: 'nbf is in the future' };
  }
  if (typeof claims['sub'] !== 'string') return { refused: 'there is no sub' };
  return { accepted: { name: claims['sub'], roles: rolesIn(claims, trust.rolesClaim) } };
}

function rolesIn(claims: Claims, path: readonly string[]): string[] {
  const claim = path.reduce<unknown>((value, name) => (value as Claims | undefined)?.[name], claims);
  if (typeof claim === 'string') return claim.split(',').map((role) => role.trim());
  return Array.isArray(claim) ? (claim as string[]) : [];
}
