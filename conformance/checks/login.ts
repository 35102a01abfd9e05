/** Logging in with a name and a password. */
import * as arbitraries from '../arbitraries/users.js';
import { equalTo, mustMatch, objectWith, sameElements } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import type { Exchange, TestUser } from '../client/client.js';
import { check, type CheckContext, forAll, variantsFor } from '../check.js';
import { postSession, getSession, cookieIn, mustBeAnonymous, wrongPasswords } from './shared/sessions.js';
import fc from 'fast-check';

async function successfulLogin(context: CheckContext, user: TestUser): Promise<Exchange> {
  const exchange = await postSession(context, user.name, user.password);
  if (exchange.status >= 400) {
    throw new Violation('POST /_session with the right password is refused', {
      path: '$status',
      expected: 'a status of success',
      actual: exchange.status,
    });
  }
  return exchange;
}

/** Judges a login that must fail by what its answer can be used for: its status is left open. */
async function mustNotAuthenticate(context: CheckContext, login: Exchange, how: string): Promise<void> {
  context.observe(`login-refused: ${how}`, { status: login.status });
  const cookie = cookieIn(login);
  if (cookie !== undefined)
    mustBeAnonymous(await getSession(context, { as: { cookie } }), `A login with ${how}`);
}

export const loginChecks = [
  check({
    rule: 'login-result',
    run: forAll(
      fc.record({ nameEnd: arbitraries.nameEnd, roles: arbitraries.roles }),
      async (context, options) => {
        const user = await context.createUser(options);
        const login = await successfulLogin(context, user);
        mustMatch(
          'The result of a login is not that of the user',
          login.object(),
          objectWith({ ok: equalTo(true), name: equalTo(user.name), roles: sameElements(user.roles) }),
        );
      },
      { runs: { default: 8, thorough: 40 } },
    ),
  }),
  check({
    rule: 'login-cookie',
    async run(context) {
      const login = await successfulLogin(context, await context.createUser());
      const lines = login.headers.get('set-cookie') ?? [];
      if (cookieIn(login) === undefined) {
        throw new Violation('A login sets no cookie AuthSession', {
          path: '$headers["set-cookie"]',
          expected: 'a cookie named AuthSession that is not empty',
          actual: lines.map((line) => line.replace(/=.*/, '')),
        });
      }
      const [, ...attributes] = lines.find((line) => line.startsWith('AuthSession='))!.split(/;\s*/);
      context.observe('login-cookie-attributes', attributes);
    },
  }),
  check({
    rule: 'login-rejects',
    what: 'wrong-password',
    needs: ['users'],
    async run(context) {
      for (const how of variantsFor(context, Object.keys(wrongPasswords('')))) {
        // A user for each: servers lock an account after a few wrong passwords.
        await context.inScope(async (inner) => {
          const user = await inner.createUser();
          const login = await postSession(inner, user.name, wrongPasswords(user.password)[how]!);
          await mustNotAuthenticate(inner, login, `a wrong password (${how})`);
        });
      }
    },
  }),
  check({
    rule: 'login-rejects',
    what: 'password-of-another',
    needs: ['users'],
    async run(context) {
      const [user, other] = [await context.createUser(), await context.createUser()];
      const login = await postSession(context, user.name, other.password);
      await mustNotAuthenticate(context, login, 'the password of another user');
    },
  }),
  check({
    rule: 'login-rejects',
    what: 'unknown-name',
    async run(context) {
      const nobody = context.planUser();
      const login = await postSession(context, nobody.name, nobody.password);
      await mustNotAuthenticate(context, login, 'a name that nobody has');
    },
  }),
];
