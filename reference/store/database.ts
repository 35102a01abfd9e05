import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { httpError } from '../errors.js';
import type { components } from '../../openapi/generated/types.service.js';
import type { Json } from './json.js';
import { LocalDocuments } from './local-documents.js';
import {
  addRevision,
  ancestryOf,
  leavesOf,
  nextRevision,
  parseRevision,
  revisionOf,
  revisionsOf,
  winningRevision,
  type Ancestry,
  type RevisionTree,
  type Winner,
} from './revisions.js';
import { sequences, type SequenceCodec } from './sequences.js';
import { Sqlite, type SqliteEngine, type Statement, type Value } from './sqlite.js';
import type { ForeignSubmission, Submission } from './submission.js';
import {
  bytesOf,
  headColumns,
  headOf,
  identifiersWhere,
  listText,
  schema,
  withBody,
  withoutBody,
  type DocumentHead,
  type DocumentRow,
  type HeadColumns,
  type Identifiers,
  type RowColumns,
} from './tables.js';

/** The replaceable functions of the store. */
export interface StoreParts {
  readonly winningRevision: Winner;
  readonly sequences: SequenceCodec;
}

export const storeParts: StoreParts = { winningRevision, sequences };

/** Revisions that are remembered on each path of a document's revision tree. */
const revisionsLimit = 1000;

/** Who may use a database; in one without members that is everybody. */
export type Security = components['schemas']['Security'];

/** The content of one revision. */
export interface Revision {
  revision: string;
  deleted: boolean;
  /** JSON text of the writer's own members. */
  body: string;
}

/** Whether one document of a write was stored, and as which revision. */
export type WriteResult =
  { id: string; rev: string; error?: undefined } | { id: string; error: 'conflict'; reason: string };

/** Rows to read at once: whichever is reached first. */
export interface Batch {
  rows: number;
  /** Size of the documents read, in characters. */
  characters: number;
}

/** Positions after `after`, up to and including `upTo`. */
export interface Positions {
  after: number;
  upTo: number;
}

export interface Listing {
  descending: boolean;
  skip: number;
  limit: number;
  /** Whether to read the content of the winning revisions. */
  bodies: boolean;
}

/**
 * The documents of one database, each with its revision tree and one place in the order of changes.
 *
 * All methods are synchronous: what one of them reads belongs together, and a write is done when it returns.
 */
