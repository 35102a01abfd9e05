import test from 'ava';
import { evaluateToken, type TokenContent, type TokenPolicy } from './accepted-tokens.js';

const policy: TokenPolicy = { requiredClaims: [{ name: 'exp' }], rolesClaim: ['roles'], now: 1000 };
const signedBy = { type: 'hmac' };
const sub = 'anna';
const claims = { sub, exp: 1001 };
const token: TokenContent = { header: { alg: 'HS256' }, claims, signedBy };

const rsa = { type: 'rsa' };
const withKid = { alg: 'HS256', kid: 'a' };
const withoutKey = 'no key is bound to the algorithm';
const foreign = 'no trusted key of the type of its alg has signed it';

/** The roles if the token is valid, or why it is not. */
type Expected = readonly string[] | string;

const cases: [what: string, facts: Partial<TokenContent & TokenPolicy>, expected: Expected][] = [
  ['a valid token', {}, []],
  ['no alg', { header: {} }, 'its header has no alg'],
  ['alg none', { header: { alg: 'none' } }, `${withoutKey} none`],
  ['an alg with a suffix', { header: { alg: 'HS2560' } }, `${withoutKey} HS2560`],
  ['an alg with a prefix', { header: { alg: 'XHS256' } }, `${withoutKey} XHS256`],
  ['no signature', { signedBy: undefined }, foreign],
  ['a key of another type', { signedBy: rsa }, foreign],
  ['an rsa key', { header: { alg: 'RS512' }, signedBy: rsa }, []],
  ['an ec key', { header: { alg: 'ES384' }, signedBy: { type: 'ec' } }, []],
  ['the kid of the signing key', { header: withKid, signedBy: { ...signedBy, kid: 'a' } }, []],
  [
    'the default key with a kid',
    { header: withKid },
    'its kid selects another key than the one that has signed it',
  ],
  ['a missing required claim', { claims: { sub } }, 'the required claim exp is missing'],
  ['exp equal to now', { claims: { sub, exp: 1000 } }, 'its exp is in the past'],
  ['a past exp that is not required', { claims: { sub, exp: 1 }, requiredClaims: [] }, []],
  ['nbf equal to now', { claims: { sub, nbf: 1000 }, requiredClaims: [{ name: 'nbf' }] }, []],
  [
    'nbf in the future',
    { claims: { sub, nbf: 1001 }, requiredClaims: [{ name: 'nbf' }] },
    'its nbf is in the future',
  ],
  [
    'a claim with another than the required value',
    { claims: { sub, iss: 'me' }, requiredClaims: [{ name: 'iss', value: 'you' }] },
    'its iss is not you',
  ],
  [
    'a claim with the required value',
    { claims: { sub, iss: 'you' }, requiredClaims: [{ name: 'iss', value: 'you' }] },
    [],
  ],
  ['no sub', { claims: { exp: 1001 } }, 'it has no sub'],
  ['roles in an array', { claims: { ...claims, roles: ['a', 'b'] } }, ['a', 'b']],
  ['roles in a string', { claims: { ...claims, roles: 'a , b' } }, ['a', 'b']],
  ['roles that are neither an array nor a string', { claims: { ...claims, roles: 5 } }, []],
  ['nested roles', { claims: { ...claims, x: { y: ['a'] } }, rolesClaim: ['x', 'y'] }, ['a']],
  ['a roles path that does not exist', { rolesClaim: ['x', 'y'] }, []],
];

for (const [what, facts, expected] of cases)
  test(what, (t) => {
    const decision = evaluateToken({ ...token, ...facts }, { ...policy, ...facts });
    if (typeof expected === 'string') {
      const status = expected.startsWith('the required claim') ? { status: 400 } : {};
      t.deepEqual(decision, { rejected: expected, ...status } as typeof decision);
    } else {
      t.deepEqual(decision, { accepted: { name: sub, roles: expected } });
    }
  });
