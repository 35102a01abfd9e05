import { createHash } from 'node:crypto';
import { merge, traverseRevTree, winningRev, type RevisionNode, type RevisionRoot } from 'pouchdb-merge';

/** All that is known of the revisions of one document: several roots when histories do not meet. */
export type RevisionTree = RevisionRoot[];

/** A revision and the revisions that it was made from, newest first: the `_revisions` member of a document. */
export interface Ancestry {
  /** The generation of the first of `ids`. */
  start: number;
  ids: string[];
}

/** The leaves of a revision tree, in the order in which a feed lists them. */
export interface Leaves {
  winner: string;
  /** Whether the winner is a deletion, which makes the document a deleted one. */
  deleted: boolean;
  /** Leaves that are neither the winner nor deleted. */
  conflicts: string[];
  /** Deleted leaves other than the winner. */
  deletedConflicts: string[];
}

// A hash may be anything that a header field can carry between quotes: revisions are entity tags too.
const revisionPattern = /^([1-9][0-9]{0,14})-([!#-~]{1,256})$/;

export function formatRevision(generation: number, hash: string): string {
  return `${generation}-${hash}`;
}

/** @returns undefined when `text` has not the form `<n>-<hash>` */
export function parseRevision(text: string): { generation: number; hash: string } | undefined {
  const match = revisionPattern.exec(text);
  return match ? { generation: Number(match[1]), hash: match[2]! } : undefined;
}

/** The revision whose past this is. */
export function revisionOf({ start, ids }: Ancestry): string {
  return formatRevision(start, ids[0]!);
}

/** The revision that this edit makes. The same edit of the same revision makes the same one everywhere. */
export function nextRevision(
  parent: string | undefined,
  deleted: boolean,
  body: string,
  attachments: string[][] = [],
): string {
  const generation = parent === undefined ? 1 : parseRevision(parent)!.generation + 1;
  const hash = createHash('md5')
    .update(JSON.stringify([parent ?? null, deleted, ...attachments]))
    .update(body)
    .digest('hex');
  return formatRevision(generation, hash);
}

/**
 * Adds a revision with its ancestry to a tree, which it may change in place.
 *
 * @param limit revisions kept on each path from a leaf upwards
 * @returns the new tree and the revisions that the limit removed from it
 */
export function addRevision(
  tree: RevisionTree,
  { start, ids }: Ancestry,
  deleted: boolean,
  limit: number,
): { tree: RevisionTree; removed: string[] } {
  const kept = ids.slice(0, limit);
  let node: RevisionNode | undefined;
  for (const hash of kept) node = [hash, node || !deleted ? {} : { deleted }, node ? [node] : []];
  const path = { pos: start - kept.length + 1, ids: node! };
  const merged = merge(tree, path, limit);
  return { tree: join(merged.tree), removed: merged.stemmedRevs };
}

/**
 * Joins roots that lie on one another's paths. Merging one path leaves such roots apart when the path ties
 * three or more together, and when leaves of different depth are cut to the same limit.
 */
function join(tree: RevisionTree): RevisionTree {
  if (tree.length === 1) return tree;
  let joined: RevisionTree = [];
  for (const root of tree) joined = merge(joined, root, Infinity).tree;
  return joined;
}

/** Chooses the winning revision of a tree: alive before deleted, then the longer history, then the greater hash. */
export type Winner = (tree: RevisionTree) => string;

export const winningRevision: Winner = (tree) => winningRev({ rev_tree: tree });

export function leavesOf(tree: RevisionTree, winningRevision: Winner): Leaves {
  const winner = winningRevision(tree);
  // By name: who sends revisions can give one of them two different pasts.
  const byRevision = new Map<string, { generation: number; hash: string; deleted: boolean }>();
  traverseRevTree(tree, (isLeaf, generation, hash, _, { deleted = false }) => {
    if (isLeaf) byRevision.set(formatRevision(generation, hash), { generation, hash, deleted });
  });
  const leaves = [...byRevision].map(([revision, leaf]) => ({ revision, ...leaf }));
  leaves.sort((a, b) => b.generation - a.generation || (a.hash < b.hash ? 1 : -1));
  const losers = leaves.filter(({ revision }) => revision !== winner);
  return {
    winner,
    deleted: leaves.some(({ revision, deleted }) => revision === winner && deleted),
    conflicts: losers.filter(({ deleted }) => !deleted).map(({ revision }) => revision),
    deletedConflicts: losers.filter(({ deleted }) => deleted).map(({ revision }) => revision),
  };
}

export function revisionsOf(tree: RevisionTree): Set<string> {
  const revisions = new Set<string>();
  traverseRevTree(tree, (_, generation, hash) => void revisions.add(formatRevision(generation, hash)));
  return revisions;
}

/** @returns what is known of the ancestry of a revision, or undefined when the tree does not have it */
export function ancestryOf(tree: RevisionTree, revision: string): Ancestry | undefined {
  interface Step {
    generation: number;
    hash: string;
    parent: Step | undefined;
  }
  let found: Step | undefined;
  traverseRevTree<Step>(tree, (_, generation, hash, parent) => {
    const step = { generation, hash, parent };
    if (formatRevision(generation, hash) === revision) found = step;
    return step;
  });
  if (!found) return undefined;
  const ids: string[] = [];
  for (let step: Step | undefined = found; step; step = step.parent) ids.push(step.hash);
  return { start: found.generation, ids };
}

/** @returns the leaves that were made from a revision; the revision itself when it is a leaf */
export function descendantLeaves(tree: RevisionTree, revision: string): string[] {
  const leaves: string[] = [];
  traverseRevTree<boolean>(tree, (isLeaf, generation, hash, inside) => {
    const current = formatRevision(generation, hash);
    const within = inside === true || current === revision;
    if (isLeaf && within) leaves.push(current);
    return within;
  });
  return leaves;
}
