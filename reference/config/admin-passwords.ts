/** Passwords of administrators in CouchDB's configuration format: `-pbkdf2:sha256-KEY,SALT,ITERATIONS`. */
import { hashPassword, storedPassword, type StoredPassword } from '../crypto/passwords.js';
import { InvalidValue } from './value-parsers.js';

const hashed = /^-pbkdf2(?::(?<prf>\w+))?-(?<key>[^,]+),(?<salt>[^,]+),(?<iterations>\d+)$/;

/** Parses a hash. The default hash function is SHA-1. */
export function adminPassword(value: string): StoredPassword {
  const { prf, key, salt, iterations } = hashed.exec(value)?.groups ?? {};
  const stored = storedPassword({
    password_scheme: 'pbkdf2',
    pbkdf2_prf: prf,
    salt,
    iterations: Number(iterations),
    derived_key: key,
  });
  if (!stored) throw new InvalidValue('must be a password or a PBKDF2 hash');
  return stored;
}

/** Hashes a password. Returns a value that is already a hash unchanged. */
export async function hashedAdminPassword(
  value: string,
  { passwordIterations }: { readonly passwordIterations: number },
): Promise<string> {
  if (value === '') throw new InvalidValue('must not be empty');
  if (/^-(?:pbkdf2|hashed)/.test(value)) return value;
  const { pbkdf2_prf, derived_key, salt, iterations } = await hashPassword(value, passwordIterations);
  return `-pbkdf2:${pbkdf2_prf}-${derived_key},${salt},${iterations}`;
}
