/** JSON Web Tokens: keys, algorithms and signatures (SERVICE 5.4). */
import { createPublicKey, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import {
  type CheckContext,
  type CheckDefinition,
  defineRule,
  equalTo,
  forAll,
  mustMatch,
  objectWith,
  type Run,
  signature,
  type Signer,
  Skip,
  subjects,
  token,
  unsigned,
  variantsFor,
} from '../../kit.js';
import type { KeyType, SigningKey } from '../../session/settings/authentication.js';
import {
  checkToken,
  claimsFor,
  headerFor,
  keyName,
  keyNamed,
  keyNames,
  mustRejectToken,
  omit,
  sendToken,
  untrustedKey,
  twoKeysOfEachType,
  usableKeys,
} from '../shared/jwt.js';
import { headersLike, tokenMembersLike, withSchemesLike } from '../shared/resembling.js';
import { getSession, mustBeAnonymous, mustBeUser, mustServeFeed } from '../shared/sessions.js';
import { unseen } from '../shared/unseen.js';
import { forUsers, forbiddenToken, mustNameHandler } from '../shared/passing-sessions.js';

/** A generated valid token. */
interface ValidToken {
  readonly key: string;
  readonly name: string;
}

const validTokens = (context: CheckContext): fc.Arbitrary<ValidToken> =>
  fc.record({ key: keyNames(context), name: subjects });

/** The parts of a valid token. */
function partsOf(context: CheckContext, key: SigningKey, name: string) {
  const input = unsigned(headerFor(key), claimsFor(context, name));
  return { input, signed: signature(input, key) };
}

/** Changes of a valid signature that make it invalid, by their description. */
const invalidSignatures: Readonly<Record<string, (signed: Buffer, position: number) => Buffer>> = {
  'an empty signature': () => Buffer.alloc(0),
  'a truncated signature': (signed, position) => signed.subarray(0, position % signed.length),
  'an extended signature': (signed) => Buffer.concat([signed, Buffer.from([0])]),
  'a signature of zeros': (signed) => Buffer.alloc(signed.length),
  'a signature with one bit changed': (signed, position) => {
    const changed = Buffer.from(signed);
    changed[position % changed.length]! ^= 1 << (position % 8);
    return changed;
  },
};

/** A key of each type, since the keys of a type share one implementation; in the profile `thorough` every key. */
function keysToDamage(context: CheckContext): readonly SigningKey[] {
  const keys = usableKeys(context);
  if (context.property.profile === 'thorough') return keys;
  return [...new Map(keys.map((key) => [key.type, key])).values()];
}

/**
 * A bit of each byte of a signature, and all bits of the last byte. A server compares the signature of a secret byte by
 * byte. With that of a public key it calculates as a whole, so that every sixteenth byte shows as much.
 */
function bitsToChange({ length }: Buffer, type: KeyType): number[] {
  const step = type === 'hmac' ? 1 : 16;
  const bytes = Array.from({ length: length - 1 }, (_, byte) => byte).filter((byte) => byte % step === 0);
  const inLastByte = Array.from({ length: 8 }, (_, bit) => 8 * (length - 1) + bit);
  return [...bytes.map((byte) => 8 * byte + (byte % 8)), ...inLastByte];
}

/** Ids that resemble the id of a key. */
const similarKids = (key: SigningKey): string[] => {
  const kid = key.kid ?? '_default';
  const swapCase = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return [
    ` ${kid}`,
    `${kid} `,
    `\t${kid}`,
    `${kid}\n`,
    `${kid}\0`,
    `"${kid}"`,
    kid.slice(1),
    kid.slice(0, -1),
    `x${kid}`,
    `${kid}x`,
    `${kid}=`,
    kid.toUpperCase(),
    kid.replace(/[a-z]/i, swapCase),
    kid.replace(/[a-z](?=[^a-z]*$)/i, swapCase),
    keyName(key),
    `${kid},${kid}`,
    `../${kid}`,
    '',
    kid.replace(/./, (first) => `%${first.charCodeAt(0).toString(16)}`),
  ];
};

/** Forms of a public key that a server may mistake for a secret. */
const pemForms: Readonly<Record<string, (pem: string) => string>> = {
  'in PEM': (pem) => pem,
  'in PEM without the last line feed': (pem) => pem.trimEnd(),
  'in PEM as in the configuration': (pem) => pem.trimEnd().replaceAll('\n', '\\n'),
  'in PEM without line feeds': (pem) => pem.replaceAll('\n', ''),
};

const spellingsOfNone = fc.oneof(fc.constant('none'), fc.mixedCase(fc.constant('none')));

/** What stands in the place of a signature, by its description. */
const endingsWithoutSignature = {
  'an empty signature': () => '.',
  'no signature': () => '',
  'an invalid signature': () => '.AAAA',
  'a valid signature': (input: string, key: SigningKey) => `.${signature(input, key).toString('base64url')}`,
};

/** Times in the future that do not fit into 31, 32 or 33 bits; undefined for a time in the near future. */
const expiries = fc.constantFrom(undefined, 2 ** 31 + 1, 2 ** 32 + 1, 9_999_999_999);

const acceptsKeyType = (type: KeyType): CheckDefinition => ({
  needs: [`jwt-${type}`],
  run: forAll(
    (context) => fc.record({ key: keyNames(context, type), exp: expiries, name: subjects }),
    async (context, { key: keyName, name, exp }) => {
      const key = keyNamed(context, keyName);
      const claims = { ...claimsFor(context, name), ...(exp !== undefined && { exp }) };
      await checkToken(context, { header: headerFor(key), claims }, key);
    },
    { cases: { default: 10 } },
  ),
});

/** The target must accept tokens that are signed by a key from the configuration that this run has changed. */
const acceptsConfiguredKeys =
  (isWanted: (key: SigningKey) => boolean, skip: string): Run =>
  async (context) => {
    const keys = usableKeys(context).filter((key) => key.configured && isWanted(key));
    if (keys.length === 0) throw new Skip(skip, 'config-write');
    for (const key of keys) {
      const content = { header: headerFor(key), claims: claimsFor(context, 'docfeed-anna') };
      await checkToken(context, content, key);
    }
  };

export const jwtAccepts = defineRule('jwt-accepts', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-accepts/hmac': acceptsKeyType('hmac'),

    'jwt-accepts/rsa': acceptsKeyType('rsa'),

    'jwt-accepts/ec': acceptsKeyType('ec'),

    'jwt-accepts/similar-schemes': async (context) => {
      const [key] = usableKeys(context);
      const bearer = token(headerFor(key!), claimsFor(context, 'docfeed-nobody'), key!);
      // The scheme of basic authentication resembles it, too, since a server may read both at one place.
      for (const value of variantsFor(context, [...withSchemesLike('Bearer', bearer), `Basic ${bearer}`])) {
        const session = await getSession(context, { as: { authorization: value } });
        mustBeAnonymous(session, `a token in the form ${value.replace(bearer, '<token>')}`);
      }
      for (const name of variantsFor(context, ['Proxy-Authorization', ...headersLike('Authorization')])) {
        const session = await getSession(context, { headers: { [name]: `Bearer ${bearer}` } });
        mustBeAnonymous(session, `a token in the header ${name}`);
      }
    },
  },
});

