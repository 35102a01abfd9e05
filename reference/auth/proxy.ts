/** Proxy authentication: a trusted proxy sends the user in request headers (SERVICE 5.3). */
import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import { hashFunctions } from '../crypto/hash-functions.js';
import { roleList } from './role-list.js';
import type { UserContext } from './user-context.js';

/** Replaceable functions. */
export const proxyComponents = { isProxyToken, rolesOfHeader: roleList };
export type ProxyComponents = typeof proxyComponents;

/**
 * @returns the user in the headers; undefined if there is none or the token is wrong
 * @throws 400 if the name or the roles are not valid UTF-8
 */
export function proxyUser(
  headers: IncomingHttpHeaders,
  settings: Settings,
  components: ProxyComponents,
): UserContext | undefined {
  const userName = headerBytes(headers, settings.proxyUserNameHeader);
  // A proxy may send an empty header for an anonymous user.
  if (userName.length === 0) return undefined;
  const token = headerBytes(headers, settings.proxyTokenHeader);
  if (settings.proxyUseSecret && !components.isProxyToken(token, userName, settings)) return undefined;
  const roles = components.rolesOfHeader(decode(headerBytes(headers, settings.proxyRolesHeader)));
  return { name: decode(userName), roles, authenticatedBy: 'proxy' };
}

/** Checks that the token is the HMAC of the user name with one of the allowed algorithms. */
function isProxyToken(token: Buffer, userName: Buffer, { secret, hashAlgorithms }: Settings): boolean {
  return hashAlgorithms.some((algorithm) => {
    const digest = createHmac(hashFunctions.get(algorithm)!, secret).update(userName).digest('hex');
    const expected = Buffer.from(digest);
    return token.length === expected.length && timingSafeEqual(token, expected);
  });
}

/** Node decodes headers as Latin-1. */
function headerBytes(headers: IncomingHttpHeaders, name: string): Buffer {
  return Buffer.from(String(headers[name] ?? ''), 'latin1');
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw httpError(400, 'bad_request', 'The proxy headers are not valid UTF-8.');
}
