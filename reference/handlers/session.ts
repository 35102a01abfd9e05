/** Session information, login and logout (SERVICE 2.2, 2.3, 4.2, 4.3). */
import { wrongCredentials } from '../auth/chain.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers } from '../generated/handlers.js';

type SessionHandlers = Pick<Handlers<Context>, 'getSession' | 'postSession' | 'deleteSession'>;

export const session: SessionHandlers = {
  getSession: (_request, { user, settings }) =>
    Promise.resolve({
      status: 200,
      body: {
        ok: true,
        userCtx: { name: user.name, roles: [...user.roles] },
        info: {
          authentication_db: settings.usersDatabase,
          authentication_handlers: [...settings.authenticationHandlers],
          ...(user.authenticatedBy !== undefined && { authenticated: user.authenticatedBy }),
        },
      },
    }),

  postSession: async ({ body, query }, { authentication: { accounts, cookies }, requestHead }) => {
    const name = body.name ?? body.username;
    if (name === undefined) throw httpError(400, 'bad_request', 'request body must contain a username');
    const account = await accounts.verify({
      name,
      password: body.password,
      code: body.token,
      address: requestHead.address,
    });
    if (!account) {
      const error = wrongCredentials();
      error.output.headers['set-cookie'] = cookies.clear();
      throw error;
    }
    const headers = { 'set-cookie': cookies.issue(account) };
    const result = { ok: true as const, name: account.name, roles: [...account.roles] };
    if (query.next === undefined) return { status: 200, headers, body: result };
    return { status: 302, headers: { ...headers, location: query.next }, body: result };
  },

  deleteSession: (_request, { authentication: { cookies } }) =>
    Promise.resolve({ status: 200, headers: { 'set-cookie': cookies.clear() }, body: { ok: true } }),
};
