/** Compares a feed that stays open with normal mode. */
import { isDeepStrictEqual } from 'node:util';
import {
  changedIds,
  type CheckContext,
  comparableRow,
  type DatabaseClient,
  type DatabaseState,
  type LiveFeed,
  type LiveRequest,
  readFeed,
  type Row,
  type Start,
  Violation,
  withQuery,
} from '../../kit.js';
import { mayRepeatRows } from './timing.js';

/** The value of `since` that skips all existing changes. It is `now` if a seq may repeat rows and the target has it. */
export async function sinceFor(
  context: CheckContext,
  database: DatabaseClient,
  start: Start,
): Promise<unknown> {
  const now = { query: { since: 'now' } };
  const isNow = context.target.feed.supports(now) && (start === 'now' || mayRepeatRows(context));
  return isNow ? 'now' : (await readFeed(database)).lastSeq;
}

/** Whether the last row of each document equals the expected row, except for its seq. */
export function hasRows(feed: LiveFeed, expected: readonly Row[]): boolean {
  const latest = new Map(feed.rows.map((row) => [row.id, row]));
  return expected.every((row) => {
    const received = latest.get(row.id);
    return received !== undefined && isDeepStrictEqual(comparableRow(received), comparableRow(row));
  });
}

/** The rows in normal mode of the documents that were changed between the two states. */
export async function readChangedRows(
  database: DatabaseClient,
  request: LiveRequest,
  before: DatabaseState,
  after: DatabaseState,
): Promise<Row[]> {
  const changed = changedIds(before, after);
  const { rows } = await readFeed(database, withQuery(request, { since: undefined }));
  return rows.filter(({ id }) => changed.has(id));
}

/** A feed that starts after all existing changes has no row of a document that was not changed since. */
export function mustSkipExisting(feed: LiveFeed, changed: ReadonlySet<string>, context: CheckContext): void {
  const existing = feed.rows.find(({ id }) => !changed.has(id));
  if (existing === undefined || mayRepeatRows(context)) return;
  throw new Violation('The feed returns an existing change although it starts after it', {
    path: `${existing.path}.id`,
    expected: `one of ${JSON.stringify([...changed])}`,
    actual: existing.id,
  });
}
