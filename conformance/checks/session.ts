/** The session of the caller: `GET /_session` (SERVICE 4.2). */
import {
  anObject,
  arrayOf,
  aString,
  equalTo,
  type Matcher,
  mustMatch,
  mustRespond,
  objectWith,
  satisfying,
} from '../verdict/matchers.js';
import { asObject } from '../client/json.js';
import type { Caller } from '../client/client.js';
import { check, type CheckContext } from '../check.js';
import { getSession, logIn } from './shared/sessions.js';

/** The session of a caller with valid credentials. */
async function validSession(context: CheckContext, as: Caller): Promise<Record<string, unknown>> {
  const response = await getSession(context, { as });
  mustRespond(response, 200, 'The target does not respond to GET /_session with valid credentials with 200');
  return response.object();
}

const sessionWith = (name: Matcher): Matcher =>
  objectWith({
    ok: equalTo(true),
    userCtx: objectWith({ name, roles: arrayOf(aString) }),
    info: anObject,
  });

const aNameOrNull = satisfying(
  'a string, or null for an anonymous session',
  (name) => typeof name === 'string' || name === null,
);

/** `authenticated` must be one of the listed handlers, except those for other credentials. */
function authenticatedBy(session: Record<string, unknown>, excluded: readonly string[]): Matcher {
  const { authentication_handlers: listed } = asObject(session['info']);
  const allowed: unknown[] = Array.isArray(listed)
    ? listed.filter((name) => !excluded.includes(name as string))
    : [];
  return objectWith({
    info: objectWith({
      authentication_handlers: arrayOf(aString),
      authenticated: satisfying(`one of ${JSON.stringify(allowed)}`, (name) => allowed.includes(name)),
    }),
  });
}

export const sessionChecks = [
  check({
    rule: 'session-shape',
    variant: 'anonymous',
    async run(context) {
      const exchange = await getSession(context);
      context.observe('session-anonymous', { status: exchange.status });
      // A server may refuse anonymous requests; then there is no session to check.
      if (exchange.status === 401) return;
      mustMatch('The anonymous session is malformed', exchange.object(), sessionWith(aNameOrNull));
    },
  }),
  check({
    rule: 'session-shape',
    variant: 'administrator',
    needs: ['admin'],
    async run(context) {
      const session = await validSession(context, 'admin');
      mustMatch('The session of the administrator is malformed', session, sessionWith(aString));
    },
  }),
  check({
    rule: 'session-shape',
    variant: 'user',
    needs: ['users'],
    async run(context) {
      const user = await context.createUser({ roles: ['reader', 'writer'] });
      const session = await validSession(context, { basic: user });
      mustMatch('The session of a user is malformed', session, sessionWith(aString));
    },
  }),
  check({
    rule: 'session-info-db',
    async run(context) {
      mustMatch(
        'The session does not name the users database',
        await validSession(context, 'admin'),
        objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) }),
      );
    },
  }),
  check({
    rule: 'session-authenticated-by',
    variant: 'basic',
    needs: ['admin'],
    async run(context) {
      const session = await validSession(context, 'admin');
      const expected = authenticatedBy(session, ['cookie', 'proxy', 'jwt']);
      mustMatch('The session does not name the handler of basic authentication', session, expected);
    },
  }),
  check({
    rule: 'session-authenticated-by',
    variant: 'cookie',
    needs: ['users'],
    async run(context) {
      const { cookie } = await logIn(context, await context.createUser());
      const session = await validSession(context, { cookie });
      const expected = authenticatedBy(session, ['default', 'proxy', 'jwt']);
      mustMatch('The session does not name the handler of cookie authentication', session, expected);
    },
  }),
];
