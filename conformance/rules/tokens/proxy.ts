/** Proxy authentication: headers that name the user, and a token that proves them (SERVICE 5.3). */
import { getHashes } from 'node:crypto';
import fc from 'fast-check';
import { proxyNames, proxyRoles, specialProxyNames } from '../../arbitraries/proxied-users.js';
import {
  type CheckContext,
  defineRule,
  equalTo,
  forAll,
  mustMatch,
  objectWith,
  Skip,
  variantsFor,
} from '../../kit.js';
import { proxyAlgorithms, proxyHeaders, proxyToken, type ProxiedUser } from '../shared/proxy-headers.js';
import {
  getSession,
  mustBeUser,
  mustBeAnonymous,
  mustServeFeed,
  mustServeFeedToRole,
} from '../shared/sessions.js';
import { headersLike } from '../shared/resembling.js';
import { unseen } from '../shared/unseen.js';
import { forUsers, isAscii, mustBeNamed, mustNameHandler, type Session } from '../shared/passing-sessions.js';

/** The target only evaluates tokens if it requires them. */
const tokenRequired = { 'chttpd_auth/proxy_use_secret': 'true' };

/** Headers that the target accepts, with a token if it requires one. */
function validHeaders(context: CheckContext, user: ProxiedUser): Readonly<Record<string, string>> {
  const { tokenRequired, secret } = context.target.auth.proxy;
  const token = tokenRequired && secret !== undefined ? proxyToken(context, user.name) : undefined;
  return proxyHeaders(context, user, token);
}

/**
 * Sends an invalid token.
 *
 * @param kind the name of the observation. Default: `how`.
 */
async function mustReject(
  context: CheckContext,
  name: string,
  token: string | undefined,
  how: string,
  kind = how,
): Promise<void> {
  const headers = proxyHeaders(context, { name, roles: ['docfeed-role'] }, token);
  const session = await getSession(context, { headers });
  context.observe(`proxy-refused: ${kind}`, { status: session.status });
  mustBeAnonymous(session, `proxy headers with ${how}`);
}

const users: fc.Arbitrary<ProxiedUser> = fc.record({ name: proxyNames, roles: proxyRoles });

/** Changes of a valid token that make it invalid, by their description. */
const wrongTokens: Readonly<Record<string, (token: string, position: number) => string | undefined>> = {
  'no token': () => undefined,
  'an empty token': () => '',
  'a truncated token': (token, position) => token.slice(0, position % token.length),
  'an extended token': (token) => `${token}0`,
  'a token with another digit': (token, position) => {
    const index = position % token.length;
    return token.slice(0, index) + (token[index] === 'f' ? '0' : 'f') + token.slice(index + 1);
  },
};

/**
 * Roles by which servers cannot differ: the service document does not say what empty ones, repeated ones and spaces mean,
 * and a server may keep those with an underscore, such as `_admin`, for itself.
 */
const comparableRoles = (roles: readonly string[]): string[] => {
  const trimmed = roles.map((role) => role.trim()).filter((role) => role !== '' && !role.startsWith('_'));
  return [...new Set(trimmed)].sort();
};

/** The session of a request must have the roles of its header, if it has one. */
function mustHaveSentRoles({ roles, passed: { passing, context } }: Session): void {
  const [sent, ...others] = passing.requestHeaders.get(context.names.proxyRoles.toLowerCase()) ?? [];
  if (sent === undefined || others.length > 0 || !isAscii(sent)) return;
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string')) return;
  mustMatch(
    'The session for proxy headers does not have the roles that the proxy sends',
    comparableRoles(roles),
    equalTo(comparableRoles(sent.split(','))),
    '$.userCtx.roles',
  );
}

export const proxyUserctx = defineRule('proxy-userctx', {
  rung: 'tokens',
  inTraffic: {
    part: {
      judged: 'If the session names a user, it has the name and the roles that the proxy sent.',
      rest: unseen.access,
    },
    response: forUsers(['proxy'], (session) => {
      const { value, name } = session;
      if (!isAscii(value)) return false;
      mustBeNamed(name, value, 'proxy headers');
      mustHaveSentRoles(session);
    }),
  },
  checks: {
    'proxy-userctx': forAll(users, async (context, user) => {
      const session = await getSession(context, { headers: validHeaders(context, user) });
      mustBeUser(user, session, 'proxy headers');
    }),

    'proxy-userctx/special-characters': async (context) => {
      for (const name of variantsFor(context, specialProxyNames)) {
        const user = { name, roles: ['docfeed-role'] };
        mustBeUser(
          user,
          await getSession(context, { headers: validHeaders(context, user) }),
          'proxy headers',
        );
      }
    },

    'proxy-userctx/similar-headers': async (context) => {
      const { headers } = context.target.auth.proxy;
      const user = { name: 'docfeed-nobody', roles: ['docfeed-role'] };
      const { [headers.userName]: name, ...others } = validHeaders(context, user);
      for (const other of variantsFor(context, headersLike(headers.userName))) {
        const session = await getSession(context, { headers: { ...others, [other]: name! } });
        mustBeAnonymous(session, `the user name of a proxy in the header ${other}`);
      }
      const { [headers.roles]: roles, ...withoutRoles } = validHeaders(context, user);
      for (const other of variantsFor(context, headersLike(headers.roles))) {
        const session = await getSession(context, { headers: { ...withoutRoles, [other]: roles! } });
        mustBeUser({ ...user, roles: [] }, session, `a proxy that sends the roles in the header ${other}`);
      }
    },

    'proxy-userctx/feed-of-role': {
      needs: ['users'],
      async run(context) {
        const user = { name: context.planUser().name, roles: ['other', 'docfeed-role'] };
        const headers = validHeaders(context, user);
        await mustServeFeedToRole(context, 'docfeed-role', { as: 'anonymous', headers });
      },
    },
  },
});

