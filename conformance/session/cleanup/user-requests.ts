/** Builds requests for documents of the users database (SERVICE 2.4, 4.4). */
import type { TargetRequest, TestUser } from '../../http/client.js';

/** The path of a user document. It keeps the colon of the id, as the service document does. */
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
