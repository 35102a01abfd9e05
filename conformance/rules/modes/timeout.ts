/** The default of `timeout`, which the configuration sets, and its maximum (SERVICE 2.8, 4.5, 8). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  type CheckContext,
  type DatabaseClient,
  defineRule,
  type FeedMode,
  type LiveFeed,
  type LiveRequest,
  liveRequests,
  playNew,
  type Run,
  starts,
  withLiveFeeds,
  withQuery,
  withRejectingFilter,
} from '../../kit.js';
import { sinceFor } from '../shared/live-changes.js';
import { mustEndAfter, watch } from '../shared/measured-periods.js';
import { modesOf, mustBeOpen, mustNotEndEarly, shortDefault, shortDefaultMs } from '../shared/timing.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';

/**
 * Idle feeds without `timeout` must end when the configured time has passed. Measures the time between the headers
 * and the end; that the end is not early, from the request on. The feeds of a case are open at the same time: in each
 * mode two without a filter, and two with a filter that rejects all changes if the target has it.
 */
const endsAsConfigured = (modes: readonly FeedMode[], cases: number): Run =>
  forSharedHistories(
    {
      feeds: fc.tuple(
        ...[...modes, ...modes].map((mode) =>
          fc.record({ request: liveRequests, mode: fc.constant(mode), start: starts }),
        ),
      ),
    },
    async ({ database }, { feeds }, context) => {
      const judged = modesOf(context, modes);
      const present = feeds.filter(({ mode }) => judged.includes(mode));
      await allSettledOrThrow(
        present.map(async ({ request, mode, start }) => {
          const since = await sinceFor(context, database, start);
          const live = { mode, ...withQuery(request, { since }) };
          const lives = [live, withRejectingFilter(live)].filter((one) => context.target.feed.supports(one));
          await withLiveFeeds(database, lives, (opened) =>
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
  feed.mustBeAccepted();
  const late = 'The feed does not end after the time in chttpd/changes_timeout';
  await mustEndAfter(late, database, feed, { periodMs: shortDefaultMs });
  const early = 'The feed ends before the time in chttpd/changes_timeout';
  if (feed.rows.length > 0 && !(await mustBeOpen(early, feed, context))) return;
  mustNotEndEarly(early, feed, feed.sentAt, shortDefaultMs);
}

const maximumMs = 60_000;

/** A feed with a greater `timeout` than the maximum must be open for some seconds, or if there is time, for a minute. */
const endsAtMaximum =
  (modes: readonly FeedMode[]): Run =>
  async (context) => {
    const { database } = await playNew(context, []);
    // The second one is more than the timers of many servers can take.
    const requests = modesOf(context, modes).flatMap((mode) =>
      [3_600_000, 2 ** 40].map((timeout): LiveRequest => ({ mode, query: { timeout } })),
    );
    await withLiveFeeds(database, requests, (feeds) =>
      allSettledOrThrow(
        feeds.map(async (feed) => {
          await feed.waitUntilOpen();
          // The service document shows no status for parameters that a server refuses.
          if (feed.response?.status === 400) return;
          const { profile } = context.property;
          if (profile === 'thorough') {
            const what = 'A feed with a timeout of more than the maximum does not end after the maximum';
            await feed.mustEndInTime(what, { by: feed.sentAt + maximumMs });
          } else {
            await watch(feed, profile);
          }
          const early = 'A feed with a timeout of more than the maximum ends before the maximum';
          if (feed.endedAt !== undefined) mustNotEndEarly(early, feed, feed.sentAt, maximumMs);
        }),
      ),
    );
  };

const maximum = { 'chttpd/changes_timeout': String(maximumMs) };

/** Event streams have checks of their own, since they came later than the other modes. */
export const timeoutDefault = defineRule('timeout-default', {
  rung: 'filters',
  notInTraffic: unseen.settings,
  checks: {
    'timeout-default': {
      settings: shortDefault,
      waits: 'period',
      run: endsAsConfigured(['longpoll', 'continuous'], 2),
    },

    'timeout-default/eventsource': {
      settings: shortDefault,
      uses: { query: { feed: 'eventsource' } },
      waits: 'period',
      run: endsAsConfigured(['eventsource'], 1),
    },
  },
});

export const timeoutMaximum = defineRule('timeout-maximum', {
  rung: 'modes',
  notInTraffic: unseen.settings,
  checks: {
    'timeout-maximum': {
      settings: maximum,
      waits: 'period',
      run: endsAtMaximum(['longpoll', 'continuous']),
    },

    'timeout-maximum/eventsource': {
      settings: maximum,
      uses: { query: { feed: 'eventsource' } },
      waits: 'period',
      run: endsAtMaximum(['eventsource']),
    },
  },
});
