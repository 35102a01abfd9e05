import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { httpError } from '../http/errors.js';
import {
  fingerprint,
  totalLength,
  type Attachment,
  type Attachments,
  type NewAttachment,
  type SubmittedAttachments,
} from './attachments.js';
import type { components } from '../../openapi/generated/types.service.js';
import type { Json } from './json.js';
import { LocalDocuments } from './local-documents.js';
import {
  addRevision,
  ancestryOf,
  formatRevision,
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
import type { Execution, Recorder, Sqlite, SqliteEngine, Statement, Value } from './sqlite/sqlite.js';
import type { ForeignSubmission, Submission } from './parse-document.js';
import {
  attachmentsOf,
  attachmentsText,
  bytesOf,
  headColumns,
  headOf,
  identifiersWhere,
  listText,
  withBody,
  withoutBody,
  type DocumentHead,
  type DocumentRow,
  type HeadColumns,
  type Identifiers,
  type RowColumns,
} from './tables.js';

/** The replaceable functions of the store. */
export interface StoreComponents {
  readonly winningRevision: Winner;
  readonly sequences: SequenceCodec;
}

export const storeComponents: StoreComponents = { winningRevision, sequences };

/** What makes a database outlast the process. */
export interface DatabaseStorage {
  /** The name of this incarnation. */
  readonly instance: string;
  /** What it begins with; undefined for nothing. */
  readonly snapshot?: Uint8Array | undefined;
  /** Takes all that changes the database. */
  readonly record?: Recorder | undefined;
}

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
  /** Undefined when it has none. */
  attachments?: Attachments | undefined;
}

/** Whether one document of a write was stored, and as which revision. */
export type WriteResult =
  { id: string; rev: string; error?: undefined } | { id: string; error: 'conflict'; reason: string };

/** Rows to read at once: whichever is reached first. */
export interface Batch {
  rows: number;
  /** Size of the documents read, in characters. */
  characters: number;
  /** Whether the content of attachments counts as well. */
  attachments?: boolean;
}

/** Where the attachments of a new revision come from. */
interface Origins {
  /** The attachments of earlier revisions, for stubs. */
  past: () => Iterable<Attachments | undefined>;
  /** The generation that brings one that comes with its content. */
  revposOf: (attachment: NewAttachment) => number;
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
  /** Names this incarnation: a database made anew under the same name has another one. */
  readonly instance: string;
  readonly #engine: SqliteEngine;
  readonly #sqlite: Sqlite;
  readonly #components: StoreComponents;
  /** Undefined when it has to be read. */
  #position: number | undefined;
  #closed = false;

  /** @param storage default: none, it is in memory only */
  constructor(engine: SqliteEngine, name: string, components: StoreComponents, storage?: DatabaseStorage) {
    this.name = name;
    this.instance = storage?.instance ?? newInstance();
    this.#engine = engine;
    this.#sqlite = engine.open(storage);
    this.#components = components;
  }

  /** All of it, as a file of SQLite. */
  snapshot(): Uint8Array {
    return this.#sqlite.snapshot();
  }

  /** Executes what was recorded in another run. */
  repeat(executions: readonly Execution[]): void {
    this.#sqlite.repeat(executions);
    this.#position = undefined;
  }

  /** Ends the database: what still reads from it, such as a feed, gets a 404 from then on. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#position = undefined;
    this.#engine.close(this.#sqlite);
    this.events.emit('close');
  }

  /** Whether it has been deleted. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Position of the latest change; 0 in a database that has seen none. */
  get position(): number {
    this.#position ??= this.#value<number | null>('SELECT max(position) FROM documents') ?? 0;
    return this.#position;
  }

  /** A position as clients see it (SERVICE 2.6). */
  sequenceOf(position: number): Json {
    return this.#components.sequences.encode(this.instance, position);
  }

