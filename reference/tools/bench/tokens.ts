/** Tokens that the benchmarked reference server accepts: see `bench.ini`. */
import { SignJWT } from 'jose';

/** The value of `jwt_keys/hmac:bench`, decoded. */
export const tokenKey = Buffer.from('benchmark key of thirty-two bytes');

export const signToken = (): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: 'bench', typ: 'JWT' })
    .setSubject('bench')
    .setExpirationTime('1h')
    .sign(tokenKey);
