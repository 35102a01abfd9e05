/**
 * Histories: what is done to a database, told without the revisions that the server will choose. A write names the
 * revision it builds on by a number, which is resolved against the tree as it is at that moment. So a history can be
 * generated before it is played, means something on every server, and still does when parts of it are taken away.
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
  /** The bytes in Base64. */
  readonly data: string;
}

/** What every write holds. */
interface Content {
  readonly body: Body;
  /** Of different names. A deletion has none, whatever is here. */
  readonly attachments?: readonly NewAttachment[];
}

/** Written in the ordinary way; the server chooses the revision. */
export interface Edit extends Content {
  /**
   * `put` updates a live leaf, or creates the document where no leaf is live. `delete` deletes a live leaf, with the
   * body as what the tombstone holds, and does nothing where none is live.
   */
  readonly kind: 'put' | 'delete';
  /** Which live leaf: 0 is the winner, 1 the best loser, and so on round. */
  readonly leaf: number;
  /** Whether the attachments of that leaf stay, unless there are new ones of their names. */
  readonly keeps?: boolean;
}

/** Written as replication does (`new_edits: false`): the revision is given, and can open a conflict anywhere. */
export interface Graft extends Content {
  readonly kind: 'graft';
  /** What the branch grows from: 0 nothing (a new root), 1 the revision that arrived first, and so on round. */
  readonly from: number;
  /**
   * One for each new revision on the branch, oldest first: the leading hexadecimal digit of its hash, 0 to 15, which
   * decides between branches of one length. All but the last revision are sent by name only.
   */
  readonly ranks: readonly number[];
  readonly deleted: boolean;
}

export type Write = Edit | Graft;

/** What is done to one document, in this order. */
export interface Life {
  readonly id: string;
  readonly writes: readonly Write[];
}

/** The lives of different documents; how they interleave is left to the player. */
export type History = readonly Life[];

/** What a database holds, by document id. */
export type DatabaseState = ReadonlyMap<string, RevisionTree>;

export const emptyState: DatabaseState = new Map();

/** A write that is ready to be sent. */
export interface PlannedWrite {
  readonly newEdits: boolean;
  /** The document as `_bulk_docs` takes it. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The tree after the write. An edit needs the revision that the server answered with. */
  grow(rev?: string): RevisionTree;
}

/** Resolves a write against the tree; nothing where the write has nothing to do. */
export function planWrite(id: string, tree: RevisionTree, write: Write): PlannedWrite | undefined {
  return write.kind === 'graft' ? planGraft(id, tree, write) : planEdit(id, tree, write);
}

function planEdit(id: string, tree: RevisionTree, edit: Edit): PlannedWrite | undefined {
  const { kind, leaf, body, keeps = false } = edit;
  const live = leaves(tree).filter((revision) => !revision.deleted);
  const deleted = kind === 'delete';
  if (deleted && live.length === 0) return undefined;
  // The remainder by 0 is no index: where no leaf is live there is none to build on.
  const base = live[leaf % live.length];
  const parent = base?.rev;
  const kept = keeps && !deleted ? base?.attachments : undefined;
  const { sent, stored } = attached(edit, deleted, kept);
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
      if (rev === undefined) throw new Error('an edit needs the revision that the server gave it');
      const from = parent ?? recreatedFrom(tree, rev);
      return addRevision(tree, [rev, ...ancestry(tree, from)], { deleted, body, ...stored });
    },
  };
}

/**
 * The service document does not say where a document that is created again takes up: a server may continue the
 * deleted winner, as CouchDB does, or begin anew. The generation it answers with tells which.
 */
function recreatedFrom(tree: RevisionTree, rev: string): string | undefined {
  return generation(rev) === 1 ? undefined : winner(tree)?.rev;
}

function planGraft(id: string, tree: RevisionTree, graft: Graft): PlannedWrite {
  const { from, ranks, deleted, body } = graft;
  const { sent, stored } = attached(graft, deleted);
  const parent = [undefined, ...tree.keys()][from % (tree.size + 1)];
  const first = parent === undefined ? 1 : generation(parent) + 1;
  const branch = ranks.map((rank, step) => `${first + step}-${graftedHash(rank, tree.size + step)}`);
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

/** The attachments of a new revision: how they are sent, and what they are then. Those that are kept go as stubs. */
function attached(
  { attachments = [] }: Content,
  deleted: boolean,
  kept: Attachments = new Map(),
): { sent?: { _attachments: object }; stored?: { attachments: Attachments } } {
  const brought = deleted ? [] : attachments;
  const all = new Map([...kept, ...brought.map(({ name, data }) => [name, data] as const)]);
  if (all.size === 0) return {};
  const _attachments: Record<string, object> = {};
  for (const name of kept.keys()) _attachments[name] = { stub: true };
  for (const { name, type, data } of brought) _attachments[name] = { content_type: type, data };
  return { sent: { _attachments }, stored: { attachments: all } };
}

/** 32 hexadecimal digits, as real servers make them: the rank, then a number that no other graft of the tree has. */
function graftedHash(rank: number, serial: number): string {
  return rank.toString(16) + serial.toString(16).padStart(31, '0');
}

/** The ids of the documents that were written between the two states. */
export function changedIds(before: DatabaseState, after: DatabaseState): Set<string> {
  const written = [...after].filter(([id, tree]) => tree.size !== (before.get(id) ?? emptyTree).size);
  return new Set(written.map(([id]) => id));
}
