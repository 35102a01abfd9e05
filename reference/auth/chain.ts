/** The chain of authentication handlers (SERVICE 1, 5). They are tried in order until one identifies the caller. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { Account, Accounts } from './accounts.js';
import { basicCredentials } from './basic.js';
import type { SessionCookies } from './cookie.js';
import { bearerToken, tokenComponents, verifyToken, type TokenComponents } from './jwt.js';
import { proxyComponents, proxyUser, type ProxyComponents } from './proxy.js';
import { anonymous, type UserContext } from './user-context.js';

/** State of the authentication handlers. */
export interface Authentication {
  readonly accounts: Accounts;
  readonly cookies: SessionCookies;
  readonly settings: Settings;
  readonly components: AuthenticationComponents;
}

/** Authentication of one request. */
export interface AuthenticationRequest extends Authentication {
  /** IP address of the client. */
  readonly address: string;
}

/** Replaceable functions of the handlers. */
export interface AuthenticationComponents extends ProxyComponents, TokenComponents {}

export const authenticationComponents: AuthenticationComponents = { ...proxyComponents, ...tokenComponents };

export interface Identity {
  readonly user: UserContext;
  /** `Set-Cookie` header for the response, also if it is an error. */
  readonly setCookie?: string;
}

/** Returns the identity of the caller, or undefined to try the next handler. Throws an `httpError` to reject. */
export type Authenticator = (
  headers: IncomingHttpHeaders,
  authentication: AuthenticationRequest,
) => Identity | undefined | Promise<Identity | undefined>;

/** Handlers by their names in a handler list (SERVICE 2.8). */
export type Authenticators = Readonly<Record<string, Authenticator>>;

export const authenticators: Authenticators = {
  cookie: (headers, { cookies, accounts }) => {
    const session = cookies.read(headers.cookie, accounts);
    return session && { user: userOf(session.account, 'cookie'), setCookie: session.renewal };
  },

  proxy: (headers, { settings, components }) => {
    const user = proxyUser(headers, settings, components);
    return user && { user };
  },

  jwt: async (headers, { settings, components }) => {
    const token = bearerToken(headers.authorization);
    return token === undefined ? undefined : { user: await verifyToken(token, settings, components) };
  },

  /** Basic authentication. It also sets a session cookie (SERVICE 5.1, since 3.4). */
  default: async (headers, { cookies, accounts, address }) => {
    const credentials = basicCredentials(headers.authorization);
    if (!credentials) return undefined;
    const account = await accounts.verify({ ...credentials, address });
    if (!account) throw wrongCredentials();
    return { user: userOf(account, 'default'), setCookie: cookies.issue(account) };
  },
};

/** Identifies the caller with the active handlers. The caller is anonymous if none applies. */
export async function authenticate(
  headers: IncomingHttpHeaders,
  handlers: Authenticators,
  authentication: AuthenticationRequest,
): Promise<Identity> {
  for (const name of authentication.settings.authenticationHandlers) {
    const identity = await handlers[name]?.(headers, authentication);
    if (identity) return identity;
  }
  return { user: anonymous };
}

export const wrongCredentials = () => httpError(401, 'unauthorized', 'Name or password is incorrect.');

const userOf = ({ name, roles }: Account, authenticatedBy: string): UserContext => ({
  name,
  roles,
  authenticatedBy,
});