export const jwtAuthenticated = defineRule('jwt-authenticated', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'If the session names a user, it names the handler `jwt`.', rest: unseen.access },
    response: forUsers(['jwt'], (one) => mustNameHandler(one, 'jwt', 'bearer tokens')),
  },
  checks: {
    'jwt-authenticated': {
      needs: ['admin'],
      async run(context) {
        const [key, ...others] = usableKeys(context);
        // A name that no request had before: no session request is needed.
        const { name } = context.planUser();
        const tokenOf = (signer: SigningKey): string =>
          token(headerFor(signer), claimsFor(context, name), signer);
        const bearer = tokenOf(key!);
        await mustServeFeed(context, name, { as: { authorization: `Bearer ${bearer}` } });
        for (const each of [bearer, ...others.map(tokenOf)]) {
          const session = await sendToken(context, each);
          const authenticated = objectWith({ info: objectWith({ authenticated: equalTo('jwt') }) });
          mustMatch('The session does not name the handler of tokens', session.object(), authenticated);
        }
      },
    },
  },
});

export const jwtAlgRequired = defineRule('jwt-alg-required', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'Such a token authenticates nobody who asks for the session.', rest: unseen.access },
    response: forbiddenToken(({ header }) => !('alg' in header), 'a token without alg'),
  },
  checks: {
    'jwt-alg-required': forAll(validTokens, async (context, { key: keyName, name }) => {
      const key = keyNamed(context, keyName);
      const header = omit('alg', headerFor(key));
      await checkToken(context, { header, claims: claimsFor(context, name) }, key);
    }),

    'jwt-alg-required/similar-names': async (context) => {
      for (const key of twoKeysOfEachType(context)) {
        const { alg, ...others } = headerFor(key);
        for (const name of variantsFor(context, tokenMembersLike('alg'))) {
          const content = {
            header: { [name]: alg, ...others },
            claims: claimsFor(context, 'docfeed-nobody'),
          };
          await checkToken(context, content, key);
        }
      }
    },

    'jwt-alg-required/unknown': async (context) => {
      const unknown = [
        '',
        ' ',
        'none ',
        'HS',
        'HS1',
        'XS256',
        'PS256',
        'EdDSA',
        'docfeed',
        null,
        0,
        true,
        [],
        {},
      ];
      for (const [index, key] of twoKeysOfEachType(context).entries()) {
        for (const alg of variantsFor(context, unknown)) {
          const input = unsigned({ ...headerFor(key), alg }, claimsFor(context, 'docfeed-nobody'));
          // One ending for each key: with two keys, each algorithm has had both.
          const ending = (index + unknown.indexOf(alg)) % 2 === 0 ? '.' : '.AAAA';
          const how = `alg ${JSON.stringify(alg)} and no valid signature`;
          await mustRejectToken(context, input + ending, how, 'an unknown alg');
        }
      }
    },
  },
});

