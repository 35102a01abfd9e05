/** Faults of basic authentication and of the cookie that it sets. */
import type { Components } from '../../../reference/index.js';
import {
  changeHeaders,
  changeIdentity,
  combine,
  faultsOf,
  perServer,
  replaceAuthenticator,
  replaceFunction,
  replaceHandler,
  type Replace,
} from '../shared/components.faults.js';
import { authorizeWithRoles } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

type Headers = Parameters<NonNullable<Components['authenticators'][string]>>[0];

/** The credentials of a Basic header, also of one with invalid Base64. */
function credentialsOf(headers: Headers): string | undefined {
  const token = /^Basic +(.*)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : Buffer.from(token, 'base64').toString('utf8');
}

const withCredentials = (headers: Headers, credentials: string): Headers => ({
  ...headers,
  authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
});

const changeCredentials = (change: (credentials: string) => string): Replace =>
  replaceAuthenticator('default', (original, headers, authentication) => {
    const credentials = credentialsOf(headers);
    const changed = credentials === undefined ? undefined : change(credentials);
    // An unchanged header stays as it is, so that invalid Base64 is still rejected.
    if (changed === undefined || changed === credentials) return original(headers, authentication);
    return original(withCredentials(headers, changed), authentication);
  });

/** Compares only the first characters of passwords. */
const cutPasswords = (length: number): Replace => {
  const cut = (password: string): string => password.slice(0, length);
  return combine(
    replaceFunction('prepareUserDocument', (original, document, rules) => {
      const { password } = document;
      return original(
        typeof password === 'string' ? { ...document, password: cut(password) } : document,
        rules,
      );
    }),
    replaceHandler('postSession', (original, request, context) =>
      original({ ...request, body: { ...request.body, password: cut(request.body.password) } }, context),
    ),
    changeCredentials((credentials) => {
      const end = credentials.indexOf(':') + 1;
      return credentials.slice(0, end) + cut(credentials.slice(end));
    }),
  );
};

