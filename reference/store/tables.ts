/** The tables of one database, and the types of their rows. */
import { httpError } from '../http/errors.js';
import type { Attachments } from './attachments.js';
import type { Leaves } from './revisions.js';
import { SqliteEngine, type Value } from './sqlite/sqlite.js';

/** A document without its content. */
export interface DocumentHead {
  /** Primary key in the database. */
  key: number;
  id: string;
  /** Position of its latest change in the feed. */
  position: number;
  leaves: Leaves;
}

/** A document with the content of its winning revision, if the query includes it. */
export interface DocumentRow extends DocumentHead {
  body: string | undefined;
  /** Undefined if there are none or the query does not include them. */
  attachments?: Attachments | undefined;
}

/** The content of one revision. */
export interface Revision {
  revision: string;
  deleted: boolean;
  /** JSON text of the document without the members that this server interprets. */
  body: string;
  /** Undefined if the revision has none. */
  attachments?: Attachments | undefined;
}

/** Returns the winning revision of a document. Its body is empty if the query does not include it. */
export function winnerOf({ leaves, body = '', attachments }: DocumentRow): Revision {
  return { revision: leaves.winner, deleted: leaves.deleted, body, attachments };
}

/** A range of document IDs in byte order. */
export interface Identifiers {
  from?: string | undefined;
  to?: string | undefined;
  /** Whether to exclude `from` or `to` itself. */
  fromExclusive?: boolean;
  toExclusive?: boolean;
}

/**
 * `contents` counts the revisions that use each attachment content. The bytes are in a separate table, because SQLite
 * rewrites a whole row to update the count. `totals` and `segments` are the tables of `DocumentCounts`.
 */
const tables = `
CREATE TABLE IF NOT EXISTS documents (
  key INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  position INTEGER NOT NULL UNIQUE,
  winner TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  conflicts TEXT,
  deleted_conflicts TEXT,
  tree TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS alive ON documents (id) WHERE deleted = 0;

CREATE TABLE IF NOT EXISTS revisions (
  document INTEGER NOT NULL,
  revision TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  body TEXT NOT NULL,
  attachments TEXT,
  PRIMARY KEY (document, revision)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS contents (
  key INTEGER PRIMARY KEY,
  digest TEXT NOT NULL,
  encoding TEXT NOT NULL,
  uses INTEGER NOT NULL,
  UNIQUE (digest, encoding)
);
CREATE TABLE IF NOT EXISTS bytes (content INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

CREATE TABLE IF NOT EXISTS locals (
  name BLOB PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS security (content TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS limits (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS totals (deleted INTEGER PRIMARY KEY, documents INTEGER NOT NULL);

CREATE TABLE IF NOT EXISTS segments (segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL);
`;

const rows = `
INSERT INTO security VALUES ('{"admins":{"roles":["_admin"]},"members":{"roles":["_admin"]}}');
INSERT INTO totals VALUES (0, 0), (1, 0);
`;

let engine: Promise<SqliteEngine> | undefined;

/** Loads SQLite once per process: all databases share its WebAssembly memory, which never shrinks. */
export const loadEngine = (): Promise<SqliteEngine> => (engine ??= SqliteEngine.load({ tables, rows }));

export type HeadColumns = [
  key: number,
  id: Uint8Array,
  position: number,
  winner: string,
  deleted: number,
  conflicts: string | null,
  deletedConflicts: string | null,
];
export type RowColumns = [...HeadColumns, body: string | null, attachments: string | null];

export const headColumns = 'd.key, d.id, d.position, d.winner, d.deleted, d.conflicts, d.deleted_conflicts';
export const withoutBody = `${headColumns}, NULL, NULL FROM documents d`;
export const withBody = `${headColumns}, r.body, r.attachments FROM documents d LEFT JOIN revisions r ON r.document = d.key AND r.revision = d.winner`;

/**
 * Encodes a document ID in UTF-8, whose byte order is the order of code points. IDs are not stored as text, because
 * sql.js drops a leading byte order mark from text.
 *
 * @throws 400 for an unpaired surrogate, which cannot be encoded
 */
export function bytesOf(id: string): Uint8Array {
  if (/\p{Surrogate}/u.test(id)) throw httpError(400, 'illegal_docid', 'Document id must be valid Unicode');
  return Buffer.from(id);
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

export function headOf([key, id, position, winner, deleted, conflicts, deletedConflicts]:
  HeadColumns | RowColumns): DocumentHead {
  const leaves = {
    winner,
    deleted: deleted === 1,
    conflicts: listOf(conflicts),
    deletedConflicts: listOf(deletedConflicts),
  };
  return { key, id: textOf(id), position, leaves };
}

/** Null for revisions without attachments, which are most. */
export function attachmentsText(attachments: Attachments | undefined): string | null {
  return attachments ? JSON.stringify(attachments) : null;
}

export function attachmentsOf(text: string | null): Attachments | undefined {
  return text === null ? undefined : (JSON.parse(text) as Attachments);
}

/** Null for an empty list. Most documents have no conflicts. */
export function listText(revisions: string[]): string | null {
  return revisions.length > 0 ? JSON.stringify(revisions) : null;
}

function listOf(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}

export function identifiersWhere(range: Identifiers) {
  const { conditions, parameters } = identifierConditions('d.id', range);
  return { where: ['d.deleted = 0', ...conditions].join(' AND '), parameters };
}

/** The conditions under which a column with bytes of IDs is within a range. */
export function identifierConditions(
  column: string,
  { from, to, fromExclusive, toExclusive }: Identifiers,
): { conditions: string[]; parameters: Value[] } {
  const conditions: string[] = [];
  const parameters: Value[] = [];
  if (from !== undefined) {
    conditions.push(`${column} ${fromExclusive ? '>' : '>='} ?`);
    parameters.push(bytesOf(from));
  }
  if (to !== undefined) {
    conditions.push(`${column} ${toExclusive ? '<' : '<='} ?`);
    parameters.push(bytesOf(to));
  }
  return { conditions, parameters };
}
