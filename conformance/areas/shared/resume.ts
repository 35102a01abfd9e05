/** Where and how a check resumes the feed: after the seqs of rows, or after an event. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { withQuery, type FeedRequest } from '../../model/feed.js';
import type { DatabaseClient } from '../../http/client.js';
import { comparableRow, readFeed, type Feed, type Row } from '../../play/feed.js';

/** Indexes of the rows to choose from a long feed, modulo its length. */
export const rowPicks = fc.array(fc.nat({ max: 150 }), { minLength: 4, maxLength: 4 });

/** All rows of a short feed. Of a long one, the first, the last and the picked rows. */
export function sampleRows(rows: readonly Row[], picks: readonly number[]): Row[] {
  if (rows.length <= picks.length + 2) return [...rows];
  const chosen = [0, rows.length - 1, ...picks.map((pick) => pick % rows.length)];
  return [...new Set(chosen)].map((index) => rows[index]!);
}

/** The ids of the rows up to one that have no later row, and of the later rows that say something new. */
export interface RowsAround {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** @param row one of {@link withoutRepeats} */
export function aroundRow({ rows, ids }: Feed, row: Row): RowsAround {
  const next = rows.indexOf(row) + 1;
  const distinct = withoutRepeats(rows);
  return {
    before: ids.slice(0, next).filter((id) => !ids.includes(id, next)),
    after: distinct.slice(distinct.indexOf(row) + 1).map(({ id }) => id),
  };
}

/**
 * The rows that say something new. A target that sends a row twice breaks feed-one-row; the position of the other row is
 * as good as that of the first, and who has read the first loses nothing without the other.
 */
export const withoutRepeats = (rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => !rows.slice(0, index).some((earlier) => isRepeat(row, earlier)));

/** The rows with which other responses are compared. */
export async function readWithoutRepeats(database: DatabaseClient, request?: FeedRequest): Promise<Row[]> {
  return withoutRepeats((await readFeed(database, request)).rows);
}

const isRepeat = (row: Row, earlier: Row): boolean =>
  row.id === earlier.id && isDeepStrictEqual(comparableRow(row), comparableRow(earlier));

/** A way to name the event that a feed starts after; those in the query come before or after `since`. */
export type EventNaming = 'header' | 'last-event-id after since' | 'last-event-id before since';

/** The request with the id of an event, in each way. */
export function requestsAfterEvent(
  request: FeedRequest,
  eventId: string,
  since: unknown,
): Readonly<Record<EventNaming, FeedRequest>> {
  const event = { 'last-event-id': eventId };
  return {
    header: { ...withQuery(request, { since }), headers: { 'Last-Event-ID': eventId } },
    'last-event-id after since': withQuery(request, { since, ...event }),
    'last-event-id before since': withQuery(request, { ...event, since }),
  };
}
