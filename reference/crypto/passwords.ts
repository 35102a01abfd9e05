/** Password hashes as CouchDB stores them in user documents: PBKDF2 with its parameters beside the key. */
import { createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';

const derive = promisify(pbkdf2);

const digests = ['sha', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
type Prf = (typeof digests)[number];

/** The fields of a user document that stand in place of the password. */
export interface StoredPassword {
  password_scheme: 'pbkdf2';
  pbkdf2_prf: Prf;
  /** Hexadecimal text, whose characters (not the bytes that they stand for) are the salt. */
  salt: string;
  iterations: number;
  /** Hexadecimal. */
  derived_key: string;
}

/** A stored hash with more rounds than this is refused: it would keep a thread busy for a minute. */
const maxIterations = 10_000_000;

/**
 * Basic authentication sends the password with every request (SERVICE 5.1), so one that is known to be right is
 * remembered: as a keyed hash, never as itself, and bound to what is stored of it, so that a changed password is
 * forgotten.
 */
const right = new LRUCache<string, Promise<boolean>>({ max: 1000 });
const memoryKey = randomBytes(32);

/** A new hash under a fresh salt. The work is done off the main thread. */
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
  right.set(memoryOf(password, stored), Promise.resolve(true));
  return stored;
}

/** Guesses of one password that come at the same time are worked out once. */
export function passwordMatches(password: string, stored: StoredPassword): Promise<boolean> {
  const memory = memoryOf(password, stored);
  const known = right.get(memory);
  if (known) return known;
  const matches = isDerived(password, stored).then((isRight) => {
    if (!isRight) right.delete(memory);
    return isRight;
  });
  right.set(memory, matches);
  return matches;
}

async function isDerived(password: string, stored: StoredPassword): Promise<boolean> {
  const expected = Buffer.from(stored.derived_key, 'hex');
  const digest = stored.pbkdf2_prf === 'sha' ? 'sha1' : stored.pbkdf2_prf;
  const actual = await derive(password, stored.salt, stored.iterations, expected.length, digest);
  return timingSafeEqual(actual, expected);
}

function memoryOf(
  password: string,
  { salt, derived_key: key, iterations, pbkdf2_prf }: StoredPassword,
): string {
  const text = JSON.stringify([password, salt, key, iterations, pbkdf2_prf]);
  return createHmac('sha256', memoryKey).update(text).digest('base64');
}

/** The hash in a document, or undefined when it has none or none that can be used. */
export function storedPassword(document: Readonly<Record<string, unknown>>): StoredPassword | undefined {
  const { password_scheme, pbkdf2_prf = 'sha', salt, iterations, derived_key } = document;
  const usable =
    password_scheme === 'pbkdf2' &&
    digests.includes(pbkdf2_prf as Prf) &&
    typeof salt === 'string' &&
    Number.isInteger(iterations) &&
    (iterations as number) >= 1 &&
    (iterations as number) <= maxIterations &&
    typeof derived_key === 'string' &&
    /^(?:[0-9a-f]{2}){16,64}$/i.test(derived_key);
  if (!usable) return undefined;
  return {
    password_scheme,
    pbkdf2_prf: pbkdf2_prf as Prf,
    salt,
    iterations: iterations as number,
    derived_key,
  };
}
