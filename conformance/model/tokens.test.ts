import test from 'ava';
import { evaluateToken, type TokenContent, type TokenPolicy } from './tokens.js';

const policy: TokenPolicy = { requiredClaims: [{ name: 'exp' }], rolesClaim: ['roles'], now: 1000 };
const signedBy = { type: 'hmac' };
const token: TokenContent = { header: { alg: 'HS256' }, claims: { sub: 'anna', exp: 1001 }, signedBy };

const accepted = (roles: readonly string[] = []) => ({ accepted: { name: 'anna', roles } });

for (const [what, facts, more, decision] of [
  ['a valid token', {}, {}, accepted()],
  ['no alg', { header: {} }, {}, { rejected: 'its header has no alg' }],
  ['alg none', { header: { alg: 'none' } }, {}, { rejected: 'no key is bound to the algorithm none' }],
  [
    'an alg with a suffix',
    { header: { alg: 'HS2560' } },
    {},
    { rejected: 'no key is bound to the algorithm HS2560' },
  ],
  [
    'an alg with a prefix',
    { header: { alg: 'XHS256' } },
    {},
    { rejected: 'no key is bound to the algorithm XHS256' },
  ],
  [
    'no signature',
    { signedBy: undefined },
    {},
    { rejected: 'no trusted key of the type of its alg has signed it' },
  ],
  [
    'a key of another type',
    { signedBy: { type: 'rsa' } },
    {},
    { rejected: 'no trusted key of the type of its alg has signed it' },
  ],
  ['an rsa key', { header: { alg: 'RS512' }, signedBy: { type: 'rsa' } }, {}, accepted()],
  ['an ec key', { header: { alg: 'ES384' }, signedBy: { type: 'ec' } }, {}, accepted()],
  [
    'the kid of the signing key',
    { header: { alg: 'HS256', kid: 'a' }, signedBy: { type: 'hmac', kid: 'a' } },
    {},
    accepted(),
  ],
  [
    'the default key with a kid',
    { header: { alg: 'HS256', kid: 'a' } },
    {},
    { rejected: 'its kid selects another key than the one that has signed it' },
  ],
  [
    'a missing required claim',
    { claims: { sub: 'anna' } },
    {},
    { rejected: 'the required claim exp is missing', status: 400 },
  ],
  ['exp equal to now', { claims: { sub: 'anna', exp: 1000 } }, {}, { rejected: 'its exp is in the past' }],
  [
    'a past exp that is not required',
    { claims: { sub: 'anna', exp: 1 } },
    { requiredClaims: [] },
    accepted(),
  ],
  [
    'nbf equal to now',
    { claims: { sub: 'anna', nbf: 1000 } },
    { requiredClaims: [{ name: 'nbf' }] },
    accepted(),
  ],
  [
    'nbf in the future',
    { claims: { sub: 'anna', nbf: 1001 } },
    { requiredClaims: [{ name: 'nbf' }] },
    { rejected: 'its nbf is in the future' },
  ],
  [
    'a claim with another than the required value',
    { claims: { sub: 'anna', iss: 'me' } },
    { requiredClaims: [{ name: 'iss', value: 'you' }] },
    { rejected: 'its iss is not you' },
  ],
  [
    'a claim with the required value',
    { claims: { sub: 'anna', iss: 'you' } },
    { requiredClaims: [{ name: 'iss', value: 'you' }] },
    accepted(),
  ],
  ['no sub', { claims: { exp: 1001 } }, {}, { rejected: 'it has no sub' }],
  ['roles in an array', { claims: { ...token.claims, roles: ['a', 'b'] } }, {}, accepted(['a', 'b'])],
  ['roles in a string', { claims: { ...token.claims, roles: 'a , b' } }, {}, accepted(['a', 'b'])],
  ['roles that are neither an array nor a string', { claims: { ...token.claims, roles: 5 } }, {}, accepted()],
  [
    'nested roles',
    { claims: { ...token.claims, x: { y: ['a'] } } },
    { rolesClaim: ['x', 'y'] },
    accepted(['a']),
  ],
  ['a roles path that does not exist', {}, { rolesClaim: ['x', 'y'] }, accepted()],
] as const satisfies readonly (readonly [string, Partial<TokenContent>, Partial<TokenPolicy>, object])[])
  test(what, (t) => {
    t.deepEqual(evaluateToken({ ...token, ...facts }, { ...policy, ...more }), decision);
  });