export const jwtAlgNone = defineRule('jwt-alg-none', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'Such a token authenticates nobody who asks for the session.', rest: unseen.access },
    response: forbiddenToken(
      ({ header: { alg } }) => typeof alg === 'string' && /^none$/i.test(alg),
      'a token with the alg none',
    ),
  },
  checks: {
    'jwt-alg-none': forAll(
      (context) =>
        fc.record({
          key: keyNames(context),
          kid: fc.boolean(),
          alg: spellingsOfNone,
        }),
      async (context, plan) => {
        const key = keyNamed(context, plan.key);
        const { kid, ...header } = headerFor(key);
        const named = plan.kid ? { ...header, kid } : header;
        const input = unsigned({ ...named, alg: plan.alg }, claimsFor(context, 'docfeed-nobody'));
        for (const [ending, textOf] of Object.entries(endingsWithoutSignature)) {
          await mustRejectToken(context, input + textOf(input, key), `alg ${plan.alg} and ${ending}`);
        }
      },
      { cases: { default: 10 } },
    ),
  },
});

export const jwtSignature = defineRule('jwt-signature', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-signature': forAll(
      fc.record({ name: subjects, position: fc.nat() }),
      async (context, { name, position }) => {
        for (const key of keysToDamage(context)) {
          const { input, signed } = partsOf(context, key, name);
          for (const [how, damaged] of Object.entries(invalidSignatures)) {
            const bearer = `${input}.${damaged(signed, position).toString('base64url')}`;
            await mustRejectToken(context, bearer, `${how} of a key of type ${key.type}`);
          }
        }
      },
      { cases: { default: 4 } },
    ),

    'jwt-signature/each-byte': async (context) => {
      const damagedEverywhere = keysToDamage(context);
      for (const key of usableKeys(context)) {
        const { input, signed } = partsOf(context, key, 'docfeed-nobody');
        const all = bitsToChange(signed, key.type);
        // The last byte is the one that a comparison forgets, so it changes for the other keys too.
        for (const bit of variantsFor(context, damagedEverywhere.includes(key) ? all : all.slice(-1))) {
          const changed = Buffer.from(signed);
          changed[bit >> 3]! ^= 1 << (bit & 7);
          const how = `a signature whose byte ${(bit >> 3) + 1} of ${signed.length} is wrong`;
          await context.inScope((inner) =>
            mustRejectToken(inner, `${input}.${changed.toString('base64url')}`, how, 'a wrong byte'),
          );
        }
      }
    },

    'jwt-signature/stranger': async (context) => {
      for (const key of usableKeys(context)) {
        const stranger = untrustedKey(key);
        // A target need not accept all of these algorithms, but it must verify the signature if it does.
        for (const size of [256, 384, 512]) {
          const signer: Signer = { key: stranger, alg: `${key.alg.slice(0, 2)}${size}` };
          const header = headerFor({ alg: signer.alg, kid: key.kid });
          const bearer = token(header, claimsFor(context, 'docfeed-nobody'), signer);
          await mustRejectToken(context, bearer, `the signature of another ${key.type} key`);
        }
        if (key.type !== 'hmac') continue;
        // The configuration has the secret in Base64 (SERVICE 5.4 key rule 3), and that text is not the secret.
        const text = createSecretKey(key.key.export().toString('base64'), 'utf8');
        const bearer = token(headerFor(key), claimsFor(context, 'docfeed-nobody'), {
          key: text,
          alg: key.alg,
        });
        await mustRejectToken(context, bearer, 'the signature of the Base64 text of a secret');
      }
    },
  },
});

