/** Documents of the users database (SERVICE 2.4): validation and hashing of passwords. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { httpError } from '../http/errors.js';
import type { Settings } from '../config/settings.js';
import {
  findIterationProblem,
  hashPassword,
  storedPassword,
  type StoredPassword,
} from '../crypto/passwords.js';
import { findTotpProblem } from './totp.js';
import { isAdmin, type UserContext } from './user-context.js';

export type Document = Readonly<Record<string, unknown>>;

export interface UserDocumentRules {
  readonly dialect: DialectNames;
  readonly settings: Settings;
  /** See `deriveKey`. */
  readonly client: string;
  /** Whether `type` may be missing. */
  readonly typeIsOptional: boolean;
}

const passwordFields = [
  'password',
  'password_scheme',
  'pbkdf2_prf',
  'salt',
  'iterations',
  'derived_key',
  'password_sha',
];

/**
 * Validates a user document and replaces its password by a hash.
 *
 * @returns the document to store
 * @throws 403 if it is not a valid user document; 400 if the number of iterations or the password is not allowed
 */
export async function prepareUserDocument(document: Document, rules: UserDocumentRules): Promise<Document> {
  const { _id: id, _deleted: deleted, password } = document;
  if (typeof id === 'string' && id.startsWith('_design/')) return document;
  if (deleted === true) return withoutPassword(document);
  checkUser(document, rules);
  if (password === undefined || password === null) {
    checkHash(document, rules);
    return document;
  }
  if (typeof password !== 'string') throw forbidden('Password must be a string.');
  checkStrength(password, rules);
  return withPassword(
    document,
    await hashPassword(password, rules.settings.passwordIterations, rules.client),
  );
}

function checkStrength(password: string, { settings: { passwordRequirements } }: UserDocumentRules): void {
  if (!passwordRequirements) throw forbidden('Server cannot hash passwords at this time.');
  const missing = passwordRequirements.find(({ pattern }) => !pattern.test(password));
  if (missing)
    throw httpError(
      400,
      'bad_request',
      `Password does not conform to requirements. ${missing.reason}`.trimEnd(),
    );
}

const withoutPassword = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([field]) => !passwordFields.includes(field)));

function checkUser(
  { _id: id, type, name, roles, totp }: Document,
  { dialect: { userIdPrefix }, typeIsOptional }: UserDocumentRules,
): void {
  if (type !== 'user' && !(typeIsOptional && type === undefined)) throw forbidden('doc.type must be user');
  if (typeof name !== 'string' || name === '') throw forbidden('doc.name is required');
  if (id !== userIdPrefix + name) throw forbidden(`Doc ID must be of the form ${userIdPrefix}name`);
  if (name.startsWith('_')) throw forbidden('Username may not start with underscore.');
  if (name.includes(':')) throw forbidden('Character `:` is not allowed in usernames.');
  if (!Array.isArray(roles)) throw forbidden('doc.roles must be an array');
  for (const role of roles) {
    if (typeof role !== 'string') throw forbidden('doc.roles can only contain strings');
    if (role.startsWith('_')) throw forbidden('No system roles (starting with underscore) in users db.');
  }
  const problem = totp === undefined ? undefined : findTotpProblem(totp);
  if (problem !== undefined) throw forbidden(problem);
}

/** State of a user document before a change. */
export interface CurrentUser {
  readonly roles: unknown;
  /** Whether deleting the winning revision would make a conflict the new winner. */
  readonly hasConflicts: boolean;
}

/**
 * Checks a change of a user to their own document: they must not change their roles. `authorize` has already checked
 * whose document it is.
 *
 * @throws 403; 404 if there is no document, because only administrators create users
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

/** A client that updates a document sends the hash back. A document without password and hash is valid: no login. */
function checkHash(document: Document, { settings }: UserDocumentRules): void {
  const stored = storedPassword(document);
  if (!stored && passwordFields.some((field) => document[field] !== undefined && document[field] !== null)) {
    throw forbidden('The password hash of the document has an unknown format.');
  }
  const problem = stored && findIterationProblem(stored, settings);
  if (problem !== undefined) throw httpError(400, 'bad_request', problem);
}

/** @returns the document of a user with another hash of the same password */
export const withPassword = (document: Document, password: StoredPassword): Document => ({
  ...withoutPassword(document),
  ...password,
});

const forbidden = (reason: string) => httpError(403, 'forbidden', reason);
