/** Durations for checks that wait, and assertions about when a feed ends. */
import {
  type CheckContext,
  type DatabaseClient,
  earlyToleranceMs,
  type FeedMode,
  type LiveFeed,
  must,
} from '../../kit.js';

export interface Periods {
  /** A heartbeat period. */
  readonly heartbeatMs: number;
  /** A timeout during which the suite can write and read a few times. */
  readonly timeoutMs: number;
}

/** A timeout longer than any check waits, so that it cannot explain why a feed ends. */
export const longTimeoutMs = 50_000;

/** A default of `timeout` that is short, but so long that a feed does not end at this time by chance. */
export const shortDefaultMs = 700;

/** Checks with the same settings run concurrently. */
export const shortDefault = { 'chttpd/changes_timeout': String(shortDefaultMs) };

/** The number of cases of checks that write while a feed is open: such a case takes dozens of requests. */
export const liveCases = { default: 6, thorough: 100 };

const shortest: Periods = { heartbeatMs: 80, timeoutMs: 300 };

/** Number of round trips in a row that must be fast, and of all that are measured if they are not. */
const trips = { inARow: 3, atMost: 9 };

/**
 * Chooses periods that are as short as the round-trip time of the target allows. The slowest of some round trips in a row
 * decides: on a busy machine every timer fires late, so heartbeats that are too frequent could seem to keep a short
 * period. While many checks start at once, round trips are slow for a moment only, so more of them are measured.
 */
export async function choosePeriods(database: DatabaseClient): Promise<Periods> {
  const durations: number[] = [];
  let slowestMs = Infinity;
  while (durations.length < trips.atMost && 6 * slowestMs > shortest.timeoutMs) {
    durations.push((await database.request({ path: '' })).durationMs);
    const last = durations.slice(-trips.inARow);
    if (last.length === trips.inARow) slowestMs = Math.min(slowestMs, Math.max(...last));
  }
  return {
    heartbeatMs: Math.ceil(Math.min(Math.max(shortest.heartbeatMs, 3 * slowestMs), 1000)),
    timeoutMs: Math.ceil(Math.min(Math.max(shortest.timeoutMs, 6 * slowestMs), 3000)),
  };
}

/**
 * The feed must not have ended before its time. This is measured on the clock of this machine and reliable even on a
 * busy one: a load can delay a timer of the target, but not make it fire early.
 *
 * @param since when the target began to wait, or a moment before.
 */
export function mustNotEndEarly(what: string, feed: LiveFeed, since: number, periodMs: number): void {
  feed.mustBeAccepted();
  const { endedAt = Infinity } = feed;
  const lasted = endedAt - since;
  must(lasted >= periodMs - earlyToleranceMs(periodMs), what, {
    ...feed.place,
    path: `the end of the ${feed.request.mode} feed`,
    expected: `${periodMs} ms after it began to wait`,
    actual: `${Math.round(lasted)} ms`,
  });
}

/**
 * The feed must be open. Waits for a round trip, since the end of a response may arrive a moment after its content.
 *
 * @returns whether later writes must arrive: see {@link LiveFeed.waitUntilOpen}. Nor must they if a long poll has ended
 * with rows that a target with several copies may repeat at any time (SERVICE 4.7 rule 4).
 */
export async function mustBeOpen(what: string, feed: LiveFeed, context: CheckContext): Promise<boolean> {
  const mustDeliver = feed.endedAt === undefined && (await feed.waitUntilOpen());
  if (feed.endedAt === undefined) return mustDeliver;
  feed.mustBeAccepted();
  const ids = feed.rows.map(({ id }) => id);
  const isRepetition = mayRepeatRows(context) && feed.request.mode === 'longpoll' && ids.length > 0;
  must(isRepetition, what, {
    ...feed.place,
    expected: 'open',
    actual: `ended after ${Math.round(feed.endedAt - feed.sentAt)} ms with rows for ${JSON.stringify(ids)}`,
  });
  return false;
}

/** Those of the modes that the target has. Throws LaterFeature or LackingFeature if it has none. */
export const modesOf = <Mode extends FeedMode>(
  { target }: CheckContext,
  modes: readonly Mode[],
): readonly Mode[] => target.feed.supported(modes, (feed) => ({ query: { feed } }));

/** Whether the target may return rows from before `since` (SERVICE 4.7 rule 4). */
export const mayRepeatRows = ({ target }: CheckContext): boolean => !target.has('single-copy');
