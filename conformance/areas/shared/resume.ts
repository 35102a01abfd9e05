/** Chooses the rows from whose seqs a check resumes the feed. */
import fc from 'fast-check';
import type { Row } from '../../play/feed.js';

/** Indexes of the rows to choose from a long feed, modulo its length. */
export const rowPicks = fc.array(fc.nat({ max: 150 }), { minLength: 4, maxLength: 4 });

/** All rows of a short feed. Of a long one, the first, the last and the picked rows. */
export function sampleRows(rows: readonly Row[], picks: readonly number[]): Row[] {
  if (rows.length <= picks.length + 2) return [...rows];
  const chosen = [0, rows.length - 1, ...picks.map((pick) => pick % rows.length)];
  return [...new Set(chosen)].map((index) => rows[index]!);
}
