/** The user of a request (SERVICE 1, 2.2). */
export interface UserContext {
  /** Null for an anonymous request. */
  readonly name: string | null;
  readonly roles: readonly string[];
  /** Name of the handler that authenticated the request, for `/_session`. Absent for an anonymous request. */
  readonly authenticatedBy?: string;
}

/** Role of server administrators. */
export const ADMIN_ROLE = '_admin';

export const anonymous: UserContext = { name: null, roles: [] };

export function isAdmin(user: UserContext): boolean {
  return user.roles.includes(ADMIN_ROLE);
}
