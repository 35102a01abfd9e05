/** Faults in how the signatures of JSON Web Tokens are verified, and with which key. */
import { createHmac, type KeyLike, type KeyObject, verify } from 'node:crypto';
import type { Components } from '../../../reference/index.js';
import {
  changeHeaders,
  combine,
  faultsOf,
  perServer,
  replaceFunction,
  type Replace,
} from '../shared/components.faults.js';
import { denyFeedBeforeSession, misreportHandler } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

type Header = Parameters<Components['selectKey']>[0];
type KeyType = Header['keyType'];

const signatureOf = (token: string): Buffer =>
  Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url');
const inputOf = (token: string): string => token.slice(0, token.lastIndexOf('.'));
const isUnsigned = (token: string): boolean => token.endsWith('.');

const hmac = (token: string, key: KeyLike, algorithm: string): Buffer =>
  createHmac(`sha${algorithm.slice(2)}`, key)
    .update(inputOf(token))
    .digest();

const isHmac = (token: string, key: KeyLike, algorithm: string): boolean =>
  hmac(token, key, algorithm).equals(signatureOf(token));

/** The bytes of a signature: those of the RSA modulus, or of two ECDSA coordinates. */
function lengthOfSignature({ asymmetricKeyDetails: { modulusLength, namedCurve } = {} }: KeyObject): number {
  if (modulusLength !== undefined) return modulusLength / 8;
  return { prime256v1: 64, secp384r1: 96, secp521r1: 132 }[namedCurve ?? ''] ?? 0;
}

/** Rejects signatures of a key type whose first bit is set. */
const rejectHighBit = (type: KeyType): Replace =>
  replaceFunction('verifySignature', async (original, token, key, header) => {
    const isRejected = header.keyType === type && signatureOf(token)[0]! >= 0x80;
    return !isRejected && original(token, key, header);
  });

/** Ignores some bits of one byte of the HMACs of some tokens. Default: of all. */
const ignoreHmacBits = (
  position: number,
  bits: number,
  isAffected: (header: Header) => boolean = () => true,
): Replace =>
  replaceFunction('verifySignature', async (original, token, key, header) => {
    if (header.keyType !== 'hmac' || !isAffected(header)) return original(token, key, header);
    const withoutBits = (bytes: Buffer): Buffer => {
      const index = position < 0 ? bytes.length + position : position;
      return Buffer.from(bytes.map((byte, at) => (at === index ? byte & ~bits : byte)));
    };
    return withoutBits(hmac(token, key, header.algorithm)).equals(withoutBits(signatureOf(token)));
  });

/** Loses the last byte of some secrets. */
const cutSecrets = (isCut: (secret: Buffer) => boolean): Replace =>
  replaceFunction('verifySignature', async (original, token, key, header) => {
    if (header.keyType !== 'hmac') return original(token, key, header);
    const secret = key.export();
    return isHmac(token, isCut(secret) ? secret.subarray(0, -1) : secret, header.algorithm);
  });

/** Accepts some signatures without verifying them. */
const acceptSignatures = (
  isAccepted: (...signature: Parameters<Components['verifySignature']>) => boolean,
): Replace =>
  replaceFunction(
    'verifySignature',
    async (original, ...signature) => isAccepted(...signature) || original(...signature),
  );

/** Finds no key for some headers. */
const hideKeys = (isHidden: (header: Header) => boolean): Replace =>
  replaceFunction('selectKey', (original, header, keys) =>
    isHidden(header) ? undefined : original(header, keys),
  );

/** Finds keys whose name has the same form as the wanted one if no key has its name. */
const findKeysBy = (form: (kid: string) => string): Replace =>
  replaceFunction('selectKey', (original, header, keys) => {
    const { kid = '_default', keyType } = header;
    const isWanted = (name: string): boolean =>
      name.startsWith(`${keyType}:`) && form(name.slice(keyType.length + 1)) === form(kid);
    return original(header, keys) ?? [...keys].find(([name]) => isWanted(name))?.[1];
  });

const publicKeyIn = (form: 'pem' | 'der', key: KeyObject): KeyLike =>
  form === 'pem' ? key.export({ type: 'spki', format: 'pem' }) : key.export({ type: 'spki', format: 'der' });

/** Accepts an HMAC with the text of a public key as its secret if no secret has that name. */
const acceptPublicKeyAsSecret = (
  type: 'rsa' | 'ec',
  { name, form = 'pem', algorithm }: { name?: string; form?: 'pem' | 'der'; algorithm?: string } = {},
): Replace =>
  combine(
    replaceFunction('selectKey', (original, header, keys) => {
      const found = original(header, keys);
      if (found || header.keyType !== 'hmac') return found;
      return keys.get(`${type}:${name ?? header.kid ?? '_default'}`);
    }),
    replaceFunction('verifySignature', async (original, token, key, header) =>
      header.keyType === 'hmac' && key.type === 'public'
        ? (algorithm ?? header.algorithm) === header.algorithm &&
          isHmac(token, publicKeyIn(form, key), header.algorithm)
        : original(token, key, header),
    ),
  );

