/** The second factor (SERVICE 2.4, 5.5): codes by RFC 6238 with SHA-1, six digits, a new one every thirty seconds. */
import { createGuardrails, ScureBase32Plugin, verifySync } from 'otplib';

const stepSeconds = 30;

/** The key is the user's choice: short ones are weak, but not ours to refuse. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 1, MAX_SECRET_BYTES: 1024 });
const base32 = new ScureBase32Plugin();

/** What is wrong with the `totp` of a user document, as a sentence; undefined when nothing is. */
export function secondFactorProblem(totp: unknown): string | undefined {
  if (typeof totp !== 'object' || totp === null || Array.isArray(totp)) return 'doc.totp must be an object';
  const { key, ...others } = totp as Record<string, unknown>;
  if (typeof key !== 'string' || !isKey(key)) return 'doc.totp.key must be base32 (A-Z and 2-7)';
  // To log in would take other codes than those that it asks for.
  const [other] = Object.keys(others);
  return other === undefined ? undefined : `doc.totp has no member ${JSON.stringify(other)}, only key`;
}

function isKey(key: string): boolean {
  if (!/^[A-Z2-7]+=*$/.test(key)) return false;
  try {
    const { length } = base32.decode(key);
    return length >= guardrails.MIN_SECRET_BYTES && length <= guardrails.MAX_SECRET_BYTES;
  } catch {
    return false;
  }
}

/**
 * Whether the code is that of now, of the step before, or of the one after: clocks differ. A code may be used more
 * than once while it counts, as in CouchDB.
 *
 * @param now in seconds
 */
export function isCurrentCode(key: string, code: string, now = Date.now() / 1000): boolean {
  if (!/^\d{6}$/.test(code) || !isKey(key)) return false;
  const times = { epoch: Math.floor(now), epochTolerance: stepSeconds };
  return verifySync({ secret: key, token: code, ...times, guardrails }).valid;
}

/** The key of a user document that has a second factor. One that cannot be used is a key that no code fits. */
export function totpKeyOf({ totp }: Readonly<Record<string, unknown>>): string | undefined {
  if (totp === undefined) return undefined;
  const { key } = (totp ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : '';
}
