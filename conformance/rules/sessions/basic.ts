/** Basic authentication (SERVICE 5.1). */
import * as arbitraries from '../../arbitraries/users.js';
import { basicToken } from '../../http/http.js';
import {
  type CheckContext,
  defineRule,
  type Exchange,
  forAll,
  must,
  requestFeed,
  Skip,
  type TestUser,
  variantsFor,
} from '../../kit.js';
import { eventually } from '../shared/eventually.js';
import {
  changeUser,
  cookieIn,
  maxCacheMs,
  forEachWrongPassword,
  getSession,
  logIn,
  mustBeAnonymous,
  mustBeUser,
  mustNotLogIn,
  mustServeFeedToRole,
  userNameIn,
  userNamesLike,
} from '../shared/sessions.js';
import { headersLike, withSchemesLike } from '../shared/resembling.js';
import {
  decodeBasic,
  forUsers,
  forbidden,
  isAscii,
  isUserAdmin,
  mustBeNamed,
} from '../shared/passing-sessions.js';
import { unseen } from '../shared/unseen.js';

/** The credentials must not authenticate. The status of the response is not defined. */
async function mustReject(context: CheckContext, token: string, how: string): Promise<void> {
  const session = await getSession(context, { as: { authorization: `Basic ${token}` } });
  context.observe(`basic-refused: ${how}`, { status: session.status });
  mustBeAnonymous(session, `basic authentication with ${how}`);
  await mustNotLogIn(context, session, how);
}

/** Tokens with the right credentials that are not the Base64 of `name:password`, by what is wrong with them. */
const malformed: Readonly<Record<string, (user: TestUser) => string>> = {
  // It replaces a character: a decoder of RFC 2045, which RFC 2617 refers to, ignores an additional one.
  'a character that Base64 does not have': (user) => {
    const token = basicToken(user);
    return `${token.slice(0, 5)}!${token.slice(6)}`;
  },
  'text that is not encoded': ({ name, password }) => `${name}:${password}`,
  'a name without a colon': ({ name }) => encoded(name),
  'no colon between name and password': ({ name, password }) => encoded(name + password),
  'another separator': ({ name, password }) => encoded(`${name} ${password}`),
  'an empty token': () => '',
};

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Creates a user, who authenticates with basic authentication. */
async function authenticate(context: CheckContext): Promise<{ user: TestUser; session: Exchange }> {
  const user = await context.createUser({ roles: ['reader', 'writer'] });
  const session = await getSession(context, { as: { basic: user } });
  mustBeUser(user, session, 'basic authentication');
  return { user, session };
}

export const basicAccepts = defineRule('basic-accepts', {
  rung: 'basic',
  inTraffic: {
    part: { judged: 'If the session names a user, it is the one of the credentials.', rest: unseen.access },
    response: forUsers(['basic'], ({ value, name }) => {
      const [, user] = /^([^:]+):/.exec(decodeBasic(value)) ?? [];
      if (user === undefined || !isAscii(user)) return false;
      mustBeNamed(name, user, 'basic authentication');
    }),
  },
  checks: {
    'basic-accepts': forAll(
      arbitraries.newUsers,
      async (context, options) => {
        const user = await context.createUser(options);
        mustBeUser(user, await getSession(context, { as: { basic: user } }), 'basic authentication');
      },
      { cases: { default: 15, thorough: 100 } },
    ),

    'basic-accepts/with-a-cookie': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      const session = await getSession(context, { as: { basic: user }, headers: { Cookie: 'theme=dark' } });
      mustBeUser(user, session, 'basic authentication in a request with another cookie');
    },

    'basic-accepts/feed-of-role': async (context) => {
      const user = await context.createUser({ roles: ['docfeed-role'] });
      const { cookie } = await logIn(context, user);
      await mustServeFeedToRole(context, 'docfeed-role', { as: { basic: user } }, { cookie });
    },

    // RFC 2617, section 1.2: the name of a scheme has no case.
    'basic-accepts/scheme-in-any-case': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      for (const scheme of variantsFor(context, ['basic', 'BASIC'])) {
        const session = await getSession(context, { as: { authorization: `${scheme} ${basicToken(user)}` } });
        mustBeUser(user, session, `basic authentication with the scheme ${scheme}`);
      }
    },
  },
});

