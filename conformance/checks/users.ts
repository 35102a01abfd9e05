/** User documents (SERVICE 2.4, 4.4). */
import fc from 'fast-check';
import * as arbitraries from '../arbitraries/users.js';
import { equalTo, must, mustMatch, mustSucceed, objectWith, sameElements } from '../verdict/matchers.js';
import { asObject } from '../client/json.js';
import type { Caller } from '../client/client.js';
import { putUser, userPath } from '../client/users.js';
import { check, type CheckContext, forAll } from '../check.js';
import { postSession, getSession, cookieIn, mustBeUser } from './shared/sessions.js';

/** The caller must not be able to create a user with roles, whatever the status of the response is. */
async function mustNotCreateRoles(context: CheckContext, caller: string, as: Caller): Promise<void> {
  const user = context.planUser({ roles: ['reader', 'writer'] });
  const created = await context.target.request(putUser(user, as));
  context.observe(`users-put-by: ${caller}`, { status: created.status });
  const session = await getSession(context, { as: { basic: user } });
  if (session.status !== 200) return;
  const { name, roles } = asObject(session.object()['userCtx']);
  const hasRoles = name === user.name && Array.isArray(roles) && roles.length > 0;
  const difference = { path: '$.userCtx.roles', expected: [], actual: roles };
  must(!hasRoles, `The target lets ${caller} create a user with roles`, difference);
}

export const usersChecks = [
  check({
    rule: 'users-create',
    run: forAll(
      fc.record({ nameEnd: arbitraries.nameEnd, roles: arbitraries.roles }),
      async (context, options) => {
        const user = context.planUser(options);
        const created = await context.target.request(putUser(user));
        mustSucceed(created, 'The target does not let the administrator create a user');
        const cookie = cookieIn(await postSession(context, user.name, user.password));

        must(cookie !== undefined, 'The new user cannot log in', {
          path: '$headers["set-cookie"]',
          expected: 'a cookie named AuthSession',
          actual: undefined,
        });
        mustBeUser(user, await getSession(context, { as: { cookie } }), 'the cookie of the new user');
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
          'The target does not return the document of a user as it was written',
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
    variant: 'anonymous',
    run: (context) => mustNotCreateRoles(context, 'an anonymous caller', 'anonymous'),
  }),
  check({
    rule: 'users-admin-only',
    variant: 'ordinary-user',
    async run(context) {
      const user = await context.createUser({ roles: ['reader'] });
      await mustNotCreateRoles(context, 'an ordinary user', { basic: user });
    },
  }),
  check({
    rule: 'users-id-form',
    async run(context) {
      const { userIdPrefix } = context.target.names;
      const invalidStarts = {
        'additional text before the name': `${userIdPrefix}x`,
        'no prefix': '',
        'another prefix': `other.user:`,
        'a prefix without its colon': userIdPrefix.replace(/:$/, ''),
      };
      for (const [how, idStart] of Object.entries(invalidStarts)) {
        const user = context.planUser({ idStart });
        const created = await context.target.request({ ...putUser(user), deliberatelyWrong: true });
        const stored = await context.target.request({ path: userPath(user.id), as: 'admin' });
        must(
          created.status >= 400 && stored.status !== 200,
          `The target accepts a user document whose id has ${how}`,
          { path: '$status', expected: 'a status of 400 or above, and no document', actual: created.status },
        );
      }
    },
  }),
];