/** The algorithm of tokens whose `alg` only a fault accepts. */
const pretended = 'pretended';

/** Accepts some values of `alg` that the original server rejects, as if they were `alg`. */
function acceptAlg(
  isAccepted: (alg: unknown) => boolean,
  alg: string,
  isValid: (token: string, key: KeyObject) => boolean,
): Replace {
  return combine(
    replaceFunction('readHeader', (original, header) =>
      isAccepted(header['alg'])
        ? { ...original({ ...header, alg }), algorithm: pretended }
        : original(header),
    ),
    replaceFunction('verifySignature', async (original, token, key, header) =>
      header.algorithm === pretended ? isValid(token, key) : original(token, key, header),
    ),
  );
}

/** Accepts some values of `alg` without a key. */
const acceptWithoutKey = (
  isAccepted: (alg: unknown) => boolean,
  isValid: (token: string) => boolean,
): Replace =>
  combine(
    acceptAlg(isAccepted, 'HS256', isValid),
    replaceFunction('selectKey', (original, header, keys) =>
      header.algorithm === pretended ? [...keys.values()][0] : original(header, keys),
    ),
  );

/** Accepts a signature by any trusted key of the type if `isLenient` is true for the header. */
const acceptAnyKey = (isLenient: (header: Header) => boolean): Replace =>
  perServer(() => {
    let trusted: readonly KeyObject[] = [];
    return combine(
      replaceFunction('selectKey', (original, header, keys) => {
        trusted = [...keys].flatMap(([name, key]) => (name.startsWith(`${header.keyType}:`) ? [key] : []));
        return original(header, keys);
      }),
      replaceFunction('verifySignature', async (original, token, key, header) => {
        const candidates = isLenient(header) ? trusted : [key];
        const valid = await Promise.all(candidates.map((candidate) => original(token, candidate, header)));
        return valid.includes(true);
      }),
    );
  });

