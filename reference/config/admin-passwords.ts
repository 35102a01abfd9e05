/** Passwords of administrators in CouchDB's configuration format: `-pbkdf2:sha256-KEY,SALT,ITERATIONS`. */
import {
  derivedPassword,
  hashPassword,
  hashPasswordAgain,
  type DerivedPassword,
} from '../crypto/passwords.js';
import { InvalidValue } from './value-parsers.js';

const hashed = /^-pbkdf2(?::(?<prf>\w+))?-(?<key>[^,]+),(?<salt>[^,]+),(?<iterations>\d+)$/;

/** Parses a hash. The default hash function is SHA-1. */
export function adminPassword(value: string): DerivedPassword {
  const { prf, key, salt, iterations } = hashed.exec(value)?.groups ?? {};
  const stored = derivedPassword({
    password_scheme: 'pbkdf2',
    pbkdf2_prf: prf,
    salt,
    iterations: Number(iterations),
    derived_key: key,
  });
  if (!stored) throw new InvalidValue('must be a password or a PBKDF2 hash');
  return stored;
}

/** When a setting gets its value. */
export type Moment = 'start' | 'request';

/**
 * Hashes a password. Returns a value that is already a hash unchanged. The salt is part of the key of session cookies (see
 * `SessionCookies`), so a server that starts again with the same secret and password must have the same one. A request
 * makes a new salt, which unlocks the account (see `Lockout`), even if the password is the same.
 */
export async function hashedAdminPassword(
  value: string,
  { passwordIterations, secret }: { readonly passwordIterations: number; readonly secret: string },
  moment: Moment,
): Promise<string> {
  if (value === '') throw new InvalidValue('must not be empty');
  if (/^-(?:pbkdf2|hashed)/.test(value)) return value;
  const { pbkdf2_prf, derived_key, salt, iterations } = await (moment === 'start'
    ? hashPasswordAgain(value, passwordIterations, secret)
    : hashPassword(value, passwordIterations));
  return `-pbkdf2:${pbkdf2_prf}-${derived_key},${salt},${iterations}`;
}
