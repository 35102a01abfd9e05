/** The chain of authentication handlers (SERVICE 1, 5): asked in order, the first that knows the caller decides. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { Account, Accounts } from './accounts.js';
import { basicCredentials } from './basic.js';
import type { SessionCookies } from './cookie.js';
import { bearerToken, tokenComponents, verifyToken, type TokenComponents } from './jwt.js';
import { proxyComponents, proxyUser, type ProxyComponents } from './proxy.js';
import { anonymous, type UserContext } from './user-context.js';

/** What the handlers work with. */
export interface Authentication {
  readonly accounts: Accounts;
  readonly cookies: SessionCookies;
  readonly settings: Settings;
  readonly components: AuthenticationComponents;
}

/** One for each request. */
export interface AuthenticationRequest extends Authentication {
  /** Address of the client. */
  readonly address: string;
}

/** The replaceable functions that the handlers call. */
export interface AuthenticationComponents extends ProxyComponents, TokenComponents {}

export const authenticationComponents: AuthenticationComponents = { ...proxyComponents, ...tokenComponents };

export interface Identity {
  readonly user: UserContext;
  /** A session cookie to send with the response, whatever that will be. */
  readonly setCookie?: string;
}

/** Gives the caller's identity, passes on with undefined, or rejects by throwing an `httpError`. */
export type Authenticator = (
  headers: IncomingHttpHeaders,
  authentication: AuthenticationRequest,
) => Identity | undefined | Promise<Identity | undefined>;

/** The handlers by the names that a handler list uses (SERVICE 2.8). */
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

  /** Basic authentication, which gives a session cookie besides (SERVICE 5.1, since 3.4). */
  default: async (headers, { cookies, accounts, address }) => {
    const credentials = basicCredentials(headers.authorization);
    if (!credentials) return undefined;
    const account = await accounts.verify({ ...credentials, address });
    if (!account) throw wrongCredentials();
    return { user: userOf(account, 'default'), setCookie: cookies.issue(account) };
  },
};

/** Asks the active handlers; nobody knows an anonymous caller. */
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
