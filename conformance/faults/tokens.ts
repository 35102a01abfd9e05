/** Faults in what proxies, JSON Web Tokens and one-time codes are taken for. */
import { createHash, createHmac, type KeyObject, verify } from 'node:crypto';
import type { Fault, Components } from '../../reference/index.js';
import type { Replace } from './feeding.js';
import { answering, authenticating, bodyOf, type Context } from './replacing.js';

type Header = Parameters<Components['selectKey']>[0];
type Keys = Parameters<Components['selectKey']>[1];
type Verify = Components['verifySignature'];
type Claims = Parameters<Components['checkClaims']>[0];
type TokenSettings = Parameters<Components['rolesOf']>[1];

const isBy = (handler: string, { user }: Context): boolean => user.authenticatedBy === handler;

/** Answers sessions of one handler in another way. */
const session = (handler: string, info: object): Replace =>
  answering('getSession', (answer, context) => {
    const body = bodyOf(answer);
    if (!isBy(handler, context)) return answer;
    return { ...answer, body: { ...body, info: { ...(body['info'] as object), ...info } } };
  });

/** Knows a user of that handler only after a session request. */
const feedRefusedTo = (handler: string): Replace =>
  answering('getChanges', (answer, context) =>
    isBy(handler, context) ? { status: 403, body: { error: 'forbidden', reason: 'No session.' } } : answer,
  );

/** Lets one handler do the work of another, whether that one is active or not. */
const alsoBy =
  (handler: 'cookie' | 'default', other: 'proxy' | 'jwt'): Replace =>
  (parts) =>
    authenticating(handler, (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      return identity ?? (await parts.authenticators[other]!(headers, authentication));
    })(parts);

const selecting =
  (
    select: (original: Components['selectKey'], header: Header, keys: Keys) => KeyObject | undefined,
  ): Replace =>
  (parts) => ({ ...parts, selectKey: (header, keys) => select(parts.selectKey, header, keys) });

const verifying =
  (verify: (original: Verify, ...token: Parameters<Verify>) => Promise<boolean> | boolean): Replace =>
  (parts) => ({
    ...parts,
    verifySignature: async (...token) => verify(parts.verifySignature, ...token),
  });

const heading =
  (read: (original: Components['readHeader'], header: Claims) => Header): Replace =>
  (parts) => ({ ...parts, readHeader: (header) => read(parts.readHeader, header) });

/** Judges claims in another way; what is required may be changed as well. */
const claiming =
  (
    check: (original: Components['checkClaims'], ...claims: Parameters<Components['checkClaims']>) => void,
  ): Replace =>
  (parts) => ({ ...parts, checkClaims: (...claims) => check(parts.checkClaims, ...claims) });

const naming =
  (name: (original: Components['subjectOf'], claims: Claims) => string): Replace =>
  (parts) => ({ ...parts, subjectOf: (claims) => name(parts.subjectOf, claims) });

const giving =
  (
    roles: (original: Components['rolesOf'], claims: Claims, settings: TokenSettings) => readonly string[],
  ): Replace =>
  (parts) => ({ ...parts, rolesOf: (claims, settings) => roles(parts.rolesOf, claims, settings) });

const tokens =
  (
    accept: (
      original: Components['isProxyToken'],
      ...token: Parameters<Components['isProxyToken']>
    ) => boolean,
  ): Replace =>
  (parts) => ({ ...parts, isProxyToken: (...token) => accept(parts.isProxyToken, ...token) });

/** Takes tokens by this algorithm too, whichever are allowed. */
const acceptingAlso = (algorithm: string): Replace =>
  tokens(
    (accept, token, name, settings) =>
      accept(token, name, settings) ||
      createHmac(algorithm, settings.secret).update(name).digest('hex') === token.toString(),
  );

const codes =
  (accept: (original: Components['isCurrentCode'], key: string, code: string) => boolean): Replace =>
  (parts) => ({ ...parts, isCurrentCode: (key, code) => accept(parts.isCurrentCode, key, code) });

const signatureOf = (token: string): Buffer =>
  Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url');
