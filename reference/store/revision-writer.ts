import { httpError } from '../http/errors.js';
import type { AttachmentContents } from './attachment-contents.js';
import type { DocumentCounts } from './document-counts.js';
import {
  type Attachment,
  type Attachments,
  type NewAttachment,
  type SubmittedAttachments,
} from './attachments.js';
import { hashOfEdit } from './revision-hash.js';
import type { ParsedDocument, ReplicatedDocument } from './parse-document.js';
import {
  addRevision,
  ancestryOf,
  formatRevision,
  leavesOf,
  maxRevisions,
  parseRevision,
  revisionOf,
  type Ancestry,
  type RevisionTree,
  type Winner,
} from './revisions.js';
import type { Statement } from './sqlite/sqlite.js';
import {
  attachmentsOf,
  attachmentsText,
  bytesOf,
  listText,
  type DocumentHead,
  type Revision,
} from './tables.js';

/** Result of writing one document with `new_edits`. */
export type WriteResult =
  { id: string; rev: string; error?: undefined } | { id: string; error: 'conflict'; reason: string };

export const conflict = { error: 'conflict', reason: 'Document update conflict.' } as const;

/** What a write would do. */
export interface WritePreview {
  readonly existing: DocumentHead | undefined;
  /** Reads the stored revision that it follows. */
  readonly before: () => Revision | undefined;
  /** The attachments of the new revision. */
  readonly resolved: Attachments | undefined;
}

interface EditPreview extends WritePreview {
  /** The leaf that the edit extends. */
  readonly parent: string | undefined;
}

/** What the writer uses of its database. */
export interface RevisionStorage {
  readonly contents: AttachmentContents;
  readonly counts: DocumentCounts;
  readonly winningRevision: Winner;
  /** See `Database.revisionsLimit`. */
  readonly revisionsLimit: () => number;
  readonly find: (id: string) => DocumentHead | undefined;
  readonly tree: (head: DocumentHead) => RevisionTree;
  readonly revision: (head: DocumentHead, revision: string) => Revision | undefined;
  /** Takes the next position in the order of changes. */
  readonly nextPosition: () => number;
  /** Called with each write to a design document. */
  readonly designChanged: () => void;
  readonly statement: (sql: string) => Statement;
}

/** Where the attachments of a new revision come from. */
interface AttachmentSources {
  /** Earlier revisions, newest first, to resolve stubs. */
  readonly earlier: () => Iterable<Revision | undefined>;
  /** Returns the `revpos` of an attachment that was sent with its content. */
  readonly revposOf: (attachment: NewAttachment) => number;
}

/** Adds revisions to the documents of a database. Call it within a transaction. */
export class RevisionWriter {
  readonly #storage: RevisionStorage;

  constructor(storage: RevisionStorage) {
    this.#storage = storage;
  }

  /** Stores a new revision on top of a leaf. It is a conflict if the document names another revision. */
  edit(document: ParsedDocument): WriteResult {
    const { id, deleted, body, attachments } = document;
    const preview = this.previewEdit(document);
    if (!preview) return { id, ...conflict };
    const { existing, parent, resolved } = preview;
    const before = parent === undefined ? undefined : parseRevision(parent)!;
    const start = (before?.generation ?? 0) + 1;
    const hash = hashOfEdit({ parent: before, deleted, body, attachments: resolved });
    const rev = formatRevision(start, hash);
    const ids = before ? [hash, before.hash] : [hash];
    const revision = { revision: rev, deleted, body, attachments: resolved };
    this.#store(existing, id, { start, ids }, revision, attachments);
    return { id, rev };
  }

  /**
   * Finds what an edit would do.
   *
   * @returns undefined if it is a conflict
   * @throws 412 if the attachment of a stub does not exist
   */
  previewEdit({ id, revisions, attachments }: ParsedDocument): EditPreview | undefined {
    const existing = this.#storage.find(id);
    const base = baseOf(existing, revisions);
    if (!base) return undefined;
    const { parent } = base;
    const before = () =>
      existing && parent !== undefined ? this.#storage.revision(existing, parent) : undefined;
    const generation = (parent === undefined ? 0 : parseRevision(parent)!.generation) + 1;
    const resolved = resolveAttachments(id, attachments, {
      earlier: () => [before()],
      revposOf: () => generation,
    });
    return { existing, parent, before, resolved };
  }

