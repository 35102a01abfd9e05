/** Users: who can make them, and what they must be called. */
import fc from 'fast-check';
import * as arbitraries from '../arbitraries/users.js';
import { equalTo, mustMatch, objectWith, sameElements } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import type { Caller } from '../client/client.js';
import { putUser, userPath } from '../client/users.js';
import { check, type CheckContext, forAll } from '../check.js';
import { postSession, getSession, cookieIn, mustBeUser } from './shared/sessions.js';

/** `who` tries to make a user with roles; judged by what that user then can do. */
async function mustNotBringAbout(context: CheckContext, who: string, as: Caller): Promise<void> {
  const wanted = context.planUser({ roles: ['reader', 'writer'] });
  const made = await context.target.request(putUser(wanted, as));
  context.observe(`users-put-by: ${who}`, { status: made.status });
  const session = await getSession(context, { as: { basic: wanted } });
  if (session.status !== 200) return;
  const { userCtx } = session.object() as { userCtx?: { name?: unknown; roles?: unknown } };
  if (userCtx?.name === wanted.name && Array.isArray(userCtx.roles) && userCtx.roles.length > 0) {
    throw new Violation(`${who} can make a user with roles`, {
      path: '$.userCtx.roles',
      expected: [],
      actual: userCtx.roles,
    });
  }
}

export const usersChecks = [
  check({
    rule: 'users-create',
    run: forAll(
      fc.record({ nameEnd: arbitraries.nameEnd, roles: arbitraries.roles }),
      async (context, options) => {
        const user = context.planUser(options);
        const made = await context.target.request(putUser(user));
        if (made.status >= 400) {
          throw new Violation('The administrator cannot create a user', {
            path: '$status',
            expected: 'a status of success',
            actual: made.status,
          });
        }
        const login = await postSession(context, user.name, user.password);
        const cookie = cookieIn(login);
        if (cookie === undefined) {
          throw new Violation('The new user cannot log in', {
            path: '$headers["set-cookie"]',
            expected: 'a cookie named AuthSession',
            actual: undefined,
          });
        }
        mustBeUser(user, await getSession(context, { as: { cookie } }), 'The session of the new user');
      },
      { runs: { default: 8, thorough: 40 } },
    ),
  }),
  check({
    rule: 'users-stored',
    run: forAll(
      fc.record({ nameEnd: arbitraries.nameEnd, roles: arbitraries.roles }),
      async (context, options) => {
        const user = await context.createUser(options);
        const stored = await context.target.request({ path: userPath(user.id), as: 'admin' });
        mustMatch(
          'The document of a user is not as written',
          stored.status === 200 ? stored.object() : undefined,
          objectWith({
            _id: equalTo(user.id),
            name: equalTo(user.name),
            type: equalTo('user'),
            roles: sameElements(user.roles),
          }),
        );
      },
      { runs: { default: 5, thorough: 20 } },
    ),
  }),
  check({
    rule: 'users-admin-only',
    what: 'anonymous',
    run: (context) => mustNotBringAbout(context, 'Nobody', 'anonymous'),
  }),
  check({
    rule: 'users-admin-only',
    what: 'ordinary-user',
    async run(context) {
      const user = await context.createUser({ roles: ['reader'] });
      await mustNotBringAbout(context, 'An ordinary user', { basic: user });
    },
  }),
  check({
    rule: 'users-id-form',
    async run(context) {
      const { userIdPrefix } = context.target.names;
      const forms = {
        'more than the prefix before the name': `${userIdPrefix}x`,
        'no prefix': '',
        'another prefix': `other.user:`,
        'a prefix without its colon': userIdPrefix.replace(/:$/, ''),
      };
      for (const [how, idStart] of Object.entries(forms)) {
        const user = context.planUser({ idStart });
        const made = await context.target.request({ ...putUser(user), deliberatelyWrong: true });
        const stored = await context.target.request({ path: userPath(user.id), as: 'admin' });
        if (made.status < 400 || stored.status === 200) {
          throw new Violation(`A user document is taken whose id has ${how}`, {
            path: '$status',
            expected: 'a status of 400 or above, and no document',
            actual: made.status,
          });
        }
      }
    },
  }),
];
