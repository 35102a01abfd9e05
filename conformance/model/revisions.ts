/** The revision tree of one document, as a value: every write gives a new tree. */

/** A JSON object without the members whose names start with `_`. */
export type Body = Readonly<Record<string, unknown>>;

/** What was stored under each name; the bytes in Base64. */
export type Attachments = ReadonlyMap<string, string>;

export interface Revision {
  /** `<generation>-<hash>` */
  readonly rev: string;
  /** The revision that this one was made from; a root has none. */
  readonly parent?: string;
  readonly deleted: boolean;
  /** Missing for an ancestor that is known by name only: replication sends the names of ancestors, not their content. */
  readonly body?: Body;
  /** Missing where there are none. */
  readonly attachments?: Attachments;
}

/** By `rev`, in the order of arrival. A document that was never written has an empty tree. */
export type RevisionTree = ReadonlyMap<string, Revision>;

export const emptyTree: RevisionTree = new Map();

/** How many revisions lead to this one, itself included. */
export function generation(rev: string): number {
  return Number.parseInt(rev, 10);
}

/**
 * The tree with one more revision.
 *
 * @param history the new revision, then its ancestors as far as they are told, newest first.
 */
export function addRevision(
  tree: RevisionTree,
  history: readonly string[],
  content: Pick<Revision, 'deleted' | 'attachments'> & { readonly body: Body },
): RevisionTree {
  const grown = new Map(tree);
  // Oldest first, so that the order of arrival is the order of the generations.
  for (const [index, rev] of [...history.entries()].reverse()) {
    const known = grown.get(rev);
    const told = index === 0 ? content : { deleted: false };
    // What a revision holds never changes: only an ancestor known by name can still learn it.
    if (known?.body) continue;
    grown.set(rev, { rev, parent: known?.parent ?? history[index + 1], ...told });
  }
  return grown;
}

/** The revision, its parent, and so on to the root or to where the history is no longer known; nothing of none. */
export function ancestry(tree: RevisionTree, rev: string | undefined): string[] {
  const line: string[] = [];
  for (let at = rev; at !== undefined; at = tree.get(at)?.parent) line.push(at);
  return line;
}

/** The revisions from which no other was made, the winner first, the best loser next, and so on. */
export function leaves(tree: RevisionTree): Revision[] {
  const parents = new Set([...tree.values()].map((revision) => revision.parent));
  return [...tree.values()].filter((revision) => !parents.has(revision.rev)).sort(byRank);
}

/** The revision that a plain read shows; none for a document that was never written. */
export function winner(tree: RevisionTree): Revision | undefined {
  return leaves(tree)[0];
}

/** The live leaves that do not win: what `conflicts=true` lists. */
export function conflicts(tree: RevisionTree): Revision[] {
  return leaves(tree)
    .slice(1)
    .filter((leaf) => !leaf.deleted);
}

/** Better first: live before deleted, then the longer history, then the greater hash. */
function byRank(a: Revision, b: Revision): number {
  if (a.deleted !== b.deleted) return a.deleted ? 1 : -1;
  const longer = generation(b.rev) - generation(a.rev);
  if (longer !== 0) return longer;
  return a.rev < b.rev ? 1 : -1;
}
