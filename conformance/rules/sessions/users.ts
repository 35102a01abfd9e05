/** User documents (SERVICE 2.4, 4.4). */
import fc from 'fast-check';
import * as arbitraries from '../../arbitraries/users.js';
import {
  asObject,
  type Caller,
  type CheckContext,
  defineRule,
  equalTo,
  type Exchange,
  forAll,
  must,
  mustMatch,
  mustSucceed,
  objectWith,
  parseJson,
  sameElements,
  Skip,
  token,
} from '../../kit.js';
import { putUser, userPath } from '../../session/cleanup/user-requests.js';
import { claimsFor, headerFor, usableKeys, withRoles } from '../shared/jwt.js';
import { postSession, getSession, cookieIn, logIn, mustBeUser, mustSetCookie } from '../shared/sessions.js';
import { unseen } from '../shared/unseen.js';

/** The caller must not be able to create a user with roles, whatever the status of the response is. */
async function mustNotCreateRoles(context: CheckContext, caller: string, as: Caller): Promise<void> {
  const user = context.planUser({ roles: ['reader', 'writer'] });
  const created = await context.target.request(putUser(user, as));
  context.observe(`users-put-by: ${caller}`, { status: created.status });
  const mustHaveNoRoles = (exchange: Exchange, path: string, shown: unknown): void => {
    const { name, roles } = asObject(shown);
    const hasRoles =
      exchange.status === 200 && name === user.name && Array.isArray(roles) && roles.length > 0;
    const difference = { path, expected: [], actual: roles, exchange };
    must(!hasRoles, `The target lets ${caller} create a user with roles`, difference);
  };
  const session = await getSession(context, { as: { basic: user } });
  mustHaveNoRoles(session, '$.userCtx.roles', asObject(parseJson(session.text))['userCtx']);
  // A session may be that of somebody else, whatever the credentials.
  const login = await postSession(context, user.name, user.password);
  mustHaveNoRoles(login, '$.roles', parseJson(login.text));
}

export const usersCreate = defineRule('users-create', {
  rung: 'basic',
  notInTraffic: 'Only a login right after the creation shows it.',
  checks: {
    'users-create': forAll(
      fc.record({ nameEnd: arbitraries.nameEnd, roles: arbitraries.roles }),
      async (context, options) => {
        const user = context.planUser(options);
        const created = await context.target.request(putUser(user));
        mustSucceed(created, 'The target does not let the administrator create a user');
        const login = await postSession(context, user.name, user.password);
        const cookie = mustSetCookie(login, 'The new user cannot log in');
        mustBeUser(user, await getSession(context, { as: { cookie } }), 'the cookie of the new user');
      },
      { cases: { default: 8, thorough: 40 } },
    ),

    'users-create/with-cookie': {
      needs: ['admin'],
      async run(context) {
        const { name, password } = context.target.admin!;
        const cookie = cookieIn(await postSession(context, name, password));
        if (cookie === undefined) throw new Skip('The target sets no cookie when the administrator logs in.');
        const user = context.planUser({ roles: ['reader'] });
        const created = await context.target.request(putUser(user, { cookie }));
        mustSucceed(created, 'The target does not let an administrator with a cookie create a user');
        mustBeUser(user, await getSession(context, { as: { basic: user } }), 'the new user');
      },
    },
  },
});

export const usersStored = defineRule('users-stored', {
  rung: 'basic',
  notInTraffic: unseen.otherWriters,
  checks: {
    'users-stored': forAll(
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
      { cases: { default: 5, thorough: 20 } },
    ),
  },
});

export const usersAdminOnly = defineRule('users-admin-only', {
  rung: 'basic',
  otherRungs: {
    'users-admin-only/with-token': 'tokens',
  },
  notInTraffic: 'Who is an administrator is a setting of the target.',
  checks: {
    'users-admin-only/anonymous': (context) =>
      mustNotCreateRoles(context, 'an anonymous caller', 'anonymous'),

    'users-admin-only/ordinary-user': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      await mustNotCreateRoles(context, 'an ordinary user', { basic: user });
    },

    'users-admin-only/with-cookie': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      await mustNotCreateRoles(context, 'an ordinary user with a cookie', await logIn(context, user));
    },

    'users-admin-only/with-token': async (context) => {
      const [key] = usableKeys(context);
      const claims = withRoles(context, claimsFor(context, 'docfeed-nobody'), ['reader']);
      const as = { authorization: `Bearer ${token(headerFor(key!), claims, key!)}` };
      await mustNotCreateRoles(context, 'an ordinary user with a token', as);
    },

    'users-admin-only/own-document': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      const stored = await context.target.request({ path: userPath(user.id), as: 'admin' });
      const { name, password } = user;
      const roles = [...user.roles, 'writer'];
      const json = { ...asObject(parseJson(stored.text)), name, password, roles, type: 'user' };
      const request = { method: 'PUT', path: userPath(user.id), json, echoesTarget: true };
      const changed = await context.target.request({ ...request, as: { basic: user } });
      context.observe('users-put-by: a user, own document', { status: changed.status });
      const session = await getSession(context, { as: { basic: user } });
      const { roles: actual } = asObject(asObject(parseJson(session.text))['userCtx']);
      const hasRole = Array.isArray(actual) && actual.includes('writer');
      const difference = { path: '$.userCtx.roles', expected: user.roles, actual };
      must(!hasRole, 'The target lets a user add a role to their own document', difference);
    },
  },
});

export const usersIdForm = defineRule('users-id-form', {
  rung: 'basic',
  inTraffic: {
    response: ({ passing, sent, context }) => {
      const [, encoded] = /^\/_users\/([^/]+)$/.exec(passing.pathname) ?? [];
      const { name, type, _deleted: deleted } = asObject(sent);
      if (encoded === undefined || passing.method !== 'PUT' || passing.status !== 201) return false;
      if (type !== 'user' || deleted || typeof name !== 'string') return false;
      const what = 'The target stores a user under an id of another form';
      // Unlike `decodeURIComponent`, this accepts everything that a server may have accepted.
      const id = new URLSearchParams(`id=${encoded.replaceAll('+', '%2B')}`).get('id');
      mustMatch(what, id, equalTo(context.names.userIdPrefix + name), 'the id');
    },
  },
  checks: {
    'users-id-form': async (context) => {
      const { userIdPrefix } = context.target.names;
      const invalidStarts = {
        'additional text before the name': `${userIdPrefix}x`,
        'no prefix': '',
        'another prefix': `other.user:`,
        'a prefix without its colon': userIdPrefix.replace(/:$/, ''),
      };
      const longer = context.planUser({ nameEnd: 'X' });
      const invalidUsers = {
        ...Object.fromEntries(
          Object.entries(invalidStarts).map(([how, idStart]) => [how, context.planUser({ idStart })]),
        ),
        'additional text after the name': { ...longer, name: longer.name.slice(0, -1) },
        'the name in another case': { ...longer, name: longer.name.toLowerCase() },
      };
      for (const [how, user] of Object.entries(invalidUsers)) {
        const created = await context.target.request({ ...putUser(user), deliberatelyWrong: true });
        const stored = await context.target.request({ path: userPath(user.id), as: 'admin' });
        must(
          created.status >= 400 && stored.status !== 200,
          `The target accepts a user document whose id has ${how}`,
          { path: '$status', expected: 'a status of 400 or above, and no document', actual: created.status },
        );
      }
    },
  },
});
