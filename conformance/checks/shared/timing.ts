/** Periods for checks that wait: as short as the target allows. */
import type { LiveFeed } from '../../play/live-feed.js';
import { Violation } from '../../verdict/outcomes.js';
import type { DatabaseClient } from '../../client/client.js';
import type { CheckContext } from '../../check.js';

export interface Periods {
  /** A period of heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /** A timeout in which the kit can write and read a few times. */
  readonly timeoutMs: number;
}

/** Longer than any check waits: a feed that ends of itself when it should not is not hidden by its timeout. */
export const longMs = 50_000;

/** Measures the target's round trip. */
export async function choosePeriods(database: DatabaseClient): Promise<Periods> {
  const trips: number[] = [];
  for (let trip = 0; trip < 3; trip += 1) trips.push((await database.request({ path: '' })).durationMs);
  const tripMs = trips.sort((a, b) => a - b)[1]!;
  return {
    heartbeatMs: Math.ceil(Math.min(Math.max(80, 3 * tripMs), 1000)),
    timeoutMs: Math.ceil(Math.min(Math.max(300, 6 * tripMs), 3000)),
  };
}

/** How much later than its period a feed may end, in the sense of `isInTime`: what ends after three periods is found. */
export const endToleranceMs = (periodMs: number): number => 1.6 * periodMs;

/**
 * The feed has not ended before its time. Nothing makes a timer fire early but for its own coarseness, so this holds
 * on a busy machine as well.
 *
 * @param since when the target began to wait, or a moment before.
 */
export function mustNotEndEarly(what: string, feed: LiveFeed, since: number, periodMs: number): void {
  const { endedAt = Infinity } = feed;
  const lasted = endedAt - since;
  if (lasted >= periodMs - Math.max(10, periodMs / 20)) return;
  throw new Violation(what, {
    path: `the end of the ${feed.request.mode} feed`,
    expected: `${periodMs} ms after it began to wait`,
    actual: `${Math.round(lasted)} ms`,
  });
}

/**
 * Whether the feed is open, which it must be. Takes a round trip: the end of a response may come a moment after all that
 * it holds.
 *
 * @returns false when it has ended, with rows that a target of several copies may give again at any time (SERVICE 4.7
 * rule 4).
 */
export async function mustBeOpen(what: string, feed: LiveFeed, context: CheckContext): Promise<boolean> {
  if (feed.endedAt === undefined) await feed.waitUntilOpen();
  if (feed.endedAt === undefined) return true;
  feed.mustBeAccepted();
  const ids = feed.rows.map(({ id }) => id);
  if (mayRepeatRows(context) && feed.request.mode === 'longpoll' && ids.length > 0) return false;
  throw new Violation(what, {
    path: `the ${feed.request.mode} feed`,
    expected: 'open',
    actual: `ended after ${Math.round(feed.endedAt - feed.sentAt)} ms with rows for ${JSON.stringify(ids)}`,
  });
}

/** Whether the target may give rows from before `since`. */
export const mayRepeatRows = ({ target }: CheckContext): boolean => !target.has('single-copy');
