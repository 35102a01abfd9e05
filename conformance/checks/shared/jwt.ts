/** What the checks of tokens have in common: the keys to choose from, claims that are right, and the verdict. */
import fc from 'fast-check';
import { type Claims, decide, type Decision, type TokenFacts } from '../../model/tokens.js';
import { token } from '../../play/tokens.js';
import { Skip, Violation } from '../../verdict/outcomes.js';
import { reasonInactive, type KeyType, type SigningKey } from '../../client/authentication.js';
import type { Exchange } from '../../client/client.js';
import type { CheckContext } from '../../check.js';
import { getSession, mustBeUser, mustBeAnonymous } from './sessions.js';

/** So far away from now that no difference of clocks matters, in seconds. */
export const farAway = 3600;

export const now = (): number => Math.floor(Date.now() / 1000);

/** The trusted keys that the kit can sign with. Throws Skip when there is none, or when tokens count for nothing. */
export function keysOf(context: CheckContext, type?: KeyType): readonly SigningKey[] {
  const why = reasonInactive(context.target.auth, 'jwt');
  if (why !== undefined) throw new Skip(`Tokens cannot be judged: ${why}.`);
  return knownKeys(context, type);
}

/** Whether tokens count or not. */
export function knownKeys({ target }: CheckContext, type?: KeyType): readonly SigningKey[] {
  const keys = target.auth.jwt.keys.filter((key) => type === undefined || key.type === type);
  if (keys.length === 0) throw new Skip(`No ${type ? `${type} ` : ''}key is known that the target trusts.`);
  return keys;
}

export const nameOf = ({ type, kid = '_default' }: Pick<SigningKey, 'type' | 'kid'>): string =>
  `${type}:${kid}`;

/** Any of the trusted keys, by name: generated inputs are data. */
export function someKey(context: CheckContext, type?: KeyType): fc.Arbitrary<string> {
  return fc.constantFrom(...keysOf(context, type).map(nameOf));
}

export function keyNamed(context: CheckContext, name: string): SigningKey {
  return knownKeys(context).find((key) => nameOf(key) === name)!;
}

/** The header of a valid token. */
export function headerFor({ alg, kid }: Pick<SigningKey, 'alg' | 'kid'>): Record<string, unknown> {
  return { typ: 'JWT', alg, ...(kid === undefined ? {} : { kid }) };
}

/** Claims with which a token is valid, for a user of this name. */
export function claimsFor({ target }: CheckContext, name: string): Record<string, unknown> {
  const registered = [{ name: 'exp' }, { name: 'nbf' }, { name: 'iat' }];
  const required: readonly { name: string; value?: string }[] = target.auth.jwt.requiredClaims ?? registered;
  return {
    sub: name,
    ...Object.fromEntries(required.map(({ name, value }) => [name, value ?? fitting(name)])),
  };
}

function fitting(claim: string): unknown {
  const times: Readonly<Record<string, number>> = { exp: farAway, nbf: -farAway, iat: -farAway };
  const offset = times[claim];
  return offset === undefined ? 'anything' : now() + offset;
}

/** These claims with roles in the place where the target looks for them. */
export function withRoles({ target }: CheckContext, claims: Claims, roles: unknown): Record<string, unknown> {
  return { ...claims, ...(nested(target.auth.jwt.rolesClaim, roles) as Claims) };
}

export function without(member: string, content: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).filter(([name]) => name !== member));
}

export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

export function sendToken(context: CheckContext, bearer: string): Promise<Exchange> {
  return getSession(context, { as: { authorization: `Bearer ${bearer}` } });
}

/** Sends a token that a trusted key has signed, and compares what becomes of it with what must. */
export async function checkToken(
  context: CheckContext,
  facts: Omit<TokenFacts, 'signedBy'>,
  key: SigningKey,
): Promise<void> {
  const { requiredClaims = [], rolesClaim } = context.target.auth.jwt;
  const decision = decide({ ...facts, signedBy: key }, { requiredClaims, rolesClaim, now: now() });
  const session = await sendToken(context, token(facts.header, facts.claims, key));
  mustFollow(session, decision);
}

function mustFollow(session: Exchange, decision: Decision): void {
  if ('accepted' in decision) {
    mustBeUser(decision.accepted, session, 'A valid token');
    return;
  }
  const how = `A token is refused when ${decision.refused}; this one`;
  mustBeAnonymous(session, how);
  if (decision.status !== undefined && session.status !== decision.status) {
    throw new Violation(`${how} has another answer`, {
      path: '$status',
      expected: decision.status,
      actual: session.status,
    });
  }
}

/** Sends a token that no trusted key has signed as it is. */
export async function mustBeRefused(context: CheckContext, bearer: string, how: string): Promise<void> {
  const session = await sendToken(context, bearer);
  context.observe(`jwt-refused: ${how}`, { status: session.status });
  mustBeAnonymous(session, `A token with ${how}`);
}
