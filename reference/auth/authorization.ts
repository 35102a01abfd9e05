/** Who may do what. A database is for administrators of the server until its security object says otherwise. */
import type { Boom } from '@hapi/boom';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { httpError } from '../http/errors.js';
import type { OperationId } from '../generated/handlers.js';
import type { Database, Security } from '../store/database.js';
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

const ofDatabaseAdmins: ReadonlySet<OperationId> = new Set([
  'putSecurity',
  'putDesignDocument',
  'deleteDesignDocument',
]);

/** On a design document these are for the administrators of its database too. */
const writing: ReadonlySet<OperationId> = new Set([
  'putDocument',
  'deleteDocument',
  'putAttachment',
  'deleteAttachment',
]);

/** In the users database these are for the user whose document it is. */
const ofOneDocument: ReadonlySet<OperationId> = new Set([
  'getDocument',
  'putDocument',
  'putUser',
  'deleteDocument',
  'getAttachment',
  'putAttachment',
  'deleteAttachment',
]);

const ofTheServer: ReadonlySet<OperationId> = new Set(['putDatabase', 'deleteDatabase']);

/**
 * Throws 401 for an anonymous caller, and for a user who asks for what is for administrators of the server; 403 for a
 * user who may not do it; 404 where there is no such database.
 */
export function authorize({ operationId, params, user, dialect, store }: AccessRequest): void {
  if (isAdmin(user) || open.has(operationId)) return;
  const database = operationId === 'putUser' ? USERS_DATABASE : params.db;
  if (database === undefined || ofTheServer.has(operationId)) {
    // As in CouchDB to users too: as somebody else they may.
    throw httpError(401, 'unauthorized', 'You are not a server admin.');
  }
  const { security } = store.database(database);
  if (database === USERS_DATABASE && ofOneDocument.has(operationId) && user.name !== null) {
    const id = operationId === 'putUser' ? dialect.userIdPrefix + params.username : params.docid;
    if (id === dialect.userIdPrefix + user.name) return;
    // Other users look as if they were not there.
    throw httpError(404, 'not_found', 'missing');
  }
  // The users database stays closed whatever its security object says: who writes there gives roles.
  if (database === USERS_DATABASE || !isMember(user, security))
    throw refused(
      user,
      'You are not authorized to access this db.',
      'You are not allowed to access this db.',
    );
  const design = writing.has(operationId) && isDesignDocument(params.docid!);
  if (ofDatabaseAdmins.has(operationId) || design) {
    if (!isDatabaseAdmin(user, security)) throw notDatabaseAdmin(user);
  }
}

/**
 * Why a member of a database may not write a document that the request's body names: design documents are for
 * administrators.
 *
 * @returns undefined when they may; 401 for an anonymous member, 403 for a user
 */
export function refusalToWrite(id: string, user: UserContext, database: Database): Boom | undefined {
  return isDesignDocument(id) && !isDatabaseAdmin(user, database.security)
    ? notDatabaseAdmin(user)
    : undefined;
}

function notDatabaseAdmin(user: UserContext): Boom {
  return refused(user, 'You are not a db or server admin.', 'You are not a db or server admin.');
}

/** `_design` alone is what is left of a path to an attachment, whose name then begins with the document's. */
const isDesignDocument = (id: string) => id === '_design' || id.startsWith('_design/');

function isDatabaseAdmin(user: UserContext, { admins }: Security): boolean {
  return isAdmin(user) || belongs(user, admins);
}

/** A database that names no members has everybody for a member. */
function isMember(user: UserContext, security: Security): boolean {
  const { names = [], roles = [] } = security.members ?? {};
  const isOpen = names.length === 0 && roles.length === 0;
  return isOpen || belongs(user, security.members) || isDatabaseAdmin(user, security);
}

function belongs({ name, roles }: UserContext, group: Security['admins'] = {}): boolean {
  return (
    (name !== null && !!group.names?.includes(name)) || !!group.roles?.some((role) => roles.includes(role))
  );
}

function refused(user: UserContext, ofAnonymous: string, ofUser: string) {
  return user.name === null
    ? httpError(401, 'unauthorized', ofAnonymous)
    : httpError(403, 'forbidden', ofUser);
}
