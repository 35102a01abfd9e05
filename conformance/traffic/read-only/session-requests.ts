/** The requests that show who a caller is to the target. */
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import type { Caller, Credentials, TargetRequest } from '../../http/client.js';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that nobody has signed: with the `alg` that stands for that, and without any. */
function unsignedTokens(): string[] {
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  const claims = encoded({ sub: 'docfeed-nobody', exp: inAnHour });
  return [{ typ: 'JWT', alg: 'none' }, { typ: 'JWT', alg: 'NonE' }, { typ: 'JWT' }].map(
    (header) => `${encoded(header)}.${claims}.`,
  );
}

/**
 * Nothing here guesses a password: a target may lock an account after some wrong ones. Who calls with forged credentials must
 * stay anonymous.
 */
export function sessionRequests(
  user: Credentials | undefined,
  tokens: readonly string[],
  names: DialectNames,
): TargetRequest[] {
  const bearer = (token: string): Caller => ({ authorization: `Bearer ${token}` });
  const callers: Caller[] = [...(user ? ['admin' as const] : []), ...tokens.map(bearer)];
  const path = '/_session';
  return [
    { path: '/' },
    { path: '/', method: 'HEAD' },
    { path },
    { path, headers: { [names.proxyUserName]: 'docfeed-nobody' } },
    { path, as: { authorization: `Basic ${Buffer.from('docfeed-nobody').toString('base64')}` } },
    ...callers.flatMap((as): TargetRequest[] => [
      { path: '/', as },
      { path, as },
      { path, as },
    ]),
    ...unsignedTokens().map((token): TargetRequest => ({ path, as: bearer(token) })),
  ];
}

export const loginRequest = ({ name, password }: Credentials): TargetRequest => ({
  method: 'POST',
  path: '/_session',
  json: { name, password },
});
