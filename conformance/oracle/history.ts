/**
 * Histories: the writes to a database, without the revisions that the server will choose. A write identifies the
 * revision it builds on by an index, which is resolved against the tree at the time of the write. A history can thus
 * be generated before it is played, works on every server, and stays valid when fast-check removes parts of it.
 */
import {
  addRevision,
  ancestry,
  emptyTree,
  generation,
  leaves,
  winner,
  type Attachments,
  type Body,
  type RevisionTree,
} from './revisions.js';

/** An attachment that is written with a document. */
export interface NewAttachment {
  readonly name: string;
  readonly type: string;
  /** The content in Base64. */
  readonly data: string;
}

/** What a write stores. */
export interface Content {
  readonly body: Body;
  /** Names are unique. A deletion ignores attachments. */
  readonly attachments?: readonly NewAttachment[];
}

/** An ordinary write: the server chooses the revision. */
export interface Edit extends Content {
  /**
   * `put` updates a live leaf, or creates the document if no leaf is live. `delete` deletes a live leaf and stores the
   * body in the tombstone; it does nothing if no leaf is live.
   */
  readonly kind: 'put' | 'delete';
  /** Index of a live leaf, modulo their number: 0 is the winning revision, 1 the first conflict, and so on. */
  readonly leaf: number;
  /** Keeps the attachments of the leaf, except those that a new attachment of the same name replaces. */
  readonly keepAttachments?: boolean;
}

/** A write with `new_edits: false`, as a replicator sends it: it brings its revisions, and can create a conflict. */
export interface ReplicatedWrite extends Content {
  readonly kind: 'replicate';
  /** The parent of the new branch, modulo the tree size plus one: 0 is none (a new root), 1 the first revision, and so on. */
  readonly parent: number;
  /**
   * One entry for each new revision, oldest first: the leading hexadecimal digit (0 to 15) of its hash, which decides
   * between branches of the same length. Only the last revision is sent with its content.
   */
  readonly hashDigits: readonly number[];
  readonly deleted: boolean;
}

export type Write = Edit | ReplicatedWrite;

/** The writes to one document, in order. */
export interface DocumentHistory {
  readonly id: string;
  readonly writes: readonly Write[];
}

/** The histories of different documents. The player chooses how they interleave. */
export type History = readonly DocumentHistory[];

/** A document that is written once. */
export const newDocument = (id: string, body: Body = {}): DocumentHistory => ({
  id,
  writes: [{ kind: 'put', leaf: 0, body }],
});

/** The content of a database, by document id. */
export type DatabaseState = ReadonlyMap<string, RevisionTree>;

export const emptyState: DatabaseState = new Map();

/** A write that is ready to be sent. */
export interface PlannedWrite {
  readonly newEdits: boolean;
  /** The document as `_bulk_docs` takes it. */
  readonly document: Readonly<Record<string, unknown>> & { readonly _id: string };
  /**
   * Returns the tree after the write.
   *
   * @param rev the revision in the server's response; required for an {@link Edit}.
   */
  grow(rev?: string): RevisionTree;
}

/** Resolves a write against the tree. Returns nothing if the write has no effect. */
export function planWrite(id: string, tree: RevisionTree, write: Write): PlannedWrite | undefined {
  return write.kind === 'replicate' ? planReplicated(id, tree, write) : planEdit(id, tree, write);
}

function planEdit(id: string, tree: RevisionTree, edit: Edit): PlannedWrite | undefined {
  const { kind, leaf, body, keepAttachments = false } = edit;
  const live = leaves(tree).filter((revision) => !revision.deleted);
  const deleted = kind === 'delete';
  if (deleted && live.length === 0) return undefined;
  // Without live leaves the index is NaN, so there is no base.
  const base = live[leaf % live.length];
  const parent = base?.rev;
  const kept = keepAttachments && !deleted ? base?.attachments : undefined;
  const { sent, stored } = attachmentsOf(edit, deleted, kept);
  return {
    newEdits: true,
    document: {
      ...body,
      _id: id,
      ...(parent !== undefined && { _rev: parent }),
      ...(deleted && { _deleted: true }),
      ...sent,
    },
    grow(rev) {
      if (rev === undefined) throw new Error('An edit needs the revision from the server response.');
      const from = parent ?? recreatedFrom(tree, rev);
      return addRevision(tree, [rev, ...ancestry(tree, from)], { deleted, body, ...stored });
    },
  };
}

/**
 * The service document does not define the parent of a document that is created again: a server may continue the
 * deleted winning revision, as CouchDB does, or start a new root. The generation in its response shows which.
 */
function recreatedFrom(tree: RevisionTree, rev: string): string | undefined {
  return generation(rev) === 1 ? undefined : winner(tree)?.rev;
}

function planReplicated(id: string, tree: RevisionTree, write: ReplicatedWrite): PlannedWrite {
  const { hashDigits, deleted, body } = write;
  const { sent, stored } = attachmentsOf(write, deleted);
  const parent = parentOf(tree, write);
  const first = parent === undefined ? 1 : generation(parent) + 1;
  const branch = hashDigits.map(
    (digit, index) => `${first + index}-${replicatedHash(digit, tree.size + index)}`,
  );
  const history = [...branch.reverse(), ...ancestry(tree, parent)];
  return {
    newEdits: false,
    document: {
      ...body,
      _id: id,
      _rev: history[0],
      _revisions: {
        start: generation(history[0]!),
        ids: history.map((rev) => rev.slice(rev.indexOf('-') + 1)),
      },
      ...(deleted && { _deleted: true }),
      ...sent,
    },
    grow: () => addRevision(tree, history, { deleted, body, ...stored }),
  };
}

/** The revision that a replicated write continues; none if it begins a new branch. */
export const parentOf = (tree: RevisionTree, { parent }: ReplicatedWrite): string | undefined =>
  [undefined, ...tree.keys()][parent % (tree.size + 1)];

/** The attachments of a new revision in the forms sent to the server and stored in the tree. Kept ones are sent as stubs. */
function attachmentsOf(
  { attachments = [] }: Content,
  deleted: boolean,
  kept: Attachments = new Map(),
): { sent?: { _attachments: object }; stored?: { attachments: Attachments } } {
  const added = deleted ? [] : attachments;
  const all = new Map([...kept, ...added.map(({ name, data }) => [name, data] as const)]);
  if (all.size === 0) return {};
  const _attachments: Record<string, object> = {};
  for (const name of kept.keys()) _attachments[name] = { stub: true };
  for (const { name, type, data } of added) _attachments[name] = { content_type: type, data };
  return { sent: { _attachments }, stored: { attachments: all } };
}

/** 32 hexadecimal digits, as CouchDB uses: the leading digit, then a number that is unique in the tree. */
function replicatedHash(digit: number, serial: number): string {
  return digit.toString(16) + serial.toString(16).padStart(31, '0');
}

/** The ids of the documents that were written between the two states. */
export function changedIds(before: DatabaseState, after: DatabaseState): Set<string> {
  const written = [...after].filter(([id, tree]) => tree.size !== (before.get(id) ?? emptyTree).size);
  return new Set(written.map(([id]) => id));
}
