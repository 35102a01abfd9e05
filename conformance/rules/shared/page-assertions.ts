/** How much of the feed a response contains: shared by the checks with and without filters (SERVICE 2.5, 4.5). */
import { isDeepStrictEqual } from 'node:util';
import { anInteger, type CheckContext, equalTo, type Feed, mustMatch } from '../../kit.js';

/**
 * Creates the database with one shard if the target has shards: only then it has a total order and one seq per position.
 * If each database has one shard, checks with and without this share their databases.
 */
export function singleShard({ target }: CheckContext): Parameters<CheckContext['createDatabase']>[0] {
  return target.has('total-order') && !target.hasOneShard ? { query: { q: 1 } } : undefined;
}

/** Of a last row that repeats another, either seq is right: see {@link Feed.sent}. */
export function mustHaveSeqOfLastRow({ rows, sent, lastSeq }: Feed): void {
  const last = rows.at(-1);
  if (!last || isDeepStrictEqual(lastSeq, sent.at(-1)?.seq)) return;
  mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last.seq), '$.last_seq');
}

export function mustHavePendingCount({ pending }: Feed): void {
  mustMatch('pending is not a count', pending, anInteger({ min: 0 }), '$.pending');
}

/** Limits the number of pages to about a dozen: more pages are no better evidence. */
export const pageSize = (limit: number, rows: number): number => Math.max(limit, Math.ceil(rows / 12));
