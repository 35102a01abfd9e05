/** Password hashes in CouchDB's format for user documents: a PBKDF2 key and its parameters, or a salted SHA-1 hash. */
import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { deriveKey } from './key-derivation.js';

const digests = ['sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
type Prf = (typeof digests)[number];

/** The fields of a user document that replace the password. */
export type StoredPassword = DerivedPassword | SimplePassword;

/** The scheme of CouchDB before 1.3, which documents of old databases still have. */
export interface SimplePassword {
  password_scheme: 'simple';
  salt: string;
  /** SHA-1 of the password and the salt, hexadecimal. */
  password_sha: string;
}

export interface DerivedPassword {
  password_scheme: 'pbkdf2';
  pbkdf2_prf: Prf;
  /** Hexadecimal text. The salt is the text itself, not the decoded bytes. */
  salt: string;
  iterations: number;
  /** Hexadecimal. */
  derived_key: string;
}

/** The most that OpenSSL supports. The configuration has a lower limit. */
const maxSupportedIterations = 2 ** 31 - 1;

const keyBytes = 32;

/**
 * Basic authentication sends the password with every request (SERVICE 5.1), so results of correct passwords are
 * cached. The key is an HMAC of the password and its stored hash: the cache never holds a password, and an entry
 * becomes useless when the password changes.
 */
const verified = new LRUCache<string, Promise<boolean>>({ max: 1000 });
const cacheSecret = randomBytes(32).toString('hex');

/**
 * Hashes a password with a new salt.
 *
 * @param client see `deriveKey`
 */
export const hashPassword = (
  password: string,
  iterations: number,
  client?: string,
): Promise<DerivedPassword> => hashWith(randomBytes(16).toString('hex'), password, iterations, client);

/** Whether a new hash would have another scheme, another function or another number of iterations. */
export function isOutdated(stored: StoredPassword, iterations: number): boolean {
  return (
    stored.password_scheme === 'simple' || stored.pbkdf2_prf !== 'sha256' || stored.iterations !== iterations
  );
}

/**
 * Hashes a password with a salt that only depends on it and on the secret. To guess the password takes as long with the
 * salt as with the hash.
 */
export async function hashPasswordAgain(
  password: string,
  iterations: number,
  secret: string,
): Promise<DerivedPassword> {
  const salt = await deriveKey({ password, salt: secret, iterations, length: 16, digest: 'sha256' });
  return hashWith(salt.toString('hex'), password, iterations);
}

/** Hashes a password with a given salt. */
export async function hashWith(
  salt: string,
  password: string,
  iterations: number,
  client?: string,
): Promise<DerivedPassword> {
  const key = await deriveKey({ password, salt, iterations, length: keyBytes, digest: 'sha256' }, client);
  const stored = storedKey(salt, iterations, key);
  verified.set(cacheKey(password, stored), Promise.resolve(true));
  return stored;
}

/** Returns a hash that no password matches, without computing it. */
export function decoyPassword(iterations: number, salt: string): DerivedPassword {
  return storedKey(salt, iterations, randomBytes(keyBytes));
}

function storedKey(salt: string, iterations: number, key: Buffer): DerivedPassword {
  const derived_key = key.toString('hex');
  return { password_scheme: 'pbkdf2', pbkdf2_prf: 'sha256', salt, iterations, derived_key };
}

/**
 * Concurrent checks of the same password share one computation.
 *
 * @param client see `deriveKey`
 */
export function passwordMatches(password: string, stored: StoredPassword, client: string): Promise<boolean> {
  const key = cacheKey(password, stored);
  const known = verified.get(key);
  if (known) return known;
  const matches = isDerived(password, stored, client).then((isCorrect) => {
    if (!isCorrect) verified.delete(key);
    return isCorrect;
  });
  // A failure of the computation is not a result.
  matches.catch(() => verified.delete(key));
  verified.set(key, matches);
  return matches;
}

async function isDerived(password: string, stored: StoredPassword, client: string): Promise<boolean> {
  if (stored.password_scheme === 'simple') {
    const actual = createHash('sha1')
      .update(password + stored.salt)
      .digest();
    return timingSafeEqual(actual, Buffer.from(stored.password_sha, 'hex'));
  }
  const { salt, iterations, derived_key, pbkdf2_prf } = stored;
  const expected = Buffer.from(derived_key, 'hex');
  const digest = pbkdf2_prf === 'sha' ? 'sha1' : pbkdf2_prf;
  const actual = await deriveKey({ password, salt, iterations, length: expected.length, digest }, client);
  return timingSafeEqual(actual, expected);
}

/** Not an HMAC, which takes 25 microseconds in Node 24: nobody else sees the key. */
const cacheKey = (password: string, stored: StoredPassword): string =>
  hash('sha256', JSON.stringify([cacheSecret, password, stored]), 'base64');

/** Allowed numbers of iterations. The cost of each login is proportional to the number. */
export interface IterationLimits {
  readonly minIterations: number;
  readonly maxIterations: number;
}

/** @returns CouchDB's reason why the number of iterations is not allowed; undefined if it is allowed or there is none */
export function findIterationProblem(
  stored: StoredPassword,
  { minIterations, maxIterations }: IterationLimits,
): string | undefined {
  if (stored.password_scheme === 'simple') return undefined;
  const { iterations } = stored;
  if (iterations < minIterations) return 'Iteration count is too low for this server';
  return iterations > maxIterations ? 'Iteration count is too high for this server' : undefined;
}

/** Returns the hash in a user document, or undefined if there is no usable one. */
export function storedPassword(document: Readonly<Record<string, unknown>>): StoredPassword | undefined {
  // As in CouchDB, a document without a scheme has that of CouchDB before 1.3.
  const { password_scheme: scheme = 'simple' } = document;
  return scheme === 'simple' ? simplePassword(document) : derivedPassword(document);
}

function simplePassword({
  salt,
  password_sha,
}: Readonly<Record<string, unknown>>): SimplePassword | undefined {
  const isUsable =
    typeof salt === 'string' && typeof password_sha === 'string' && /^[0-9a-f]{40}$/i.test(password_sha);
  return isUsable ? { password_scheme: 'simple', salt, password_sha } : undefined;
}

/** Returns the PBKDF2 hash in a document, or undefined if there is no usable one. */
export function derivedPassword(document: Readonly<Record<string, unknown>>): DerivedPassword | undefined {
  const { password_scheme, pbkdf2_prf = 'sha', salt, iterations, derived_key } = document;
  const isUsable =
    password_scheme === 'pbkdf2' &&
    digests.includes(pbkdf2_prf as Prf) &&
    typeof salt === 'string' &&
    Number.isInteger(iterations) &&
    (iterations as number) >= 1 &&
    (iterations as number) <= maxSupportedIterations &&
    typeof derived_key === 'string' &&
    /^(?:[0-9a-f]{2}){16,64}$/i.test(derived_key);
  if (!isUsable) return undefined;
  return {
    password_scheme,
    pbkdf2_prf: pbkdf2_prf as Prf,
    salt,
    iterations: iterations as number,
    derived_key,
  };
}
