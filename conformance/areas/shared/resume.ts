/** Where and how a check resumes the feed: after the seqs of rows, or after an event. */
import fc from 'fast-check';
import { withQuery, type FeedRequest } from '../../model/feed.js';
import type { Row } from '../../play/feed.js';

/** Indexes of the rows to choose from a long feed, modulo its length. */
export const rowPicks = fc.array(fc.nat({ max: 150 }), { minLength: 4, maxLength: 4 });

/** All rows of a short feed. Of a long one, the first, the last and the picked rows. */
export function sampleRows(rows: readonly Row[], picks: readonly number[]): Row[] {
  if (rows.length <= picks.length + 2) return [...rows];
  const chosen = [0, rows.length - 1, ...picks.map((pick) => pick % rows.length)];
  return [...new Set(chosen)].map((index) => rows[index]!);
}

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
