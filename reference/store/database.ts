import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { components } from '../../openapi/generated/types.service.js';
import { httpError } from '../http/errors.js';
import { AttachmentContents } from './attachment-contents.js';
import { DocumentCounts } from './document-counts.js';
import { totalLength } from './attachments.js';
import { parseJson, toJson } from '../http/json-text.js';
import type { Json } from './json.js';
import { LocalDocuments } from './local-documents.js';
import type { ParsedDocument, ReplicatedDocument } from './parse-document.js';
import { RevisionWriter, type WritePreview, type WriteResult } from './revision-writer.js';
import { maxRevisions, winningRevision, type RevisionTree, type Winner } from './revisions.js';
import { sequences, type SequenceCodec } from './sequences.js';
import type { Execution, Sqlite, SqliteEngine, SqliteOptions, Statement, Value } from './sqlite/sqlite.js';
import {
  attachmentsOf,
  bytesOf,
  headColumns,
  headOf,
  identifiersWhere,
  withBody,
  withoutBody,
  type DocumentHead,
  type DocumentRow,
  type HeadColumns,
  type Identifiers,
  type Revision,
  type RowColumns,
} from './tables.js';

/** The replaceable functions of the store. */
export interface StoreComponents {
  readonly winningRevision: Winner;
  readonly sequences: SequenceCodec;
}

export const storeComponents: StoreComponents = { winningRevision, sequences };

/** How to open a database that is stored on disk. */
export interface DatabaseStorage extends SqliteOptions {
  /** See `Database.instance`. */
  readonly instance: string;
}

/** SQLite prepares a statement anew for each value of a limit that is only a parameter. */
const limit = 'LIMIT ? + 0';

const selectHead = `SELECT ${headColumns} FROM documents d WHERE d.id = ?`;

/** Number of documents that are compacted at once. */
const documentsPerSlice = 200;

/** A database is compacted after as many updates as it has documents, but after at least this number. */
const minUpdatesToCompact = 10_000;

/** The security object of a database. If it names no members, everybody is a member. */
export type Security = components['schemas']['Security'];

/** Size limits of one read. Reading stops when the first of them is reached. */
export interface Batch {
  rows: number;
  /** Total length of the documents, in characters. */
  characters: number;
  /** Whether the lengths of attachments count too. */
  attachments?: boolean;
}

/** A range of positions: greater than `after`, up to and including `upTo`. */
export interface Positions {
  after: number;
  upTo: number;
}

export interface Listing {
  descending: boolean;
  skip: number;
  /** Whether to read the content of the winning revisions. */
  bodies: boolean;
}

/**
 * One database. Each document has a revision tree, and one position in the order of changes.
 *
 * All methods are synchronous: the result of a read is consistent, and a write is complete when it returns.
 */
