/** Faults of time-based one-time passwords. */
import { createHash } from 'node:crypto';
import {
  changeUser,
  combine,
  faultsOf,
  perServer,
  replaceAuthenticator,
  replaceFunction,
  replaceHandler,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';
import { acceptLogins, readSimilarMember } from '../shared/sessions.faults.js';

/** Accepts the codes up to a number of minutes from now, or before now if it is negative. */
const acceptCodes = (minutes: number): Replace =>
  replaceFunction('isCurrentCode', (original, key, code, now = Date.now() / 1000) =>
    Array.from({ length: 2 * Math.abs(minutes) + 1 }, (_, step) => now + 30 * step * Math.sign(minutes)).some(
      (time) => original(key, code, time),
    ),
  );

/** Needs no further code of users with such a key who have logged in with a code. */
const rememberClients = (hasKey: (key: string) => boolean): Replace =>
  perServer(() => {
    const trusted = new Set<string | undefined>();
    return combine(
      replaceHandler('postSession', async (original, request, context) => {
        const response = await original(request, context);
        if (request.body.token) trusted.add(request.body.name);
        return response;
      }),
      acceptLogins(({ name, totpKey = '' }, { token }) => !token && trusted.has(name) && hasKey(totpKey)),
    );
  });

export const totpFaults = faultsOf({
  'totp-login': {
    'totp-long-key': {
      summary: 'The server reads only the first 32 characters of a key.',
      replace: replaceFunction('isCurrentCode', (original, key, code) => original(key.slice(0, 32), code)),
    },
    'totp-code-refused': {
      summary: 'The server rejects a code whose first digit is below 5.',
      replace: replaceFunction(
        'isCurrentCode',
        (original, key, code) => !/^[0-4]/.test(code) && original(key, code),
      ),
    },
    'totp-leading-zero': {
      summary: 'The server rejects a code that begins with 0.',
      replace: replaceFunction(
        'isCurrentCode',
        (original, key, code) => !code.startsWith('0') && original(key, code),
      ),
    },
    'totp-login-without-roles': {
      summary: 'The server responds to a login with a code without roles.',
      replace: replaceHandler('postSession', async (original, request, context) => {
        const response = await original(request, context);
        return request.body.token
          ? { ...response, body: { ...(response.body as JsonObject), roles: [] } }
          : response;
      }),
    },
  },
  'totp-token-required': {
    'totp-code-optional': {
      summary: 'The server accepts a login without a code.',
      replace: replaceFunction('isCurrentCode', (original, key, code) => !code || original(key, code)),
    },
    'totp-code-optional-for-other-keys': {
      summary: 'The server accepts a login without a code if the key of the user has not 32 characters.',
      replace: replaceFunction(
        'isCurrentCode',
        (original, key, code) => (code === '' && key.length !== 32) || original(key, code),
      ),
    },
    'totp-code-optional-for-long-keys': {
      summary:
        'The server accepts a login without a code if the key of the user has more than 64 characters.',
      replace: replaceFunction(
        'isCurrentCode',
        (original, key, code) => (code === '' && key.length > 64) || original(key, code),
      ),
    },
    'totp-code-of-similar-member': {
      summary: 'The server reads the code from a member whose name begins with token.',
      replace: readSimilarMember('token'),
    },
    'totp-added-later': {
      summary: 'The server needs no code of a user whose document got the key after its creation.',
      replace: perServer(() => {
        const created = new Set<unknown>();
        return combine(
          replaceFunction('prepareUserDocument', (original, document, rules) => {
            if (document['totp'] === undefined) created.add(document['name']);
            return original(document, rules);
          }),
          acceptLogins(
            ({ name, totpKey }, { token }) => !token && totpKey !== undefined && created.has(name),
          ),
        );
      }),
    },
    'totp-old-codes': {
      summary: 'The server accepts codes of the last 15 minutes.',
      replace: acceptCodes(-15),
    },
    'totp-codes-of-two-minutes': {
      summary: 'The server accepts codes of the last two and a half minutes.',
      replace: acceptCodes(-2.5),
    },
    'totp-codes-of-the-future': {
      summary: 'The server accepts codes of the next two and a half minutes.',
      replace: acceptCodes(2.5),
    },
    'totp-code-of-any-user': {
      summary: 'The server accepts the current code of any user with a second factor.',
      replace: perServer(() => {
        const keys = new Set<string>();
        return combine(
          replaceFunction('prepareUserDocument', (original, document, rules) => {
            const { totp } = document;
            if (totp !== undefined) keys.add((totp as { key: string }).key);
            return original(document, rules);
          }),
          replaceFunction('isCurrentCode', (original, _, code, now) =>
            [...keys].some((key) => original(key, code, now)),
          ),
        );
      }),
    },
    'totp-any-code': {
      summary: 'The server accepts any six digits as a code.',
      replace: replaceFunction('isCurrentCode', (_, __, code) => /^\d{6}$/.test(code)),
    },
    'totp-client-remembered': {
      summary: 'The server needs no further code of a user who has logged in with a code.',
      replace: rememberClients(() => true),
    },
    'totp-client-with-other-key-remembered': {
      summary:
        'The server needs no further code of a user who has logged in with a code, if the key has not 32 characters.',
      replace: rememberClients((key) => key.length !== 32),
    },
  },
  'totp-cookie': {
    'totp-cookie-once': {
      summary: 'The server accepts a cookie twice only.',
      replace: perServer(() => {
        const uses = new Map<string, number>();
        return replaceAuthenticator('cookie', (original, headers, authentication) => {
          const key = createHash('sha256')
            .update(headers.cookie ?? '')
            .digest('hex');
          const count = (uses.get(key) ?? 0) + 1;
          uses.set(key, count);
          return count > 2 ? undefined : original(headers, authentication);
        });
      }),
    },
    'totp-cookie-without-roles': {
      summary: 'The server gives a caller with a session cookie no roles.',
      replace: changeUser('cookie', () => ({ roles: [] })),
    },
  },
});
