/** Authorization. By default, a database is accessible to server administrators only. */
import type { Boom } from '@hapi/boom';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { OperationId } from '../generated/handlers.js';
import { access } from '../generated/routes.js';
import type { Database, Security } from '../store/database.js';
import type { Store } from '../store/store.js';
import { isAdmin, type UserContext } from './user-context.js';

export interface AccessRequest {
  readonly operationId: OperationId;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly user: UserContext;
  readonly dialect: DialectNames;
  readonly store: Store;
  readonly settings: Pick<Settings, 'requireValidUser' | 'requireValidUserExceptForUp' | 'usersDatabase'>;
}

/** The users database (SERVICE 2.4), unless the setting `usersDatabase` names another one. */
export const USERS_DATABASE = '_users';

/** Whether documents of a database are users. Those of `_users` are protected even if they are not in use. */
export const isUsersDatabase = (name: string, { usersDatabase }: Pick<Settings, 'usersDatabase'>): boolean =>
  name === USERS_DATABASE || name === usersDatabase;

/** Databases with a reserved name that others than server administrators can use. */
const openSystemDatabases: ReadonlySet<string> = new Set([USERS_DATABASE, '_replicator']);

type Access = (typeof access)[OperationId];

/** In the users database, users may use these operations on their own document. */
const ofOneDocument: ReadonlySet<Access> = new Set(['reader', 'writer', 'owner']);

/** The database of an operation, if it has one. The path of the operations for the owner names the users database itself. */
export const databaseOf = (operationId: OperationId, params: AccessRequest['params']): string | undefined =>
  access[operationId] === 'owner' ? USERS_DATABASE : params.db;

/**
 * Checks whether the caller may execute an operation.
 *
 * @throws 401 for anonymous callers, and for users if the operation requires a server administrator; 403 for other
 *   users; 404 if the database does not exist
 */
export function authorize({ operationId, params, user, dialect, store, settings }: AccessRequest): void {
  const { requireValidUser, requireValidUserExceptForUp } = settings;
  const isClosed =
    operationId === 'getUp'
      ? requireValidUser && !requireValidUserExceptForUp
      : requireValidUser || requireValidUserExceptForUp;
  if (isClosed && user.name === null) throw httpError(401, 'unauthorized', 'Authentication required.');
  const needed: Access = access[operationId];
  if (isAdmin(user) || needed === 'public') return;
  const database = databaseOf(operationId, params)!;
  // As in CouchDB, users get 401 too, because they can log in as an administrator, and other reserved names do as well.
  if (needed === 'serverAdmin' || (database.startsWith('_') && !openSystemDatabases.has(database)))
    throw httpError(401, 'unauthorized', 'You are not a server admin.');
  const { security } = store.database(database);
  if (database === settings.usersDatabase && ofOneDocument.has(needed) && user.name !== null) {
    const id = needed === 'owner' ? dialect.userIdPrefix + params.username : params.docid;
    if (id === dialect.userIdPrefix + user.name) return;
    // Do not reveal which users exist.
    throw httpError(404, 'not_found', 'missing');
  }
  // The users database stays closed regardless of its security object, because writing there assigns roles.
  if (isUsersDatabase(database, settings) || !isMember(user, security))
    throw accessError(
      user,
      'You are not authorized to access this db.',
      'You are not allowed to access this db.',
    );
  const isDesign = needed === 'writer' && isDesignDocument(params.docid!);
  if (needed === 'databaseAdmin' || isDesign) {
    if (!isDatabaseAdmin(user, security)) throw notDatabaseAdmin(user);
  }
}

/**
 * Checks whether a member of a database may write a document whose ID is in the request body. Only administrators may
 * write design documents.
 *
 * @returns undefined if allowed; otherwise 401 for an anonymous member, 403 for a user
 */
export function refusalToWrite(id: string, user: UserContext, database: Database): Boom | undefined {
  return isDesignDocument(id) && !isDatabaseAdmin(user, database.security)
    ? notDatabaseAdmin(user)
    : undefined;
}

function notDatabaseAdmin(user: UserContext): Boom {
  return accessError(user, 'You are not a db or server admin.', 'You are not a db or server admin.');
}

/** In the path of an attachment, the document ID is `_design`, and the rest of it is in the attachment name. */
const isDesignDocument = (id: string) => id === '_design' || id.startsWith('_design/');

function isDatabaseAdmin(user: UserContext, { admins }: Security): boolean {
  return isAdmin(user) || belongs(user, admins);
}

/** If a database names no members, everybody is a member. As in CouchDB, members can have their name of version 1.0. */
function isMember(user: UserContext, security: Security): boolean {
  const { members = security.readers ?? {} } = security;
  const { names = [], roles = [] } = members;
  const isOpen = names.length === 0 && roles.length === 0;
  return isOpen || belongs(user, members) || isDatabaseAdmin(user, security);
}

function belongs({ name, roles }: UserContext, group: Security['admins'] = {}): boolean {
  return (
    (name !== null && !!group.names?.includes(name)) || !!group.roles?.some((role) => roles.includes(role))
  );
}

function accessError(user: UserContext, anonymousReason: string, userReason: string) {
  return user.name === null
    ? httpError(401, 'unauthorized', anonymousReason)
    : httpError(403, 'forbidden', userReason);
}
