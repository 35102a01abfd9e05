/** The session of the caller: `GET /_session` (SERVICE 4.2). */
import fc from 'fast-check';
import {
  aString,
  type Caller,
  type CheckContext,
  type Credentials,
  defineRule,
  equalTo,
  forAll,
  mustMatch,
  mustRespond,
  objectWith,
  roles,
  asObject,
  onResponseTo,
} from '../../kit.js';
import { aNameOrNull, authenticatedBy, sessionWith } from '../shared/session-shape.js';
import { cookieIn, getSession, logIn, postSession } from '../shared/sessions.js';
import { forUsers } from '../shared/passing-sessions.js';

/** The session of a caller with valid credentials. */
async function validSession(context: CheckContext, as: Caller): Promise<Record<string, unknown>> {
  const response = await getSession(context, { as });
  mustRespond(response, 200, 'The target does not respond to GET /_session with valid credentials with 200');
  return response.object();
}

/** A user who is not an administrator, with basic authentication and with the cookie of a login. */
async function ordinaryCallers(context: CheckContext): Promise<Caller[]> {
  if (!context.target.has('users')) return [];
  const user = await context.createUser({ roles: ['reader'] });
  return [{ basic: user }, await logIn(context, user)];
}

/** Cookies that only some servers set: that of basic authentication, and that of the administrator's login. */
async function otherCookies(context: CheckContext, user: Credentials): Promise<string[]> {
  const { admin } = context.target;
  const responses = [
    await getSession(context, { as: { basic: user } }),
    ...(admin ? [await postSession(context, admin.name, admin.password)] : []),
  ];
  return responses.flatMap((response) => cookieIn(response) ?? []);
}

export const sessionShape = defineRule('session-shape', {
  rung: 'session',
  otherRungs: {
    'session-shape/user': 'basic',
  },
  inTraffic: {
    response: onResponseTo('getSession', ({ exchange }) =>
      mustMatch('The session is malformed', exchange.object(), sessionWith(aNameOrNull)),
    ),
  },
  checks: {
    'session-shape/anonymous': async (context) => {
      const exchange = await getSession(context);
      context.observe('session-anonymous', { status: exchange.status });
      // A server may refuse anonymous requests; then there is no session to check.
      if (exchange.status === 401 || exchange.status === 403) return;
      mustMatch('The anonymous session is malformed', exchange.object(), sessionWith(aNameOrNull));
    },

    'session-shape/administrator': {
      needs: ['admin'],
      async run(context) {
        const session = await validSession(context, 'admin');
        mustMatch('The session of the administrator is malformed', session, sessionWith(aString));
      },
    },

    'session-shape/user': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ roles: ['reader', 'writer'] });
        const session = await validSession(context, { basic: user });
        mustMatch('The session of a user is malformed', session, sessionWith(aString));
      },
    },
  },
});

export const sessionInfoDb = defineRule('session-info-db', {
  rung: 'session',
  inTraffic: {
    response: onResponseTo('getSession', (passed) => {
      const session = passed.body;
      if (!asObject(session['userCtx'])['name']) return false;
      const expected = objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) });
      mustMatch('The session does not name the users database', session, expected);
    }),
  },
  checks: {
    'session-info-db': {
      optional: ['users'],
      async run(context) {
        for (const as of ['admin' as const, ...(await ordinaryCallers(context))]) {
          mustMatch(
            'The session does not name the users database',
            await validSession(context, as),
            objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) }),
          );
        }
      },
    },
  },
});

export const sessionAuthenticatedBy = defineRule('session-authenticated-by', {
  rung: 'session',
  otherRungs: {
    'session-authenticated-by/cookie': 'cookie',
  },
  inTraffic: {
    response: forUsers(['basic', 'cookie'], ({ session, passed }) => {
      const { kind } = passed.credentials;
      const other = kind === 'basic' ? 'cookie' : 'default';
      const expected = authenticatedBy(session, [other, 'proxy', 'jwt']);
      mustMatch(`The session does not name the handler of ${kind} authentication`, session, expected);
    }),
  },
  checks: {
    'session-authenticated-by/basic': {
      needs: ['admin'],
      optional: ['users'],
      async run(context) {
        const users = context.target.has('users') ? [{ basic: await context.createUser() }] : [];
        for (const as of ['admin' as const, ...users]) {
          const session = await validSession(context, as);
          const expected = authenticatedBy(session, ['cookie', 'proxy', 'jwt']);
          mustMatch('The session does not name the handler of basic authentication', session, expected);
        }
      },
    },

    'session-authenticated-by/cookie': {
      needs: ['users'],
      // One case, and more if a baseline explains its failure: they show how often it occurs.
      run: forAll(
        fc.record({ roles }),
        async (context, { roles }) => {
          const user = await context.createUser({ roles });
          const { cookie } = await logIn(context, user);
          for (const each of [cookie, ...(await otherCookies(context, user))]) {
            const session = await validSession(context, { cookie: each });
            const expected = authenticatedBy(session, ['default', 'proxy', 'jwt']);
            mustMatch('The session does not name the handler of cookie authentication', session, expected);
          }
        },
        { cases: { default: 1, thorough: 1 } },
      ),
    },
  },
});