export const proxyAuthenticated = defineRule('proxy-authenticated', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'If the session names a user, it names the handler `proxy`.', rest: unseen.access },
    response: forUsers(['proxy'], (one) => mustNameHandler(one, 'proxy', 'proxy headers')),
  },
  checks: {
    'proxy-authenticated': {
      needs: ['admin'],
      async run(context) {
        // A name that no request had before: no session request is needed.
        const { name } = context.planUser();
        const headers = validHeaders(context, { name, roles: [] });
        await mustServeFeed(context, name, { as: 'anonymous', headers });
        const withRoles = validHeaders(context, { name: 'docfeed-anna', roles: ['docfeed-role'] });
        for (const each of [headers, withRoles]) {
          const session = await getSession(context, { headers: each });
          const authenticated = objectWith({ info: objectWith({ authenticated: equalTo('proxy') }) });
          mustMatch(
            'The session does not name the handler of proxy headers',
            session.object(),
            authenticated,
          );
        }
      },
    },
  },
});

export const proxySecretRecommended = defineRule('proxy-secret-recommended', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'proxy-secret-recommended': (context) => mustReject(context, 'docfeed-anna', undefined, 'no token'),
  },
});

export const proxyTokenAccepted = defineRule('proxy-token-accepted', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'proxy-token-accepted': {
      settings: tokenRequired,
      run: forAll(
        (context) => fc.record({ algorithm: fc.constantFrom(...proxyAlgorithms(context)), user: users }),
        async (context, { user, algorithm }) => {
          const token = proxyToken(context, user.name, { algorithm });
          const session = await getSession(context, { headers: proxyHeaders(context, user, token) });
          mustBeUser(user, session, `a proxy token with ${algorithm}`);
        },
      ),
    },
  },
});

export const proxyTokenRequired = defineRule('proxy-token-required', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'proxy-token-required': {
      settings: tokenRequired,
      run: forAll(
        fc.record({
          how: fc.constantFrom(...Object.keys(wrongTokens)),
          position: fc.nat(),
          name: proxyNames,
        }),
        (context, { name, how, position }) =>
          mustReject(context, name, wrongTokens[how]!(proxyToken(context, name), position), how),
      ),
    },

    'proxy-token-required/each-algorithm': {
      settings: tokenRequired,
      async run(context) {
        const wrong = variantsFor(context, Object.entries(wrongTokens));
        for (const algorithm of proxyAlgorithms(context)) {
          const token = proxyToken(context, 'docfeed-anna', { algorithm });
          // Half of the digits, so that a truncated token is neither short nor nearly whole.
          for (const [how, change] of wrong)
            await mustReject(context, 'docfeed-anna', change(token, token.length / 2), how);
        }
      },
    },

    'proxy-token-required/similar-headers': {
      settings: tokenRequired,
      async run(context) {
        const { headers } = context.target.auth.proxy;
        const user = { name: 'docfeed-nobody', roles: ['docfeed-role'] };
        const token = proxyToken(context, user.name);
        for (const other of variantsFor(context, headersLike(headers.token))) {
          const sent = { ...proxyHeaders(context, user, undefined), [other]: token };
          mustBeAnonymous(
            await getSession(context, { headers: sent }),
            `the token of a proxy in the header ${other}`,
          );
        }
      },
    },

    'proxy-token-required/each-digit': {
      settings: tokenRequired,
      async run(context) {
        let longest = 0;
        for (const algorithm of proxyAlgorithms(context)) {
          const token = proxyToken(context, 'docfeed-anna', { algorithm });
          // A comparison that overlooks a digit overlooks it with every algorithm.
          const positions = [...token].map((_, index) => index).slice(longest);
          longest = Math.max(longest, token.length);
          for (const position of variantsFor(context, positions)) {
            const wrong = wrongTokens['a token with another digit']!(token, position);
            const how = `a token whose digit ${position + 1} of ${token.length} is wrong`;
            await mustReject(context, 'docfeed-anna', wrong, how, 'a wrong digit');
          }
        }
      },
    },

    'proxy-token-required/foreign': {
      settings: tokenRequired,
      run: forAll(
        fc.record({ name: proxyNames, other: proxyNames }).filter(({ name, other }) => name !== other),
        async (context, { name, other }) => {
          const user = { name: other, roles: [] };
          const token = proxyToken(context, other);
          // A valid request first: a server that caches tokens then knows this one as valid.
          const session = await getSession(context, { headers: proxyHeaders(context, user, token) });
          mustBeUser(user, session, 'proxy headers');
          await mustReject(context, name, token, 'the token of another user');
          const secret = `${context.target.auth.proxy.secret}x`;
          const foreign = proxyToken(context, name, { secret });
          await mustReject(context, name, foreign, 'the token of another secret');
        },
      ),
    },
  },
});

export const proxyTokenAlgorithms = defineRule('proxy-token-algorithms', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'proxy-token-algorithms': {
      settings: tokenRequired,
      async run(context) {
        const allowed = proxyAlgorithms(context);
        const others = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].filter(
          (name) => getHashes().includes(name) && !allowed.includes(name),
        );
        if (others.length === 0)
          throw new Skip('The target allows all hash algorithms that the suite supports.');
        for (const algorithm of others) {
          const token = proxyToken(context, 'docfeed-anna', { algorithm });
          await mustReject(context, 'docfeed-anna', token, `a token with ${algorithm}`);
        }
      },
    },
  },
});
