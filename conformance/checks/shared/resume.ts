/** What checks share that resume from places in a feed. */
import fc from 'fast-check';
import type { Row } from '../../play/feed.js';
import { mustMatch, satisfying } from '../../verdict/matchers.js';

/** Of a long feed only some rows are tried: its ends, and these. */
export const rowPicks = fc.array(fc.nat({ max: 150 }), { minLength: 4, maxLength: 4 });

export function sampleRows(rows: readonly Row[], picks: readonly number[]): Row[] {
  if (rows.length <= picks.length + 2) return [...rows];
  const chosen = [0, rows.length - 1, ...picks.map((pick) => pick % rows.length)];
  return [...new Set(chosen)].map((index) => rows[index]!);
}

export function mustContainIds(
  what: string,
  ids: readonly string[],
  wanted: Iterable<string>,
  since: unknown,
): void {
  const missing = [...wanted].filter((id) => !ids.includes(id));
  const complete = satisfying(
    `rows for ${JSON.stringify(missing)} since ${JSON.stringify(since)}`,
    () => missing.length === 0,
  );
  mustMatch(what, ids, complete, '$.results');
}

export function mustNotContainIds(
  what: string,
  rows: readonly Row[],
  unwanted: ReadonlySet<string>,
  since: unknown,
): void {
  for (const { id, path } of rows) {
    const later = satisfying(`a document changed after ${JSON.stringify(since)}`, () => !unwanted.has(id));
    mustMatch(what, id, later, `${path}.id`);
  }
}
