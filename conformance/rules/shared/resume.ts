/** Where and how a check resumes the feed: after the seqs of rows, or after an event. */
import fc from 'fast-check';
import { Violation } from '../../engine/outcomes.js';
import {
  type DatabaseClient,
  type Feed,
  type FeedRequest,
  feedOf,
  requestFeed,
  type Row,
  withQuery,
} from '../../kit.js';

/** Indexes of the rows to choose from a long feed, modulo its length. */
export const rowPicks = fc.array(fc.nat({ max: 150 }), { minLength: 4, maxLength: 4 });

/** All rows of a short feed. Of a long one, the first, the last and the picked rows. */
export function sampleRows(rows: readonly Row[], picks: readonly number[]): Row[] {
  if (rows.length <= picks.length + 2) return [...rows];
  const chosen = [0, rows.length - 1, ...picks.map((pick) => pick % rows.length)];
  return [...new Set(chosen)].map((index) => rows[index]!);
}

/**
 * Judges a filter after `since`. What the feed loses there without a filter as well is a matter of the rules about `since`,
 * so the filter is judged without that.
 *
 * @param changed the documents that changed after `since`
 */
export async function judgeAfter(
  database: DatabaseClient,
  since: unknown,
  changed: ReadonlySet<string>,
  judge: (changed: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  try {
    await judge(changed);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const { ids } = feedOf(await requestFeed(database, { query: { since }, background: true }));
    const shown = new Set(ids.filter((id) => changed.has(id)));
    if (shown.size === changed.size) throw error;
    await judge(shown);
  }
}

/** The ids of the rows up to one that have no later row, and of the later rows that say something new. */
export interface RowsAround {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export function aroundRow({ rows, ids, sent }: Feed, row: Row): RowsAround {
  const next = sent.indexOf(row) + 1;
  const later = new Set(sent.slice(next).map(({ id }) => id));
  return {
    before: sent.slice(0, next).flatMap(({ id }) => (later.has(id) ? [] : [id])),
    after: ids.slice(rows.indexOf(row) + 1),
  };
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
