import { merge, traverseRevTree } from 'pouchdb-merge';
import { hashBytes } from './revision-hash.js';

/** A revision: its hash, whether it is a deletion, and its children. */
export type RevisionNode = [hash: string, known: { deleted?: true }, children: RevisionNode[]];

/** A root of a revision tree. */
export interface RevisionRoot {
  /** Generation of the root. */
  pos: number;
  ids: RevisionNode;
}

/** The known revisions of one document. There are several roots if histories have no common revision. */
export type RevisionTree = RevisionRoot[];

/**
 * Maximum number of revisions on each path of a tree. JavaScript cannot write trees that are several times as deep as
 * this, and two such paths can become one.
 */
export const maxRevisions = 1000;

/** A revision and its ancestors, newest first: the `_revisions` member of a document. */
export interface Ancestry {
  /** Generation of the first ID. */
  start: number;
  ids: string[];
}

/** The leaves of a revision tree, in the order of the feed. */
export interface Leaves {
  winner: string;
  /** Whether the winner is a deletion. The document is deleted then. */
  deleted: boolean;
  /** Leaves other than the winner that are not deleted. */
  conflicts: string[];
  /** Deleted leaves other than the winner. */
  deletedConflicts: string[];
}

// Revisions are used as entity tags, so hashes are restricted to characters that are allowed in header fields.
// As in CouchDB, a hash can be empty.
const revisionPattern = /^([1-9][0-9]{0,14})-([!#-~]{0,256})$/;

export function formatRevision(generation: number, hash: string): string {
  return `${generation}-${hash}`;
}

/** @returns undefined if `text` does not have the form `<n>-<hash>` */
export function parseRevision(text: string): { generation: number; hash: string } | undefined {
  const match = revisionPattern.exec(text);
  return match ? { generation: Number(match[1]), hash: match[2]! } : undefined;
}

/** A hash as servers make it. */
const fullHash = /^[0-9a-f]{32}$/i;

/**
 * Parses a revision that a client sends. As in CouchDB, a hash of 32 characters is hexadecimal and has no case.
 *
 * @returns undefined if `text` is not a revision
 */
export function parseSentRevision(text: string): ReturnType<typeof parseRevision> {
  const parsed = parseRevision(text);
  if (parsed?.hash.length !== 32) return parsed;
  return fullHash.test(parsed.hash) ? { ...parsed, hash: parsed.hash.toLowerCase() } : undefined;
}

/** The revision that a client asks for, in the form in which it would be stored. */
export function storedForm(text: string): string {
  const parsed = parseSentRevision(text);
  return parsed ? formatRevision(parsed.generation, parsed.hash) : text;
}

/** Returns the newest revision of an ancestry. */
export function revisionOf({ start, ids }: Ancestry): string {
  return formatRevision(start, ids[0]!);
}

/**
 * Adds a revision with its ancestry to a tree. May modify `tree`.
 *
 * @param limit maximum number of revisions on each path from a leaf to the root
 * @returns the new tree, and the revisions that were removed because of the limit
 */
export function addRevision(
  tree: RevisionTree,
  { start, ids }: Ancestry,
  deleted: boolean,
  limit: number,
): { tree: RevisionTree; removed: string[] } {
  // A limit that cuts the sent path could cut it off the tree.
  const kept = ids.slice(0, maxRevisions);
  let node: RevisionNode | undefined;
  for (const hash of kept) node = [hash, node || !deleted ? {} : { deleted }, node ? [node] : []];
  const path = { pos: start - kept.length + 1, ids: node! };
  const merged = merge(tree, path, limit);
  return { tree: join(merged.tree), removed: merged.stemmedRevs };
}

/**
 * Merges roots that are part of another root's paths. pouchdb-merge leaves them separate if a path connects three or
 * more of them, or if paths of different lengths are cut to the limit.
 */
function join(tree: RevisionTree): RevisionTree {
  if (!hasConnectedRoots(tree)) return tree;
  let joined: RevisionTree = [];
  for (const root of tree) joined = merge(joined, root, Infinity).tree;
  return joined;
}

/** Whether a root is also part of the paths of another root. */
function hasConnectedRoots(tree: RevisionTree): boolean {
  if (tree.length === 1) return false;
  const visits = new Map<string, number>();
  traverseRevTree(tree, (_, generation, hash) => {
    const revision = formatRevision(generation, hash);
    visits.set(revision, (visits.get(revision) ?? 0) + 1);
  });
  return tree.some(({ pos, ids: [hash] }) => visits.get(formatRevision(pos, hash))! > 1);
}

interface Leaf {
  readonly revision: string;
  readonly generation: number;
  /** The hash, as CouchDB compares it. */
  readonly bytes: string;
  readonly deleted: boolean;
}

/** Longer paths first, then greater hashes. */
function sortedLeaves(tree: RevisionTree): Leaf[] {
  // A map, because replicated revisions can appear twice in the tree, with different ancestors.
  const byRevision = new Map<string, Leaf>();
  traverseRevTree(tree, (isLeaf, generation, hash, _, { deleted = false }) => {
    if (!isLeaf) return;
    const revision = formatRevision(generation, hash);
    byRevision.set(revision, { revision, generation, bytes: hashBytes(hash), deleted });
  });
  const leaves = [...byRevision.values()];
  return leaves.sort((a, b) => b.generation - a.generation || (a.bytes < b.bytes ? 1 : -1));
}

/** Selects the winning revision among sorted leaves. */
export type Winner = (leaves: readonly Pick<Leaf, 'revision' | 'deleted'>[]) => string;

/** Not deleted before deleted, then the longer path, then the greater hash. */
export const winningRevision: Winner = (leaves) =>
  (leaves.find(({ deleted }) => !deleted) ?? leaves[0]!).revision;

export function leavesOf(tree: RevisionTree, winningRevision: Winner): Leaves {
  const leaves = sortedLeaves(tree);
  const winner = winningRevision(leaves);
  const others = leaves.filter(({ revision }) => revision !== winner);
  return {
    winner,
    deleted: leaves.some(({ revision, deleted }) => revision === winner && deleted),
    conflicts: others.filter(({ deleted }) => !deleted).map(({ revision }) => revision),
    deletedConflicts: others.filter(({ deleted }) => deleted).map(({ revision }) => revision),
  };
}

/** Returns all revisions in a tree, with or without stored content. */
export function revisionsOf(tree: RevisionTree): Set<string> {
  const revisions = new Set<string>();
  traverseRevTree(tree, (_, generation, hash) => void revisions.add(formatRevision(generation, hash)));
  return revisions;
}

/** @returns the known ancestry of a revision; undefined if the revision is not in the tree */
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

/** @returns the leaves that descend from a revision, or the revision itself if it is a leaf */
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
