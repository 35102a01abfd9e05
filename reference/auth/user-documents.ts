/** Documents of the users database (SERVICE 2.4): what they must look like, and the password that is never kept. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { httpError } from '../http/errors.js';
import { hashPassword, storedPassword } from '../crypto/passwords.js';
import { secondFactorProblem } from './totp.js';
import { isAdmin, type UserContext } from './user-context.js';

export type Document = Readonly<Record<string, unknown>>;

export interface UserDocumentRules {
  readonly dialect: DialectNames;
  /** Rounds of PBKDF2. */
  readonly iterations: number;
}

const passwordFields = ['password', 'password_scheme', 'pbkdf2_prf', 'salt', 'iterations', 'derived_key'];

/**
 * The document to store in place of the one that was sent: the same with a hash for its password.
 * Throws 403 for a document that is no user.
 */
export async function prepareUserDocument(document: Document, rules: UserDocumentRules): Promise<Document> {
  const { _id: id, _deleted: deleted, password } = document;
  if (typeof id === 'string' && id.startsWith('_design/')) return document;
  const rest = Object.fromEntries(
    Object.entries(document).filter(([field]) => !passwordFields.includes(field)),
  );
  if (deleted === true) return rest;
  checkUser(document, rules.dialect);
  if (password === undefined || password === null) return { ...rest, ...keptPassword(document) };
  if (typeof password !== 'string') throw forbidden('Password must be a string.');
  return { ...rest, ...(await hashPassword(password, rules.iterations)) };
}

function checkUser({ _id: id, type, name, roles, totp }: Document, { userIdPrefix }: DialectNames): void {
  if (type !== 'user') throw forbidden('doc.type must be user');
  if (typeof name !== 'string' || name === '') throw forbidden('doc.name is required');
  if (id !== userIdPrefix + name) throw forbidden(`Doc ID must be of the form ${userIdPrefix}name`);
  if (name.startsWith('_')) throw forbidden('Username may not start with underscore.');
  if (name.includes(':')) throw forbidden('Character `:` is not allowed in usernames.');
  if (!Array.isArray(roles)) throw forbidden('doc.roles must be an array');
  for (const role of roles) {
    if (typeof role !== 'string') throw forbidden('doc.roles can only contain strings');
    if (role.startsWith('_')) throw forbidden('No system roles (starting with underscore) in users db.');
  }
  const problem = totp === undefined ? undefined : secondFactorProblem(totp);
  if (problem !== undefined) throw forbidden(problem);
}

/** What is in the users database of the user whose document is to be changed. */
export interface CurrentUser {
  readonly roles: unknown;
  /** Whether other revisions would come forth if this one went away. */
  readonly hasConflicts: boolean;
}

/**
 * Users change their own documents, but never their roles. Whose document it is, is decided before.
 * Throws 403, and 404 for a user who has none: users are made by administrators.
 */
export function checkOwnChange(
  document: Document,
  current: CurrentUser | undefined,
  user: UserContext,
): void {
  if (isAdmin(user)) return;
  if (!current) throw httpError(404, 'not_found', 'missing');
  if (document._deleted === true) {
    if (current.hasConflicts) throw forbidden('Only _admin may delete a user whose document has conflicts');
  } else if (!sameRoles(document.roles, current.roles)) throw forbidden('Only _admin may edit roles');
}

function sameRoles(one: unknown, other: unknown): boolean {
  const sorted = (roles: unknown) => JSON.stringify(Array.isArray(roles) ? roles.toSorted() : roles);
  return sorted(one) === sorted(other);
}

/** A document that was read and is written back carries its hash; one without either cannot log in, lawfully. */
function keptPassword(document: Document): object {
  const stored = storedPassword(document);
  if (!stored && passwordFields.some((field) => document[field] !== undefined && document[field] !== null)) {
    throw forbidden('The password hash of the document is of no known form.');
  }
  return stored ?? {};
}

const forbidden = (reason: string) => httpError(403, 'forbidden', reason);
