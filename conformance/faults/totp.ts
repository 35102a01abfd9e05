/** Faults of time-based one-time passwords. */
import { type Fault, type Parts } from '../../reference/index.js';
import { createHash } from 'node:crypto';
import { authenticating, type Replace } from './shared/components.js';

const codes =
  (accept: (original: Parts['isCurrentCode'], key: string, code: string) => boolean): Replace =>
  (parts) => ({ ...parts, isCurrentCode: (key, code) => accept(parts.isCurrentCode, key, code) });

export const totpFaults: readonly Fault[] = [
  {
    id: 'totp-long-key',
    rule: 'totp-login',
    summary: 'Of a key only the first 32 characters count.',
    replace: codes((isCurrent, key, code) => isCurrent(key.slice(0, 32), code)),
  },
  {
    id: 'totp-code-refused',
    rule: 'totp-login',
    summary: 'A code whose first digit is below 5 is refused.',
    replace: codes((isCurrent, key, code) => !/^[0-4]/.test(code) && isCurrent(key, code)),
  },
  {
    id: 'totp-code-optional',
    rule: 'totp-token-required',
    summary: 'Whoever sends no code needs none.',
    replace: codes((isCurrent, key, code) => !code || isCurrent(key, code)),
  },
  {
    id: 'totp-old-codes',
    rule: 'totp-token-required',
    summary: 'Codes of the last quarter of an hour count.',
    replace: (parts) => ({
      ...parts,
      isCurrentCode: (key, code, now = Date.now() / 1000) =>
        Array.from({ length: 30 }, (_, step) => now - 30 * step).some((time) =>
          parts.isCurrentCode(key, code, time),
        ),
    }),
  },
  {
    id: 'totp-any-code',
    rule: 'totp-token-required',
    summary: 'Any six digits are a code.',
    replace: codes((_, __, code) => /^\d{6}$/.test(code)),
  },
  {
    id: 'totp-cookie-once',
    rule: 'totp-cookie',
    summary: 'A cookie authenticates twice, then no more.',
    replace: (parts) => {
      const uses = new Map<string, number>();
      return authenticating('cookie', (original) => (headers, authentication) => {
        const key = createHash('sha256')
          .update(headers.cookie ?? '')
          .digest('hex');
        const count = (uses.get(key) ?? 0) + 1;
        uses.set(key, count);
        return count > 2 ? undefined : original(headers, authentication);
      })(parts);
    },
  },
  {
    id: 'totp-cookie-without-roles',
    rule: 'totp-cookie',
    summary: 'The cookie of a user gives no roles.',
    replace: authenticating('cookie', (original) => async (...request) => {
      const identity = await original(...request);
      return identity && { ...identity, user: { ...identity.user, roles: [] } };
    }),
  },
];
