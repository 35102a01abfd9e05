import { token } from '../../testing/signed-tokens.js';

/** JSON Web Tokens of the user `name`, by variable name. They are signed with the key `secret`, whose `kid` is `name`. */
export function tokensOf(name: string): [word: string, token: string][] {
  const claims = { sub: name, exp: 4102444800, '_couchdb.roles': ['r1', 'r2'] };
  const header = { alg: 'HS256', typ: 'JWT', kid: name };
  const signed = (payload: object, secret = 'secret', head: object = header) => token(head, payload, secret);
  return [
    ['jwt', signed(claims)],
    ['jwtForged', signed(claims, 'other')],
    ['jwtExpired', signed({ ...claims, exp: 1 })],
    ['jwtNoExpiry', signed({ ...claims, exp: undefined })],
    ['jwtNoSub', signed({ ...claims, sub: undefined })],
    ['jwtNone', signed(claims, 'secret', { ...header, alg: 'none' })],
    ['jwtRolesText', signed({ ...claims, '_couchdb.roles': 'r1, r2' })],
    ['jwtType', signed(claims, 'secret', { ...header, typ: 'at+jwt' })],
    ['jwtNoType', signed(claims, 'secret', { ...header, typ: undefined })],
    ['jwtNumberType', signed(claims, 'secret', { ...header, typ: 1 })],
    ['jwtCritical', signed(claims, 'secret', { ...header, crit: ['exp'] })],
    ['jwtCriticalUnknown', signed(claims, 'secret', { ...header, crit: ['nope'], nope: 1 })],
  ];
}
