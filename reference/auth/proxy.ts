/** A proxy that has authenticated the caller says who it is, in headers of the request (SERVICE 5.3). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import { hashFunctions } from '../crypto/hash-functions.js';
import { roleList } from './role-list.js';
import type { UserContext } from './user-context.js';

/** Without `proxyUseSecret` whoever reaches the server can be anybody. */
export type ProxySettings = Pick<
  Settings,
  | 'proxyUserNameHeader'
  | 'proxyRolesHeader'
  | 'proxyTokenHeader'
  | 'proxyUseSecret'
  | 'secret'
  | 'hashAlgorithms'
>;

/** The replaceable decisions. */
export const proxyComponents = { isProxyToken, rolesOfHeader: roleList };
export type ProxyComponents = typeof proxyComponents;

/**
 * The user whom the headers name; undefined when they name none, or when the token is not right.
 * Throws 400 for a name that is not UTF-8.
 */
export function proxyUser(
  headers: IncomingHttpHeaders,
  settings: ProxySettings,
  components: ProxyComponents,
): UserContext | undefined {
  const userName = headerBytes(headers, settings.proxyUserNameHeader);
  // A proxy may well send the header empty for a visitor without a name.
  if (userName.length === 0) return undefined;
  const token = headerBytes(headers, settings.proxyTokenHeader);
  if (settings.proxyUseSecret && !components.isProxyToken(token, userName, settings)) return undefined;
  const roles = components.rolesOfHeader(decode(headerBytes(headers, settings.proxyRolesHeader)));
  return { name: decode(userName), roles, authenticatedBy: 'proxy' };
}

/** Whether the token is the HMAC of the user name, by one of the algorithms that are allowed. */
function isProxyToken(
  token: Buffer,
  userName: Buffer,
  { secret, hashAlgorithms }: Pick<ProxySettings, 'secret' | 'hashAlgorithms'>,
): boolean {
  return hashAlgorithms.some((algorithm) => {
    const digest = createHmac(hashFunctions.get(algorithm)!, secret).update(userName).digest('hex');
    const expected = Buffer.from(digest);
    return token.length === expected.length && timingSafeEqual(token, expected);
  });
}

/** Node gives each byte of a header as the character of that number. */
function headerBytes(headers: IncomingHttpHeaders, name: string): Buffer {
  return Buffer.from(String(headers[name] ?? ''), 'latin1');
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw httpError(400, 'bad_request', 'The headers that name the user are not UTF-8.');
  }
}