export class Database {
  readonly name: string;
  /** `change` is emitted after each effective write, `close` when the database is deleted. */
  readonly events = new EventEmitter<{ change: []; close: [] }>().setMaxListeners(0);
  readonly local = new LocalDocuments((sql) => this.#statement(sql));
  readonly contents = new AttachmentContents((sql) => this.#statement(sql));
  /** Its ID, which begins with its time. It differs when a database is deleted and created again with the same name. */
  readonly instance: string;
  readonly #engine: SqliteEngine;
  readonly #sqlite: Sqlite;
  readonly #components: StoreComponents;
  readonly #counts = new DocumentCounts((sql) => this.#statement(sql));
  readonly #writer: RevisionWriter;
  /** Cache of the latest position. */
  #position: number | undefined;
  /** Cache of the limit. */
  #revisionsLimit: number | undefined;
  #designVersion = 0;
  /** `#updates` at the last compaction. */
  #compactedUpdates = 0;
  /** No compaction is due before this position. */
  #nextCompactionCheck = 0;
  #closed = false;

  /** @param storage if absent, the database is in memory only */
  constructor(engine: SqliteEngine, name: string, components: StoreComponents, storage?: DatabaseStorage) {
    this.name = name;
    this.instance = storage?.instance ?? newInstance();
    this.#engine = engine;
    this.#sqlite = engine.open(storage);
    this.#components = components;
    this.#writer = new RevisionWriter({
      contents: this.contents,
      counts: this.#counts,
      winningRevision: components.winningRevision,
      revisionsLimit: () => this.revisionsLimit,
      find: (id) => this.find(id),
      tree: (head) => this.tree(head),
      revision: (head, revision) => this.revision(head, revision),
      nextPosition: () => (this.#position = this.position + 1),
      designChanged: () => void this.#designVersion++,
      statement: (sql) => this.#statement(sql),
    });
  }

  /** Exports the database as a SQLite file. */
  snapshot(): Uint8Array {
    return this.#sqlite.snapshot();
  }

  /** Executes changes that an earlier process recorded. */
  repeat(executions: readonly Execution[]): void {
    this.#sqlite.repeat(executions);
    this.#position = undefined;
    this.#revisionsLimit = undefined;
    this.#designVersion++;
  }

  /** Closes the database. Later calls, such as those of open feeds, throw 404. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#position = undefined;
    this.#engine.close(this.#sqlite);
    this.events.emit('close');
  }

  /** Whether the database has been closed or deleted. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Position of the latest change; 0 if there is none. */
  get position(): number {
    this.#position ??= this.#value<number | null>('SELECT max(position) FROM documents') ?? 0;
    return this.#position;
  }

  /** When it was created, in seconds since 1970. */
  get startTime(): string {
    return String(Buffer.from(this.instance, 'base64url').readUInt32BE());
  }

  /** Grows with each write to a design document, so that what depends on design documents can be cached. */
  get designVersion(): number {
    return this.#designVersion;
  }

  /** Encodes a position as a sequence for clients (SERVICE 2.6). */
  sequenceOf(position: number): Json {
    return this.#components.sequences.encode(this.instance, position);
  }

  /** @returns undefined if `text` is not a sequence */
  positionOf(text: string): number | undefined {
    const position = this.#components.sequences.decode(this.instance, text);
    return position === undefined ? undefined : this.orStart(position);
  }

  /**
   * A position after the latest change is of another database, or of a deleted one with the same name: the start, as in
   * CouchDB, so that the client misses nothing.
   */
  orStart(position: number): number {
    return position <= this.position ? position : 0;
  }

  /** Number of documents that are not deleted. */
  get documentCount(): number {
    return this.#counts.total(false);
  }

  get deletedCount(): number {
    return this.#counts.total(true);
  }

  /** Sizes in bytes. */
  get sizes(): { readonly file: number; readonly active: number } {
    const [file, active] = this.#statement(
      // The first page has the schema, and no data.
      `SELECT page_count * page_size, (page_count - freelist_count - 1) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    ).get<[number, number]>()!;
    return { file, active };
  }

  get security(): Security {
    return parseJson(this.#value<string>('SELECT content FROM security')) as Security;
  }

  set security(security: Security) {
    this.#statement('UPDATE security SET content = ?').run(toJson(security));
  }

  /** How many revisions of each path of a revision tree are kept. Later writes apply it to their documents. */
  get revisionsLimit(): number {
    this.#revisionsLimit ??=
      this.#statement("SELECT value FROM limits WHERE name = 'revisions'").get<[number]>()?.[0] ??
      maxRevisions;
    return this.#revisionsLimit;
  }

  set revisionsLimit(limit: number) {
    this.#statement("INSERT OR REPLACE INTO limits VALUES ('revisions', ?)").run(limit);
    this.#revisionsLimit = limit;
  }

  find(id: string): DocumentHead | undefined {
    const row = this.#statement(selectHead).get<HeadColumns>(bytesOf(id));
    return row && headOf(row);
  }

  tree({ key }: DocumentHead): RevisionTree {
    return JSON.parse(this.#value<string>('SELECT tree FROM documents WHERE key = ?', key)) as RevisionTree;
  }

  /** @returns undefined if the content of the revision is not stored. The tree may still have the revision. */
  revision({ key }: DocumentHead, revision: string): Revision | undefined {
    const row = this.#statement(
      'SELECT deleted, body, attachments FROM revisions WHERE document = ? AND revision = ?',
    ).get<[deleted: number, body: string, attachments: string | null]>(key, revision);
    return row && { revision, deleted: row[0] === 1, body: row[1], attachments: attachmentsOf(row[2]) };
  }

  /** The stored revisions of a document, and whether they are deletions. */
  revisions({ key }: DocumentHead): Map<string, { deleted: boolean }> {
    const rows = this.#statement('SELECT revision, deleted FROM revisions WHERE document = ?').rows<
      [revision: string, deleted: number]
    >(key);
    return new Map([...rows].map(([revision, deleted]) => [revision, { deleted: deleted === 1 }]));
  }

  /**
   * Returns changed documents in the order of their latest change, with one row per document (SERVICE 4.7 rule 3).
   *
   * @param bodies whether to read the content of the winning revisions
   */
  changes({ after, upTo }: Positions, descending: boolean, bodies: boolean, batch: Batch): DocumentRow[] {
    const sql = `SELECT ${bodies ? withBody : withoutBody} WHERE d.position > ? AND d.position <= ?
      ORDER BY d.position ${descending ? 'DESC' : 'ASC'} ${limit}`;
    return this.#rows(sql, [after, upTo, batch.rows], batch);
  }

  /** Number of documents whose latest change is in the range. Takes constant time. */
  countChanges({ after, upTo }: Positions): number {
    if (after >= upTo) return 0;
    return this.#counts.after(after) - (upTo < this.position ? this.#counts.after(upTo) : 0);
  }

  /** Position of the first change in a range. */
  firstPosition({ after, upTo }: Positions): number | undefined {
    const sql = 'SELECT min(position) FROM documents WHERE position > ? AND position <= ?';
    return this.#value<number | null>(sql, after, upTo) ?? undefined;
  }

  /** Positions of the changes in a range. */
  positions({ after, upTo }: Positions): number[] {
    const sql = 'SELECT position FROM documents WHERE position > ? AND position <= ?';
    return Array.from(this.#statement(sql).rows<[position: number]>(after, upTo), ([position]) => position);
  }

  /** Like `countChanges`, but takes time in proportion to the range, and less time for a short range. */
  countPositions({ after, upTo }: Positions): number {
    const sql = 'SELECT count(*) FROM documents WHERE position > ? AND position <= ?';
    return this.#value<number>(sql, after, upTo);
  }

  /** Returns documents of a range of IDs that are not deleted, ordered by ID. */
  documents(range: Identifiers, { descending, skip, bodies }: Listing, batch: Batch): DocumentRow[] {
    const { where, parameters } = identifiersWhere(range);
    const sql = `SELECT ${bodies ? withBody : withoutBody} WHERE ${where}
      ORDER BY d.id ${descending ? 'DESC' : 'ASC'} ${limit} OFFSET ?`;
    // In SQLite, a negative limit means no limit.
    return this.#rows(sql, [...parameters, batch.rows === Infinity ? -1 : batch.rows, skip], batch);
  }

  /** Number of documents in a range of IDs that are not deleted. Takes time in proportion to the result. */
  countDocuments(range: Identifiers): number {
    const { where, parameters } = identifiersWhere(range);
    return this.#value<number>(`SELECT count(*) FROM documents d WHERE ${where}`, ...parameters);
  }

  /**
   * Stores new revisions of documents. See `RevisionWriter.edit`.
   *
   * @param isOver called with the number of written documents, to stop before the next one
   * @returns a result for each written document
   */
  edit(documents: ParsedDocument[], isOver?: (written: number) => boolean): WriteResult[] {
    return this.#writeEach(documents, (document) => this.#writer.edit(document), isOver);
  }

  /**
   * Stores revisions that other servers made. See `RevisionWriter.replicate`.
   *
   * @param isOver as for `edit`
   * @returns the number of written documents
   */
  replicate(documents: ReplicatedDocument[], isOver?: (written: number) => boolean): number {
    return this.#writeEach(documents, (document) => this.#writer.replicate(document), isOver).length;
  }

  #writeEach<Document, Result>(
    documents: Document[],
    write: (document: Document) => Result,
    isOver: (written: number) => boolean = () => false,
  ): Result[] {
    const before = this.position;
    const results: Result[] = [];
    try {
      this.#sqlite.transaction(() => {
        for (const document of documents) {
          if (results.length > 0 && isOver(results.length)) break;
          results.push(write(document));
        }
        this.#counts.save();
      });
      if (this.position > before) this.events.emit('change');
    } catch (error) {
      this.#position = undefined;
      this.#counts.discard();
      throw error;
    }
    // Without this, memory would grow with each update. A failure loses nothing, and a later compaction tries again.
    if (this.#isCompactionDue()) void this.compact().catch(() => {});
    return results;
  }

  /** Number of changes that a later change of the same document has replaced. */
  get #updates(): number {
    return this.position - this.documentCount - this.deletedCount;
  }

  /** A compaction takes time in proportion to the number of documents, so it is due after as many updates. */
  #isCompactionDue(): boolean {
    if (this.position < this.#nextCompactionCheck) return false;
    const necessary = Math.max(minUpdatesToCompact, this.documentCount + this.deletedCount);
    const missing = this.#compactedUpdates + necessary - this.#updates;
    // Each change is one update at most.
    this.#nextCompactionCheck = this.position + missing;
    return missing <= 0;
  }

  /** Removes the content of revisions that are not leaves, in slices between which other requests proceed. */
  async compact(): Promise<void> {
    this.#compactedUpdates = this.#updates;
    const last = this.#value<number | null>('SELECT max(key) FROM documents') ?? 0;
    for (let key = 0; key < last && !this.#closed; key += documentsPerSlice) {
      this.#sqlite.transaction(() => this.#writer.removeInnerRevisions(key, key + documentsPerSlice));
      await setImmediate();
    }
  }

  /** See `RevisionWriter.previewEdit`. */
  previewEdit(document: ParsedDocument): WritePreview | undefined {
    return this.#writer.previewEdit(document);
  }

  /** See `RevisionWriter.previewReplication`. */
  previewReplication(document: ReplicatedDocument): WritePreview | undefined {
    return this.#writer.previewReplication(document);
  }

  #rows(sql: string, parameters: Value[], limits: Omit<Batch, 'rows'>): DocumentRow[] {
    const rows: DocumentRow[] = [];
    let read = 0;
    for (const columns of this.#statement(sql).rows<RowColumns>(...parameters)) {
      const body = columns[7] ?? undefined;
      const attachments = attachmentsOf(columns[8]);
      rows.push({ ...headOf(columns), body, attachments });
      read += body?.length ?? 0;
      if (limits.attachments && attachments) read += totalLength(attachments);
      if (read >= limits.characters) break;
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

export function newInstance(): string {
  const id = randomBytes(12);
  id.writeUInt32BE(Math.floor(Date.now() / 1000));
  return id.toString('base64url');
}

export function databaseMissing() {
  return httpError(404, 'not_found', 'Database does not exist.');
}
