/** The security object of a database. */
import { isUsersDatabase } from '../auth/authorization.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers } from '../generated/handlers.js';

export const security: Pick<Handlers<Context>, 'getSecurity' | 'putSecurity'> = {
  getSecurity: ({ params }, { store }) =>
    Promise.resolve({ status: 200, body: store.database(params.db).security }),

  putSecurity: ({ params, body }, { settings, store }) => {
    const database = store.database(params.db);
    if (isUsersDatabase(database.name, settings) && !settings.usersSecurityEditable)
      throw httpError(403, 'forbidden', "You can't edit the security object of the user database.");
    database.security = body;
    return Promise.resolve({ status: 200, body: { ok: true } });
  },
};
