/** Time-based one-time passwords as second factor (SERVICE 2.4, 5.5; RFC 6238): SHA-1, six digits, 30 seconds. */
import { createRequire } from 'node:module';
import { isJsonObject } from '../store/json.js';

const stepSeconds = 30;

/** Lengths of keys in bytes. Users choose their keys. Short keys are weak, but allowed. */
const limits = { MIN_SECRET_BYTES: 1, MAX_SECRET_BYTES: 1024 };

const require = createRequire(import.meta.url);

/** Loads the library when it is needed first, because most servers have no user with a second factor. */
const otplib = () => require('otplib') as typeof import('otplib');

/** @returns the reason why the `totp` of a user document is invalid; undefined if it is valid */
export function findTotpProblem(totp: unknown): string | undefined {
  if (!isJsonObject(totp)) return 'doc.totp must be an object';
  const { key, ...others } = totp;
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
    const { length } = new (otplib().ScureBase32Plugin)().decode(key);
    return length >= limits.MIN_SECRET_BYTES && length <= limits.MAX_SECRET_BYTES;
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
  const { createGuardrails, verifySync } = otplib();
  return verifySync({ secret: key, token: code, ...times, guardrails: createGuardrails(limits) }).valid;
}

/** @returns the key; undefined without second factor; for a malformed key an empty string, which matches no code */
export function totpKeyOf({ totp }: Readonly<Record<string, unknown>>): string | undefined {
  if (totp === undefined) return undefined;
  const { key } = (totp ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : '';
}