  /** @returns undefined when `text` is no sequence that this database has given out */
  positionOf(text: string): number | undefined {
    const position = this.#components.sequences.decode(this.instance, text);
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
    return this.#value<number>(
      `SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    );
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
      'SELECT deleted, body, attachments FROM revisions WHERE document = ? AND revision = ?',
    ).get<[deleted: number, body: string, attachments: string | null]>(key, revision);
    return row && { revision, deleted: row[0] === 1, body: row[1], attachments: attachmentsOf(row[2]) };
  }

  /** What is stored of an attachment that a revision of the database has. */
  content({ digest, encoding }: Attachment): Buffer {
    const sql =
      'SELECT b.bytes FROM contents c JOIN bytes b ON b.content = c.key WHERE c.digest = ? AND c.encoding = ?';
    return Buffer.from(this.#value<Uint8Array>(sql, digest, encoding ?? 'identity'));
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
    return this.#rows(sql, [after, upTo, batch.rows], batch);
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
    try {
      const result = this.#sqlite.transaction(work);
      if (this.position > before) this.events.emit('change');
      return result;
    } catch (error) {
      this.#position = undefined;
      throw error;
    }
  }

  #edit({ id, revisions, deleted, body, attachments }: Submission): WriteResult {
    const existing = this.find(id);
    const base = baseOf(existing, revisions);
    if (!base) return { id, error: 'conflict', reason: 'Document update conflict.' };
    const { parent } = base;
    const from = parent === undefined ? undefined : parseRevision(parent)!;
    const generation = (from?.generation ?? 0) + 1;
    const content = this.#attachments(id, attachments, {
      past: () => (existing && parent !== undefined ? [this.revision(existing, parent)?.attachments] : []),
      revposOf: () => generation,
    });
    const rev = nextRevision(parent, deleted, body, content && fingerprint(content));
    const { hash } = parseRevision(rev)!;
    const ids = from ? [hash, from.hash] : [hash];
    const revision = { revision: rev, deleted, body, attachments: content };
    this.#store(existing, id, { start: generation, ids }, revision, attachments);
    return { id, rev };
  }

  #replicate({ id, revisions, deleted, body, attachments }: ForeignSubmission): void {
    const revision = revisionOf(revisions);
    const existing = this.find(id);
    const stored = existing && this.revision(existing, revision);
    if (existing && stored) {
      const known = ancestryOf(this.tree(existing), revision)!.ids;
      if (revisions.ids.slice(0, revisionsLimit).every((hash, index) => hash === known[index])) return;
    }
    const { start, ids } = revisions;
    const made = (): Revision => ({
      revision,
      deleted,
      body,
      attachments: this.#attachments(id, attachments, {
        past: () => (existing ? this.#attachmentsBefore(existing, revisions) : []),
        revposOf: ({ revpos = 0 }) => (revpos >= 1 && revpos <= start ? revpos : start),
      }),
    });
    this.#store(existing, id, { start, ids }, stored ?? made(), attachments);
  }

  /** The attachments of the revisions that a revision was made from, newest first, as far as they are here. */
  *#attachmentsBefore(existing: DocumentHead, { start, ids }: Ancestry): Iterable<Attachments | undefined> {
    for (const [back, hash] of ids.slice(0, revisionsLimit).entries())
      if (back > 0) yield this.revision(existing, formatRevision(start - back, hash))?.attachments;
  }

  /**
   * What is to be known of the attachments of a new revision.
   *
   * @returns undefined when it has none
   * @throws 412 for a stub of which no earlier revision has the attachment
   */
  #attachments(
    id: string,
    submitted: SubmittedAttachments,
    { past, revposOf }: Origins,
  ): Attachments | undefined {
    if (submitted.size === 0) return undefined;
    const known = [...submitted].map(([name, attachment]): [string, Attachment] => {
      if (attachment !== 'stub') {
        const { content_type, digest, length, encoding, encoded_length } = attachment;
        const revpos = revposOf(attachment);
        return [
          name,
          { content_type, revpos, digest, length, ...(encoding && { encoding, encoded_length }) },
        ];
      }
      for (const earlier of past())
        if (earlier && Object.hasOwn(earlier, name)) return [name, earlier[name]!];
      throw httpError(412, 'missing_stub', `Invalid attachment stub in ${id} for ${name}`);
    });
    return Object.fromEntries(known);
  }

  /** Puts a revision into the tree of its document, which it makes the latest change. */
  #store(
    existing: DocumentHead | undefined,
    id: string,
    ancestry: Ancestry,
    content: Revision,
    submitted: SubmittedAttachments,
  ): void {
    const { tree, removed } = addRevision(
      existing ? this.tree(existing) : [],
      ancestry,
      content.deleted,
      revisionsLimit,
    );
    const { winner, deleted, conflicts, deletedConflicts } = leavesOf(tree, this.#components.winningRevision);
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
    this.#position = position;
    const inserted = this.#statement(
      `INSERT OR IGNORE INTO revisions (document, revision, deleted, body, attachments)
        VALUES (?, ?, ?, ?, ?) RETURNING 1`,
    ).get(key, content.revision, Number(content.deleted), content.body, attachmentsText(content.attachments));
    if (inserted && content.attachments) this.#use(content.attachments, submitted);
    for (const revision of removed) {
      const row = this.#statement(
        'DELETE FROM revisions WHERE document = ? AND revision = ? RETURNING attachments',
      ).get<[attachments: string | null]>(key, revision);
      const attachments = attachmentsOf(row?.[0] ?? null);
      if (attachments) this.#release(attachments);
    }
  }

  /** Stores the contents that a revision brings, and counts it as a user of all that it has. */
  #use(attachments: Attachments, submitted: SubmittedAttachments): void {
    for (const [name, { digest, encoding = 'identity' }] of Object.entries(attachments)) {
      const [key, uses] = this.#statement(
        `INSERT INTO contents (digest, encoding, uses) VALUES (?, ?, 1)
          ON CONFLICT DO UPDATE SET uses = uses + 1 RETURNING key, uses`,
      ).get<[key: number, uses: number]>(digest, encoding)!;
      const brought = submitted.get(name);
      if (uses === 1 && brought && brought !== 'stub')
        this.#statement('INSERT INTO bytes VALUES (?, ?)').run(key, brought.bytes);
    }
  }

  /** Drops the contents of which a removed revision was the last user. */
  #release(attachments: Attachments): void {
    for (const { digest, encoding = 'identity' } of Object.values(attachments)) {
      const [key, uses] = this.#statement(
        'UPDATE contents SET uses = uses - 1 WHERE digest = ? AND encoding = ? RETURNING key, uses',
      ).get<[key: number, uses: number]>(digest, encoding)!;
      if (uses > 0) continue;
      this.#statement('DELETE FROM contents WHERE key = ?').run(key);
      this.#statement('DELETE FROM bytes WHERE content = ?').run(key);
    }
  }

  #countAfter(position: number): number {
    return this.#value<number>(
      `SELECT (SELECT coalesce(sum(documents), 0) FROM segments WHERE segment > ?1 >> 10)
        + (SELECT count(*) FROM documents WHERE position > ?1 AND position < ((?1 >> 10) + 1) << 10)`,
      position,
    );
  }

  #rows(
    sql: string,
    parameters: Value[],
    limits: Omit<Batch, 'rows'> = { characters: Infinity },
  ): DocumentRow[] {
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

export const newInstance = (): string => randomBytes(12).toString('base64url');

export function databaseMissing() {
  return httpError(404, 'not_found', 'Database does not exist.');
}
