/** The timeout of continuous feeds and event streams (SERVICE 4.5, 4.7 rule 1). */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  allSettledOrThrow,
  type CheckContext,
  type CheckDefinition,
  type DatabaseClient,
  type DocumentHistory,
  existingContents,
  type FeedRequest,
  forAll,
  Inconclusive,
  type LiveFeed,
  liveRequests,
  playNew,
  putDocument,
  twice,
  unreachedLimit,
  withLiveFeed,
  withQuery,
} from '../../kit.js';
import { sinceFor } from './live-changes.js';
import { mustEndAfter } from './measured-periods.js';
import type { StreamMode } from './streams.js';
import { choosePeriods, mustNotEndEarly } from './timing.js';

interface TimeoutCase {
  readonly start: 'now' | 'last_seq' | undefined;
  /** The number of documents to write before the wait for the end. */
  readonly changes: number;
  readonly limit: number | undefined;
  readonly request: FeedRequest;
  readonly history: readonly DocumentHistory[];
}

const timeoutCases: fc.Arbitrary<TimeoutCase> = fc.record({
  start: fc.constantFrom('now', 'last_seq', undefined),
  changes: fc.constantFrom(0, 1, 5, 5),
  limit: fc.constantFrom(undefined, unreachedLimit),
  request: liveRequests,
  history: existingContents,
});

/** A feed with `timeout` ends when that time has passed since the last change or since its start. */
export const endsAfterTimeout = (mode: StreamMode): CheckDefinition => ({
  waits: 'period',
  run: forAll(
    // Two at a time, since most of a case is waiting.
    fc.record({ feeds: twice(timeoutCases) }),
    async (context, { feeds }) => {
      await allSettledOrThrow(feeds.map((one) => mustEndAfterTimeout(context, mode, one)));
    },
    { cases: { default: 4, thorough: 30 } },
  ),
});

/**
 * Measures the time between the last row, or the headers, and the end; that the end is not early, from the request or the
 * last write on.
 */
async function mustEndAfterTimeout(
  context: CheckContext,
  mode: StreamMode,
  { history, request, start, changes, limit }: TimeoutCase,
): Promise<void> {
  const { database, state } = await playNew(context, history);
  // On a busy machine the suite may be too slow to write within a short timeout.
  for (const times of [1, 2, 4, 8]) {
    const timeout = times * (await choosePeriods(database)).timeoutMs;
    const since = start && (await sinceFor(context, database, start));
    const { query } = context.target.feed.omitMissing({ query: { since, timeout, ...(limit && { limit }) } });
    const live = { mode, ...withQuery(request, query) };
    const isVerified = await withLiveFeed(database, live, (feed) =>
      endsAfterChanges(database, feed, timeout, idsOf(times, changes), (id) =>
        putDocument(database, id, state),
      ),
    );
    if (isVerified) return;
  }
  throw new Inconclusive('Each feed timed out before the suite had written a document.');
}

const idsOf = (times: number, changes: number): string[] =>
  Array.from({ length: changes }, (_, change) => `live-${times}-${change}`);

/**
 * Writes documents with these ids while the feed is open, and then waits for its end.
 *
 * @returns false if the feed ended before the writes, so that the check must be repeated with a longer timeout.
 */
async function endsAfterChanges(
  database: DatabaseClient,
  feed: LiveFeed,
  timeout: number,
  ids: readonly string[],
  write: (id: string) => Promise<unknown>,
): Promise<boolean> {
  const early = 'The feed ends before its timeout';
  const arrivalOf = (id: string): number | undefined =>
    feed.rowArrivals.findLast(({ row }) => row.id === id)?.at;
  const lastArrival = (): number => feed.rowArrivals.at(-1)?.at ?? feed.sentAt;
  // A moment before the target begins to wait.
  let since = feed.sentAt;
  for (const id of ids) {
    await feed.waitUntilOpen();
    await waitUntil(feed, lastArrival() + timeout / 2);
    const writtenAt = performance.now();
    if (feed.endedAt === undefined) {
      await write(id);
      await feed.until(() => arrivalOf(id) !== undefined);
    }
    if (arrivalOf(id) === undefined) {
      mustNotEndEarly(early, feed, since, timeout);
      return false;
    }
    since = writtenAt;
  }
  const startedAt = feed.rowArrivals.at(-1)?.at;
  await mustEndAfter('The feed does not end after its timeout', database, feed, {
    periodMs: timeout,
    startedAt,
  });
  mustNotEndEarly(early, feed, since, timeout);
  return true;
}

/** Resolves at that time, or when the feed ends. */
async function waitUntil(feed: LiveFeed, time: number): Promise<void> {
  const timer = new AbortController();
  const timeout = wait(Math.max(0, time - performance.now()), undefined, { signal: timer.signal });
  try {
    await Promise.race([feed.until(() => false), timeout]);
  } finally {
    timer.abort();
    await timeout.catch(() => {});
  }
}
