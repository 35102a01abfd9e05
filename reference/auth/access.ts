/** Who may do what. Databases are for administrators only, as in CouchDB 3. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { httpError } from '../errors.js';
import type { OperationId } from '../generated/handlers.js';
import type { Store } from '../store/store.js';
import { isAdmin, type UserContext } from './user-context.js';

export interface AccessRequest {
  readonly operationId: OperationId;
  /** As in the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly user: UserContext;
  readonly dialect: DialectNames;
  readonly store: Store;
}

/** The users database (SERVICE 2.4). */
export const USERS_DATABASE = '_users';

const open: ReadonlySet<OperationId> = new Set([
  'getRoot',
  'getUp',
  'getUuids',
  'getSession',
  'postSession',
  'deleteSession',
]);

const ofTheServer: ReadonlySet<OperationId> = new Set(['putDatabase', 'deleteDatabase']);

/** Throws 401 for an anonymous caller and 403 for a user who may not do it; 404 where there is no such database. */
export function authorize({ operationId, params, user, dialect, store }: AccessRequest): void {
  if (isAdmin(user) || open.has(operationId)) return;
  const database = operationId === 'putUser' ? USERS_DATABASE : params.db;
  if (database === undefined || ofTheServer.has(operationId)) {
    throw refused(user, 'You are not a server admin.', 'You are not a server admin.');
  }
  store.database(database);
  if (database === USERS_DATABASE && operationId === 'getDocument' && user.name !== null) {
    if (params.docid === dialect.userIdPrefix + user.name) return;
    // Other users look as if they were not there.
    throw httpError(404, 'not_found', 'missing');
  }
  throw refused(user, 'You are not authorized to access this db.', 'You are not allowed to access this db.');
}

function refused(user: UserContext, ofAnonymous: string, ofUser: string) {
  return user.name === null
    ? httpError(401, 'unauthorized', ofAnonymous)
    : httpError(403, 'forbidden', ofUser);
}
