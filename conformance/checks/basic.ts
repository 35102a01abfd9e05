/** Basic authentication. */
import fc from 'fast-check';
import * as arbitraries from '../arbitraries/users.js';
import { basicToken } from '../client/http.js';
import { Skip, Violation } from '../verdict/outcomes.js';
import type { Exchange, TestUser } from '../client/client.js';
import { check, type CheckContext, forAll, variantsFor } from '../check.js';
import { getSession, cookieIn, mustBeUser, mustBeAnonymous, wrongPasswords } from './shared/sessions.js';

/** Judges credentials that must not count: the status of the answer is left open. */
async function mustNotAuthenticate(context: CheckContext, authorization: string, how: string): Promise<void> {
  const session = await getSession(context, { as: { authorization } });
  context.observe(`basic-refused: ${how}`, { status: session.status });
  mustBeAnonymous(session, `Basic authentication with ${how}`);
}

/** Tokens made from the right credentials that are not base64 of `name:password`. */
const malformed: Readonly<Record<string, (user: TestUser) => string>> = {
  'a character that base64 does not have': (user) => {
    const token = basicToken(user);
    return `${token.slice(0, 5)}!${token.slice(5)}`;
  },
  'text that is not encoded': ({ name, password }) => `${name}:${password}`,
  'a name and no colon': ({ name }) => encoded(name),
  'no colon between name and password': ({ name, password }) => encoded(name + password),
  'another separator': ({ name, password }) => encoded(`${name} ${password}`),
  nothing: () => '',
};

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** A request that succeeds with basic authentication, and its answer. */
async function successful(context: CheckContext): Promise<{ user: TestUser; session: Exchange }> {
  const user = await context.createUser({ roles: ['reader', 'writer'] });
  const session = await getSession(context, { as: { basic: user } });
  mustBeUser(user, session, 'Basic authentication');
  return { user, session };
}

export const basicChecks = [
  check({
    rule: 'basic-accepts',
    run: forAll(
      fc.record({ password: arbitraries.password, roles: arbitraries.roles }),
      async (context, options) => {
        const user = await context.createUser(options);
        mustBeUser(user, await getSession(context, { as: { basic: user } }), 'Basic authentication');
      },
      { runs: { default: 15, thorough: 100 } },
    ),
  }),
  check({
    rule: 'basic-rejects',
    what: 'wrong-password',
    needs: ['users'],
    async run(context) {
      for (const how of variantsFor(context, Object.keys(wrongPasswords('')))) {
        // A user for each: servers lock an account after a few wrong passwords.
        await context.inScope(async (inner) => {
          const { name, password } = await inner.createUser();
          const token = basicToken({ name, password: wrongPasswords(password)[how]! });
          await mustNotAuthenticate(inner, `Basic ${token}`, `a wrong password (${how})`);
        });
      }
    },
  }),
  check({
    rule: 'basic-rejects',
    what: 'unknown-user',
    async run(context) {
      const token = basicToken(context.planUser());
      await mustNotAuthenticate(context, `Basic ${token}`, 'a name that nobody has');
    },
  }),
  check({
    rule: 'basic-rejects',
    what: 'malformed',
    needs: ['users'],
    async run(context) {
      for (const [how, token] of variantsFor(context, Object.entries(malformed))) {
        await context.inScope(async (inner) => {
          const user = await inner.createUser();
          await mustNotAuthenticate(inner, `Basic ${token(user)}`, how);
        });
      }
    },
  }),
  check({
    rule: 'basic-set-cookie',
    async run(context) {
      const { session } = await successful(context);
      if (!session.headers.has('set-cookie')) {
        throw new Violation('A successful basic authentication is answered without a cookie', {
          path: '$headers["set-cookie"]',
          expected: 'a cookie',
          actual: undefined,
        });
      }
    },
  }),
  check({
    rule: 'basic-cookie-usable',
    async run(context) {
      const { user, session } = await successful(context);
      const cookie = cookieIn(session);
      if (cookie === undefined) throw new Skip('The target sets no cookie: see basic-set-cookie.');
      mustBeUser(user, await getSession(context, { as: { cookie } }), 'The cookie of basic authentication');
    },
  }),
];
