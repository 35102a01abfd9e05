/** Faults of proxy authentication. */
import { createHmac } from 'node:crypto';
import type { Components } from '../../../reference/index.js';
import {
  changeHeaders,
  changeUser,
  faultsOf,
  perServer,
  replaceFunction,
  type Replace,
} from '../shared/components.faults.js';
import { authorizeWithRoles, denyFeedBeforeSession, misreportHandler } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

type ProxyToken = Parameters<Components['isProxyToken']>;

const hmac = (algorithm: string, [, name, { secret }]: ProxyToken): string =>
  createHmac(algorithm, secret).update(name).digest('hex');

/** Accepts tokens with this algorithm even if the configuration does not allow it. */
const acceptAlgorithm = (algorithm: string): Replace =>
  replaceFunction(
    'isProxyToken',
    (original, ...token) => original(...token) || hmac(algorithm, token) === token[0].toString(),
  );

/** Accepts tokens that are similar enough to a valid one. */
const acceptSimilar = (isSimilar: (given: string, valid: string) => boolean): Replace =>
  replaceFunction('isProxyToken', (_, ...token) => {
    const [given, , { hashAlgorithms }] = token;
    return hashAlgorithms.some((hash) =>
      isSimilar(given.toString('latin1'), hmac(hash === 'sha' ? 'sha1' : hash, token)),
    );
  });

export const proxyFaults = faultsOf({
  'proxy-userctx': {
    'proxy-roles-without-access-to-post': {
      summary: 'The server does not count the roles that a proxy sends when it grants access to POST.',
      notInTraffic: unseen.access,
      replace: authorizeWithRoles('proxy', (roles, { operationId }) =>
        operationId === 'postChanges' ? [] : roles,
      ),
    },
    'proxy-header-with-underscores': {
      summary: 'The server reads the user name of a proxy from a header with underscores as well.',
      notInTraffic: unseen.access,
      replace: changeHeaders('proxy', (headers, { settings: { proxyUserNameHeader: name } }) => ({
        [name]: headers[name] ?? headers[name.replaceAll('-', '_')],
      })),
    },
    'proxy-roles-of-similar-header': {
      summary:
        'The server reads the roles of a proxy from a header whose name begins like that of the roles.',
      notInTraffic: unseen.access,
      replace: changeHeaders('proxy', (headers, { settings: { proxyRolesHeader: name } }) => ({
        [name]: headers[Object.keys(headers).find((other) => other.startsWith(name)) ?? name],
      })),
    },
    'proxy-first-role': {
      summary: 'The server reads only the first two roles that a proxy sends.',
      replace: replaceFunction('rolesOfHeader', (original, text) => original(text).slice(0, 2)),
    },
    'proxy-name-lower-case': {
      summary: 'The server converts the user name that a proxy sends to lower case.',
      replace: changeUser('proxy', ({ name }) => ({ name: name?.toLowerCase() ?? null })),
    },
    'proxy-name-decoded': {
      summary: 'The server decodes percent-encoded characters in the user name that a proxy sends.',
      replace: changeUser('proxy', ({ name }) => ({ name: name?.replaceAll('%20', ' ') ?? null })),
    },
  },
  'proxy-authenticated': {
    'proxy-authenticated-cookie': {
      summary: 'The server reports the cookie handler in the session of a user of a proxy.',
      replace: misreportHandler('proxy', 'cookie'),
    },
    'proxy-needs-session': {
      summary:
        'The server denies users of a proxy access to the changes feed until they ask for their session.',
      notInTraffic: unseen.access,
      replace: denyFeedBeforeSession('proxy'),
    },
    'proxy-with-roles-named-default': {
      summary: 'The server reports the default handler in the session of a user of a proxy who has roles.',
      replace: misreportHandler('proxy', 'default', ({ user }) => user.roles.length > 0),
    },
  },
  'proxy-secret-recommended': {
    'proxy-token-optional': {
      summary: 'The server accepts the headers of a proxy without a token.',
      replace: replaceFunction(
        'isProxyToken',
        (original, token, ...rest) => token.length === 0 || original(token, ...rest),
      ),
    },
    'proxy-token-any': {
      summary: 'The server accepts the headers of a proxy with any token or none.',
      replace: replaceFunction('isProxyToken', () => true),
    },
  },
  'proxy-token-accepted': {
    'proxy-first-algorithm': {
      summary: 'The server tries only the first of the allowed hash algorithms.',
      replace: replaceFunction('isProxyToken', (original, token, name, settings) =>
        original(token, name, { ...settings, hashAlgorithms: settings.hashAlgorithms.slice(0, 1) }),
      ),
    },
    'proxy-token-upper-case-name': {
      summary: 'The server expects the token of the user name in lower case.',
      replace: replaceFunction('isProxyToken', (original, token, name, settings) =>
        original(token, Buffer.from(name.toString('latin1').toLowerCase(), 'latin1'), settings),
      ),
    },
  },
  'proxy-token-required': {
    'proxy-token-beginning': {
      summary: 'The server compares only the first 8 digits of a token.',
      replace: acceptSimilar((given, valid) => given.length >= 8 && valid.startsWith(given.slice(0, 8))),
    },
    'proxy-token-half-of-other-algorithm': {
      summary:
        'The server accepts half of the digits of a token with any allowed hash algorithm but the first.',
      replace: replaceFunction('isProxyToken', (original, ...token) => {
        const [given, , { hashAlgorithms }] = token;
        const isHalf = (valid: string): boolean =>
          2 * given.length >= valid.length && valid.startsWith(given.toString('latin1'));
        return (
          original(...token) ||
          hashAlgorithms.slice(1).some((hash) => isHalf(hmac(hash === 'sha' ? 'sha1' : hash, token)))
        );
      }),
    },
    'proxy-token-of-similar-header': {
      summary: 'The server reads the token of a proxy from a header whose name ends like that of the token.',
      replace: changeHeaders('proxy', (headers, { settings: { proxyTokenHeader: name } }) => ({
        [name]: headers[Object.keys(headers).find((other) => other.endsWith(name)) ?? name],
      })),
    },
    'proxy-token-remembered': {
      summary: 'The server accepts a token that was valid once for every user name.',
      replace: perServer(() => {
        const valid = new Set<string>();
        return replaceFunction('isProxyToken', (original, token, ...rest) => {
          if (original(token, ...rest)) valid.add(token.toString());
          return valid.has(token.toString());
        });
      }),
    },
    'proxy-token-last-digit': {
      summary: 'The server does not compare the last digit of a token.',
      replace: acceptSimilar(
        (given, valid) => given.length === valid.length && given.slice(0, -1) === valid.slice(0, -1),
      ),
    },
  },
  'proxy-token-algorithms': {
    'proxy-token-sha512': {
      summary: 'The server accepts tokens with SHA-512 if the configuration does not allow it.',
      replace: acceptAlgorithm('sha512'),
    },
    'proxy-token-md5': {
      summary: 'The server accepts tokens with MD5 if the configuration does not allow it.',
      replace: acceptAlgorithm('md5'),
    },
  },
});