  /** Stores a revision that another server made, with its history. Does nothing if both are known already. */
  replicate(document: ReplicatedDocument): void {
    const { id, revisions, deleted, body, attachments } = document;
    const revision = revisionOf(revisions);
    const existing = this.#storage.find(id);
    const stored = existing && this.#storage.revision(existing, revision);
    if (existing && stored) {
      const known = ancestryOf(this.#storage.tree(existing), revision)!.ids;
      if (
        revisions.ids.slice(0, this.#storage.revisionsLimit()).every((hash, index) => hash === known[index])
      )
        return;
    }
    const content = stored ?? {
      revision,
      deleted,
      body,
      attachments: this.previewReplication(document)!.resolved,
    };
    this.#store(existing, id, revisions, content, attachments);
  }

  /** Removes the content of all revisions that are not leaves, of documents with keys in `(after, upTo]`. */
  removeInnerRevisions(after: number, upTo: number): void {
    const rows = this.#storage
      .statement(
        `DELETE FROM revisions WHERE document > ? AND document <= ? AND revision NOT IN (
          SELECT winner FROM documents WHERE key = document
          UNION ALL SELECT value FROM documents d, json_each(d.conflicts) WHERE d.key = document
          UNION ALL SELECT value FROM documents d, json_each(d.deleted_conflicts) WHERE d.key = document
        ) RETURNING attachments`,
      )
      .rows<[attachments: string | null]>(after, upTo);
    this.#removeContents([...rows]);
  }

  #removeContents(rows: readonly [attachments: string | null][]): void {
    for (const [text] of rows) {
      const attachments = attachmentsOf(text);
      if (attachments) this.#storage.contents.remove(attachments);
    }
  }

  /**
   * Finds what storing a revision that another server made would do.
   *
   * @returns undefined if its content is stored already
   * @throws 412 if the attachment of a stub does not exist
   */
  previewReplication({ id, revisions, attachments }: ReplicatedDocument): WritePreview | undefined {
    const existing = this.#storage.find(id);
    if (existing && this.#storage.revision(existing, revisionOf(revisions))) return undefined;
    const { start } = revisions;
    const earlier = () => (existing ? this.#ancestors(existing, revisions) : []);
    const before = () => {
      const [newest] = earlier();
      return newest;
    };
    const resolved = resolveAttachments(id, attachments, {
      earlier,
      revposOf: ({ revpos = 0 }) => (revpos >= 1 && revpos <= start ? revpos : start),
    });
    return { existing, before, resolved };
  }

  /** Yields the stored ancestors of a revision, newest first. */
  *#ancestors(existing: DocumentHead, { start, ids }: Ancestry): Iterable<Revision> {
    for (const [back, hash] of ids.slice(0, maxRevisions).entries()) {
      const stored = back > 0 && this.#storage.revision(existing, formatRevision(start - back, hash));
      if (stored) yield stored;
    }
  }

  /** Adds a revision to the tree of its document, and makes the document the latest change. */
  #store(
    existing: DocumentHead | undefined,
    id: string,
    { start, ids }: Ancestry,
    content: Revision,
    submitted: SubmittedAttachments,
  ): void {
    const {
      contents,
      counts,
      winningRevision,
      revisionsLimit,
      statement,
      revision,
      tree: treeOf,
    } = this.#storage;
    const { tree, removed } = addRevision(
      existing ? treeOf(existing) : [],
      { start, ids },
      content.deleted,
      revisionsLimit(),
    );
    const { winner, deleted, conflicts, deletedConflicts } = leavesOf(tree, winningRevision);
    if (id.startsWith('_design/')) this.#storage.designChanged();
    const position = this.#storage.nextPosition();
    counts.note(existing, { deleted, position });
    // No two changes have the same position, so the key of a document can be its first one.
    const key = existing?.key ?? position;
    statement(
      `INSERT INTO documents (key, id, position, winner, deleted, conflicts, deleted_conflicts, tree)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET position = excluded.position, winner = excluded.winner,
          deleted = excluded.deleted, conflicts = excluded.conflicts,
          deleted_conflicts = excluded.deleted_conflicts, tree = excluded.tree`,
    ).run(
      key,
      bytesOf(id),
      position,
      winner,
      Number(deleted),
      listText(conflicts),
      listText(deletedConflicts),
      JSON.stringify(tree),
    );
    const { attachments } = content;
    if (attachments && !(existing && revision(existing, content.revision)))
      contents.add(attachments, submitted);
    statement(
      `INSERT OR IGNORE INTO revisions (document, revision, deleted, body, attachments)
        VALUES (?, ?, ?, CAST(? AS TEXT), ?)`,
      // Converting a long text to bytes takes sql.js several times longer.
    ).run(
      key,
      content.revision,
      Number(content.deleted),
      Buffer.from(content.body),
      attachmentsText(attachments),
    );
    for (const inner of removed) {
      const rows = statement(
        'DELETE FROM revisions WHERE document = ? AND revision = ? RETURNING attachments',
      ).rows<[attachments: string | null]>(key, inner);
      this.#removeContents([...rows]);
    }
  }
}

/**
 * Resolves the stubs among the attachments of a new revision.
 *
 * @returns undefined if there are no attachments
 * @throws 412 if no earlier revision has the attachment of a stub
 */
function resolveAttachments(
  id: string,
  submitted: SubmittedAttachments,
  { earlier, revposOf }: AttachmentSources,
): Attachments | undefined {
  if (submitted.size === 0) return undefined;
  const resolved = [...submitted].map(([name, attachment]): [string, Attachment] => {
    if ('bytes' in attachment) {
      const { content_type, digest, length, encoding, encoded_length } = attachment;
      const revpos = revposOf(attachment);
      return [name, { content_type, revpos, digest, length, ...(encoding && { encoding, encoded_length }) }];
    }
    for (const revision of earlier()) {
      const attachments = revision?.attachments ?? {};
      const found = Object.hasOwn(attachments, name) ? attachments[name] : undefined;
      if (found && (attachment.revpos ?? found.revpos) === found.revpos) return [name, found];
    }
    throw httpError(412, 'missing_stub', `Invalid attachment stub in ${id} for ${name}`);
  });
  return Object.fromEntries(resolved);
}

/**
 * Finds the leaf that an edit extends. This is the named revision, or the deletion when a deleted document is created
 * again. A new document has none.
 *
 * @returns undefined if the edit is a conflict
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
