/** Who a request speaks for (SERVICE 1, 2.2). */
export interface UserContext {
  /** The user's name; null for an anonymous request. */
  readonly name: string | null;
  readonly roles: readonly string[];
  /** The handler that authenticated the request, as `/_session` shows it; absent for an anonymous request. */
  readonly authenticatedBy?: string;
}

/** The role that makes an administrator of the server. */
export const ADMIN_ROLE = '_admin';

export const anonymous: UserContext = { name: null, roles: [] };

export function isAdmin(user: UserContext): boolean {
  return user.roles.includes(ADMIN_ROLE);
}