export class Database {
  readonly name: string;
  /** `change` after each write that changed something, `close` when the database has been deleted. */
  readonly events = new EventEmitter<{ change: []; close: [] }>().setMaxListeners(0);
  readonly local = new LocalDocuments((sql) => this.#statement(sql));
  // Names this incarnation: a database made anew under the same name has another one.
  readonly #instance = randomBytes(12).toString('base64url');
  readonly #sqlite: Sqlite;
  readonly #parts: StoreParts;
  #closed = false;

  constructor(engine: SqliteEngine, name: string, parts: StoreParts) {
    this.name = name;
    this.#sqlite = new Sqlite(engine, schema);
    this.#parts = parts;
  }

  /** Ends the database: what still reads from it, such as a feed, gets a 404 from then on. */
  close(): void {
    this.#closed = true;
    this.#sqlite.close();
    this.events.emit('close');
  }

  /** Position of the latest change; 0 in a database that has seen none. */
  get position(): number {
    return this.#value<number | null>('SELECT max(position) FROM documents') ?? 0;
  }

  /** A position as clients see it (SERVICE 2.6). */
  sequenceOf(position: number): Json {
    return this.#parts.sequences.encode(this.#instance, position);
  }

  /** @returns undefined when `text` is no sequence that this database has given out */
  positionOf(text: string): number | undefined {
    const position = this.#parts.sequences.decode(this.#instance, text);
    return position !== undefined && position <= this.position ? position : undefined;
  }

  /** Number of documents that are not deleted. */
  get documentCount(): number {
    return this.#value<number>('SELECT documents FROM totals WHERE deleted = 0');
  }

  get deletedCount(): number {
    return this.#value<number>('SELECT documents FROM totals WHERE deleted = 1');
  }

  /** Bytes of memory that the tables take. */
  get size(): number {
    return this.#value<number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
  }

  get security(): Security {
    return JSON.parse(this.#value<string>('SELECT content FROM security')) as Security;
  }

  set security(security: Security) {
    this.#statement('UPDATE security SET content = ?').run(JSON.stringify(security));
  }

  find(id: string): DocumentHead | undefined {
    const row = this.#statement(`SELECT ${headColumns} FROM documents d WHERE d.id = ?`).get<HeadColumns>(
      bytesOf(id),
    );
    return row && headOf(row);
  }

  tree({ key }: DocumentHead): RevisionTree {
    return JSON.parse(this.#value<string>('SELECT tree FROM documents WHERE key = ?', key)) as RevisionTree;
  }

  /** @returns undefined when the content of the revision is not here, though the tree may know it */
  revision({ key }: DocumentHead, revision: string): Revision | undefined {
    const row = this.#statement(
      'SELECT deleted, body FROM revisions WHERE document = ? AND revision = ?',
    ).get<[deleted: number, body: string]>(key, revision);
    return row && { revision, deleted: row[0] === 1, body: row[1] };
  }

  /** Revisions that the tree of a document knows, whether their content is here or not. */
  knownRevisions(head: DocumentHead): Set<string> {
    return revisionsOf(this.tree(head));
  }

  /** Revisions of a document whose content is here, and whether they are deletions. */
  revisions({ key }: DocumentHead): Map<string, { deleted: boolean }> {
    const rows = this.#statement('SELECT revision, deleted FROM revisions WHERE document = ?').rows<
      [revision: string, deleted: number]
    >(key);
    const found = new Map<string, { deleted: boolean }>();
    for (const [revision, deleted] of rows) found.set(revision, { deleted: deleted === 1 });
    return found;
  }

  /**
   * Documents by the position of their latest change, one row a document (SERVICE 4.7 rule 3).
   *
   * @param bodies whether to read the content of the winning revisions
   */
  changes({ after, upTo }: Positions, descending: boolean, bodies: boolean, batch: Batch): DocumentRow[] {
    const sql = `SELECT ${bodies ? withBody : withoutBody} WHERE d.position > ? AND d.position <= ?
      ORDER BY d.position ${descending ? 'DESC' : 'ASC'} LIMIT ?`;
    return this.#rows(sql, [after, upTo, batch.rows], batch.characters);
  }

  /** Number of documents whose latest change lies in `positions`; counts no more than two segments one by one. */
  countChanges({ after, upTo }: Positions): number {
    return this.#countAfter(after) - this.#countAfter(upTo);
  }

  /** Documents that are not deleted, by identifier. */
  documents(range: Identifiers, { descending, skip, limit, bodies }: Listing): DocumentRow[] {
    const { where, parameters } = identifiersWhere(range);
    const sql = `SELECT ${bodies ? withBody : withoutBody} WHERE ${where}
      ORDER BY d.id ${descending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
    // To SQLite a negative limit is none.
    return this.#rows(sql, [...parameters, limit === Infinity ? -1 : limit, skip]);
  }

  /** Number of documents that are not deleted in a range of identifiers; counts them one by one. */
  countDocuments(range: Identifiers): number {
    const { where, parameters } = identifiersWhere(range);
    return this.#value<number>(`SELECT count(*) FROM documents d WHERE ${where}`, ...parameters);
  }

  /** Stores new revisions of documents, each based on a leaf; a document whose leaf has changed is a conflict. */
  edit(submissions: Submission[]): WriteResult[] {
    return this.#write(() => submissions.map((submission) => this.#edit(submission)));
  }

  /** Stores revisions that were made elsewhere, with their past. What is here already stays as it is. */
  replicate(submissions: ForeignSubmission[]): void {
    this.#write(() => {
      for (const submission of submissions) this.#replicate(submission);
    });
  }

  #write<T>(work: () => T): T {
    const before = this.position;
    const result = this.#sqlite.transaction(work);
    if (this.position > before) this.events.emit('change');
    return result;
  }

  #edit({ id, revisions, deleted, body }: Submission): WriteResult {
    const existing = this.find(id);
    const base = baseOf(existing, revisions);
    if (!base) return { id, error: 'conflict', reason: 'Document update conflict.' };
    const { parent } = base;
    const rev = nextRevision(parent, deleted, body);
    const [made, from] = [parseRevision(rev)!, parent && parseRevision(parent)!];
    const ids = from ? [made.hash, from.hash] : [made.hash];
    this.#store(existing, id, { start: made.generation, ids }, { revision: rev, deleted, body });
    return { id, rev };
  }

  #replicate({ id, revisions, deleted, body }: ForeignSubmission): void {
    const revision = revisionOf(revisions);
    const existing = this.find(id);
    const stored = existing && this.revision(existing, revision);
    if (existing && stored) {
      const known = ancestryOf(this.tree(existing), revision)!.ids;
      if (revisions.ids.slice(0, revisionsLimit).every((hash, index) => hash === known[index])) return;
    }
    this.#store(existing, id, revisions, stored ?? { revision, deleted, body });
  }

  /** Puts a revision into the tree of its document, which it makes the latest change. */
  #store(existing: DocumentHead | undefined, id: string, ancestry: Ancestry, content: Revision): void {
    const { tree, removed } = addRevision(
      existing ? this.tree(existing) : [],
      ancestry,
      content.deleted,
      revisionsLimit,
    );
    const { winner, deleted, conflicts, deletedConflicts } = leavesOf(tree, this.#parts.winningRevision);
    const position = this.position + 1;
    const key = this.#value<number>(
      `INSERT INTO documents (id, position, winner, deleted, conflicts, deleted_conflicts, tree)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET position = excluded.position, winner = excluded.winner,
          deleted = excluded.deleted, conflicts = excluded.conflicts,
          deleted_conflicts = excluded.deleted_conflicts, tree = excluded.tree
        RETURNING key`,
      ...[bytesOf(id), position, winner, Number(deleted), listText(conflicts), listText(deletedConflicts)],
      JSON.stringify(tree),
    );
    this.#statement(
      'INSERT OR IGNORE INTO revisions (document, revision, deleted, body) VALUES (?, ?, ?, ?)',
    ).run(key, content.revision, Number(content.deleted), content.body);
    for (const revision of removed)
      this.#statement('DELETE FROM revisions WHERE document = ? AND revision = ?').run(key, revision);
  }

  #countAfter(position: number): number {
    return this.#value<number>(
      `SELECT (SELECT coalesce(sum(documents), 0) FROM segments WHERE segment > ?1 >> 10)
        + (SELECT count(*) FROM documents WHERE position > ?1 AND position < ((?1 >> 10) + 1) << 10)`,
      position,
    );
  }

  #rows(sql: string, parameters: Value[], characters = Infinity): DocumentRow[] {
    const rows: DocumentRow[] = [];
    let read = 0;
    for (const columns of this.#statement(sql).rows<RowColumns>(...parameters)) {
      const body = columns[7] ?? undefined;
      rows.push({ ...headOf(columns), body });
      read += body?.length ?? 0;
      if (read >= characters) break;
    }
    return rows;
  }

  #statement(sql: string): Statement {
    if (this.#closed) throw databaseMissing();
    return this.#sqlite.statement(sql);
  }

  #value<T extends Value>(sql: string, ...parameters: Value[]): T {
    return this.#statement(sql).get<[T]>(...parameters)![0];
  }
}

/**
 * The leaf that an edit extends: the one that it names, for a deleted document made anew the deletion, none for a
 * new document.
 *
 * @returns undefined for a conflict
 */
function baseOf(
  existing: DocumentHead | undefined,
  named: Ancestry | undefined,
): { parent?: string } | undefined {
  if (!existing) return named ? undefined : {};
  const { winner, deleted, conflicts, deletedConflicts } = existing.leaves;
  if (!named) return deleted ? { parent: winner } : undefined;
  const parent = revisionOf(named);
  const isLeaf = winner === parent || conflicts.includes(parent) || deletedConflicts.includes(parent);
  return isLeaf ? { parent } : undefined;
}

export function databaseMissing() {
  return httpError(404, 'not_found', 'Database does not exist.');
}
