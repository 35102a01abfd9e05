/** JSON Web Tokens: keys, algorithms and signatures (SERVICE 5.4). */
import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import fc from 'fast-check';
import { subjects } from '../arbitraries/tokens.js';
import { signature, type Signer, token, unsigned } from '../play/tokens.js';
import { equalTo, mustMatch, objectWith } from '../verdict/matchers.js';
import { Skip } from '../verdict/outcomes.js';
import type { KeyType, SigningKey } from '../client/authentication.js';
import {
  sendToken,
  claimsFor,
  headerFor,
  checkToken,
  keyNamed,
  keysOf,
  mustBeRefused,
  nameOf,
  someKey,
  without,
} from './shared/jwt.js';
import { check, type CheckContext, forAll } from '../check.js';
import { mustBeUser, mustServeFeed } from './shared/sessions.js';

/** A valid token as a property has generated it. */
interface Valid {
  readonly key: string;
  readonly name: string;
}

const valid = (context: CheckContext): fc.Arbitrary<Valid> =>
  fc.record({ key: someKey(context), name: subjects });

/** What a valid token is made of. */
function partsOf(context: CheckContext, { key: keyName, name }: Valid) {
  const key = keyNamed(context, keyName);
  const input = unsigned(headerFor(key), claimsFor(context, name));
  return { key, input, signed: signature(input, key) };
}

