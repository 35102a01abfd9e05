/** Faults in how session cookies are read. */
import type { Fault } from '../../reference/index.js';
import {
  changeIdentity,
  changeResponse,
  combine,
  cookieValue,
  perServer,
  replaceAuthenticator,
} from './shared/components.js';

export const cookieFaults: readonly Fault[] = [
  {
    id: 'cookie-only-alone',
    rule: 'cookie-authenticates',
    summary: 'The server does not find the session cookie after another cookie.',
    replace: replaceAuthenticator('cookie', (original, headers, authentication) =>
      headers.cookie?.startsWith('AuthSession=') ? original(headers, authentication) : undefined,
    ),
  },
  {
    id: 'cookie-without-roles',
    rule: 'cookie-authenticates',
    summary: 'The server gives a caller with a session cookie no roles.',
    replace: changeIdentity('cookie', (identity) => ({
      ...identity,
      user: { ...identity.user, roles: [] },
    })),
  },
  {
    id: 'cookie-signature-unread-tail',
    rule: 'cookie-tampered',
    summary: 'The server does not verify the last quarter of the signature of a cookie.',
    replace: perServer(() => {
      const issued = new Set<string>();
      const verified = (cookie: string): string => cookie.slice(0, -11);
      return combine(
        changeResponse('postSession', (response) => {
          issued.add(cookieValue(String(response.headers?.['set-cookie'])) ?? '');
          return response;
        }),
        replaceAuthenticator('cookie', (original, headers, authentication) => {
          const value = cookieValue(headers.cookie);
          const same = [...issued].find(
            (cookie) => value?.length === cookie.length && verified(cookie) === verified(value),
          );
          const corrected = same === undefined ? headers : { ...headers, cookie: `AuthSession=${same}` };
          return original(corrected, authentication);
        }),
      );
    }),
  },
  {
    id: 'cookie-unsigned',
    rule: 'cookie-tampered',
    summary: 'The server accepts every cookie that names a user.',
    replace: replaceAuthenticator('cookie', (_, headers, { accounts }) => {
      const name = Buffer.from(cookieValue(headers.cookie) ?? '', 'base64url')
        .toString('utf8')
        .split(':')[0];
      const account = accounts.find(name ?? '');
      return account && { user: { name: account.name, roles: account.roles, authenticatedBy: 'cookie' } };
    }),
  },
];
