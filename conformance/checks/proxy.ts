/** Proxy authentication: headers that name the user, and the token that proves them (SERVICE 5.3). */
import { createHmac, getHashes } from 'node:crypto';
import fc from 'fast-check';
import { proxyNames, proxyRoles } from '../arbitraries/proxy.js';
import { equalTo, mustMatch, objectWith } from '../verdict/matchers.js';
import { Skip } from '../verdict/outcomes.js';
import { check, type CheckContext, forAll, type Run } from '../check.js';
import { getSession, mustBeUser, mustBeAnonymous, mustServeFeed } from './shared/sessions.js';

type Headers = Readonly<Record<string, string>>;

/** A token counts only where it is demanded. */
const tokenRequired = { 'chttpd_auth/proxy_use_secret': 'true' };

interface Proxied {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The token of a user name, by the first algorithm that the target allows unless another is given. */
export function tokenFor(
  { target }: CheckContext,
  name: string,
  how: { algorithm?: string; secret?: string } = {},
): string {
  const { secret, algorithms } = target.auth.proxy;
  const algorithm = how.algorithm ?? algorithms?.[0];
  if (algorithm === undefined)
    throw new Skip('Which algorithms it takes for the tokens of a proxy is not known.');
  return createHmac(algorithm, how.secret ?? secret!)
    .update(name)
    .digest('hex');
}

/** The headers that a proxy sends; roles and token are left out where they are undefined. */
export function headersOf(
  { target }: CheckContext,
  { name, roles }: Proxied,
  token: string | undefined,
): Headers {
  const { headers } = target.auth.proxy;
  return {
    [headers.userName]: name,
    ...(roles.length > 0 && { [headers.roles]: roles.join(',') }),
    ...(token !== undefined && { [headers.token]: token }),
  };
}

/** The headers with which the target accepts a user. */
function validHeaders(context: CheckContext, user: Proxied): Headers {
  const { tokenRequired, secret } = context.target.auth.proxy;
  return headersOf(
    context,
    user,
    tokenRequired && secret !== undefined ? tokenFor(context, user.name) : undefined,
  );
}

/** Sends a token that must not count. */
async function mustBeRefused(
  context: CheckContext,
  name: string,
  token: string | undefined,
  how: string,
): Promise<void> {
  const session = await getSession(context, {
    headers: headersOf(context, { name, roles: ['docfeed-role'] }, token),
  });
  context.observe(`proxy-refused: ${how}`, { status: session.status });
  mustBeAnonymous(session, `A proxy with ${how}`);
}

const users: fc.Arbitrary<Proxied> = fc.record({ name: proxyNames, roles: proxyRoles });

/** Tokens that are not that of the user name, made from the one that is. */
const wrongTokens: Readonly<Record<string, (token: string, position: number) => string | undefined>> = {
  'no token': () => undefined,
  'an empty token': () => '',
  'a token that is cut short': (token, position) => token.slice(0, position % token.length),
  'a token that goes on': (token) => `${token}0`,
  'a token with another digit': (token, position) => {
    const at = position % token.length;
    return token.slice(0, at) + (token[at] === 'f' ? '0' : 'f') + token.slice(at + 1);
  },
};

const demandsToken: Run = forAll(
  fc.record({ name: proxyNames, how: fc.constantFrom(...Object.keys(wrongTokens)), position: fc.nat() }),
  async (context, { name, how, position }) => {
    await mustBeRefused(context, name, wrongTokens[how]!(tokenFor(context, name), position), how);
  },
);

export const proxyChecks = [
  check({
    rule: 'proxy-userctx',
    run: forAll(users, async (context, user) => {
      const session = await getSession(context, { headers: validHeaders(context, user) });
      mustBeUser(user, session, 'The word of a proxy');
    }),
  }),

  check({
    rule: 'proxy-authenticated',
    needs: ['admin'],
    async run(context) {
      const headers = validHeaders(context, { name: 'docfeed-anna', roles: [] });
      const session = await getSession(context, { headers });
      const authenticated = objectWith({ info: objectWith({ authenticated: equalTo('proxy') }) });
      mustMatch('The session does not say that a proxy has authenticated', session.object(), authenticated);
      await mustServeFeed(context, 'docfeed-anna', { as: 'anonymous', headers });
    },
  }),

  check({
    rule: 'proxy-secret-recommended',
    run: (context) => mustBeRefused(context, 'docfeed-anna', undefined, 'no token'),
  }),

  check({
    rule: 'proxy-token-accepted',
    settings: tokenRequired,
    run: forAll(
      (context) => fc.record({ user: users, algorithm: fc.constantFrom(...algorithmsOf(context)) }),
      async (context, { user, algorithm }) => {
        const headers = headersOf(context, user, tokenFor(context, user.name, { algorithm }));
        mustBeUser(user, await getSession(context, { headers }), `A token by ${algorithm}`);
      },
    ),
  }),

  check({ rule: 'proxy-token-required', settings: tokenRequired, run: demandsToken }),
  check({
    rule: 'proxy-token-required',
    what: 'foreign',
    settings: tokenRequired,
    run: forAll(
      fc.record({ name: proxyNames, other: proxyNames }).filter(({ name, other }) => name !== other),
      async (context, { name, other }) => {
        // A server that remembers tokens has seen this one as a right one.
        const user = { name: other, roles: [] };
        const right = headersOf(context, user, tokenFor(context, other));
        mustBeUser(user, await getSession(context, { headers: right }), 'The word of a proxy');
        await mustBeRefused(context, name, tokenFor(context, other), 'the token of another user');
        const secret = `${context.target.auth.proxy.secret}x`;
        await mustBeRefused(
          context,
          name,
          tokenFor(context, name, { secret }),
          'the token of another secret',
        );
      },
    ),
  }),

  check({
    rule: 'proxy-token-algorithms',
    settings: tokenRequired,
    async run(context) {
      const allowed = algorithmsOf(context);
      const others = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].filter(
        (name) => getHashes().includes(name) && !allowed.includes(name),
      );
      if (others.length === 0) throw new Skip('The target allows every algorithm that the kit has.');
      for (const algorithm of others) {
        const token = tokenFor(context, 'docfeed-anna', { algorithm });
        await mustBeRefused(context, 'docfeed-anna', token, `a token by ${algorithm}`);
      }
    },
  }),
];

function algorithmsOf({ target }: CheckContext): readonly string[] {
  const { algorithms } = target.auth.proxy;
  if (!algorithms || algorithms.length === 0) {
    throw new Skip('Which algorithms it takes for the tokens of a proxy is not known.');
  }
  return algorithms;
}
