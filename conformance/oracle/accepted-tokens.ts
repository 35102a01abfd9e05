/** Whether a server must accept a token (SERVICE 5.4), decided from its content and its signer. */

export type Claims = Readonly<Record<string, unknown>>;

/** The name of a key in `jwt_keys`. `kid` is missing for `_default`. */
export interface KeyName {
  readonly type: string;
  readonly kid?: string;
}

export interface TokenContent {
  /** The header of the token. It need not match the signer. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  /** The trusted key that signed exactly this header and these claims with the header's algorithm, if any. */
  readonly signedBy?: KeyName;
}

/** The configuration of the server, and its time. */
export interface TokenPolicy {
  readonly requiredClaims: readonly { readonly name: string; readonly value?: string }[];
  /** The path of member names that leads to the roles. */
  readonly rolesClaim: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
}

export type TokenDecision =
  | { readonly accepted: { readonly name: string; readonly roles: readonly string[] } }
  /** The reason, in the form "The token must be rejected because …". Any status is allowed if none is given. */
  | { readonly rejected: string; readonly status?: 400 };

const keyTypes: Readonly<Record<string, string>> = { HS: 'hmac', RS: 'rsa', ES: 'ec' };

export function evaluateToken(
  { header, claims, signedBy }: TokenContent,
  policy: TokenPolicy,
): TokenDecision {
  const { alg, kid } = header;
  if (typeof alg !== 'string') return { rejected: 'its header has no alg' };
  const type = /^(HS|RS|ES)(256|384|512)$/.exec(alg)?.[1];
  if (type === undefined) return { rejected: `no key is bound to the algorithm ${alg}` };
  if (!signedBy || signedBy.type !== keyTypes[type])
    return { rejected: 'no trusted key of the type of its alg has signed it' };
  if (signedBy.kid !== kid)
    return { rejected: 'its kid selects another key than the one that has signed it' };
  for (const { name, value } of policy.requiredClaims) {
    const claim = claims[name];
    if (claim === undefined) return { rejected: `the required claim ${name} is missing`, status: 400 };
    if (value !== undefined && claim !== value) return { rejected: `its ${name} is not ${value}` };
    if (name === 'exp' && !(Number(claim) > policy.now)) return { rejected: 'its exp is in the past' };
    if (name === 'nbf' && !(Number(claim) <= policy.now)) return { rejected: 'its nbf is in the future' };
  }
  if (typeof claims['sub'] !== 'string') return { rejected: 'it has no sub' };
  return { accepted: { name: claims['sub'], roles: rolesIn(claims, policy.rolesClaim) } };
}

function rolesIn(claims: Claims, path: readonly string[]): string[] {
  const claim = path.reduce<unknown>((value, name) => (value as Claims | undefined)?.[name], claims);
  if (typeof claim === 'string') return claim.split(',').map((role) => role.trim());
  return Array.isArray(claim) ? (claim as string[]) : [];
}