export const jwtSignatureFaults = faultsOf({
  'jwt-accepts': {
    'jwt-scheme-with-longer-name': {
      summary: 'The server reads the token of a scheme whose name ends with Bearer.',
      replace: changeHeaders('jwt', ({ authorization }) => ({
        authorization: authorization?.replace(/^\S+Bearer /, 'Bearer '),
      })),
    },
    'jwt-without-scheme': {
      summary: 'The server reads a token without a scheme.',
      replace: changeHeaders('jwt', ({ authorization }) => ({
        authorization: authorization?.replace(/^(?=[\w-]+\.)/, 'Bearer '),
      })),
    },
    'jwt-ec-high-bit': {
      summary: 'The server rejects ECDSA signatures whose first bit is set.',
      replace: rejectHighBit('ec'),
    },
    'jwt-rsa-unknown': {
      summary: 'The server does not find RSA keys by their kid.',
      replace: hideKeys(({ keyType, kid }) => keyType === 'rsa' && kid !== undefined),
    },
    'jwt-hmac-high-bit': {
      summary: 'The server rejects HMAC signatures whose first bit is set.',
      replace: rejectHighBit('hmac'),
    },
  },
  'jwt-authenticated': {
    'jwt-authenticated-default': {
      summary: 'The server reports the default handler in the session of a token.',
      replace: misreportHandler('jwt', 'default'),
    },
    'jwt-needs-session': {
      summary:
        'The server denies users with a token access to the changes feed until they ask for their session.',
      notInTraffic: unseen.access,
      replace: denyFeedBeforeSession('jwt'),
    },
  },
  'jwt-alg-required': {
    'jwt-alg-in-any-case': {
      summary: 'The server ignores the case of the name of the header parameter alg of an HMAC.',
      notInTraffic: unseen.access,
      replace: combine(
        replaceFunction('readHeader', (original, header) =>
          original({ ...header, alg: header['alg'] ?? header['ALG'] }),
        ),
        acceptSignatures(
          (token, key, { keyType, algorithm }) => keyType === 'hmac' && isHmac(token, key, algorithm),
        ),
      ),
    },
    'jwt-alg-hs256': {
      summary: 'The server reads a header without alg as HS256.',
      replace: acceptAlg(
        (alg) => alg === undefined,
        'HS256',
        (token, key) => isHmac(token, key, 'HS256'),
      ),
    },
    'jwt-alg-es256': {
      summary: 'The server reads a header without alg as ES256.',
      notInTraffic: unseen.access,
      replace: acceptAlg(
        (alg) => alg === undefined,
        'ES256',
        (token, key) =>
          verify(
            'sha256',
            Buffer.from(inputOf(token)),
            { key, dsaEncoding: 'ieee-p1363' },
            signatureOf(token),
          ),
      ),
    },
    'jwt-alg-unknown': {
      summary: 'The server accepts any signature if it does not know the algorithm.',
      notInTraffic: unseen.access,
      replace: acceptWithoutKey(
        (alg) => typeof alg === 'string' && !/^none$|^(HS|RS|ES)(256|384|512)$/i.test(alg),
        () => true,
      ),
    },
  },
  'jwt-alg-none': {
    'jwt-none-empty': {
      summary: 'The server accepts a token with alg none and an empty signature.',
      notInTraffic: unseen.access,
      replace: acceptWithoutKey((alg) => alg === 'none', isUnsigned),
    },
    'jwt-none-mixed-case': {
      summary: 'The server accepts any signature if alg is none, unless it is in lower case.',
      replace: acceptWithoutKey(
        (alg) => /^none$/i.test(String(alg)) && alg !== 'none',
        () => true,
      ),
    },
  },
  'jwt-signature': {
    'jwt-signature-empty': {
      summary: 'The server does not verify a token without a signature.',
      replace: acceptSignatures(isUnsigned),
    },
    'jwt-length-of-signature': {
      summary: 'The server verifies only the length of RSA and ECDSA signatures.',
      replace: acceptSignatures(
        (token, key) => key.type === 'public' && signatureOf(token).length === lengthOfSignature(key),
      ),
    },
    'jwt-hmac-beginning': {
      summary: 'The server compares only as many bytes of an HMAC as the token has.',
      replace: replaceFunction('verifySignature', async (original, token, key, header) => {
        if (header.keyType !== 'hmac' || isUnsigned(token)) return original(token, key, header);
        const expected = hmac(token, key, header.algorithm);
        const given = signatureOf(token);
        return given.length <= expected.length && expected.subarray(0, given.length).equals(given);
      }),
    },
    'jwt-hmac-last-byte': {
      summary: 'The server ignores the last byte of an HMAC.',
      replace: ignoreHmacBits(-1, 0xff),
    },
    'jwt-hmac-last-bit': {
      summary: 'The server ignores the last bit of an HMAC.',
      replace: ignoreHmacBits(-1, 0x01),
    },
    'jwt-hmac-middle-byte': {
      summary: 'The server ignores the byte in the middle of an HMAC.',
      replace: ignoreHmacBits(16, 0xff),
    },
    'jwt-ec-zeros': {
      summary: 'The server accepts an ECDSA signature of zeros for every key.',
      replace: acceptSignatures(
        (token, _, { keyType }) =>
          keyType === 'ec' && !isUnsigned(token) && signatureOf(token).every((byte) => byte === 0),
      ),
    },
    'jwt-hs512-unverified': {
      summary: 'The server does not verify signatures with HS384 and HS512.',
      replace: acceptSignatures((_, __, { algorithm }) => /^HS(384|512)$/.test(algorithm)),
    },
    'jwt-secret-as-text': {
      summary: 'The server also accepts signatures by the Base64 text of a secret.',
      replace: acceptSignatures(
        (token, key, { keyType, algorithm }) =>
          keyType === 'hmac' && isHmac(token, key.export().toString('base64'), algorithm),
      ),
    },
    'jwt-last-byte-without-kid': {
      summary: 'The server does not compare the last byte of an HMAC if the token has no kid.',
      replace: ignoreHmacBits(-1, 0xff, ({ kid }) => kid === undefined),
    },
  },
  'jwt-payload-bound': {
    'jwt-signature-remembered': {
      summary: 'The server accepts a signature that was valid once for every payload.',
      replace: perServer(() => {
        const valid = new Set<string>();
        return replaceFunction('verifySignature', async (original, token, ...rest) => {
          const signature = signatureOf(token).toString('hex');
          if (!valid.has(signature) && (await original(token, ...rest))) valid.add(signature);
          return valid.has(signature);
        });
      }),
    },
    'jwt-payload-trimmed': {
      summary: 'The server ignores spaces after the claims when it verifies a signature.',
      replace: replaceFunction('verifySignature', (original, token, ...rest) => {
        const [header, claims, signature] = token.split('.');
        const trimmed = Buffer.from(claims!, 'base64url').toString().trimEnd();
        return original(`${header}.${Buffer.from(trimmed).toString('base64url')}.${signature}`, ...rest);
      }),
    },
  },
  'jwt-alg-bound': {
    'jwt-rsa-key-as-secret': {
      summary: 'The server accepts an HMAC whose secret is the text of the public RSA key with the same kid.',
      replace: acceptPublicKeyAsSecret('rsa'),
    },
    'jwt-ec-default-as-secret': {
      summary:
        'The server accepts an HMAC whose secret is the text of the default ECDSA key if the kid has no secret.',
      replace: acceptPublicKeyAsSecret('ec', { name: '_default' }),
    },
    'jwt-rsa-key-in-der-as-secret': {
      summary: 'The server accepts an HMAC whose secret is the public RSA key in DER with the same kid.',
      replace: acceptPublicKeyAsSecret('rsa', { form: 'der' }),
    },
    'jwt-rsa-key-as-secret-of-hs512': {
      summary:
        'The server accepts an HMAC with HS512 whose secret is the text of the public RSA key with the same kid.',
      replace: acceptPublicKeyAsSecret('rsa', { algorithm: 'HS512' }),
    },
  },
  'jwt-kid-selects': {
    'jwt-any-kid': {
      summary: 'The server ignores the kid and accepts a signature by any trusted key of the key type.',
      replace: acceptAnyKey(() => true),
    },
    'jwt-kid-cut': {
      summary: 'The server compares only the first 16 characters of a kid.',
      replace: replaceFunction('selectKey', (original, header, keys) => {
        const { kid } = header;
        if (kid === undefined || kid.length < 16) return original(header, keys);
        const start = `${header.keyType}:${kid.slice(0, 16)}`;
        return [...keys].findLast(([name]) => name.startsWith(start))?.[1];
      }),
    },
  },
  'jwt-kid-unknown': {
    'jwt-unknown-kid-default': {
      summary: 'The server uses the default key if the kid is unknown.',
      replace: replaceFunction(
        'selectKey',
        (original, header, keys) => original(header, keys) ?? original({ ...header, kid: undefined }, keys),
      ),
    },
    'jwt-kid-any-case': {
      summary: 'The server ignores the case of a kid.',
      replace: findKeysBy((kid) => kid.toLowerCase()),
    },
    'jwt-kid-any-initial': {
      summary: 'The server ignores the case of the first letter of a kid.',
      replace: findKeysBy((kid) => kid.replace(/[a-z]/i, (letter) => letter.toLowerCase())),
    },
    'jwt-kid-trimmed': {
      summary: 'The server ignores spaces after a kid.',
      replace: findKeysBy((kid) => kid.replace(/ +$/, '')),
    },
    'jwt-kid-prefixed': {
      summary: 'The server ignores the type of the key in a kid that begins with it.',
      replace: findKeysBy((kid) => kid.replace(/^(hmac|rsa|ec):/, '')),
    },
    'jwt-kid-percent-decoded': {
      summary: 'The server decodes percent-encoded characters in a kid.',
      replace: findKeysBy((kid) =>
        kid.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        ),
      ),
    },
  },
  'jwt-default-key': {
    'jwt-kid-name-in-any-case': {
      summary: 'The server ignores the case of the name of the header parameter kid.',
      replace: replaceFunction('readHeader', (original, header) => {
        const kid = header['kid'] ?? header['KID'];
        return original(kid === undefined ? header : { ...header, kid });
      }),
    },
    'jwt-no-kid-last-key': {
      summary: 'The server verifies a token without kid with the last key of its key type.',
      replace: replaceFunction('selectKey', (original, header, keys) =>
        header.kid === undefined
          ? [...keys].findLast(([name]) => name.startsWith(`${header.keyType}:`))?.[1]
          : original(header, keys),
      ),
    },
    'jwt-no-kid-any-key': {
      summary: 'The server accepts a token without kid that is signed with any trusted secret.',
      replace: acceptAnyKey(({ kid, keyType }) => kid === undefined && keyType === 'hmac'),
    },
  },
  'jwt-key-forms': {
    'jwt-padding-cut': {
      summary: 'The server loses the last byte of a secret whose Base64 ends with an equals sign.',
      replace: cutSecrets(({ length }) => length % 3 !== 0),
    },
    'jwt-pem-of-ec-unread': {
      summary: 'The server does not read ECDSA keys from the configuration.',
      replace: hideKeys(({ keyType }) => keyType === 'ec'),
    },
    'jwt-two-paddings-cut': {
      summary: 'The server loses the last byte of a secret whose Base64 ends with two equals signs.',
      replace: cutSecrets(({ length }) => length % 3 === 1),
    },
  },
  'jwt-key-name-equals': {
    'jwt-name-to-equals': {
      summary: 'The server reads the name of a key up to its first equals sign.',
      replace: replaceFunction('selectKey', (original, header, keys) =>
        original({ ...header, kid: header.kid?.split('=')[0] }, keys),
      ),
    },
    'jwt-name-with-equals-unknown': {
      summary: 'The server does not find a key whose name contains an equals sign.',
      replace: hideKeys(({ kid = '' }) => kid.includes('=')),
    },
  },
});
