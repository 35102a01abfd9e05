import type { Candidate, Filter } from '../filters/filter.js';
import type { Batch, Database } from '../store/database.js';
import { winnerOf, type DocumentRow, type Revision } from '../store/tables.js';
import { restOf, RoundReader, type Reader, type Source } from './round-reader.js';
import type { Change, FeedOptions, RowContent } from './rows.js';

/** Each feed holds at most one batch of unsent changes in memory. */
export const batch: Batch = { rows: 500, characters: 256 * 1024 };

/** @throws 400 if `options.start` is not a sequence of the database */
export type OpenReader = (database: Database, options: FeedOptions, filter?: Filter) => Reader<Change>;

export const openReader: OpenReader = (database, options, filter) =>
  new RoundReader(database, options, changeSource(database, options, filter));

/** Reads changes from the tables. */
const changeSource = (database: Database, options: FeedOptions, filter?: Filter): Source<Change> => ({
  async read(range, limit) {
    const { descending, attachments } = options.query;
    // With a filter, rejected changes do not count towards the limit.
    const rows = filter ? batch.rows : Math.min(batch.rows, limit);
    const bodies = readsBodies(options.query, filter);
    const found = database.changes(range, descending, bodies, { ...batch, rows, attachments });
    if (found.length === 0) return undefined;
    return {
      rows: await filterChanges(found, database, options.query, filter),
      rest: restOf(range, found.at(-1)!.position, descending),
    };
  },
});

export const readsBodies = ({ include_docs }: RowContent, filter?: Filter): boolean =>
  include_docs || filter?.needsBodies === true;

/** Call it right after reading the rows, before any write. Rejects as `Filter.accept` does. */
export async function filterChanges(
  found: readonly DocumentRow[],
  database: Database,
  { style, include_docs }: RowContent,
  filter?: Filter,
): Promise<Change[]> {
  const changeOf = (row: DocumentRow, listed: readonly string[]): Change => ({
    ...row,
    seq: database.sequenceOf(row.position),
    listed,
  });
  if (!filter) return found.map((row) => changeOf(row, leavesOf(row, style)));
  const candidates = found.map((row) => candidateOf(row, leavesOf(row, style), database, filter));
  const results = await filter.accept(candidates);
  return found.flatMap((row, index) => {
    const listed = leavesOf(row, style).filter((_, leaf) => results[index]![leaf]);
    if (listed.length === 0) return [];
    return changeOf({ ...row, body: include_docs ? row.body : undefined }, listed);
  });
}

function leavesOf(
  { leaves: { winner, conflicts, deletedConflicts } }: DocumentRow,
  style: RowContent['style'],
): string[] {
  return style === 'all_docs' ? [winner, ...conflicts, ...deletedConflicts] : [winner];
}

function candidateOf(
  row: DocumentRow,
  leaves: readonly string[],
  database: Database,
  { needsBodies }: Filter,
): Candidate {
  const { winner, deletedConflicts } = row.leaves;
  const revisions = leaves.map((revision): Revision => {
    if (revision === winner) return winnerOf(row);
    if (needsBodies) return database.revision(row, revision)!;
    return { revision, deleted: deletedConflicts.includes(revision), body: '' };
  });
  return { head: row, revisions };
}