const inputOf = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** In bytes: of RSA that of the modulus, of ECDSA twice that of a coordinate. */
function lengthOfSignature({ asymmetricKeyDetails: { modulusLength, namedCurve } = {} }: KeyObject): number {
  if (modulusLength !== undefined) return modulusLength / 8;
  return { prime256v1: 64, secp384r1: 96, secp521r1: 132 }[namedCurve ?? ''] ?? 0;
}

/** The roles claim, wherever it is, when it is a string. */
function rolesText(claims: Claims, { rolesClaimName, rolesClaimPath }: TokenSettings): string | undefined {
  let claim: unknown = claims;
  for (const name of rolesClaimPath ?? [rolesClaimName]) claim = (claim as Claims | undefined)?.[name];
  return typeof claim === 'string' ? claim : undefined;
}

/** The name that the roles claim has in the token when nothing else is configured. */
const initialRolesClaim = (claims: Claims): string =>
  Object.keys(claims).find((name) => /^_\w+\.roles$/.test(name)) ?? '_service.roles';

/** An HMAC with the text of a public key as its secret. */
function isHmacByPublicKey(key: KeyObject, token: string, { algorithm }: Header): boolean {
  const pem = key.export({ type: 'spki', format: 'pem' });
  const made = createHmac(`sha${algorithm.slice(2)}`, pem)
    .update(inputOf(token))
    .digest();
  return made.equals(signatureOf(token));
}

/** Takes a public key of this type for a secret, where no secret has the name. */
const confusing =
  (type: 'rsa' | 'ec', kid?: string): Replace =>
  (parts) => ({
    ...parts,
    selectKey: (header, keys) =>
      parts.selectKey(header, keys) ??
      (header.keyType === 'hmac' ? keys.get(`${type}:${kid ?? header.kid ?? '_default'}`) : undefined),
    verifySignature: (token, key, header) =>
      header.keyType === 'hmac' && key.type === 'public'
        ? Promise.resolve(isHmacByPublicKey(key, token, header))
        : parts.verifySignature(token, key, header),
  });

/** Takes a header without `alg` for one of this algorithm, and verifies it so. */
const withoutAlg =
  (alg: string, isRight: (key: KeyObject, token: string) => boolean): Replace =>
  (parts) => ({
    ...heading((read, header) =>
      header['alg'] === undefined ? { ...read({ ...header, alg }), algorithm: 'missing' } : read(header),
    )(parts),
    verifySignature: (token, key, header) =>
      header.algorithm === 'missing'
        ? Promise.resolve(isRight(key, token))
        : parts.verifySignature(token, key, header),
  });

