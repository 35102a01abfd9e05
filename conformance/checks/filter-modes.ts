/** The filters in the modes that wait, among past changes and among those made while the feed is open (SERVICE 4.8). */
import fc from 'fast-check';
import {
  bySelector,
  designScenarios,
  functions,
  idsScenarios,
  scenarios,
  selectors,
  views,
  type Scenario,
} from '../arbitraries/filters.js';
import { liveRequests, presents } from '../arbitraries/live.js';
import type { FeedMode } from '../model/feed.js';
import { everPasses, hasRow, type Filter } from '../model/filters.js';
import { changedIds, type DatabaseState } from '../model/history.js';
import { winner } from '../model/revisions.js';
import { mustNotBeRefused, playForFilters, withFilter } from '../play/filters.js';
import { withLiveFeed, type LiveFeed, type LiveRequest } from '../play/live-feed.js';
import { play } from '../play/player.js';
import { mustMatch, satisfying } from '../verdict/matchers.js';
import { check, forAll, type Check, type CheckContext, type Run } from '../check.js';
import { longMs, mustBeOpen } from './shared/timing.js';
import { presentOf } from './shared/open-feeds.js';

/** One filter at a time, since each feed stays open. */
const oneFilter = (context: CheckContext): fc.Arbitrary<Scenario> =>
  fc.oneof(
    idsScenarios,
    designScenarios,
    scenarios(bySelector(selectors)),
    ...(context.target.has('functions') ? [scenarios(fc.oneof(functions, views))] : []),
  );

/** The documents among these that must have a row. */
function accepted(filter: Filter, ids: Iterable<string>, state: DatabaseState): string[] {
  return [...ids].filter((id) => hasRow(filter, id, state.get(id)!, 'main_only') === true);
}

function mustBringNoOther({ rows }: LiveFeed, filter: Filter, state: DatabaseState): void {
  for (const { id, path } of rows) {
    const allowed = satisfying(
      `a document that passes ${JSON.stringify(filter)}`,
      () => !state.has(id) || everPasses(filter, id, state.get(id)!) !== false,
    );
    mustMatch('The filter lets through a document that does not pass', id, allowed, `${path}.id`);
  }
}

const asked = (
  mode: FeedMode,
  filter: Filter,
  { query, method }: Pick<LiveRequest, 'query' | 'method'>,
  since: unknown,
): LiveRequest => ({
  mode,
  ...withFilter(
    { method: method ?? 'GET', query: { ...query, style: undefined, timeout: longMs, since } },
    filter,
  ),
});

/** What is there already comes through the filter, then what is written while the feed is open. */
const stream = (mode: 'continuous' | 'eventsource'): Run =>
  forAll(
    (context) => fc.record({ scenario: oneFilter(context), request: liveRequests }),
    async (context, { scenario: { before, after, filters }, request }) => {
      const filter = filters[0]!;
      const { database, state: past } = await playForFilters(context, [filter], before);
      await withLiveFeed(database, asked(mode, filter, request, undefined), async (feed) => {
        await feed.waitUntilOpen();
        if (feed.response) mustNotBeRefused(feed.response, filter);
        const mustBring = (what: string, ids: Iterable<string>, state: DatabaseState): Promise<void> => {
          const wanted = accepted(filter, ids, state);
          const isShown = (id: string): boolean =>
            feed.rows.some((row) => row.id === id && row.revs.includes(winner(state.get(id)!)!.rev));
          return feed.mustMeetInTime(what, {
            by: performance.now(),
            expected: `rows for ${JSON.stringify(wanted)}, which pass ${JSON.stringify(filter)}`,
            isMet: () => wanted.every(isShown),
          });
        };
        await mustBring('The filter keeps back what is there already', past.keys(), past);
        const state = await play(database, after, past);
        await mustBring('The filter keeps back a change', changedIds(past, state), state);
        await feed.waitUntilOpen();
        mustBringNoOther(feed, filter, state);
      });
    },
  );

/** A change that is rejected does not end the wait, one that is accepted does. */
const longpoll: Run = forAll(
  (context) => fc.record({ scenario: oneFilter(context), request: liveRequests, present: presents }),
  async (context, { scenario: { before, after, filters }, request, present }) => {
    const filter = filters[0]!;
    const { database, state: past } = await playForFilters(context, [filter], before);
    const since = await presentOf(context, database, present);
    await withLiveFeed(database, asked('longpoll', filter, request, since), async (feed) => {
      const isOpen = await feed.waitUntilOpen();
      if (feed.response) mustNotBeRefused(feed.response, filter);
      const state = await play(database, after, past);
      const changed = changedIds(past, state);
      const wanted = accepted(filter, changed, state);
      if (wanted.length > 0) {
        // A target may begin to wait after the changes: then they need not count as such since `now`.
        if (!isOpen && since === 'now') return;
        await feed.mustMeetInTime('A long poll is not answered when a change passes the filter', {
          by: performance.now(),
          expected: `the end, with a row for one of ${JSON.stringify(wanted)}`,
          isMet: () => feed.endedAt !== undefined,
        });
      } else if ([...changed].every((id) => everPasses(filter, id, state.get(id)!) === false)) {
        await mustBeOpen('A long poll is answered although no change passes the filter', feed, context);
      }
      mustBringNoOther(feed, filter, state);
    });
  },
);

export const filterModesChecks: readonly Check[] = [
  check({ rule: 'filter-in-every-mode', what: 'longpoll', waits: true, run: longpoll }),
  check({ rule: 'filter-in-every-mode', what: 'continuous', waits: true, run: stream('continuous') }),
  check({ rule: 'filter-in-every-mode', what: 'eventsource', waits: true, run: stream('eventsource') }),
];
