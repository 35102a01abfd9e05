/** Faults in logging in. */
import {
  changeBody,
  changeResponse,
  combine,
  cookieValue,
  faultsOf,
  perServer,
  replaceAuthenticator,
  replaceFunction,
  replaceHandler,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';
import { acceptLogins, loginOf, readSimilarMember } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

const changeSetCookie = (change: (header: string) => string): Replace =>
  changeResponse('postSession', (response) => ({
    ...response,
    headers: { ...response.headers, 'set-cookie': change(String(response.headers?.['set-cookie'])) },
  }));

const inAscii = (text: string): string => text.replace(/[^\0-\x7f]/g, '?');

export const loginFaults = faultsOf({
  'login-result': {
    'login-roles-cut': {
      summary: 'The server responds to a login with the first two roles only.',
      notInTraffic: unseen.access,
      replace: changeBody('postSession', ({ roles, ...body }) => ({
        ...body,
        roles: (roles as string[]).slice(0, 2),
      })),
    },
    'login-name-without-end': {
      summary: 'The server responds to a login with the name up to its first period, plus sign, or space.',
      replace: changeBody('postSession', (body) => ({
        ...body,
        name: String(body['name']).split(/[.+ ]/)[0],
      })),
    },
    'login-roles-of-first-login': {
      summary: 'The server responds to a login with the roles that the user had at the first login.',
      notInTraffic: unseen.access,
      replace: perServer(() => {
        const roles = new Map<unknown, unknown>();
        return changeBody('postSession', (body) => {
          const first = roles.get(body['name']) ?? body['roles'];
          roles.set(body['name'], first);
          return { ...body, roles: first };
        });
      }),
    },
    'login-password-latin1': {
      summary: 'The server reads the password of a login as Latin-1.',
      notInTraffic: unseen.access,
      replace: replaceHandler('postSession', (original, request, context) => {
        const password = Buffer.from(request.body.password, 'utf8').toString('latin1');
        return original({ ...request, body: { ...request.body, password } }, context);
      }),
    },
  },
  'login-cookie': {
    'login-cookie-renamed': {
      summary: 'The server sets a cookie with another name at login.',
      replace: changeSetCookie((header) => header.replace(/^AuthSession=/, 'Session=')),
    },
    'login-cookie-empty': {
      summary: 'The server sets an empty cookie at login.',
      replace: changeSetCookie((header) => header.replace(/^AuthSession=[^;]*/, 'AuthSession=')),
    },
    'login-once': {
      summary: 'The server sets a cookie only at the first login of a user.',
      replace: perServer(() => {
        const known = new Set<unknown>();
        return changeResponse('postSession', (response) => {
          const { name } = response.body as JsonObject;
          const isFirst = !known.has(name);
          known.add(name);
          return isFirst ? response : { ...response, headers: {} };
        });
      }),
    },
    'login-cookie-of-earlier-user': {
      summary: 'The server sets the cookie of the user of the session cookie that a login has.',
      notInTraffic: unseen.access,
      replace: replaceHandler('postSession', async (original, request, context) => {
        const response = await original(request, context);
        const { cookies, accounts } = context.authentication;
        const session = cookies.read(context.requestHead.headers.cookie, accounts);
        return session
          ? { ...response, headers: { 'set-cookie': cookies.issue(session.account) } }
          : response;
      }),
    },
  },
  'login-rejects': {
    'login-name-trimmed': {
      summary: 'The server ignores spaces at the end of the user name of a login.',
      replace: replaceHandler('postSession', (original, request, context) =>
        original({ ...request, body: { ...request.body, name: request.body.name?.trimEnd() } }, context),
      ),
    },
    'login-password-ascii': {
      summary:
        'The server replaces characters that are not ASCII by question marks before it compares passwords.',
      replace: combine(
        replaceFunction('prepareUserDocument', (original, document, rules) => {
          const { password } = document;
          const isText = typeof password === 'string';
          return original(isText ? { ...document, password: inAscii(password) } : document, rules);
        }),
        replaceHandler('postSession', (original, request, context) =>
          original(
            { ...request, body: { ...request.body, password: inAscii(request.body.password) } },
            context,
          ),
        ),
      ),
    },
    'login-member-with-longer-name': {
      summary: 'The server reads the password from a member whose name begins with password.',
      replace: readSimilarMember('password'),
    },
    'login-refused-with-a-cookie': {
      summary: 'The server rejects a login with a wrong password, but sets a valid cookie.',
      replace: replaceHandler('postSession', async (original, request, context) => {
        try {
          return await original(request, context);
        } catch (error) {
          const { accounts, cookies } = context.authentication;
          const account = accounts.find(String(request.body.name));
          const { output } = error as { output: { headers: Record<string, string> } };
          if (account) output.headers['set-cookie'] = cookies.issue(account);
          throw error;
        }
      }),
    },
    'login-empty-password': {
      summary: 'The server accepts an empty password for every user at login.',
      replace: replaceHandler('postSession', async (original, request, context) => {
        const { accounts } = context.authentication;
        const account = request.body.password === '' ? accounts.find(String(request.body.name)) : undefined;
        return account ? loginOf(account, context) : original(request, context);
      }),
    },
    'login-unknown-name-believed': {
      summary: 'The server accepts a login with a name that no user has.',
      replace: perServer(() => {
        const names = new Map<string, string>();
        return combine(
          replaceAuthenticator('cookie', (original, headers, authentication) => {
            const name = names.get(cookieValue(headers.cookie) ?? '');
            return name === undefined
              ? original(headers, authentication)
              : { user: { name, roles: [], authenticatedBy: 'cookie' } };
          }),
          replaceHandler('postSession', async (original, request, context) => {
            const name = String(request.body.name);
            if (context.authentication.accounts.find(name)) return original(request, context);
            const value = Buffer.from(name, 'utf8').toString('base64url');
            names.set(value, name);
            const body = { ok: true, name, roles: [] };
            return { status: 200, headers: { 'set-cookie': `AuthSession=${value}; Path=/; HttpOnly` }, body };
          }),
        );
      }),
    },
    'login-old-password': {
      summary: 'The server also accepts a login with the first password of a user.',
      replace: perServer(() => {
        const passwords = new Map<unknown, unknown>();
        return combine(
          replaceFunction('prepareUserDocument', (original, document, rules) => {
            const { name, password } = document;
            if (!passwords.has(name)) passwords.set(name, password);
            return original(document, rules);
          }),
          acceptLogins(({ name }, { password }) => passwords.get(name) === password),
        );
      }),
    },
    'login-code-for-password': {
      summary: 'The server does not verify the password of a login with the current code.',
      replace: (components) =>
        acceptLogins(
          ({ totpKey }, { token }) =>
            totpKey !== undefined && token !== undefined && components.isCurrentCode(totpKey, token),
        )(components),
    },
  },
});
