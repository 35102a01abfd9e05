/** Faults in the session resource. */
import { type Fault } from '../../reference/index.js';
import { answering, bodyOf } from './shared/components.js';
import { infoOf, isAdmin } from './shared/sessions.js';

export const sessionFaults: readonly Fault[] = [
  {
    id: 'session-administrator-role-text',
    rule: 'session-shape',
    summary: 'The one role of an administrator is a text.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const userCtx = { ...(body['userCtx'] as object), roles: '_admin' };
      return isAdmin(context) ? { ...answer, body: { ...body, userCtx } } : answer;
    }),
  },
  {
    id: 'session-ok-missing',
    rule: 'session-shape',
    summary: 'The session of a caller who is no administrator lacks ok.',
    replace: answering('getSession', (answer, context) => ({
      ...answer,
      body: isAdmin(context) ? answer.body : { ...bodyOf(answer), ok: undefined },
    })),
  },
  {
    id: 'session-roles-text',
    rule: 'session-shape',
    summary: 'The roles of a caller with more than one are one text.',
    replace: answering('getSession', (answer, { user }) => ({
      ...answer,
      body: {
        ...bodyOf(answer),
        userCtx: { name: user.name, roles: user.roles.length > 1 ? user.roles.join(',') : user.roles },
      },
    })),
  },
  {
    id: 'session-users-database-renamed',
    rule: 'session-info-db',
    summary: 'The session names another users database than the one there is.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      return { ...answer, body: { ...body, info: { ...infoOf(body), authentication_db: 'users' } } };
    }),
  },
  {
    id: 'session-users-database-untold',
    rule: 'session-info-db',
    summary: 'To administrators the session does not name the users database.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const info = { ...infoOf(body), authentication_db: undefined };
      return isAdmin(context) ? { ...answer, body: { ...body, info } } : answer;
    }),
  },
  {
    id: 'session-cookie-named-default',
    rule: 'session-authenticated-by',
    summary: 'Who comes with a cookie is said to come by the default handler.',
    replace: answering('getSession', (answer, { user }) => {
      const body = bodyOf(answer);
      const authenticated = user.authenticatedBy && 'default';
      return { ...answer, body: { ...body, info: { ...infoOf(body), authenticated } } };
    }),
  },
  {
    id: 'session-handler-unlisted',
    rule: 'session-authenticated-by',
    summary: 'Basic authentication is named by a word that is not in the list of handlers.',
    replace: answering('getSession', (answer, { user }) => {
      const body = bodyOf(answer);
      const authenticated = user.authenticatedBy === 'default' ? 'basic' : user.authenticatedBy;
      return { ...answer, body: { ...body, info: { ...infoOf(body), authenticated } } };
    }),
  },
];
