/** The headers and tokens that a trusted proxy sends (SERVICE 5.3). */
import { createHmac } from 'node:crypto';
import { type CheckContext, Skip } from '../../kit.js';

/** The user in the headers of a proxy. */
export interface ProxiedUser {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The hash algorithms that the target allows for tokens. */
export function proxyAlgorithms({ target }: CheckContext): readonly string[] {
  const { algorithms = [] } = target.auth.proxy;
  if (algorithms.length > 0) return algorithms;
  throw new Skip('The hash algorithms that the target allows for proxy tokens are unknown.', 'config-read');
}

/** The token of a user. Default: the first allowed algorithm, and the secret of the target. */
export function proxyToken(
  context: CheckContext,
  name: string,
  options: { algorithm?: string; secret?: string } = {},
): string {
  const { algorithm = proxyAlgorithms(context)[0]!, secret = context.target.auth.proxy.secret! } = options;
  return createHmac(algorithm, secret).update(name).digest('hex');
}

/** The headers of a proxy. Without roles or a token their header is omitted. */
export function proxyHeaders(
  { target }: CheckContext,
  { name, roles }: ProxiedUser,
  token: string | undefined,
): Readonly<Record<string, string>> {
  const { headers } = target.auth.proxy;
  return {
    [headers.userName]: name,
    ...(roles.length > 0 && { [headers.roles]: roles.join(',') }),
    ...(token !== undefined && { [headers.token]: token }),
  };
}
