/** Faults of proxy authentication. */
import { type Fault, type Parts } from '../../reference/index.js';
import { createHmac } from 'node:crypto';
import { authenticating, type Replace } from './shared/components.js';
import { feedRefusedTo, session } from './shared/sessions.js';

const tokens =
  (
    accept: (original: Parts['isProxyToken'], ...token: Parameters<Parts['isProxyToken']>) => boolean,
  ): Replace =>
  (parts) => ({ ...parts, isProxyToken: (...token) => accept(parts.isProxyToken, ...token) });

/** Takes tokens by this algorithm too, whichever are allowed. */
const acceptingAlso = (algorithm: string): Replace =>
  tokens(
    (accept, token, name, settings) =>
      accept(token, name, settings) ||
      createHmac(algorithm, settings.secret).update(name).digest('hex') === token.toString(),
  );

export const proxyFaults: readonly Fault[] = [
  {
    id: 'proxy-first-role',
    rule: 'proxy-userctx',
    summary: 'Of the roles that a proxy names only the first two count.',
    replace: (parts) => ({ ...parts, rolesOfHeader: (text) => parts.rolesOfHeader(text).slice(0, 2) }),
  },
  {
    id: 'proxy-name-lower-case',
    rule: 'proxy-userctx',
    summary: 'The user name of a proxy is put in lower case.',
    replace: authenticating('proxy', (original) => async (...request) => {
      const identity = await original(...request);
      const name = identity?.user.name?.toLowerCase() ?? null;
      return identity && { ...identity, user: { ...identity.user, name } };
    }),
  },
  {
    id: 'proxy-authenticated-cookie',
    rule: 'proxy-authenticated',
    summary: 'The session of a proxy says that a cookie has authenticated.',
    replace: session('proxy', { authenticated: 'cookie' }),
  },
  {
    id: 'proxy-needs-session',
    rule: 'proxy-authenticated',
    summary: 'A proxy is not known to the changes feed.',
    replace: feedRefusedTo('proxy'),
  },
  {
    id: 'proxy-token-optional',
    rule: 'proxy-secret-recommended',
    summary: 'The word of a proxy counts without a token.',
    replace: tokens((accept, token, ...rest) => token.length === 0 || accept(token, ...rest)),
  },
  {
    id: 'proxy-token-any',
    rule: 'proxy-secret-recommended',
    summary: 'No token of a proxy is looked at.',
    replace: tokens(() => true),
  },
  {
    id: 'proxy-first-algorithm',
    rule: 'proxy-token-accepted',
    summary: 'Of the algorithms that are allowed only the first is tried.',
    replace: tokens((accept, token, name, settings) =>
      accept(token, name, { ...settings, hashAlgorithms: settings.hashAlgorithms.slice(0, 1) }),
    ),
  },
  {
    id: 'proxy-token-upper-case-name',
    rule: 'proxy-token-accepted',
    summary: 'The token is expected to be that of the name in lower case.',
    replace: tokens((accept, token, name, settings) =>
      accept(token, Buffer.from(name.toString('latin1').toLowerCase(), 'latin1'), settings),
    ),
  },
  {
    id: 'proxy-token-beginning',
    rule: 'proxy-token-required',
    summary: 'A token of which the first 8 digits are right is accepted.',
    replace: (parts) => {
      const right = (token: Buffer, name: Buffer, secret: string, hash: string): boolean =>
        createHmac(hash === 'sha' ? 'sha1' : hash, secret)
          .update(name)
          .digest('hex')
          .startsWith(token.toString().slice(0, 8));
      return tokens(
        (_, token, name, { secret, hashAlgorithms }) =>
          token.length >= 8 && hashAlgorithms.some((hash) => right(token, name, secret, hash)),
      )(parts);
    },
  },
  {
    id: 'proxy-token-remembered',
    rule: 'proxy-token-required',
    summary: 'A token that was right once is right for every user name.',
    replace: (parts) => {
      const right = new Set<string>();
      return tokens((accept, token, ...rest) => {
        if (accept(token, ...rest)) right.add(token.toString());
        return right.has(token.toString());
      })(parts);
    },
  },
  {
    id: 'proxy-token-sha512',
    rule: 'proxy-token-algorithms',
    summary: 'A token by SHA-512 is accepted, whatever is allowed.',
    replace: acceptingAlso('sha512'),
  },
  {
    id: 'proxy-token-md5',
    rule: 'proxy-token-algorithms',
    summary: 'A token by MD5 is accepted, whatever is allowed.',
    replace: acceptingAlso('md5'),
  },
];
