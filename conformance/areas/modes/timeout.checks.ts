/** The default and the maximum of `timeout`, which the configuration sets (SERVICE 2.8, 4.5, 8). */
import fc from 'fast-check';
import { sharedHistories } from '../../arbitraries/histories.js';
import { liveRequests, starts } from '../../arbitraries/live.js';
import { pooled } from '../../arbitraries/pool.js';
import { withQuery, type FeedMode } from '../../model/feed.js';
import { withRejectingFilter } from '../../model/filters.js';
import { allSettledOrThrow } from '../../play/all-settled.js';
import { withLiveFeeds, type LiveFeed } from '../../play/live-feed.js';
import { playShared } from '../../play/shared.js';
import { mustRespond } from '../../engine/matchers.js';
import type { RuleId } from '../../../openapi/generated/rules.js';
import type { DatabaseClient } from '../../http/client.js';
import { check, type Check, type CheckContext, type Run } from '../../target/check.js';
import { forAll } from '../../engine/property.js';
import { sinceFor } from '../shared/live-changes.js';
import { mustEndAfter } from '../shared/periods.js';
import { longTimeoutMs, mustBeOpen, mustNotEndEarly } from '../shared/timing.js';

/** Short, but so long that a feed does not end at this time by chance. */
const periodMs = 700;
const settings = { 'chttpd/changes_timeout': String(periodMs) };

/**
 * Idle feeds with this `timeout` must end when the configured time has passed. Measures the time between the headers
 * and the end; that the end is not early, from the request on. The feeds of a case are open at the same time: in each
 * mode one without a filter, and one with a filter that rejects all changes.
 */
const endsAsConfigured = (timeout: number | undefined, modes: readonly FeedMode[], cases: number): Run =>
  forAll(
    (context) =>
      fc.record({
        history: pooled(context, sharedHistories),
        feeds: fc.tuple(
          ...modes.map((mode) =>
            fc.record({ request: liveRequests, mode: fc.constant(mode), start: starts }),
          ),
        ),
      }),
    async (context, { history, feeds }) => {
      const { database } = await playShared(context, history);
      await allSettledOrThrow(
        feeds.map(async ({ request, mode, start }) => {
          const since = await sinceFor(context, database, start);
          const live = { mode, ...withQuery(request, { since, timeout }) };
          await withLiveFeeds(database, [live, withRejectingFilter(live)], (opened) =>
            allSettledOrThrow(opened.map((feed) => mustEndAsConfigured(context, database, feed))),
          );
        }),
      );
    },
    { cases: { default: cases, thorough: 5 * cases } },
  );

async function mustEndAsConfigured(
  context: CheckContext,
  database: DatabaseClient,
  feed: LiveFeed,
): Promise<void> {
  await feed.waitUntilOpen();
  if (feed.response) mustRespond(feed.response, 200, 'The target rejects a request for the feed');
  const late = 'The feed does not end after the time in chttpd/changes_timeout';
  await mustEndAfter(late, database, feed, { periodMs });
  const early = 'The feed ends before the time in chttpd/changes_timeout';
  if (feed.rows.length > 0 && !(await mustBeOpen(early, feed, context))) return;
  mustNotEndEarly(early, feed, feed.sentAt, periodMs);
}

const inEachMode = (rule: RuleId, timeout: number | undefined): readonly Check[] => [
  check({ rule, settings, waits: 'period', run: endsAsConfigured(timeout, ['longpoll', 'continuous'], 3) }),
  check({
    rule,
    variant: 'eventsource',
    settings,
    waits: 'period',
    run: endsAsConfigured(timeout, ['eventsource'], 2),
  }),
];

export const timeoutChecks: readonly Check[] = [
  ...inEachMode('timeout-default', undefined),
  ...inEachMode('timeout-maximum', longTimeoutMs),
];
