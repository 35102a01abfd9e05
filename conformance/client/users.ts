/** How users are addressed: documents of the users database (SERVICE 2.4, 4.4). */
import type { TargetRequest, TestUser } from './client.js';

/** The colon stays as it is, so that the path is the one that the service document shows. */
export function userPath(id: string): string {
  return `/_users/${encodeURIComponent(id).replace('%3A', ':')}`;
}

/** The request that creates `user`. */
export function putUser(
  { id, name, password, roles, totp }: TestUser,
  as: TargetRequest['as'] = 'admin',
): TargetRequest {
  return { method: 'PUT', path: userPath(id), as, json: { name, password, roles, totp, type: 'user' } };
}
