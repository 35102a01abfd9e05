import test from 'ava';
import { decide, type TokenFacts, type Trust } from './tokens.js';

const trust: Trust = { requiredClaims: [{ name: 'exp' }], rolesClaim: ['roles'], now: 1000 };
const signedBy = { type: 'hmac' };
const token: TokenFacts = { header: { alg: 'HS256' }, claims: { sub: 'anna', exp: 1001 }, signedBy };

const accepted = (roles: readonly string[] = []) => ({ accepted: { name: 'anna', roles } });

for (const [what, facts, more, decision] of [
  ['all that is required', {}, {}, accepted()],
  ['no alg', { header: {} }, {}, { refused: 'there is no alg' }],
  ['alg none', { header: { alg: 'none' } }, {}, { refused: 'no key is bound to the algorithm none' }],
  [
    'an alg that goes on',
    { header: { alg: 'HS2560' } },
    {},
    { refused: 'no key is bound to the algorithm HS2560' },
  ],
  [
    'an alg that begins before',
    { header: { alg: 'XHS256' } },
    {},
    { refused: 'no key is bound to the algorithm XHS256' },
  ],
  ['no signature', { signedBy: undefined }, {}, { refused: 'no trusted key of this kind has signed it' }],
  [
    'a key of another kind',
    { signedBy: { type: 'rsa' } },
    {},
    { refused: 'no trusted key of this kind has signed it' },
  ],
  ['rsa', { header: { alg: 'RS512' }, signedBy: { type: 'rsa' } }, {}, accepted()],
  ['ec', { header: { alg: 'ES384' }, signedBy: { type: 'ec' } }, {}, accepted()],
  [
    'the kid of its key',
    { header: { alg: 'HS256', kid: 'a' }, signedBy: { type: 'hmac', kid: 'a' } },
    {},
    accepted(),
  ],
  [
    'the default key under a kid',
    { header: { alg: 'HS256', kid: 'a' } },
    {},
    { refused: 'kid selects another key than the one that has signed it' },
  ],
  [
    'no required claim',
    { claims: { sub: 'anna' } },
    {},
    { refused: 'the required claim exp is missing', status: 400 },
  ],
  ['exp now', { claims: { sub: 'anna', exp: 1000 } }, {}, { refused: 'exp is in the past' }],
  ['exp that is not asked for', { claims: { sub: 'anna', exp: 1 } }, { requiredClaims: [] }, accepted()],
  ['nbf now', { claims: { sub: 'anna', nbf: 1000 } }, { requiredClaims: [{ name: 'nbf' }] }, accepted()],
  [
    'nbf later',
    { claims: { sub: 'anna', nbf: 1001 } },
    { requiredClaims: [{ name: 'nbf' }] },
    { refused: 'nbf is in the future' },
  ],
  [
    'another value than the required one',
    { claims: { sub: 'anna', iss: 'me' } },
    { requiredClaims: [{ name: 'iss', value: 'you' }] },
    { refused: 'iss is not you' },
  ],
  [
    'the required value',
    { claims: { sub: 'anna', iss: 'you' } },
    { requiredClaims: [{ name: 'iss', value: 'you' }] },
    accepted(),
  ],
  ['no sub', { claims: { exp: 1001 } }, {}, { refused: 'there is no sub' }],
  ['roles in a list', { claims: { ...token.claims, roles: ['a', 'b'] } }, {}, accepted(['a', 'b'])],
  ['roles in a string', { claims: { ...token.claims, roles: 'a , b' } }, {}, accepted(['a', 'b'])],
  ['roles that are neither', { claims: { ...token.claims, roles: 5 } }, {}, accepted()],
  [
    'roles further in',
    { claims: { ...token.claims, x: { y: ['a'] } } },
    { rolesClaim: ['x', 'y'] },
    accepted(['a']),
  ],
  ['no object on the way to the roles', {}, { rolesClaim: ['x', 'y'] }, accepted()],
] as const satisfies readonly (readonly [string, Partial<TokenFacts>, Partial<Trust>, object])[])
  test(what, (t) => {
    t.deepEqual(decide({ ...token, ...facts }, { ...trust, ...more }), decision);
  });