export const jwtPayloadBound = defineRule('jwt-payload-bound', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-payload-bound': forAll(
      validTokens,
      async (context, { key: keyName, name }) => {
        const key = keyNamed(context, keyName);
        const { input, signed } = partsOf(context, key, name);
        // The valid token first: a server that caches signatures then knows this one as valid.
        const session = await sendToken(context, `${input}.${signed.toString('base64url')}`);
        mustBeUser({ name, roles: [] }, session, 'a valid token');
        const [header, claims] = [headerFor(key), claimsFor(context, name)];
        const changes = {
          sub: unsigned(header, { ...claims, sub: `${name}x` }),
          role: unsigned(header, { ...claims, [context.target.names.rolesClaim]: ['docfeed-role'] }),
          claim: unsigned(header, { ...claims, docfeed: true }),
          header: unsigned({ ...header, docfeed: true }, claims),
          spaces: unsigned(header, claims).replace(
            /\..*/,
            `.${Buffer.from(`${JSON.stringify(claims)} `).toString('base64url')}`,
          ),
        };
        for (const [change, changed] of Object.entries(changes)) {
          const bearer = `${changed}.${signed.toString('base64url')}`;
          await mustRejectToken(context, bearer, `the signature of other content (${change} changed)`);
        }
      },
      { cases: { default: 8 } },
    ),
  },
});

export const jwtAlgBound = defineRule('jwt-alg-bound', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-alg-bound': async (context) => {
      const keys = usableKeys(context);
      const publicKeys = twoKeysOfEachType(context).filter(({ type }) => type !== 'hmac');
      if (publicKeys.length === 0)
        throw new Skip('The suite has no rsa or ec key that the target trusts.', 'jwt-rsa');
      const kids = [undefined, 'docfeed-unknown', ...keys.map(({ kid }) => kid)];
      for (const { type, key, kid: ownKid } of publicKeys) {
        const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
        const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
        const secrets: { form: string; bytes: Buffer; alg?: string }[] = [
          ...Object.entries(pemForms).map(([form, textOf]) => ({ form, bytes: Buffer.from(textOf(pem)) })),
          { form: 'in DER', bytes: der },
          ...['HS384', 'HS512'].map((alg) => ({ form: 'in PEM', bytes: Buffer.from(pem), alg })),
        ];
        for (const { form, bytes, alg = 'HS256' } of secrets) {
          const signer = { key: createSecretKey(bytes), alg };
          // The text of the key is tried with every kid, the rest with the kid of the key and without one.
          for (const kid of new Set(form === 'in PEM' && alg === 'HS256' ? kids : [undefined, ownKid])) {
            const bearer = token(headerFor({ alg, kid }), claimsFor(context, 'docfeed-nobody'), signer);
            await mustRejectToken(
              context,
              bearer,
              `the public ${type} key, ${form}, as the secret of an HMAC`,
            );
          }
        }
      }
    },
  },
});

