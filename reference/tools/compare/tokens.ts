import { createHmac } from 'node:crypto';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** JSON Web Tokens of the user `name`, by variable name. They are signed with the key `secret`, whose `kid` is `name`. */
export function tokensOf(name: string): [word: string, token: string][] {
  const claims = { sub: name, exp: 4102444800, '_couchdb.roles': ['r1', 'r2'] };
  const header = { alg: 'HS256', typ: 'JWT', kid: name };
  const token = (payload: object, secret = 'secret', head: object = header): string => {
    const content = `${encoded(head)}.${encoded(payload)}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };
  return [
    ['jwt', token(claims)],
    ['jwtForged', token(claims, 'other')],
    ['jwtExpired', token({ ...claims, exp: 1 })],
    ['jwtNoExpiry', token({ ...claims, exp: undefined })],
    ['jwtNoSub', token({ ...claims, sub: undefined })],
    ['jwtNone', token(claims, 'secret', { ...header, alg: 'none' })],
    ['jwtRolesText', token({ ...claims, '_couchdb.roles': 'r1, r2' })],
    ['jwtType', token(claims, 'secret', { ...header, typ: 'at+jwt' })],
    ['jwtNoType', token(claims, 'secret', { ...header, typ: undefined })],
    ['jwtNumberType', token(claims, 'secret', { ...header, typ: 1 })],
    ['jwtCritical', token(claims, 'secret', { ...header, crit: ['exp'] })],
    ['jwtCriticalUnknown', token(claims, 'secret', { ...header, crit: ['nope'], nope: 1 })],
  ];
}

/** Proxy token for a user (SERVICE 5.3). */
export function proxyToken(name: string, secret: string, algorithm = 'sha256'): string {
  return createHmac(algorithm, secret).update(name).digest('hex');
}
