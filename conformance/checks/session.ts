/** The session object: what `GET /_session` says of the caller. */
import {
  anObject,
  arrayOf,
  aString,
  equalTo,
  type Matcher,
  mustMatch,
  objectWith,
  satisfying,
} from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import type { Caller } from '../client/client.js';
import { check, type CheckContext } from '../check.js';
import { getSession, logIn } from './shared/sessions.js';

/** The session of a caller that the target must know. */
async function session(context: CheckContext, as: Caller): Promise<Record<string, unknown>> {
  const exchange = await getSession(context, { as });
  if (exchange.status !== 200) {
    throw new Violation('GET /_session with good credentials is not answered with 200', {
      path: '$status',
      expected: 200,
      actual: exchange.status,
    });
  }
  return exchange.object();
}

function sessionOf(name: Matcher): Matcher {
  return objectWith({
    ok: equalTo(true),
    userCtx: objectWith({ name, roles: arrayOf(aString) }),
    info: anObject,
  });
}

const aNameOrNothing = satisfying(
  'a string, or null for nobody',
  (name) => typeof name === 'string' || name === null,
);

/** A session whose handler is one of those that it lists, and not one for another kind of credentials. */
function handledBy(body: Record<string, unknown>, excluded: readonly string[]): Matcher {
  const listed = (body['info'] as { authentication_handlers?: unknown } | undefined)?.authentication_handlers;
  const fitting = Array.isArray(listed) ? listed.filter((name) => !excluded.includes(name as string)) : [];
  return objectWith({
    info: objectWith({
      authentication_handlers: arrayOf(aString),
      authenticated: satisfying(`one of ${JSON.stringify(fitting)}`, (name) => fitting.includes(name)),
    }),
  });
}

export const sessionChecks = [
  check({
    rule: 'session-shape',
    what: 'anonymous',
    async run(context) {
      const exchange = await getSession(context);
      context.observe('session-anonymous', { status: exchange.status });
      // A server may refuse whoever does not say who they are; then there is no session to judge.
      if (exchange.status === 401) return;
      mustMatch('The session of nobody is not well formed', exchange.object(), sessionOf(aNameOrNothing));
    },
  }),
  check({
    rule: 'session-shape',
    what: 'administrator',
    needs: ['admin'],
    async run(context) {
      const body = await session(context, 'admin');
      mustMatch('The session of the administrator is not well formed', body, sessionOf(aString));
    },
  }),
  check({
    rule: 'session-shape',
    what: 'user',
    needs: ['users'],
    async run(context) {
      const user = await context.createUser({ roles: ['reader', 'writer'] });
      const body = await session(context, { basic: user });
      mustMatch('The session of a user is not well formed', body, sessionOf(aString));
    },
  }),
  check({
    rule: 'session-info-db',
    async run(context) {
      mustMatch(
        'The session does not name the users database',
        await session(context, 'admin'),
        objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) }),
      );
    },
  }),
  check({
    rule: 'session-authenticated-by',
    what: 'basic',
    needs: ['admin'],
    async run(context) {
      const body = await session(context, 'admin');
      const handled = handledBy(body, ['cookie', 'proxy', 'jwt']);
      mustMatch('The session does not name the handler of basic authentication', body, handled);
    },
  }),
  check({
    rule: 'session-authenticated-by',
    what: 'cookie',
    needs: ['users'],
    async run(context) {
      const { cookie } = await logIn(context, await context.createUser());
      const body = await session(context, { cookie });
      const handled = handledBy(body, ['default', 'proxy', 'jwt']);
      mustMatch('The session does not name the handler of cookies', body, handled);
    },
  }),
];
