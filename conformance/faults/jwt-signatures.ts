/** Faults in how the signatures of JSON Web Tokens are verified, and with which key. */
import { type Fault, type Parts } from '../../reference/index.js';
import { createHmac, type KeyObject, verify } from 'node:crypto';
import { type Replace } from './shared/components.js';
import { feedRefusedTo, session } from './shared/sessions.js';

type Claims = Parameters<Parts['checkClaims']>[0];
type Header = Parameters<Parts['selectKey']>[0];

type Keys = Parameters<Parts['selectKey']>[1];

type Verify = Parts['verifySignature'];

const selecting =
  (select: (original: Parts['selectKey'], header: Header, keys: Keys) => KeyObject | undefined): Replace =>
  (parts) => ({ ...parts, selectKey: (header, keys) => select(parts.selectKey, header, keys) });

const verifying =
  (verify: (original: Verify, ...token: Parameters<Verify>) => Promise<boolean> | boolean): Replace =>
  (parts) => ({
    ...parts,
    verifySignature: async (...token) => verify(parts.verifySignature, ...token),
  });

const heading =
  (read: (original: Parts['readHeader'], header: Claims) => Header): Replace =>
  (parts) => ({ ...parts, readHeader: (header) => read(parts.readHeader, header) });

const signatureOf = (token: string): Buffer =>
  Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url');

const inputOf = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** In bytes: of RSA that of the modulus, of ECDSA twice that of a coordinate. */
function lengthOfSignature({ asymmetricKeyDetails: { modulusLength, namedCurve } = {} }: KeyObject): number {
  if (modulusLength !== undefined) return modulusLength / 8;
  return { prime256v1: 64, secp384r1: 96, secp521r1: 132 }[namedCurve ?? ''] ?? 0;
}

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

export const jwtSignatureFaults: readonly Fault[] = [
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
];
