/** Faults in the session resource. */
import type { Fault } from '../../../reference/index.js';
import { changeBody } from '../shared/components.faults.js';
import {
  changeSessionInfo,
  changeUserContext,
  isAdmin,
  misreportHandler,
} from '../shared/sessions.faults.js';

export const sessionFaults: readonly Fault[] = [
  {
    id: 'session-administrator-role-text',
    rule: 'session-shape',
    summary: 'The server sends the roles of an administrator as a string.',
    replace: changeUserContext((context) => (isAdmin(context) ? { roles: '_admin' } : {})),
  },
  {
    id: 'session-ok-missing',
    rule: 'session-shape',
    summary: 'The server omits ok from the session of a caller who is not an administrator.',
    replace: changeBody('getSession', (body, context) =>
      isAdmin(context) ? body : { ...body, ok: undefined },
    ),
  },
  {
    id: 'session-roles-text',
    rule: 'session-shape',
    summary: 'The server sends several roles of a caller as one string.',
    replace: changeUserContext(({ user: { roles } }) => (roles.length > 1 ? { roles: roles.join(',') } : {})),
  },
  {
    id: 'session-users-database-renamed',
    rule: 'session-info-db',
    summary: 'The server names a users database that does not exist in the session.',
    replace: changeSessionInfo(() => ({ authentication_db: 'users' })),
  },
  {
    id: 'session-users-database-untold',
    rule: 'session-info-db',
    summary: 'The server does not name the users database in the session of an administrator.',
    replace: changeSessionInfo((_, context) => (isAdmin(context) ? { authentication_db: undefined } : {})),
  },
  {
    id: 'session-cookie-named-default',
    rule: 'session-authenticated-by',
    summary: 'The server reports the default handler for a caller who is authenticated by a cookie.',
    replace: misreportHandler('cookie', 'default'),
  },
  {
    id: 'session-handler-unlisted',
    rule: 'session-authenticated-by',
    summary: 'The server reports a handler that is not in the list of handlers for basic authentication.',
    replace: misreportHandler('default', 'basic'),
  },
  {
    id: 'session-users-database-for-users',
    rule: 'session-info-db',
    summary: 'The server names another users database to users who are not administrators.',
    replace: changeSessionInfo((_, context) =>
      context.user.name === null || isAdmin(context) ? {} : { authentication_db: 'users' },
    ),
  },
  {
    id: 'session-handler-of-users-unlisted',
    rule: 'session-authenticated-by',
    summary:
      'The server reports a handler that is not in the list for basic authentication of an ordinary user.',
    replace: changeSessionInfo((_, context) =>
      context.user.authenticatedBy === 'default' && !isAdmin(context) ? { authenticated: 'basic' } : {},
    ),
  },
  {
    id: 'session-administrator-cookie-named-default',
    rule: 'session-authenticated-by',
    summary: 'The server reports the default handler for an administrator who is authenticated by a cookie.',
    replace: changeSessionInfo((_, context) =>
      context.user.authenticatedBy === 'cookie' && isAdmin(context) ? { authenticated: 'default' } : {},
    ),
  },
];
