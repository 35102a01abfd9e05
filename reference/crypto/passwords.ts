/** Password hashes in CouchDB's format for user documents: a PBKDF2 key and its parameters. */
import { createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';

const derive = promisify(pbkdf2);

const digests = ['sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
type Prf = (typeof digests)[number];

/** The fields of a user document that replace the password. */
export interface StoredPassword {
  password_scheme: 'pbkdf2';
  pbkdf2_prf: Prf;
  /** Hexadecimal text. The salt is the text itself, not the decoded bytes. */
  salt: string;
  iterations: number;
  /** Hexadecimal. */
  derived_key: string;
}

/** Hashes with more iterations are rejected, because each check would occupy a thread for many seconds. */
const maxIterations = 10_000_000;

/**
 * Basic authentication sends the password with every request (SERVICE 5.1), so results of correct passwords are
 * cached. The key is an HMAC of the password and its stored hash: the cache never holds a password, and an entry
 * becomes useless when the password changes.
 */
const verified = new LRUCache<string, Promise<boolean>>({ max: 1000 });
const cacheSecret = randomBytes(32);

/** Hashes a password with a new salt, off the main thread. */
export async function hashPassword(password: string, iterations: number): Promise<StoredPassword> {
  const salt = randomBytes(16).toString('hex');
  const key = await derive(password, salt, iterations, 32, 'sha256');
  const stored: StoredPassword = {
    password_scheme: 'pbkdf2',
    pbkdf2_prf: 'sha256',
    salt,
    iterations,
    derived_key: key.toString('hex'),
  };
  verified.set(cacheKey(password, stored), Promise.resolve(true));
  return stored;
}

/** Concurrent checks of the same password share one computation. */
export function passwordMatches(password: string, stored: StoredPassword): Promise<boolean> {
  const key = cacheKey(password, stored);
  const known = verified.get(key);
  if (known) return known;
  const matches = isDerived(password, stored).then((isCorrect) => {
    if (!isCorrect) verified.delete(key);
    return isCorrect;
  });
  verified.set(key, matches);
  return matches;
}

async function isDerived(password: string, stored: StoredPassword): Promise<boolean> {
  const expected = Buffer.from(stored.derived_key, 'hex');
  const digest = stored.pbkdf2_prf === 'sha' ? 'sha1' : stored.pbkdf2_prf;
  const actual = await derive(password, stored.salt, stored.iterations, expected.length, digest);
  return timingSafeEqual(actual, expected);
}

function cacheKey(
  password: string,
  { salt, derived_key: key, iterations, pbkdf2_prf }: StoredPassword,
): string {
  const text = JSON.stringify([password, salt, key, iterations, pbkdf2_prf]);
  return createHmac('sha256', cacheSecret).update(text).digest('base64');
}

/** Returns the hash in a user document, or undefined if there is no usable one. */
export function storedPassword(document: Readonly<Record<string, unknown>>): StoredPassword | undefined {
  const { password_scheme, pbkdf2_prf = 'sha', salt, iterations, derived_key } = document;
  const isUsable =
    password_scheme === 'pbkdf2' &&
    digests.includes(pbkdf2_prf as Prf) &&
    typeof salt === 'string' &&
    Number.isInteger(iterations) &&
    (iterations as number) >= 1 &&
    (iterations as number) <= maxIterations &&
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
