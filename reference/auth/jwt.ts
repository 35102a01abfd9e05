/**
 * Authentication with JSON Web Tokens (SERVICE 5.4).
 *
 * jose verifies the signatures. It does not validate the claims, because it would always validate `exp` and `nbf`, but
 * this server must only validate the claims that the configuration requires (SERVICE 5.4 rule 4).
 */
import type { KeyObject } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import { isJsonObject } from '../store/json.js';
import { roleList } from './role-list.js';
import { parseJsonObject } from './strict-json.js';
import type { UserContext } from './user-context.js';

/** Each algorithm uses keys of one type only (SERVICE 5.4 keys 1). */
type KeyType = 'hmac' | 'rsa' | 'ec';

type Members = Readonly<Record<string, unknown>>;

/** Signature parameters from the header of a token. */
export interface SignatureHeader {
  readonly algorithm: string;
  readonly keyType: KeyType;
  readonly kid: string | undefined;
}

/** Replaceable functions, in the order of their use. */
export const tokenComponents = { readHeader, selectKey, verifySignature, checkClaims, subjectOf, rolesOf };
export type TokenComponents = typeof tokenComponents;

/** @returns the token in an `Authorization` header; undefined if the header is absent or has another scheme */
export function bearerToken(header: string | undefined): string | undefined {
  const match = /^bearer(?: +(.*))?$/is.exec(header ?? '');
  return match ? (match[1] ?? '') : undefined;
}

/**
 * Verifies a token and returns its user.
 *
 * @throws 400 if the token is malformed, not signed by a trusted key, or lacks a required claim; 401 if it is not valid
 *   now or has no subject
 */
export async function verifyToken(
  token: string,
  settings: Settings,
  components: TokenComponents,
): Promise<UserContext> {
  const segments = token.split('.');
  if (segments.length !== 3 || !segments.every(isBase64url)) throw malformed();
  const header = components.readHeader(readObject(segments[0]!));
  const key = components.selectKey(header, settings.jwtKeys);
  if (!key) throw badRequest('Unknown kid');
  if (!(await components.verifySignature(token, key, header))) {
    throw badRequest(header.keyType === 'hmac' ? 'Bad HMAC' : 'Bad signature');
  }
  const claims = readObject(segments[1]!);
  components.checkClaims(claims, settings.requiredClaims, Date.now() / 1000);
  return {
    name: components.subjectOf(claims),
    roles: components.rolesOf(claims, settings),
    authenticatedBy: 'jwt',
  };
}

/** Key types by algorithm. `none` is not supported. */
const keyTypes: ReadonlyMap<string, KeyType> = new Map(
  [256, 384, 512].flatMap((bits) => [
    [`HS${bits}`, 'hmac'],
    [`RS${bits}`, 'rsa'],
    [`ES${bits}`, 'ec'],
  ]),
);

/** A token with another explicit type was issued for another purpose. */
const bearerType = /^(?:application\/)?(?:at\+)?jwt$/i;

function readHeader({ alg, kid, typ, crit, b64 }: Members): SignatureHeader {
  if (alg === undefined) throw badRequest('Missing alg header parameter');
  const keyType = typeof alg === 'string' ? keyTypes.get(alg) : undefined;
  if (!keyType) throw badRequest('Invalid alg header parameter');
  if (kid !== undefined && typeof kid !== 'string') throw badRequest('Invalid kid header parameter');
  if (typ !== undefined && !(typeof typ === 'string' && bearerType.test(typ))) {
    throw badRequest('Invalid typ header parameter');
  }
  if (crit !== undefined || b64 !== undefined) throw badRequest('Header extensions are not supported');
  return { algorithm: alg as string, keyType, kid };
}

/** Without `kid`, a token uses the default key of its type (SERVICE 5.4 keys 2). */
function selectKey(
  { keyType, kid = '_default' }: SignatureHeader,
  keys: Settings['jwtKeys'],
): KeyObject | undefined {
  return keys.get(`${keyType}:${kid}`);
}

async function verifySignature(
  token: string,
  key: KeyObject,
  { algorithm }: SignatureHeader,
): Promise<boolean> {
  // Its many modules are loaded with the first token only.
  const { compactVerify } = await import('jose');
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}

/**
 * Validates the required claims, and no others.
 *
 * @param now in seconds
 */
function checkClaims(claims: Members, required: Settings['requiredClaims'], now: number): void {
  for (const { name, value } of required) {
    const claim = memberOf(claims, name);
    if (claim === undefined) throw badRequest(`Missing ${name} claim`);
    if (value !== undefined && claim !== value) throw badRequest(`Invalid ${name} claim`);
    if (timeClaims.has(name) && typeof claim !== 'number') throw badRequest(`Invalid ${name} claim`);
    if (name === 'exp' && (claim as number) <= now) throw unauthorized('exp not in future');
    if (name === 'nbf' && (claim as number) > now) throw unauthorized('nbf not in past');
  }
}

const timeClaims: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat']);

function subjectOf(claims: Members): string {
  const subject = memberOf(claims, 'sub');
  if (typeof subject !== 'string') throw unauthorized('Token missing sub claim.');
  return subject;
}

/** The claim may be an array of strings, or a string with commas (SERVICE 5.4 rule 5). Without it there are no roles. */
function rolesOf(claims: Members, settings: Settings): readonly string[] {
  const found = rolesClaimOf(claims, settings);
  if (found === undefined) return [];
  if (typeof found === 'string') return roleList(found);
  if (Array.isArray(found) && found.every((role) => typeof role === 'string')) return found;
  throw badRequest('The roles claim must be an array of strings, or a string with commas between roles');
}

/** The value of the roles claim; undefined without it. */
export function rolesClaimOf(claims: Members, { rolesClaimName, rolesClaimPath }: Settings): unknown {
  return (rolesClaimPath ?? [rolesClaimName]).reduce(memberOf, claims);
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Accepts only the canonical encoding. Otherwise a token could be modified without becoming invalid. */
function isBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

function readObject(segment: string): Members {
  const object = parseJsonObject(Buffer.from(segment, 'base64url'));
  if (!object) throw malformed();
  return object;
}

const badRequest = (reason: string) => httpError(400, 'bad_request', reason);
const unauthorized = (reason: string) => httpError(401, 'unauthorized', reason);
const malformed = () => badRequest('Malformed token');
