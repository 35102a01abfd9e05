/** The session cookie (SERVICE 5.2). */
import fc from 'fast-check';
import { asObject, type CheckContext, defineRule, forAll, parseJson, token, variantsFor } from '../../kit.js';
import { claimsFor, headerFor, usableKeys, withRoles } from '../shared/jwt.js';
import { withCookiesLike } from '../shared/resembling.js';
import { decodings, tampered } from '../shared/tampering.js';
import {
  cookieIn,
  getSession,
  logIn,
  mustBeAnonymous,
  mustBeUser,
  mustServeFeed,
  mustServeFeedToRole,
} from '../shared/sessions.js';
import { forUsers, mustBeNamed } from '../shared/passing-sessions.js';
import { unseen } from '../shared/unseen.js';

/** Characters to write into a cookie. */
const replacements = [...'ABCXYZabcxyz0189-_'];

export const cookieAuthenticates = defineRule('cookie-authenticates', {
  rung: 'cookie',
  inTraffic: {
    part: {
      judged: 'If the session names a user, it is the one to whom the target gave the cookie.',
      rest: unseen.access,
    },
    response: forUsers(['cookie'], ({ name, passed: { cookieUser } }) => {
      if (cookieUser === undefined) return false;
      mustBeNamed(name, cookieUser, 'a session cookie');
    }),
  },
  checks: {
    'cookie-authenticates/alone': async (context) => {
      const user = await context.createUser({ roles: ['reader', 'writer'] });
      const { cookie } = await logIn(context, user);
      mustBeUser(user, await getSession(context, { as: { cookie } }), 'the session cookie');
    },

    'cookie-authenticates/among-others': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      const { cookie } = await logIn(context, user);
      const headers = {
        Cookie: `theme=dark; OtherAuthSession=none; AuthSessionId=none; AuthSession=${cookie}; lang=en`,
      };
      mustBeUser(user, await getSession(context, { headers }), 'the session cookie among other cookies');
    },

    // Each of them alone: beside the right cookie, it could not show that it counts.
    'cookie-authenticates/similar-names': async (context) => {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      for (const sent of variantsFor(context, withCookiesLike('AuthSession', cookie))) {
        const session = await getSession(context, { headers: { Cookie: sent } });
        mustBeAnonymous(session, `the session cookie under the name ${sent.replace(`=${cookie}`, '')}`);
      }
    },

    'cookie-authenticates/feed': async (context) => {
      const user = await context.createUser();
      const { cookie } = await logIn(context, user);
      await mustServeFeed(context, user.name, { as: { cookie } });
    },

    'cookie-authenticates/feed-of-role': async (context) => {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['docfeed-role'] }));
      await mustServeFeedToRole(context, 'docfeed-role', { as: { cookie } });
    },

    // Either credentials suffice, so both together must not be refused.
    'cookie-authenticates/with-basic': async (context) => {
      const user = await context.createUser({ roles: ['reader'] });
      const { cookie } = await logIn(context, user);
      const headers = { Cookie: `AuthSession=${cookie}` };
      const session = await getSession(context, { as: { basic: user }, headers });
      mustBeUser(user, session, 'the session cookie with the basic credentials of the same user');
    },

    // Either credentials may decide, or the target may refuse both, but it must not mix them.
    'cookie-authenticates/with-token': async (context) => {
      const [key] = usableKeys(context);
      const user = await context.createUser({ roles: ['cookie-role'] });
      const { cookie } = await logIn(context, user);
      const other = { name: 'docfeed-token-user', roles: ['token-role'] };
      const claims = withRoles(context, claimsFor(context, other.name), other.roles);
      const as = { authorization: `Bearer ${token(headerFor(key!), claims, key!)}` };
      const session = await getSession(context, { as, headers: { Cookie: `AuthSession=${cookie}` } });
      context.observe('cookie-with-token', { status: session.status });
      if (session.status >= 400) return;
      const { name } = asObject(asObject(parseJson(session.text))['userCtx']);
      mustBeUser(name === other.name ? other : user, session, 'a cookie and the token of another user');
    },
  },
});

export const cookieTampered = defineRule('cookie-tampered', {
  rung: 'cookie',
  notInTraffic: 'Only who has changed a cookie knows that it was changed.',
  checks: {
    'cookie-tampered/changed': async (context) => {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      const changes = [...cookie].flatMap((_, position) => {
        const all = replacements.map((character) => tampered(cookie, position, character));
        const changed = all.filter((change) => change !== undefined);
        return changed.length === 0 ? [] : [{ position, changed: changed[position % changed.length]! }];
      });
      for (const { position, changed } of variantsFor(context, changes)) {
        const session = await getSession(context, { as: { cookie: changed } });
        mustBeAnonymous(session, `a cookie with another character ${position + 1} of ${cookie.length}`);
      }
    },

    // The cookies of users of other forms, and that of basic authentication.
    'cookie-tampered/other-cookies': async (context) => {
      const ofBasic = cookieIn(await getSession(context, { as: { basic: await context.createUser() } }));
      const cookies = [ofBasic];
      for (const options of [
        {},
        { nameEnd: '@example.org' },
        { nameEnd: ' é', roles: ['reader'] },
        { nameEnd: 'x'.repeat(60) },
      ])
        cookies.push((await logIn(context, await context.createUser(options))).cookie);
      for (const cookie of variantsFor(
        context,
        cookies.filter((value) => value !== undefined),
      )) {
        // The beginning, the middle and the end: another check changes every character of one cookie.
        const { length } = cookie;
        for (const position of [0, length >> 1, length - 12, length - 2, length - 1]) {
          const changed = replacements
            .map((character) => tampered(cookie, position, character))
            .find((value) => value !== undefined);
          if (changed === undefined) continue;
          const session = await getSession(context, { as: { cookie: changed } });
          mustBeAnonymous(session, `a cookie with another character ${position + 1} of ${length}`);
        }
      }
    },

    // If the signature did not cover the name, the beginning of one cookie and the end of another would be valid.
    'cookie-tampered/spliced': async (context) => {
      const cookies: string[] = [];
      while (cookies.length < 2) {
        const user = await context.createUser({ roles: ['reader'] });
        cookies.push((await logIn(context, user)).cookie);
      }
      const [first, second] = cookies as [string, string];
      const originals = cookies.map(decodings);
      const isOriginal = (cookie: string): boolean =>
        decodings(cookie).some((content, index) => originals.some((original) => original[index] === content));
      const spliced = [...first.slice(0, second.length)]
        .map((_, length) => ({ length, cookie: first.slice(0, length) + second.slice(length) }))
        .filter(({ cookie }) => !isOriginal(cookie));
      for (const { length, cookie } of variantsFor(context, spliced)) {
        const session = await getSession(context, { as: { cookie } });
        mustBeAnonymous(session, `a cookie with ${length} characters of another user's cookie`);
      }
    },

    'cookie-tampered/cut-short': async (context) => {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      const original = decodings(cookie);
      await forAll(
        fc
          .integer({ min: 1, max: cookie.length - 1 })
          .map((length) => cookie.slice(0, length))
          .filter((truncated) => !decodings(truncated).some((content, index) => content === original[index])),
        async (inner: CheckContext, truncated) => {
          mustBeAnonymous(await getSession(inner, { as: { cookie: truncated } }), 'a truncated cookie');
        },
        { cases: { smoke: 2, default: 30, thorough: 200 } },
      )(context);
    },
  },
});
