/** Faults in how session cookies are read. */
import { httpError } from '../../../reference/index.js';
import {
  changeHeaders,
  changeResponse,
  changeUser,
  combine,
  cookieValue,
  faultsOf,
  perServer,
  replaceAuthenticator,
  type Replace,
} from '../shared/components.faults.js';
import { authorizeWithRoles, denyFeedTo } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

/** The user name in a cookie, and its time and signature. */
function partsOf(cookie = ''): { name: string; rest: string } {
  const content = Buffer.from(cookie, 'base64url').toString('latin1');
  const end = content.indexOf(':');
  return {
    name: Buffer.from(content.slice(0, end), 'latin1').toString('utf8'),
    rest: content.slice(end),
  };
}

/** Reads the first match in a `Cookie` header as the session cookie. */
const readFirstCookie = (cookie: RegExp): Replace =>
  replaceAuthenticator('cookie', (original, headers, authentication) => {
    const value = cookie.exec(headers.cookie ?? '')?.[1];
    const read = value === undefined ? headers : { ...headers, cookie: `AuthSession=${value}` };
    return original(read, authentication);
  });

export const cookieFaults = faultsOf({
  'cookie-authenticates': {
    'cookie-roles-without-access': {
      summary:
        'The server does not count the roles of a user with a cookie when it grants access to a database.',
      notInTraffic: unseen.access,
      replace: authorizeWithRoles('cookie', () => []),
    },
    'cookie-only-alone': {
      summary: 'The server does not find the session cookie after another cookie.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('cookie', (original, headers, authentication) =>
        headers.cookie?.startsWith('AuthSession=') ? original(headers, authentication) : undefined,
      ),
    },
    'cookie-without-roles': {
      summary: 'The server gives a caller with a session cookie no roles.',
      notInTraffic: unseen.access,
      replace: changeUser('cookie', () => ({ roles: [] })),
    },
    'cookie-without-feed': {
      summary: 'The server denies users with a session cookie access to the changes feed.',
      notInTraffic: unseen.access,
      replace: denyFeedTo('cookie'),
    },
    'cookie-refused-with-basic': {
      summary: 'The server rejects a request with a session cookie and basic credentials.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('cookie', async (original, headers, authentication) => {
        const identity = await original(headers, authentication);
        if (identity && headers.authorization !== undefined)
          throw httpError(400, 'bad_request', 'The request has several credentials.');
        return identity;
      }),
    },
    'cookie-with-longer-name': {
      summary: 'The server reads the first cookie whose name ends with AuthSession as the session cookie.',
      notInTraffic: unseen.access,
      replace: readFirstCookie(/AuthSession=([^;]*)/),
    },
    'cookie-with-longer-end': {
      summary: 'The server reads the first cookie whose name begins with AuthSession as the session cookie.',
      notInTraffic: unseen.access,
      replace: readFirstCookie(/(?:^|;\s*)AuthSession[^=;]*=([^;]*)/),
    },
    'cookie-name-in-any-case': {
      summary: 'The server ignores the case of the name of the session cookie.',
      notInTraffic: unseen.access,
      replace: changeHeaders('cookie', ({ cookie }) => ({
        cookie: cookie?.replace(/(^|;\s*)authsession=/i, '$1AuthSession='),
      })),
    },
    'cookie-with-longer-name-alone': {
      summary: 'The server reads a cookie whose name ends with AuthSession if there is no session cookie.',
      notInTraffic: unseen.access,
      replace: changeHeaders('cookie', ({ cookie }) =>
        cookieValue(cookie) === undefined
          ? { cookie: cookie?.replace(/^.*AuthSession=/, 'AuthSession=') }
          : {},
      ),
    },
    'cookie-name-decoded': {
      summary: 'The server decodes percent-encoded characters in the names of cookies.',
      notInTraffic: unseen.access,
      replace: changeHeaders('cookie', ({ cookie }) => ({ cookie: cookie?.replaceAll('%41', 'A') })),
    },
    'cookie-without-event-streams': {
      summary: 'The server denies users with a session cookie access to event streams.',
      notInTraffic: unseen.access,
      replace: denyFeedTo('cookie', ({ query }) => query.feed === 'eventsource'),
    },
    'cookie-with-roles-of-token': {
      summary: 'The server gives the user of a cookie the roles of a token in the same request.',
      notInTraffic: unseen.access,
      replace: (components) =>
        replaceAuthenticator('cookie', async (original, headers, authentication) => {
          const identity = await original(headers, authentication);
          const token = identity && (await components.authenticators['jwt']!(headers, authentication));
          return token ? { ...identity, user: { ...identity.user, roles: token.user.roles } } : identity;
        })(components),
    },
  },
  'cookie-tampered': {
    'cookie-of-long-name-unsigned': {
      summary: 'The server does not verify the cookie of a user whose name has more than 60 bytes.',
      replace: replaceAuthenticator('cookie', (original, headers, authentication) => {
        const { name } = partsOf(cookieValue(headers.cookie));
        const account = Buffer.byteLength(name) > 60 ? authentication.accounts.find(name) : undefined;
        if (!account) return original(headers, authentication);
        return { user: { name, roles: account.roles, authenticatedBy: 'cookie' } };
      }),
    },
    'cookie-signature-unread-tail': {
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
    'cookie-unsigned': {
      summary: 'The server accepts every cookie that names a user.',
      replace: replaceAuthenticator('cookie', (_, headers, { accounts }) => {
        const name = Buffer.from(cookieValue(headers.cookie) ?? '', 'base64url')
          .toString('utf8')
          .split(':')[0];
        const account = accounts.find(name ?? '');
        return account && { user: { name: account.name, roles: account.roles, authenticatedBy: 'cookie' } };
      }),
    },
    'cookie-name-unsigned': {
      summary: 'The server does not verify the user name in a cookie.',
      replace: perServer(() => {
        const signatures = new Set<string>();
        return combine(
          changeResponse('postSession', (response) => {
            signatures.add(partsOf(cookieValue(String(response.headers?.['set-cookie']))).rest);
            return response;
          }),
          replaceAuthenticator('cookie', (original, headers, authentication) => {
            const { name, rest } = partsOf(cookieValue(headers.cookie));
            const account = signatures.has(rest) ? authentication.accounts.find(name) : undefined;
            if (!account) return original(headers, authentication);
            return { user: { name, roles: account.roles, authenticatedBy: 'cookie' } };
          }),
        );
      }),
    },
  },
});
