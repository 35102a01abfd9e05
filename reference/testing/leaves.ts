import type { Leaves } from '../store/revisions.js';

/** A revision that arrives with some of its ancestors. */
export interface Arrival {
  /** The revision, then its ancestors, newest first. */
  readonly path: readonly string[];
  readonly deleted: boolean;
}

/** Computes the leaves of a document from the pairs of parent and child, without a tree. */
export function expectedLeaves(arrivals: readonly Arrival[]): Leaves {
  const states = new Map<string, boolean>();
  const parents = new Set<string>();
  for (const { path, deleted } of arrivals) {
    const [revision, ...ancestors] = path as [string, ...string[]];
    if (!states.has(revision)) states.set(revision, deleted);
    for (const ancestor of ancestors) parents.add(ancestor);
  }
  const isDeleted = (revision: string): boolean => states.get(revision)!;
  const rank = (revision: string): string => {
    const [generation, hash] = revision.split('-') as [string, string];
    // A hash of 32 hexadecimal digits counts as the 16 bytes that it stands for, any other as its text.
    const bytes = hash.length === 32 ? hash : Buffer.from(hash).toString('hex');
    return `${isDeleted(revision) ? 0 : 1} ${generation.padStart(4, '0')} ${bytes}`;
  };
  const leaves = [...states.keys()].filter((revision) => !parents.has(revision));
  const [winner, ...losers] = leaves.sort((a, b) => (rank(a) < rank(b) ? 1 : -1)) as [string, ...string[]];
  return {
    winner,
    deleted: isDeleted(winner),
    conflicts: losers.filter((revision) => !isDeleted(revision)),
    deletedConflicts: losers.filter(isDeleted),
  };
}