export const jwtKidSelects = defineRule('jwt-kid-selects', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-kid-selects': async (context) => {
      const pairs = twoKeysOfEachType(context).flatMap((signer) =>
        usableKeys(context)
          .filter(
            (other) => other.type === signer.type && other.kid !== signer.kid && other.kid !== undefined,
          )
          .map((other) => ({ signer, other })),
      );
      if (pairs.length === 0)
        throw new Skip('The suite has no two keys of the same type that the target trusts.', 'config-write');
      for (const { signer, other } of pairs) {
        const claims = claimsFor(context, 'docfeed-anna');
        await checkToken(context, { header: headerFor(signer), claims }, signer);
        await checkToken(context, { header: headerFor({ alg: signer.alg, kid: other.kid }), claims }, signer);
      }
    },
  },
});

export const jwtKidUnknown = defineRule('jwt-kid-unknown', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-kid-unknown': forAll(
      (context) =>
        fc.record({
          key: keyNames(context),
          kid: fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 12 }),
            fc.constantFrom('../../_default', '/dev/null', "' or 1=1", '_DEFAULT', 'hmac:_default'),
          ),
        }),
      async (context, { key: keyName, kid }) => {
        const key = keyNamed(context, keyName);
        const isKnown = usableKeys(context).some((other) => (other.kid ?? '_default') === kid);
        if (isKnown) return;
        const header = headerFor({ alg: key.alg, kid });
        await checkToken(context, { header, claims: claimsFor(context, 'docfeed-nobody') }, key);
      },
    ),

    'jwt-kid-unknown/part': async (context) => {
      const keys = twoKeysOfEachType(context);
      for (const [index, key] of keys.entries()) {
        // With two keys of a type, each has every other change.
        const isOnly = keys.every((other) => other === key || other.type !== key.type);
        const changed = similarKids(key).filter((_, change) => isOnly || (change + index) % 2 === 0);
        for (const kid of variantsFor(context, changed)) {
          if (usableKeys(context).some((other) => other.kid === kid)) continue;
          const header = headerFor({ alg: key.alg, kid });
          await checkToken(context, { header, claims: claimsFor(context, 'docfeed-nobody') }, key);
        }
      }
    },
  },
});

export const jwtDefaultKey = defineRule('jwt-default-key', {
  rung: 'tokens',
  notInTraffic: unseen.keys,
  checks: {
    'jwt-default-key': async (context) => {
      for (const key of usableKeys(context)) {
        // The target must accept only tokens that the default key has signed.
        const header = headerFor({ alg: key.alg });
        await checkToken(context, { header, claims: claimsFor(context, 'docfeed-anna') }, key);
      }
    },

    // A key id under another name is none.
    'jwt-default-key/similar-names': async (context) => {
      const keys = twoKeysOfEachType(context).filter(({ kid }) => kid !== undefined);
      if (keys.length === 0)
        throw new Skip('The suite has no key with a kid that the target trusts.', 'config-write');
      for (const key of keys) {
        for (const name of variantsFor(context, tokenMembersLike('kid'))) {
          const header = { ...headerFor({ alg: key.alg }), [name]: key.kid };
          await checkToken(context, { header, claims: claimsFor(context, 'docfeed-nobody') }, key);
        }
      }
    },
  },
});

export const jwtKeyForms = defineRule('jwt-key-forms', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'jwt-key-forms': acceptsConfiguredKeys(() => true, 'This run has not added a key to the configuration.'),
  },
});

export const jwtKeyNameEquals = defineRule('jwt-key-name-equals', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'jwt-key-name-equals': acceptsConfiguredKeys(
      ({ kid }) => kid?.includes('=') ?? false,
      'This run has not added a key with "=" in its name to the configuration.',
    ),
  },
});
