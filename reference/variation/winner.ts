import type { Winner } from '../store/revisions.js';

/** The lowest leaf revision by its text, and a live one before deleted ones. */
export const lowestLeaf: Winner = (leaves) => {
  const live = leaves.filter(({ deleted }) => !deleted);
  const [lowest] = (live.length > 0 ? live : leaves).map(({ revision }) => revision).sort();
  return lowest!;
};
