/** Faults of proxy authentication. */
import { createHmac } from 'node:crypto';
import type { Fault, Components } from '../../../reference/index.js';
import { changeIdentity, perServer, replaceFunction, type Replace } from '../shared/components.faults.js';
import { changeSessionInfo, denyFeedBeforeSession, misreportHandler } from '../shared/sessions.faults.js';

type ProxyToken = Parameters<Components['isProxyToken']>;

const hmac = (algorithm: string, [, name, { secret }]: ProxyToken): string =>
  createHmac(algorithm, secret).update(name).digest('hex');

/** Accepts tokens with this algorithm even if the configuration does not allow it. */
const acceptAlgorithm = (algorithm: string): Replace =>
  replaceFunction(
    'isProxyToken',
    (original, ...token) => original(...token) || hmac(algorithm, token) === token[0].toString(),
  );

export const proxyFaults: readonly Fault[] = [
  {
    id: 'proxy-first-role',
    rule: 'proxy-userctx',
    summary: 'The server reads only the first two roles that a proxy sends.',
    replace: replaceFunction('rolesOfHeader', (original, text) => original(text).slice(0, 2)),
  },
  {
    id: 'proxy-name-lower-case',
    rule: 'proxy-userctx',
    summary: 'The server converts the user name that a proxy sends to lower case.',
    replace: changeIdentity('proxy', (identity) => ({
      ...identity,
      user: { ...identity.user, name: identity.user.name?.toLowerCase() ?? null },
    })),
  },
  {
    id: 'proxy-authenticated-cookie',
    rule: 'proxy-authenticated',
    summary: 'The server reports the cookie handler in the session of a user of a proxy.',
    replace: misreportHandler('proxy', 'cookie'),
  },
  {
    id: 'proxy-needs-session',
    rule: 'proxy-authenticated',
    summary:
      'The server denies users of a proxy access to the changes feed until they ask for their session.',
    replace: denyFeedBeforeSession('proxy'),
  },
  {
    id: 'proxy-token-optional',
    rule: 'proxy-secret-recommended',
    summary: 'The server accepts the headers of a proxy without a token.',
    replace: replaceFunction(
      'isProxyToken',
      (original, token, ...rest) => token.length === 0 || original(token, ...rest),
    ),
  },
  {
    id: 'proxy-token-any',
    rule: 'proxy-secret-recommended',
    summary: 'The server accepts the headers of a proxy with any token or none.',
    replace: replaceFunction('isProxyToken', () => true),
  },
  {
    id: 'proxy-first-algorithm',
    rule: 'proxy-token-accepted',
    summary: 'The server tries only the first of the allowed hash algorithms.',
    replace: replaceFunction('isProxyToken', (original, token, name, settings) =>
      original(token, name, { ...settings, hashAlgorithms: settings.hashAlgorithms.slice(0, 1) }),
    ),
  },
  {
    id: 'proxy-token-upper-case-name',
    rule: 'proxy-token-accepted',
    summary: 'The server expects the token of the user name in lower case.',
    replace: replaceFunction('isProxyToken', (original, token, name, settings) =>
      original(token, Buffer.from(name.toString('latin1').toLowerCase(), 'latin1'), settings),
    ),
  },
  {
    id: 'proxy-token-beginning',
    rule: 'proxy-token-required',
    summary: 'The server compares only the first 8 digits of a token.',
    replace: replaceFunction('isProxyToken', (_, ...token) => {
      const [text, , { hashAlgorithms }] = token;
      const start = text.toString().slice(0, 8);
      return (
        start.length === 8 &&
        hashAlgorithms.some((hash) => hmac(hash === 'sha' ? 'sha1' : hash, token).startsWith(start))
      );
    }),
  },
  {
    id: 'proxy-token-remembered',
    rule: 'proxy-token-required',
    summary: 'The server accepts a token that was valid once for every user name.',
    replace: perServer(() => {
      const valid = new Set<string>();
      return replaceFunction('isProxyToken', (original, token, ...rest) => {
        if (original(token, ...rest)) valid.add(token.toString());
        return valid.has(token.toString());
      });
    }),
  },
  {
    id: 'proxy-token-sha512',
    rule: 'proxy-token-algorithms',
    summary: 'The server accepts tokens with SHA-512 if the configuration does not allow it.',
    replace: acceptAlgorithm('sha512'),
  },
  {
    id: 'proxy-token-md5',
    rule: 'proxy-token-algorithms',
    summary: 'The server accepts tokens with MD5 if the configuration does not allow it.',
    replace: acceptAlgorithm('md5'),
  },
  {
    id: 'proxy-token-last-digit',
    rule: 'proxy-token-required',
    summary: 'The server does not compare the last digit of a token.',
    replace: replaceFunction('isProxyToken', (_, ...token) => {
      const [text, , { hashAlgorithms }] = token;
      const tokens = hashAlgorithms.map((hash) => hmac(hash === 'sha' ? 'sha1' : hash, token));
      return tokens.some(
        (valid) => valid.length === text.length && valid.slice(0, -1) === text.toString().slice(0, -1),
      );
    }),
  },
  {
    id: 'proxy-name-decoded',
    rule: 'proxy-userctx',
    summary: 'The server decodes percent-encoded characters in the user name that a proxy sends.',
    replace: changeIdentity('proxy', (identity) => ({
      ...identity,
      user: { ...identity.user, name: identity.user.name?.replaceAll('%20', ' ') ?? null },
    })),
  },
  {
    id: 'proxy-with-roles-named-default',
    rule: 'proxy-authenticated',
    summary: 'The server reports the default handler in the session of a user of a proxy who has roles.',
    replace: changeSessionInfo((_, { user }) =>
      user.authenticatedBy === 'proxy' && user.roles.length > 0 ? { authenticated: 'default' } : {},
    ),
  },
];