export const basicRejects = defineRule('basic-rejects', {
  rung: 'basic',
  inTraffic: {
    part: {
      judged: 'Credentials without a colon authenticate nobody who asks for the session.',
      rest: unseen.passwords,
    },
    response: forbidden(
      'basic',
      (value) => !decodeBasic(value).includes(':'),
      'basic credentials without a colon',
    ),
  },
  checks: {
    'basic-rejects/wrong-password': {
      needs: ['users'],
      run: (context) =>
        forEachWrongPassword(context, (inner, credentials, how) =>
          mustReject(inner, basicToken(credentials), how),
        ),
    },

    'basic-rejects/similar-schemes': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ roles: ['reader'] });
        const credentials = basicToken(user);
        // The scheme of tokens resembles it, too, since a server may read both at one place.
        const values = [...withSchemesLike('Basic', credentials), `Bearer ${credentials}`];
        for (const authorization of variantsFor(context, values)) {
          const session = await getSession(context, { as: { authorization } });
          const how = authorization.replace(credentials, '<credentials>');
          mustBeAnonymous(session, `basic authentication in the form ${how}`);
        }
        for (const name of variantsFor(context, ['Proxy-Authorization', ...headersLike('Authorization')])) {
          const session = await getSession(context, { headers: { [name]: `Basic ${credentials}` } });
          mustBeAnonymous(session, `basic authentication in the header ${name}`);
        }
      },
    },

    'basic-rejects/similar-names': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ nameEnd: 'Xy' });
        for (const name of variantsFor(context, userNamesLike(user.name))) {
          const session = await getSession(context, { as: { basic: { ...user, name } } });
          mustBeAnonymous(
            session,
            `basic authentication with the name ${JSON.stringify(name)}, which no user has`,
          );
        }
      },
    },

    // A server may remember passwords that it has verified, but not for ever.
    'basic-rejects/changed-user': {
      needs: ['users'],
      async run(context) {
        for (const [how, changes] of [
          ['the password before the last change', { password: 'another password' }],
          ['the name and password of a deleted user', 'delete'],
        ] as const) {
          const { user } = await authenticate(context);
          await changeUser(context, user, changes);
          const session = await eventually(
            () => getSession(context, { as: { basic: user } }),
            (response) => userNameIn(response) === undefined,
            maxCacheMs,
          );
          mustBeAnonymous(session, `basic authentication with ${how}`);
        }
      },
    },

    'basic-rejects/unknown-user': (context) =>
      mustReject(context, basicToken(context.planUser()), 'an unknown name'),

    'basic-rejects/malformed': {
      needs: ['users'],
      async run(context) {
        for (const [how, tokenOf] of variantsFor(context, Object.entries(malformed))) {
          await context.inScope(async (inner) => mustReject(inner, tokenOf(await inner.createUser()), how));
        }
      },
    },
  },
});

export const basicSetCookie = defineRule('basic-set-cookie', {
  rung: 'basic',
  inTraffic: {
    part: {
      judged: 'A session after basic authentication of a user who is no administrator sets a cookie.',
      rest: unseen.access,
    },
    response: forUsers(['basic'], ({ roles, passed: { passing } }) => {
      if (isUserAdmin(roles)) return false;
      must(passing.headers.has('set-cookie'), 'The response to basic authentication sets no cookie', {
        path: '$headers["set-cookie"]',
        expected: 'a cookie',
        actual: undefined,
      });
    }),
  },
  checks: {
    'basic-set-cookie': async (context) => {
      const { user, session } = await authenticate(context);
      const database = await context.createDatabase();
      const responses = {
        'a user': session,
        'the same user again': await getSession(context, { as: { basic: user } }),
        'the administrator': await getSession(context, { as: 'admin' }),
        'the administrator who reads a feed': await requestFeed(database),
      };
      for (const [caller, { headers }] of Object.entries(responses)) {
        must(
          headers.has('set-cookie'),
          `The response to successful basic authentication of ${caller} sets no cookie`,
          { path: '$headers["set-cookie"]', expected: 'a cookie', actual: undefined },
        );
      }
    },
  },
});

export const basicCookieUsable = defineRule('basic-cookie-usable', {
  rung: 'basic',
  notInTraffic: 'A cookie may end at any time, so one that does not authenticate proves nothing.',
  checks: {
    'basic-cookie-usable': async (context) => {
      const { user, session } = await authenticate(context);
      const cookie = cookieIn(session);
      if (cookie === undefined) throw new Skip('The target sets no cookie (see basic-set-cookie).');
      const again = await getSession(context, { as: { cookie } });
      mustBeUser(user, again, 'the cookie of basic authentication');
    },
  },
});