/** A key of the same kind that nobody trusts. */
function strangerTo({ type, key }: SigningKey): KeyObject {
  if (type === 'hmac') return createSecretKey(randomBytes(32));
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const { namedCurve = 'P-256' } = key.asymmetricKeyDetails ?? {};
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

/** How a signature can be spoilt, with what it becomes. */
const spoilt: Readonly<Record<string, (signed: Buffer, position: number) => Buffer>> = {
  'an empty signature': () => Buffer.alloc(0),
  'a signature that is cut short': (signed, position) => signed.subarray(0, position % signed.length),
  'a signature that goes on': (signed) => Buffer.concat([signed, Buffer.from([0])]),
  'a signature of zeros': (signed) => Buffer.alloc(signed.length),
  'a signature with one bit changed': (signed, position) => {
    const changed = Buffer.from(signed);
    changed[position % changed.length]! ^= 1 << (position % 8);
    return changed;
  },
};

/** Texts that a careless server may take a public key for a secret in. */
const pemForms: Readonly<Record<string, (pem: string) => string>> = {
  'as it is': (pem) => pem,
  'without the last line feed': (pem) => pem.trimEnd(),
  'as it is configured': (pem) => pem.trimEnd().replaceAll('\n', '\\n'),
  'without its lines': (pem) => pem.replaceAll('\n', ''),
};

const nones = fc.mixedCase(fc.constant('none'));

const accepting = (type: KeyType) =>
  check({
    rule: 'jwt-accepts',
    what: type,
    needs: [`jwt-${type}`],
    run: forAll(
      (context) => fc.record({ key: someKey(context, type), name: subjects }),
      async (context, { key: keyName, name }) => {
        const key = keyNamed(context, keyName);
        await checkToken(context, { header: headerFor(key), claims: claimsFor(context, name) }, key);
      },
      { runs: { default: 10 } },
    ),
  });

export const jwtSignatureChecks = [
  accepting('hmac'),
  accepting('rsa'),
  accepting('ec'),

  check({
    rule: 'jwt-authenticated',
    needs: ['admin'],
    async run(context) {
      const [key] = keysOf(context);
      const bearer = token(headerFor(key!), claimsFor(context, 'docfeed-reader'), key!);
      const session = await sendToken(context, bearer);
      const authenticated = objectWith({ info: objectWith({ authenticated: equalTo('jwt') }) });
      mustMatch('The session does not say that a token has authenticated', session.object(), authenticated);
      await mustServeFeed(context, 'docfeed-reader', { as: { authorization: `Bearer ${bearer}` } });
    },
  }),

  check({
    rule: 'jwt-alg-required',
    run: forAll(valid, async (context, { key: keyName, name }) => {
      const key = keyNamed(context, keyName);
      const header = without('alg', headerFor(key));
      await checkToken(context, { header, claims: claimsFor(context, name) }, key);
    }),
  }),

  check({
    rule: 'jwt-alg-none',
    run: forAll(
      (context) =>
        fc.record({
          key: someKey(context),
          alg: nones,
          signature: fc.constantFrom('empty', 'absent', 'valid', 'garbage'),
          kid: fc.boolean(),
        }),
      async (context, plan) => {
        const key = keyNamed(context, plan.key);
        const { kid, ...header } = headerFor(key);
        const named = plan.kid ? { ...header, kid } : header;
        const input = unsigned({ ...named, alg: plan.alg }, claimsFor(context, 'docfeed-nobody'));
        const ends = {
          empty: '.',
          absent: '',
          garbage: '.AAAA',
          valid: `.${signature(input, key).toString('base64url')}`,
        };
        await mustBeRefused(
          context,
          input + ends[plan.signature],
          `alg ${plan.alg} and ${plan.signature} signature`,
        );
      },
    ),
  }),

  check({
    rule: 'jwt-signature',
    run: forAll(
      (context) =>
        fc.record({
          valid: valid(context),
          how: fc.constantFrom(...Object.keys(spoilt)),
          position: fc.nat(),
        }),
      async (context, { valid, how, position }) => {
        const { input, signed } = partsOf(context, valid);
        const bearer = `${input}.${spoilt[how]!(signed, position).toString('base64url')}`;
        await mustBeRefused(context, bearer, how);
      },
      { runs: { default: 40 } },
    ),
  }),
  check({
    rule: 'jwt-signature',
    what: 'stranger',
    async run(context) {
      for (const key of keysOf(context)) {
        const stranger: Signer = { key: strangerTo(key), alg: key.alg };
        const bearer = token(headerFor(key), claimsFor(context, 'docfeed-nobody'), stranger);
        await mustBeRefused(context, bearer, `the signature of another ${key.type} key`);
      }
    },
  }),

  check({
    rule: 'jwt-payload-bound',
    run: forAll(
      (context) =>
        fc.record({
          valid: valid(context),
          change: fc.constantFrom('sub', 'role', 'claim', 'header', 'spaces'),
        }),
      async (context, { valid, change }) => {
        const { key, input, signed } = partsOf(context, valid);
        // A server that remembers signatures has seen this one as a right one.
        const right = `${input}.${signed.toString('base64url')}`;
        mustBeUser({ name: valid.name, roles: [] }, await sendToken(context, right), 'A valid token');
        const [header, claims] = [headerFor(key), claimsFor(context, valid.name)];
        const changes = {
          sub: unsigned(header, { ...claims, sub: `${valid.name}x` }),
          role: unsigned(header, { ...claims, [context.target.names.rolesClaim]: ['docfeed-role'] }),
          claim: unsigned(header, { ...claims, docfeed: true }),
          header: unsigned({ ...header, docfeed: true }, claims),
          spaces: unsigned(header, claims).replace(
            /\..*/,
            `.${Buffer.from(`${JSON.stringify(claims)} `).toString('base64url')}`,
          ),
        };
        const bearer = `${changes[change]}.${signed.toString('base64url')}`;
        await mustBeRefused(context, bearer, `the signature of other content (${change} changed)`);
      },
    ),
  }),

  check({
    rule: 'jwt-alg-bound',
    async run(context) {
      const keys = keysOf(context);
      const publicKeys = keys.filter(({ type }) => type !== 'hmac');
      if (publicKeys.length === 0) throw new Skip('No rsa or ec key is known that the target trusts.');
      const kids = [undefined, 'docfeed-unknown', ...keys.map(({ kid }) => kid)];
      for (const { type, key } of publicKeys) {
        const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
        for (const [form, textOf] of Object.entries(pemForms)) {
          const secret = createSecretKey(Buffer.from(textOf(pem)));
          for (const kid of new Set(kids)) {
            const signer = { key: secret, alg: 'HS256' };
            const bearer = token(
              headerFor({ alg: 'HS256', kid }),
              claimsFor(context, 'docfeed-nobody'),
              signer,
            );
            await mustBeRefused(context, bearer, `the public ${type} key, ${form}, as the secret of an HMAC`);
          }
        }
      }
    },
  }),

  check({
    rule: 'jwt-kid-selects',
    async run(context) {
      const pairs = keysOf(context).flatMap((signer) =>
        keysOf(context)
          .filter(
            (other) => other.type === signer.type && other.kid !== signer.kid && other.kid !== undefined,
          )
          .map((other) => ({ signer, other })),
      );
      if (pairs.length === 0) throw new Skip('No two keys of one kind are known that the target trusts.');
      for (const { signer, other } of pairs) {
        const claims = claimsFor(context, 'docfeed-anna');
        await checkToken(context, { header: headerFor(signer), claims }, signer);
        await checkToken(context, { header: headerFor({ alg: signer.alg, kid: other.kid }), claims }, signer);
      }
    },
  }),

  check({
    rule: 'jwt-kid-unknown',
    run: forAll(
      (context) =>
        fc.record({
          key: someKey(context),
          kid: fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 12 }),
            fc.constantFrom('../../_default', '/dev/null', "' or 1=1", '_DEFAULT', 'hmac:_default'),
          ),
        }),
      async (context, { key: keyName, kid }) => {
        const key = keyNamed(context, keyName);
        const known = keysOf(context).some((other) => other.kid === kid || (other.kid ?? '_default') === kid);
        if (known) return;
        const header = headerFor({ alg: key.alg, kid });
        await checkToken(context, { header, claims: claimsFor(context, 'docfeed-nobody') }, key);
      },
    ),
  }),
  check({
    rule: 'jwt-kid-unknown',
    what: 'part',
    async run(context) {
      const named = keysOf(context).filter(({ kid }) => kid !== undefined);
      if (named.length === 0) throw new Skip('No key with a kid is known that the target trusts.');
      for (const key of named) {
        for (const kid of [key.kid!.slice(0, -1), `${key.kid}x`, key.kid!.toUpperCase(), nameOf(key)]) {
          if (named.some((other) => other.kid === kid)) continue;
          const header = headerFor({ alg: key.alg, kid });
          await checkToken(context, { header, claims: claimsFor(context, 'docfeed-nobody') }, key);
        }
      }
    },
  }),

  check({
    rule: 'jwt-default-key',
    async run(context) {
      for (const key of keysOf(context)) {
        // Signed by the default key it must be accepted, by any other it must not.
        const header = headerFor({ alg: key.alg });
        await checkToken(context, { header, claims: claimsFor(context, 'docfeed-anna') }, key);
      }
    },
  }),

  check({
    rule: 'jwt-key-forms',
    async run(context) {
      const own = keysOf(context).filter(({ configured }) => configured);
      if (own.length === 0) throw new Skip('This run has put no key into the configuration.');
      for (const key of own) {
        await checkToken(
          context,
          { header: headerFor(key), claims: claimsFor(context, 'docfeed-anna') },
          key,
        );
      }
    },
  }),

  check({
    rule: 'jwt-key-name-equals',
    async run(context) {
      const own = keysOf(context).filter(({ configured, kid }) => configured && kid?.includes('='));
      if (own.length === 0) throw new Skip('This run has configured no key whose name holds "=".');
      for (const key of own) {
        await checkToken(
          context,
          { header: headerFor(key), claims: claimsFor(context, 'docfeed-anna') },
          key,
        );
      }
    },
  }),
];
