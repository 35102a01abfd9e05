/** Faults in the session resource. */
import { changeBody, faultsOf } from '../shared/components.faults.js';
import {
  changeSessionInfo,
  changeUserContext,
  isAdmin,
  misreportHandler,
} from '../shared/sessions.faults.js';

export const sessionFaults = faultsOf({
  'session-shape': {
    'session-administrator-role-text': {
      summary: 'The server sends the roles of an administrator as a string.',
      replace: changeUserContext((context) => (isAdmin(context) ? { roles: '_admin' } : {})),
    },
    'session-ok-missing': {
      summary: 'The server omits ok from the session of a caller who is not an administrator.',
      replace: changeBody('getSession', (body, context) =>
        isAdmin(context) ? body : { ...body, ok: undefined },
      ),
    },
    'session-roles-text': {
      summary: 'The server sends several roles of a caller as one string.',
      replace: changeUserContext(({ user: { roles } }) =>
        roles.length > 1 ? { roles: roles.join(',') } : {},
      ),
    },
  },
  'session-info-db': {
    'session-users-database-renamed': {
      summary: 'The server names a users database that does not exist in the session.',
      replace: changeSessionInfo(() => ({ authentication_db: 'users' })),
    },
    'session-users-database-untold': {
      summary: 'The server does not name the users database in the session of an administrator.',
      replace: changeSessionInfo((_, context) => (isAdmin(context) ? { authentication_db: undefined } : {})),
    },
    'session-users-database-for-users': {
      summary: 'The server names another users database to users who are not administrators.',
      replace: changeSessionInfo((_, context) =>
        context.user.name === null || isAdmin(context) ? {} : { authentication_db: 'users' },
      ),
    },
  },
  'session-authenticated-by': {
    'session-cookie-named-default': {
      summary: 'The server reports the default handler for a caller who is authenticated by a cookie.',
      replace: misreportHandler('cookie', 'default'),
    },
    'session-handler-unlisted': {
      summary: 'The server reports a handler that is not in the list of handlers for basic authentication.',
      replace: misreportHandler('default', 'basic'),
    },
    'session-handler-of-users-unlisted': {
      summary:
        'The server reports a handler that is not in the list for basic authentication of an ordinary user.',
      replace: misreportHandler('default', 'basic', (context) => !isAdmin(context)),
    },
    'session-administrator-cookie-named-default': {
      summary:
        'The server reports the default handler for an administrator who is authenticated by a cookie.',
      replace: misreportHandler('cookie', 'default', isAdmin),
    },
  },
});
