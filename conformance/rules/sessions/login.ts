/** Login with a name and a password (SERVICE 4.3). */
import * as arbitraries from '../../arbitraries/users.js';
import {
  type CheckContext,
  type Credentials,
  defineRule,
  equalTo,
  type Exchange,
  forAll,
  mustMatch,
  mustSucceed,
  objectWith,
  sameElements,
  variantsFor,
  aString,
  arrayOf,
  asObject,
  must,
  onResponseTo,
  sessionCookie,
} from '../../kit.js';
import { eventually } from '../shared/eventually.js';
import {
  changeUser,
  cookieIn,
  maxCacheMs,
  forEachWrongPassword,
  getSession,
  mustBeUser,
  mustNotLogIn,
  mustNotLogInWith,
  mustSetCookie,
  postSession,
  userNamesLike,
  withFreshUsers,
} from '../shared/sessions.js';
import { membersLike } from '../shared/resembling.js';
import { loginRejectsWrongPasswordWithCode } from '../tokens/totp.js';
import { unseen } from '../shared/unseen.js';
import { isUserAdmin } from '../shared/passing-sessions.js';

async function mustLogIn(context: CheckContext, { name, password }: Credentials): Promise<Exchange> {
  const login = await postSession(context, name, password);
  mustSucceed(login, 'The target rejects a login with the right password');
  return login;
}

async function mustReject(
  context: CheckContext,
  { name, password }: Credentials,
  how: string,
): Promise<void> {
  const login = await postSession(context, name, password);
  context.observe(`login-refused: ${how}`, { status: login.status });
  await mustNotLogIn(context, login, how);
}

export const loginResult = defineRule('login-result', {
  rung: 'cookie',
  inTraffic: {
    part: { judged: 'The form of the result, and the name in it.', rest: unseen.access },
    response: onResponseTo('postSession', (passed) => {
      const { name } = asObject(passed.sent);
      const body = passed.body;
      if (typeof name !== 'string' || isUserAdmin(body['roles'])) return false;
      const wellFormed = objectWith({ ok: equalTo(true), name: equalTo(name), roles: arrayOf(aString) });
      mustMatch('The result of a login is malformed', body, wellFormed);
    }),
  },
  checks: {
    'login-result': forAll(
      arbitraries.newUsers,
      async (context, options) => {
        const user = await context.createUser(options);
        const login = await mustLogIn(context, user);
        mustMatch(
          'The response to a login does not have the name and roles of the user',
          login.object(),
          objectWith({ ok: equalTo(true), name: equalTo(user.name), roles: sameElements(user.roles) }),
        );
      },
      { cases: { default: 8, thorough: 40 } },
    ),

    'login-result/after-a-change': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      await mustLogIn(context, user);
      const changed = { ...user, password: 'another password', roles: ['writer'] };
      await changeUser(context, user, changed);
      const login = await eventually(
        () => postSession(context, changed.name, changed.password),
        ({ status, text }) => status < 400 && text.includes('writer'),
        maxCacheMs,
      );
      mustSucceed(login, 'The target rejects a login with the new password');
      const expected = objectWith({ name: equalTo(user.name), roles: sameElements(changed.roles) });
      mustMatch('The response to a login does not have the new roles of the user', login.object(), expected);
    },
  },
});

export const loginCookie = defineRule('login-cookie', {
  rung: 'cookie',
  inTraffic: {
    part: {
      judged: 'A login of a user who is no administrator sets a cookie `AuthSession` that is not empty.',
      rest: unseen.access,
    },
    response: onResponseTo('postSession', (passed) => {
      const { ok, roles } = passed.body;
      if (ok !== true || isUserAdmin(roles)) return false;
      must(sessionCookie(passed) !== undefined, 'The response to a login sets no cookie AuthSession', {
        path: '$headers["set-cookie"]',
        expected: 'a cookie named AuthSession that is not empty',
        actual: undefined,
      });
    }),
  },
  checks: {
    'login-cookie': async (context) => {
      const login = await mustLogIn(context, await context.createUser());
      mustSetCookie(login, 'The response to a login sets no cookie AuthSession');
      const lines = login.headers.get('set-cookie')!;
      const [, ...attributes] = lines.find((line) => line.startsWith('AuthSession='))!.split(/;\s*/);
      context.observe('login-cookie-attributes', attributes);
    },

    // A login again, and one in place of another user.
    'login-cookie/again': async (context) => {
      const user = await context.createUser({ roles: ['reader'], password: 'pass: w\u00f6rd' });
      const other = await context.createUser();
      const headers = { Cookie: `AuthSession=${cookieIn(await mustLogIn(context, other))}` };
      for (const sent of [{}, {}, headers]) {
        const json = { name: user.name, password: user.password };
        const login = await context.target.request({
          method: 'POST',
          path: '/_session',
          json,
          headers: sent,
        });
        mustSucceed(login, 'The target rejects a login with the right password');
        const cookie = mustSetCookie(login, 'The response to another login sets no cookie AuthSession');
        mustBeUser(user, await getSession(context, { as: { cookie } }), 'the cookie of another login');
      }
    },
  },
});

export const loginRejects = defineRule('login-rejects', {
  rung: 'cookie',
  otherRungs: {
    'login-rejects/wrong-password-with-code': 'tokens',
  },
  notInTraffic: unseen.passwords,
  checks: {
    'login-rejects/wrong-password': {
      needs: ['users'],
      run: (context) => forEachWrongPassword(context, mustReject),
    },

    'login-rejects/old-password': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser();
        await mustLogIn(context, user);
        await changeUser(context, user, { password: 'another password' });
        const login = await eventually(
          () => postSession(context, user.name, user.password),
          (response) => cookieIn(response) === undefined,
          maxCacheMs,
        );
        await mustNotLogIn(context, login, 'the password before the last change');
      },
    },

    'login-rejects/password-of-another': {
      needs: ['users'],
      async run(context) {
        const [user, other] = [await context.createUser(), await context.createUser()];
        const credentials = { name: user.name, password: other.password };
        await mustReject(context, credentials, 'the password of another user');
      },
    },

    'login-rejects/similar-names': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ nameEnd: 'Xy' });
        for (const name of variantsFor(context, userNamesLike(user.name)))
          await mustReject(context, { ...user, name }, 'a name that resembles that of a user');
      },
    },

    'login-rejects/similar-members': {
      needs: ['users'],
      async run(context) {
        for (const member of ['name', 'password'] as const) {
          await withFreshUsers(
            context,
            variantsFor(context, membersLike(member)),
            (inner) => inner.createUser(),
            (inner, { name, password }, other) => {
              const { [member]: value, ...json } = { name, password };
              return mustNotLogInWith(
                inner,
                { ...json, [other]: value },
                `the ${member} in the member ${other}`,
              );
            },
          );
        }
      },
    },

    'login-rejects/unknown-name': (context) => mustReject(context, context.planUser(), 'an unknown name'),

    'login-rejects/wrong-password-with-code': loginRejectsWrongPasswordWithCode,
  },
});
