/** The timeout of feeds with a filter (SERVICE 4.5, 4.7 rule 1). */
import fc from 'fast-check';
import { existingContents } from '../../arbitraries/histories.js';
import { liveRequests, starts } from '../../arbitraries/live.js';
import { withQuery, type FeedMode } from '../../model/feed.js';
import { withRejectingFilter } from '../../model/filters.js';
import { withLiveFeed } from '../../play/live-feed.js';
import { playNew } from '../../play/player.js';
import type { Run } from '../../target/check.js';
import { forAll } from '../../engine/property.js';
import { sinceFor } from './live-changes.js';
import { mustEndAfter } from './periods.js';
import { choosePeriods, mustNotEndEarly } from './timing.js';

/**
 * A feed with a filter ends after its timeout, as one without. Measures the time between the headers and the end; that
 * the end is not early, from the request on.
 */
export const endsAfterTimeoutWithFilter = (mode: FeedMode): Run =>
  forAll(
    fc.record({ history: existingContents, request: liveRequests, start: starts }),
    async (context, { history, request, start }) => {
      const { database } = await playNew(context, history);
      const { timeoutMs } = await choosePeriods(database);
      const since = await sinceFor(context, database, start);
      const live = { mode, ...withRejectingFilter(withQuery(request, { since, timeout: timeoutMs })) };
      await withLiveFeed(database, live, async (feed) => {
        const late = 'A feed with a filter does not end after its timeout';
        await mustEndAfter(late, database, feed, { periodMs: timeoutMs });
        mustNotEndEarly('A feed with a filter ends before its timeout', feed, feed.sentAt, timeoutMs);
      });
    },
    { cases: { default: 2, thorough: 20 } },
  );
