/** The revision tree of one document. Trees are immutable: every write returns a new tree. */

/** A JSON object without members whose names start with `_`. */
export type Body = Readonly<Record<string, unknown>>;

/** The content of each attachment in Base64, by name. */
export type Attachments = ReadonlyMap<string, string>;

export interface Revision {
  /** `<generation>-<hash>` */
  readonly rev: string;
  /** The revision that this one replaced; a root has none. */
  readonly parent?: string;
  readonly deleted: boolean;
  /** Missing for an ancestor whose content is unknown: replication sends only the ids of ancestors. */
  readonly body?: Body;
  /** Missing if there are none. */
  readonly attachments?: Attachments;
  /** Whether the target lets this leaf win: see {@link withWinner}. */
  readonly wins?: boolean;
}

/** Revisions by `rev`, in the order of arrival. A document that was never written has an empty tree. */
export type RevisionTree = ReadonlyMap<string, Revision>;

export const emptyTree: RevisionTree = new Map();

/** The number before the hash: the length of the path from the root to this revision. */
export function generation(rev: string): number {
  return Number.parseInt(rev, 10);
}

/**
 * Returns the tree with one more revision.
 *
 * @param history the new revision, followed by its known ancestors, newest first.
 */
export function addRevision(
  tree: RevisionTree,
  history: readonly string[],
  content: Pick<Revision, 'deleted' | 'attachments'> & { readonly body: Body },
): RevisionTree {
  const grown = new Map(tree);
  // Oldest first, so that the order of arrival is the order of the generations.
  for (const [index, rev] of [...history.entries()].reverse()) {
    const existing = grown.get(rev);
    // Content never changes: only an ancestor whose content is unknown can still receive it.
    if (existing?.body) continue;
    const added = index === 0 ? content : { deleted: false };
    grown.set(rev, { rev, parent: existing?.parent ?? history[index + 1], ...added });
  }
  return grown;
}

/** The revision, its parent, and so on up to the oldest known ancestor. Empty if there is no revision. */
export function ancestry(tree: RevisionTree, rev: string | undefined): string[] {
  const path: string[] = [];
  for (let at = rev; at !== undefined; at = tree.get(at)?.parent) path.push(at);
  return path;
}

/** The leaf revisions, best first: the first one is the winning revision. */
export function leaves(tree: RevisionTree): Revision[] {
  const parents = new Set([...tree.values()].map((revision) => revision.parent));
  return [...tree.values()].filter((revision) => !parents.has(revision.rev)).sort(byRank);
}

/** The winning revision, which a plain read returns; none for a document that was never written. */
export function winner(tree: RevisionTree): Revision | undefined {
  return leaves(tree)[0];
}

/**
 * The tree with the leaf that the target lets win, since the service document does not say which one wins. Without it,
 * the same leaf wins as in CouchDB.
 */
export function withWinner(tree: RevisionTree, winner: unknown): RevisionTree {
  return new Map([...tree].map(([rev, revision]) => [rev, { ...revision, wins: rev === winner }]));
}

/** The live leaves other than the winning revision, as `conflicts=true` lists them. */
export function conflicts(tree: RevisionTree): Revision[] {
  return leaves(tree)
    .slice(1)
    .filter((leaf) => !leaf.deleted);
}

/** Sorts best first: the one that wins in the target, live before deleted, then the higher generation, then the greater hash. */
function byRank(a: Revision, b: Revision): number {
  if (a.wins || b.wins) return a.wins ? -1 : 1;
  if (a.deleted !== b.deleted) return a.deleted ? 1 : -1;
  const longer = generation(b.rev) - generation(a.rev);
  if (longer !== 0) return longer;
  return a.rev < b.rev ? 1 : -1;
}
