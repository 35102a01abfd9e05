/** The timeout of feeds with a filter (SERVICE 4.5, 4.7 rule 1). */
import fc from 'fast-check';
import {
  type CheckDefinition,
  existingContents,
  type FeedMode,
  forAll,
  type LiveFeed,
  liveRequests,
  playNew,
  rejectingDesign,
  starts,
  withLiveFeeds,
  withQuery,
  withRejectingFilters,
} from '../../kit.js';
import { sinceFor } from './live-changes.js';
import { mustAllEndAfter } from './measured-periods.js';
import { choosePeriods, mustNotEndEarly } from './timing.js';

/** Whether the target refuses the filter of a feed, which the rules of filters cover. */
export async function isRefused(feed: LiveFeed): Promise<boolean> {
  await feed.waitUntilOpen();
  const { status = 200 } = feed.response ?? {};
  return status >= 400 && status < 500;
}

/**
 * A feed with a filter of any kind ends after its timeout, as one without. Measures the time between the headers and the end; that
 * the end is not early, from the request on.
 */
export const endsAfterTimeoutWithFilter = (mode: FeedMode): CheckDefinition => ({
  optional: ['functions'],
  waits: 'period',
  run: forAll(
    fc.record({ start: starts, request: liveRequests, history: existingContents }),
    async (context, { history, request, start }) => {
      const hasFunctions = context.target.has('functions');
      const design = rejectingDesign(hasFunctions);
      const { database } = await playNew(context, [...design, ...history]);
      const { timeoutMs } = await choosePeriods(database);
      const since = await sinceFor(context, database, start);
      const unfiltered = { mode, ...withQuery(request, { since, timeout: timeoutMs }) };
      const filtered = withRejectingFilters(unfiltered, { hasFunctions });
      const { feed: has } = context.target;
      const supported = filtered.filter((live) => has.supports(live));
      if (supported.length === 0) throw has.missing(filtered[0]!)!;
      await withLiveFeeds(database, supported, async (feeds) => {
        const late = 'A feed with a filter does not end after its timeout';
        const refused = await Promise.all(feeds.map(isRefused));
        const accepted = feeds.filter((_, index) => !refused[index]);
        if (accepted.length === 0) feeds[0]!.mustBeAccepted();
        await mustAllEndAfter(late, database, accepted, { periodMs: timeoutMs });
        for (const feed of accepted)
          mustNotEndEarly('A feed with a filter ends before its timeout', feed, feed.sentAt, timeoutMs);
      });
    },
    { cases: { default: 2, thorough: 20 } },
  ),
});