export const basicFaults = faultsOf({
  'basic-accepts': {
    'basic-roles-without-access': {
      summary:
        'The server does not count the roles of a user of basic authentication when it grants access to a database.',
      notInTraffic: unseen.access,
      replace: authorizeWithRoles('default', () => []),
    },
    'basic-password-cut-at-colon': {
      summary: 'The server reads a password up to its first colon.',
      notInTraffic: unseen.access,
      replace: changeCredentials((credentials) => credentials.split(':').slice(0, 2).join(':')),
    },
    'basic-password-latin1': {
      summary: 'The server reads basic credentials as Latin-1.',
      notInTraffic: unseen.access,
      replace: changeCredentials((credentials) => Buffer.from(credentials, 'utf8').toString('latin1')),
    },
    'basic-name-latin1': {
      summary: 'The server reads the name in basic credentials as Latin-1.',
      notInTraffic: unseen.access,
      replace: changeCredentials((credentials) => {
        const [name, ...password] = credentials.split(':');
        return [Buffer.from(name!, 'utf8').toString('latin1'), ...password].join(':');
      }),
    },
    'basic-without-cookies': {
      summary: 'The server ignores basic credentials in a request with a cookie.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('default', (original, headers, authentication) =>
        headers.cookie === undefined ? original(headers, authentication) : undefined,
      ),
    },
    'basic-scheme-in-one-case': {
      summary: 'The server reads basic credentials only if the scheme is written as Basic or BASIC.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('default', (original, headers, authentication) =>
        /^basic /.test(headers.authorization ?? '') ? undefined : original(headers, authentication),
      ),
    },
  },
  'basic-rejects': {
    'basic-empty-password': {
      summary: 'The server accepts an empty password for every user.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('default', (original, headers, authentication) => {
        const [name, password] = credentialsOf(headers)?.split(':') ?? [];
        const account = password === '' ? authentication.accounts.find(name ?? '') : undefined;
        if (!account) return original(headers, authentication);
        return { user: { name: account.name, roles: account.roles, authenticatedBy: 'default' } };
      }),
    },
    'basic-unknown-name-believed': {
      summary: 'The server accepts a name that no user has, with any password.',
      replace: replaceAuthenticator('default', (original, headers, authentication) => {
        const name = credentialsOf(headers)?.split(':')[0];
        const isKnown = name === undefined || authentication.accounts.find(name) !== undefined;
        if (isKnown) return original(headers, authentication);
        return { user: { name, roles: [], authenticatedBy: 'default' } };
      }),
    },
    'basic-scheme-with-longer-name': {
      summary: 'The server reads credentials of a scheme whose name begins with Basic.',
      notInTraffic: unseen.access,
      replace: changeHeaders('default', ({ authorization }) => ({
        authorization: authorization?.replace(/^Basic\S* /, 'Basic '),
      })),
    },
    'basic-scheme-without-space': {
      summary: 'The server reads credentials that follow the scheme without a space.',
      notInTraffic: unseen.access,
      replace: changeHeaders('default', ({ authorization }) => ({
        authorization: authorization?.replace(/^Basic(?=\w)/, 'Basic '),
      })),
    },
    'basic-for-proxies': {
      summary: 'The server also reads the basic credentials of the header Proxy-Authorization.',
      notInTraffic: unseen.access,
      replace: changeHeaders('default', (headers) => ({
        authorization: headers.authorization ?? headers['proxy-authorization'],
      })),
    },
    'basic-name-trimmed': {
      summary: 'The server ignores spaces at the end of a user name in basic credentials.',
      notInTraffic: unseen.access,
      replace: changeCredentials((credentials) => credentials.replace(/ +:/, ':')),
    },
    'basic-space-as-separator': {
      summary: 'The server accepts basic credentials with a space instead of the colon.',
      replace: changeCredentials((credentials) =>
        credentials.includes(':') ? credentials : credentials.replace(' ', ':'),
      ),
    },
    'basic-refused-with-a-cookie': {
      summary: 'The server rejects basic credentials with a wrong password, but sets a valid cookie.',
      notInTraffic: unseen.access,
      replace: replaceAuthenticator('default', async (original, headers, authentication) => {
        try {
          return await original(headers, authentication);
        } catch (error) {
          const account = authentication.accounts.find(credentialsOf(headers)?.split(':')[0] ?? '');
          const { output } = error as { output: { headers: Record<string, string> } };
          if (account) output.headers['set-cookie'] = authentication.cookies.issue(account);
          throw error;
        }
      }),
    },
    'basic-password-40-characters': {
      summary: 'The server compares only the first 40 characters of a password.',
      notInTraffic: unseen.access,
      replace: cutPasswords(40),
    },
    'basic-password-72-characters': {
      summary: 'The server compares only the first 72 characters of a password, as bcrypt does.',
      notInTraffic: unseen.access,
      replace: cutPasswords(72),
    },
    'basic-verified-passwords-remembered': {
      summary: 'The server never verifies again a name and password that it has verified once.',
      notInTraffic: unseen.rare,
      replace: perServer(() => {
        const verified = new Map<
          string,
          Awaited<ReturnType<NonNullable<Components['authenticators'][string]>>>
        >();
        return replaceAuthenticator('default', async (original, headers, authentication) => {
          const credentials = credentialsOf(headers) ?? '';
          const known = verified.get(credentials);
          if (known) return known;
          const identity = await original(headers, authentication);
          if (identity) verified.set(credentials, identity);
          return identity;
        });
      }),
    },
  },
  'basic-set-cookie': {
    'basic-no-cookie': {
      summary: 'The server sets no cookie after basic authentication.',
      replace: changeIdentity('default', ({ user }) => ({ user })),
    },
    'basic-cookie-without-roles': {
      summary: 'The server sets a cookie after basic authentication only for users without roles.',
      replace: changeIdentity('default', (identity) =>
        identity.user.roles.length > 0 ? { user: identity.user } : identity,
      ),
    },
    'basic-cookie-once': {
      summary: 'The server sets a cookie only after the first basic authentication of a user.',
      replace: perServer(() => {
        const known = new Set<string | null>();
        return changeIdentity('default', (identity) => {
          const isFirst = !known.has(identity.user.name);
          known.add(identity.user.name);
          return isFirst ? identity : { user: identity.user };
        });
      }),
    },
    'basic-cookie-not-for-administrators': {
      summary: 'The server sets no cookie after basic authentication of an administrator.',
      notInTraffic: unseen.access,
      replace: changeIdentity('default', (identity) =>
        identity.user.roles.includes('_admin') ? { user: identity.user } : identity,
      ),
    },
  },
  'basic-cookie-usable': {
    'basic-cookie-damaged': {
      summary: 'The server truncates the cookie that it sets after basic authentication.',
      replace: changeIdentity('default', ({ user, setCookie }) => ({
        user,
        setCookie: setCookie?.replace(/^(AuthSession=[^;]*)[^;]{4};/, '$1;'),
      })),
    },
    'basic-cookie-of-the-first': {
      summary: 'The server sets the cookie of the first user for every user after basic authentication.',
      replace: perServer(() => {
        let first: string | undefined;
        return changeIdentity('default', ({ user, setCookie }) => {
          first ??= setCookie;
          return { user, setCookie: first };
        });
      }),
    },
  },
});
