/** The default and the maximum of `timeout`, which the configuration sets (SERVICE 2.8, 4.5, 8). */
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { liveRequests, presents } from '../arbitraries/live.js';
import { withLiveFeed } from '../play/live-feed.js';
import { playNew } from '../play/player.js';
import { equalTo, mustMatch } from '../verdict/matchers.js';
import { check, forAll, type Check, type Run } from '../check.js';
import { endToleranceMs, longMs, mustBeOpen, mustNotEndEarly } from './shared/timing.js';
import { presentOf } from './shared/open-feeds.js';

/** Short, but not so short that a feed could end so early by chance. */
const periodMs = 700;
const settings = { 'chttpd/changes_timeout': String(periodMs) };

/** An idle feed, asked for with this `timeout`, ends when the time of the configuration is over. */
const endsAsConfigured = (timeout: number | undefined): Run =>
  forAll(
    fc.record({
      history: histories,
      request: liveRequests,
      mode: fc.constantFrom('longpoll' as const, 'continuous' as const),
      present: presents,
    }),
    async (context, { history, request: { method, query }, mode, present }) => {
      const { database } = await playNew(context, history);
      const since = await presentOf(context, database, present);
      await withLiveFeed(database, { mode, method, query: { ...query, since, timeout } }, async (feed) => {
        await feed.waitUntilOpen();
        mustMatch('The feed is refused', feed.response?.status ?? 200, equalTo(200), 'status');
        await feed.mustMeetInTime('The feed does not end after the time in chttpd/changes_timeout', {
          by: feed.sentAt + periodMs,
          graceMs: endToleranceMs(periodMs),
          expected: 'the end of the response',
          isMet: () => feed.endedAt !== undefined,
        });
        const what = 'The feed ends before the time in chttpd/changes_timeout';
        if (feed.rows.length > 0 && !(await mustBeOpen(what, feed, context))) return;
        mustNotEndEarly(what, feed, feed.sentAt, periodMs);
      });
    },
    { runs: { default: 6, thorough: 30 } },
  );

export const timeoutChecks: readonly Check[] = [
  check({ rule: 'timeout-default', settings, waits: true, run: endsAsConfigured(undefined) }),
  check({ rule: 'timeout-maximum', settings, waits: true, run: endsAsConfigured(longMs) }),
];
