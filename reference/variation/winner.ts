import { leavesOf, winningRevision, type Winner } from '../store/revisions.js';

/** The lowest leaf revision by its text, and a live one before deleted ones. */
export const lowestLeaf: Winner = (tree) => {
  const { winner, deleted, conflicts, deletedConflicts } = leavesOf(tree, winningRevision);
  const [lowest] = [winner, ...(deleted ? deletedConflicts : conflicts)].sort();
  return lowest!;
};
