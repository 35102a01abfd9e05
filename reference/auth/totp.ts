/** Time-based one-time passwords as second factor (SERVICE 2.4, 5.5; RFC 6238): SHA-1, six digits, 30 seconds. */
import { createGuardrails, ScureBase32Plugin, verifySync } from 'otplib';

const stepSeconds = 30;

/** Users choose their keys. Short keys are weak, but allowed. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 1, MAX_SECRET_BYTES: 1024 });
const base32 = new ScureBase32Plugin();

/** @returns the reason why the `totp` of a user document is invalid; undefined if it is valid */
export function findTotpProblem(totp: unknown): string | undefined {
  if (typeof totp !== 'object' || totp === null || Array.isArray(totp)) return 'doc.totp must be an object';
  const { key, ...others } = totp as Record<string, unknown>;
  if (typeof key !== 'string' || !isKey(key)) return 'doc.totp.key must be base32 (A-Z and 2-7)';
  // Other members could request other parameters, which this server does not support.
  const [other] = Object.keys(others);
  return other === undefined
    ? undefined
    : `doc.totp must only have the member key, not ${JSON.stringify(other)}`;
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
 * Checks a code. The previous and the next code are accepted too, because clocks differ. As in CouchDB, a code may be
 * used several times while it is valid.
 *
 * @param now in seconds
 */
export function isCurrentCode(key: string, code: string, now = Date.now() / 1000): boolean {
  if (!/^\d{6}$/.test(code) || !isKey(key)) return false;
  const times = { epoch: Math.floor(now), epochTolerance: stepSeconds };
  return verifySync({ secret: key, token: code, ...times, guardrails }).valid;
}

/** @returns the key; undefined without second factor; for a malformed key an empty string, which matches no code */
export function totpKeyOf({ totp }: Readonly<Record<string, unknown>>): string | undefined {
  if (totp === undefined) return undefined;
  const { key } = (totp ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : '';
}