export const tokenFaults: readonly Fault[] = [
  {
    id: 'handlers-sorted',
    rule: 'session-handlers-order',
    summary: 'The session lists the handlers by name.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      const info = body['info'] as { authentication_handlers: string[] };
      const sorted = [...info.authentication_handlers].sort();
      return { ...answer, body: { ...body, info: { ...info, authentication_handlers: sorted } } };
    }),
  },
  {
    id: 'handlers-last-missing',
    rule: 'session-handlers-order',
    summary: 'The session lists three handlers at most.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      const info = body['info'] as { authentication_handlers: string[] };
      const some = info.authentication_handlers.slice(0, 3);
      return { ...answer, body: { ...body, info: { ...info, authentication_handlers: some } } };
    }),
  },

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
    id: 'proxy-always-on',
    rule: 'proxy-handler-required',
    summary: 'The headers of a proxy count whether its handler is active or not.',
    // A token would be demanded, which nobody sends who expects to be nobody.
    replace: (parts) =>
      authenticating('default', (original) => async (headers, authentication) => {
        const identity = await original(headers, authentication);
        const name = Object.entries(headers).find(([header]) => /^x-auth-.*-username$/.test(header))?.[1];
        const active = authentication.settings.authenticationHandlers.includes('proxy');
        if (identity || active || typeof name !== 'string') return identity;
        return { user: { name, roles: [], authenticatedBy: 'proxy' } };
      })(parts),
  },
  {
    id: 'proxy-on-with-token',
    rule: 'proxy-handler-required',
    summary: 'The headers of a proxy count without its handler when a token, whichever, is among them.',
    replace: authenticating('cookie', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      const entries = Object.entries(headers);
      const name = entries.find(([header]) => /^x-auth-.*-username$/.test(header))?.[1];
      const token = entries.some(([header]) => /^x-auth-.*-token$/.test(header));
      const active = authentication.settings.authenticationHandlers.includes('proxy');
      if (identity || active || !token || typeof name !== 'string') return identity;
      return { user: { name, roles: [], authenticatedBy: 'proxy' } };
    }),
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

  {
    id: 'jwt-ec-high-bit',
    rule: 'jwt-accepts',
    summary: 'A signature of an elliptic curve whose first bit is set is refused.',
    replace: verifying(
      (verify, token, key, header) =>
        (header.keyType !== 'ec' || signatureOf(token)[0]! < 0x80) && verify(token, key, header),
    ),
  },
  {
    id: 'jwt-rsa-unknown',
    rule: 'jwt-accepts',
    summary: 'Keys for RSA are not found by their kid.',
    replace: selecting((select, header, keys) =>
      header.keyType === 'rsa' && header.kid !== undefined ? undefined : select(header, keys),
    ),
  },
  {
    id: 'jwt-hmac-high-bit',
    rule: 'jwt-accepts',
    summary: 'An HMAC whose first bit is set is refused.',
    replace: verifying(
      (verify, token, key, header) =>
        (header.keyType !== 'hmac' || signatureOf(token)[0]! < 0x80) && verify(token, key, header),
    ),
  },
  {
    id: 'jwt-authenticated-default',
    rule: 'jwt-authenticated',
    summary: 'The session of a token says that the default handler has authenticated.',
    replace: session('jwt', { authenticated: 'default' }),
  },
  {
    id: 'jwt-needs-session',
    rule: 'jwt-authenticated',
    summary: 'The bearer of a token is not known to the changes feed.',
    replace: feedRefusedTo('jwt'),
  },
  {
    id: 'jwt-always-on',
    rule: 'jwt-handler-required',
    summary: 'Tokens count whether their handler is active or not.',
    replace: alsoBy('cookie', 'jwt'),
  },
  {
    id: 'jwt-after-basic',
    rule: 'jwt-handler-required',
    summary: 'The handler of basic authentication takes tokens too.',
    replace: alsoBy('default', 'jwt'),
  },
  {
    id: 'jwt-name-lower-case',
    rule: 'jwt-sub-name',
    summary: 'The name in a token is put in lower case.',
    replace: naming((name, claims) => name(claims).toLowerCase()),
  },
  {
    id: 'jwt-name-to-comma',
    rule: 'jwt-sub-name',
    summary: 'The name in a token ends at the first comma.',
    replace: naming((name, claims) => name(claims).split(',')[0]!),
  },
  {
    id: 'jwt-name-for-sub',
    rule: 'jwt-sub-required',
    summary: 'Where there is no sub, the claim "name" is the user name.',
    replace: naming((name, claims) => name('sub' in claims ? claims : { sub: claims['name'] })),
  },
  {
    id: 'jwt-name-made-up',
    rule: 'jwt-sub-required',
    summary: 'Where there is no sub, the user name is "jwt".',
    replace: naming((name, claims) => name({ sub: 'jwt', ...claims })),
  },
  {
    id: 'jwt-alg-hs256',
    rule: 'jwt-alg-required',
    summary: 'A header without alg means HS256.',
    replace: withoutAlg('HS256', (key, token) =>
      createHmac('sha256', key).update(inputOf(token)).digest().equals(signatureOf(token)),
    ),
  },
  {
    id: 'jwt-alg-es256',
    rule: 'jwt-alg-required',
    summary: 'A header without alg means ES256.',
    replace: withoutAlg('ES256', (key, token) =>
      verify('sha256', Buffer.from(inputOf(token)), { key, dsaEncoding: 'ieee-p1363' }, signatureOf(token)),
    ),
  },
  {
    id: 'jwt-none-empty',
    rule: 'jwt-alg-none',
    summary: 'With alg none and an empty signature a token is taken at its word.',
    replace: (parts) => ({
      ...heading((read, header) =>
        header['alg'] === 'none' ? { ...read({ ...header, alg: 'HS256' }), algorithm: 'none' } : read(header),
      )(parts),
      selectKey: (header, keys) =>
        header.algorithm === 'none' ? [...keys.values()][0] : parts.selectKey(header, keys),
      verifySignature: (token, key, header) =>
        header.algorithm === 'none'
          ? Promise.resolve(token.endsWith('.'))
          : parts.verifySignature(token, key, header),
    }),
  },
  {
    id: 'jwt-none-mixed-case',
    rule: 'jwt-alg-none',
    summary: 'Only "none" in lower case is refused; in other cases any signature will do.',
    replace: (parts) => {
      const isNone = (alg: unknown): boolean => /^none$/i.test(String(alg)) && alg !== 'none';
      return {
        ...heading((read, header) =>
          isNone(header['alg']) ? { ...read({ ...header, alg: 'HS256' }), algorithm: 'none' } : read(header),
        )(parts),
        selectKey: (header, keys) =>
          header.algorithm === 'none' ? [...keys.values()][0] : parts.selectKey(header, keys),
        verifySignature: (token, key, header) =>
          header.algorithm === 'none' ? Promise.resolve(true) : parts.verifySignature(token, key, header),
      };
    },
  },
  {
    id: 'jwt-signature-empty',
    rule: 'jwt-signature',
    summary: 'A token without a signature is not verified.',
    replace: verifying((verify, token, ...rest) => token.endsWith('.') || verify(token, ...rest)),
  },
  {
    id: 'jwt-length-of-signature',
    rule: 'jwt-signature',
    summary: 'Of a signature for which there is a public key only the length is looked at.',
    replace: verifying((verify, token, key, header) =>
      key.type === 'public'
        ? signatureOf(token).length === lengthOfSignature(key)
        : verify(token, key, header),
    ),
  },
  {
    id: 'jwt-hmac-beginning',
    rule: 'jwt-signature',
    summary: 'Of an HMAC only as much is compared as the token has.',
    replace: verifying((verify, token, key, header) => {
      if (header.keyType !== 'hmac' || token.endsWith('.')) return verify(token, key, header);
      const made = createHmac(`sha${header.algorithm.slice(2)}`, key)
        .update(inputOf(token))
        .digest();
      const given = signatureOf(token);
      return given.length <= made.length && made.subarray(0, given.length).equals(given);
    }),
  },
  {
    id: 'jwt-ec-zeros',
    rule: 'jwt-signature',
    summary: 'A signature of zeros is right for every key of an elliptic curve.',
    replace: verifying(
      (verify, token, key, header) =>
        (header.keyType === 'ec' && signatureOf(token).every((byte) => byte === 0) && !token.endsWith('.')) ||
        verify(token, key, header),
    ),
  },
  {
    id: 'jwt-signature-remembered',
    rule: 'jwt-payload-bound',
    summary: 'A signature that was right once is right for any content.',
    replace: (parts) => {
      const right = new Set<string>();
      return verifying(async (verify, token, ...rest) => {
        const signature = signatureOf(token).toString('hex');
        if (!right.has(signature) && (await verify(token, ...rest))) right.add(signature);
        return right.has(signature);
      })(parts);
    },
  },
  {
    id: 'jwt-payload-trimmed',
    rule: 'jwt-payload-bound',
    summary: 'Blanks after the claims are not signed.',
    replace: verifying((verify, token, ...rest) => {
      const [header, claims, signature] = token.split('.');
      const trimmed = Buffer.from(Buffer.from(claims!, 'base64url').toString().trimEnd()).toString(
        'base64url',
      );
      return verify(`${header}.${trimmed}.${signature}`, ...rest);
    }),
  },
  {
    id: 'jwt-rsa-key-as-secret',
    rule: 'jwt-alg-bound',
    summary: 'An HMAC with the text of a public RSA key of that kid as its secret is accepted.',
    replace: confusing('rsa'),
  },
  {
    id: 'jwt-ec-default-as-secret',
    rule: 'jwt-alg-bound',
    summary: 'Where a kid has no secret, the text of the default key for elliptic curves is one.',
    replace: confusing('ec', '_default'),
  },
  {
    id: 'jwt-any-kid',
    rule: 'jwt-kid-selects',
    summary: 'Whatever the kid, a signature by any trusted key of the kind is accepted.',
    replace: (parts) => {
      let trusted: readonly KeyObject[] = [];
      return {
        ...parts,
        selectKey: (header, keys) => {
          trusted = [...keys].flatMap(([name, key]) => (name.startsWith(`${header.keyType}:`) ? [key] : []));
          return parts.selectKey(header, keys);
        },
        verifySignature: async (token, _, header) => {
          const verdicts = trusted.map((key) => parts.verifySignature(token, key, header));
          return (await Promise.all(verdicts)).includes(true);
        },
      };
    },
  },
  {
    id: 'jwt-kid-cut',
    rule: 'jwt-kid-selects',
    summary: 'Two names of keys that begin with the same 16 characters are one.',
    replace: selecting((select, header, keys) => {
      const { kid } = header;
      if (kid === undefined || kid.length < 16) return select(header, keys);
      const beginning = `${header.keyType}:${kid.slice(0, 16)}`;
      return [...keys].findLast(([name]) => name.startsWith(beginning))?.[1];
    }),
  },
  {
    id: 'jwt-unknown-kid-default',
    rule: 'jwt-kid-unknown',
    summary: 'An unknown kid means the default key.',
    replace: selecting(
      (select, header, keys) => select(header, keys) ?? select({ ...header, kid: undefined }, keys),
    ),
  },
  {
    id: 'jwt-kid-any-case',
    rule: 'jwt-kid-unknown',
    summary: 'The case of letters in a kid does not matter.',
    replace: selecting((select, header, keys) => {
      const name = `${header.keyType}:${header.kid ?? '_default'}`.toLowerCase();
      return select(header, keys) ?? [...keys].find(([known]) => known.toLowerCase() === name)?.[1];
    }),
  },
  {
    id: 'jwt-no-kid-last-key',
    rule: 'jwt-default-key',
    summary: 'A token without kid is validated against the last key of its kind.',
    replace: selecting((select, header, keys) =>
      header.kid === undefined
        ? [...keys].findLast(([name]) => name.startsWith(`${header.keyType}:`))?.[1]
        : select(header, keys),
    ),
  },
  {
    id: 'jwt-no-kid-any-key',
    rule: 'jwt-default-key',
    summary: 'A token without kid may be signed by any secret.',
    replace: (parts) => {
      let trusted: readonly KeyObject[] = [];
      return {
        ...parts,
        selectKey: (header, keys) => {
          trusted = [...keys].flatMap(([name, key]) => (name.startsWith('hmac:') ? [key] : []));
          return parts.selectKey(header, keys);
        },
        verifySignature: async (token, key, header) => {
          const isFree = header.kid === undefined && header.keyType === 'hmac';
          const verdicts = (isFree ? trusted : [key]).map((one) => parts.verifySignature(token, one, header));
          return (await Promise.all(verdicts)).includes(true);
        },
      };
    },
  },
  {
    id: 'jwt-first-required',
    rule: 'jwt-required-missing',
    summary: 'Of the required claims only the first must be there.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name }, index) => index === 0 || name in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-exp-optional',
    rule: 'jwt-required-missing',
    summary: 'A required exp is judged when it is there, and may be missing.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name }) => name !== 'exp' || 'exp' in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-required-null',
    rule: 'jwt-required-missing',
    summary: 'A required claim with a value that is missing altogether is not asked for.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name, value }) => value === undefined || name in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-exp-unchecked',
    rule: 'jwt-required-validated',
    summary: 'A required exp may be in the past.',
    replace: claiming((check, claims, required, now) =>
      check('exp' in claims ? { ...claims, exp: now + 60 } : claims, required, now),
    ),
  },
  {
    id: 'jwt-nbf-unchecked',
    rule: 'jwt-required-validated',
    summary: 'A required nbf may be in the future.',
    replace: claiming((check, claims, required, now) =>
      check('nbf' in claims ? { ...claims, nbf: now - 60 } : claims, required, now),
    ),
  },
  {
    id: 'jwt-exp-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'A past exp refuses a token, required or not.',
    replace: claiming((check, claims, required, now) =>
      check(claims, typeof claims['exp'] === 'number' ? [...required, { name: 'exp' }] : required, now),
    ),
  },
  {
    id: 'jwt-nbf-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'An nbf in the future refuses a token, required or not.',
    replace: claiming((check, claims, required, now) =>
      check(claims, typeof claims['nbf'] === 'number' ? [...required, { name: 'nbf' }] : required, now),
    ),
  },
  {
    id: 'jwt-roles-two',
    rule: 'jwt-roles-array',
    summary: 'Of roles in an array two count at most.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings).slice(0, 2)
        : roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-array-lower-case',
    rule: 'jwt-roles-array',
    summary: 'Roles in an array are put in lower case.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings).map((role) => role.toLowerCase())
        : roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-untrimmed',
    rule: 'jwt-roles-string',
    summary: 'Blanks before a comma are part of a role.',
    replace: giving(
      (roles, claims, settings) => rolesText(claims, settings)?.split(/,\s*/) ?? roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-comma-blank',
    rule: 'jwt-roles-string',
    summary: 'Roles in a string are separated by a comma with a blank only.',
    replace: giving(
      (roles, claims, settings) => rolesText(claims, settings)?.split(', ') ?? roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-string-first',
    rule: 'jwt-roles-equivalent',
    summary: 'Of roles in a string only the first two count.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings)
        : roles(claims, settings).slice(0, 2),
    ),
  },
  {
    id: 'jwt-roles-string-lower-case',
    rule: 'jwt-roles-equivalent',
    summary: 'Roles in a string are put in lower case.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings)
        : roles(claims, settings).map((role) => role.toLowerCase()),
    ),
  },
  {
    id: 'jwt-roles-fallback',
    rule: 'jwt-roles-absent',
    summary: 'Without a roles claim, roles come from the claim "roles".',
    replace: giving((roles, claims, settings) => {
      const found = roles(claims, settings);
      return found.length > 0 ? found : roles({ [settings.rolesClaimName]: claims['roles'] ?? [] }, settings);
    }),
  },
  {
    id: 'jwt-roles-nested',
    rule: 'jwt-roles-absent',
    summary: 'A dot in the name of the roles claim is taken for a step into an object.',
    replace: giving((roles, claims, settings) => {
      const found = roles(claims, settings);
      if (found.length > 0 || settings.rolesClaimPath) return found;
      return roles(claims, { ...settings, rolesClaimPath: settings.rolesClaimName.split('.') });
    }),
  },
  {
    id: 'jwt-roles-name-ignored',
    rule: 'jwt-roles-claim-name',
    summary: 'The roles claim always has its initial name.',
    replace: giving((roles, claims, settings) =>
      roles(claims, { ...settings, rolesClaimName: initialRolesClaim(claims) }),
    ),
  },
  {
    id: 'jwt-roles-name-added',
    rule: 'jwt-roles-claim-name',
    summary: 'Roles of the claim with the initial name count besides those of the one that is configured.',
    replace: giving((roles, claims, settings) => [
      ...roles(claims, settings),
      ...(settings.rolesClaimName === initialRolesClaim(claims)
        ? []
        : roles(claims, { ...settings, rolesClaimName: initialRolesClaim(claims) })),
    ]),
  },
  {
    id: 'jwt-roles-path-ignored',
    rule: 'jwt-roles-claim-path',
    summary: 'The name of the roles claim counts, not the path.',
    replace: giving((roles, claims, settings) => roles(claims, { ...settings, rolesClaimPath: undefined })),
  },
  {
    id: 'jwt-roles-path-unescaped',
    rule: 'jwt-roles-claim-path',
    summary: 'A dot in a path is a step, also after a backslash.',
    replace: giving((roles, claims, settings) =>
      roles(claims, {
        ...settings,
        rolesClaimPath: settings.rolesClaimPath?.flatMap((name) => name.split('.')),
      }),
    ),
  },
  {
    id: 'jwt-padding-cut',
    rule: 'jwt-key-forms',
    summary: 'A secret whose base64 ends in = loses its last byte.',
    replace: verifying((verify, token, key, header) => {
      if (header.keyType !== 'hmac') return verify(token, key, header);
      const secret = key.export();
      const cut = secret.length % 3 === 0 ? secret : secret.subarray(0, -1);
      const made = createHmac(`sha${header.algorithm.slice(2)}`, cut)
        .update(inputOf(token))
        .digest();
      return made.equals(signatureOf(token));
    }),
  },
  {
    id: 'jwt-pem-of-ec-unread',
    rule: 'jwt-key-forms',
    summary: 'Keys for elliptic curves are not read from the configuration.',
    replace: selecting((select, header, keys) =>
      header.keyType === 'ec' ? undefined : select(header, keys),
    ),
  },
  {
    id: 'jwt-name-to-equals',
    rule: 'jwt-key-name-equals',
    summary: 'The name of a key ends at the first =.',
    replace: selecting((select, header, keys) => select({ ...header, kid: header.kid?.split('=')[0] }, keys)),
  },
  {
    id: 'jwt-name-with-equals-unknown',
    rule: 'jwt-key-name-equals',
    summary: 'A key whose name holds = is not known.',
    replace: selecting((select, header, keys) =>
      header.kid?.includes('=') ? undefined : select(header, keys),
    ),
  },

  {
    id: 'totp-long-key',
    rule: 'totp-login',
    summary: 'Of a key only the first 32 characters count.',
    replace: codes((isCurrent, key, code) => isCurrent(key.slice(0, 32), code)),
  },
  {
    id: 'totp-code-refused',
    rule: 'totp-login',
    summary: 'A code whose first digit is below 5 is refused.',
    replace: codes((isCurrent, key, code) => !/^[0-4]/.test(code) && isCurrent(key, code)),
  },
  {
    id: 'totp-code-optional',
    rule: 'totp-token-required',
    summary: 'Whoever sends no code needs none.',
    replace: codes((isCurrent, key, code) => !code || isCurrent(key, code)),
  },
  {
    id: 'totp-old-codes',
    rule: 'totp-token-required',
    summary: 'Codes of the last quarter of an hour count.',
    replace: (parts) => ({
      ...parts,
      isCurrentCode: (key, code, now = Date.now() / 1000) =>
        Array.from({ length: 30 }, (_, step) => now - 30 * step).some((time) =>
          parts.isCurrentCode(key, code, time),
        ),
    }),
  },
  {
    id: 'totp-any-code',
    rule: 'totp-token-required',
    summary: 'Any six digits are a code.',
    replace: codes((_, __, code) => /^\d{6}$/.test(code)),
  },
  {
    id: 'totp-cookie-once',
    rule: 'totp-cookie',
    summary: 'A cookie authenticates twice, then no more.',
    replace: (parts) => {
      const uses = new Map<string, number>();
      return authenticating('cookie', (original) => (headers, authentication) => {
        const key = createHash('sha256')
          .update(headers.cookie ?? '')
          .digest('hex');
        const count = (uses.get(key) ?? 0) + 1;
        uses.set(key, count);
        return count > 2 ? undefined : original(headers, authentication);
      })(parts);
    },
  },
  {
    id: 'totp-cookie-without-roles',
    rule: 'totp-cookie',
    summary: 'The cookie of a user gives no roles.',
    replace: authenticating('cookie', (original) => async (...request) => {
      const identity = await original(...request);
      return identity && { ...identity, user: { ...identity.user, roles: [] } };
    }),
  },
];
