/** JSON Web Tokens for the checks of SERVICE 5.4: trusted keys, valid headers and claims, and the expected result. */
import { createSecretKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { type Claims, evaluateToken, type TokenContent } from '../../oracle/accepted-tokens.js';
import { type CheckContext, type Exchange, mustRespond, Skip, token } from '../../kit.js';
import {
  keyTypes,
  reasonInactive,
  type KeyType,
  type SigningKey,
} from '../../session/settings/authentication.js';
import { getSession, mustBeUser, mustBeAnonymous } from './sessions.js';

/** A difference to the current time, in seconds, that is greater than any difference between clocks. */
export const farInSeconds = 3600;

/** The time of this machine in seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** The trusted keys that the suite can sign with. Throws Skip if there is none, or if the JWT handler is inactive. */
export function usableKeys(context: CheckContext, type?: KeyType): readonly SigningKey[] {
  const reason = reasonInactive(context.target.auth, 'jwt');
  if (reason !== undefined)
    throw new Skip(`The target does not evaluate tokens: ${reason}.`, `jwt-${type ?? 'hmac'}`);
  return trustedKeys(context, type);
}

/** The first two keys of each type, for what does not depend on the key, but may depend on its type. */
export const twoKeysOfEachType = (context: CheckContext): readonly SigningKey[] =>
  keyTypes.flatMap((type) =>
    usableKeys(context)
      .filter((key) => key.type === type)
      .slice(0, 2),
  );

/** Like {@link usableKeys}, whether or not the JWT handler is active. */
export function trustedKeys({ target }: CheckContext, type?: KeyType): readonly SigningKey[] {
  const keys = target.auth.jwt.keys.filter((key) => type === undefined || key.type === type);
  if (keys.length > 0) return keys;
  throw new Skip(
    `The suite has no ${type ? `${type} ` : ''}key that the target trusts.`,
    `jwt-${type ?? 'hmac'}`,
  );
}

/** The name of a key in `jwt_keys`. */
export const keyName = ({ type, kid = '_default' }: Pick<SigningKey, 'type' | 'kid'>): string =>
  `${type}:${kid}`;

/** The name of any usable key. A counterexample shows the name, but not the key. */
export function keyNames(context: CheckContext, type?: KeyType): fc.Arbitrary<string> {
  return fc.constantFrom(...usableKeys(context, type).map(keyName));
}

export function keyNamed(context: CheckContext, name: string): SigningKey {
  return trustedKeys(context).find((key) => keyName(key) === name)!;
}

/** A new key of the same type, which the target does not trust. */
export function untrustedKey({ type, key }: SigningKey): KeyObject {
  if (type === 'hmac') return createSecretKey(randomBytes(32));
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const { namedCurve = 'P-256' } = key.asymmetricKeyDetails ?? {};
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

/** The header of a valid token. */
export function headerFor({ alg, kid }: Pick<SigningKey, 'alg' | 'kid'>): Record<string, unknown> {
  return { typ: 'JWT', alg, ...(kid === undefined ? {} : { kid }) };
}

/** The claims of a valid token for a user with this name. */
export function claimsFor({ target }: CheckContext, name: string): Record<string, unknown> {
  const registered = [{ name: 'exp' }, { name: 'nbf' }, { name: 'iat' }];
  const required: readonly { name: string; value?: string }[] = target.auth.jwt.requiredClaims ?? registered;
  return {
    sub: name,
    ...Object.fromEntries(required.map(({ name, value }) => [name, value ?? validValue(name)])),
  };
}

function validValue(claim: string): unknown {
  const times: Readonly<Record<string, number>> = {
    exp: farInSeconds,
    nbf: -farInSeconds,
    iat: -farInSeconds,
  };
  const offset = times[claim];
  return offset === undefined ? 'anything' : nowInSeconds() + offset;
}

/** The claims with roles in the claim that the target reads them from. */
export function withRoles({ target }: CheckContext, claims: Claims, roles: unknown): Record<string, unknown> {
  return { ...claims, ...(nest(target.auth.jwt.rolesClaim, roles) as Claims) };
}

export function omit(member: string, content: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).filter(([name]) => name !== member));
}

/** Wraps the value in one object for each name of the path. */
export function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

export function sendToken(context: CheckContext, bearer: string): Promise<Exchange> {
  return getSession(context, { as: { authorization: `Bearer ${bearer}` } });
}

/** Signs and sends a token with a trusted key. The target must accept or reject it as the model does. */
export async function checkToken(
  context: CheckContext,
  content: Omit<TokenContent, 'signedBy'>,
  key: SigningKey,
): Promise<void> {
  const { requiredClaims = [], rolesClaim } = context.target.auth.jwt;
  const policy = { requiredClaims, rolesClaim, now: nowInSeconds() };
  const decision = evaluateToken({ ...content, signedBy: key }, policy);
  const session = await sendToken(context, token(content.header, content.claims, key));
  if ('accepted' in decision) return mustBeUser(decision.accepted, session, 'a valid token');
  const { rejected: reason, status } = decision;
  mustBeAnonymous(session, `a token although ${reason}`);
  if (status === undefined) return;
  mustRespond(session, status, `The target does not respond with ${status} although ${reason}`);
}

/**
 * Sends a token that is not validly signed, which the target must reject.
 *
 * @param kind the name of the observation. Default: `how`.
 */
export async function mustRejectToken(
  context: CheckContext,
  bearer: string,
  how: string,
  kind = how,
): Promise<void> {
  const session = await sendToken(context, bearer);
  context.observe(`jwt-refused: ${kind}`, { status: session.status });
  mustBeAnonymous(session, `a token with ${how}`);
}
