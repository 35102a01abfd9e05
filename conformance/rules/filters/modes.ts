/** Filters in the modes that wait, for existing changes and for changes while the feed is open (SERVICE 4.8). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  Blocked,
  changedIds,
  type CheckContext,
  type CheckDefinition,
  type DatabaseState,
  defineRule,
  everPasses,
  type FeedMode,
  type FeedRequest,
  type Filter,
  forAll,
  hasRow,
  type LiveFeed,
  type LiveRequest,
  liveRequests,
  must,
  mustFollowFilter,
  play,
  playForFilters,
  readFiltered,
  readWinners,
  type Run,
  scenariosOfEachKind,
  starts,
  supportedFilters,
  variantsFor,
  winner,
  withFilter,
  withLiveFeeds,
  withQuery,
  withReplicated,
} from '../../kit.js';
import { playDifferentDocuments } from '../shared/different-documents.js';
import { mustSkipExisting, sinceFor } from '../shared/live-changes.js';
import { liveCases, longTimeoutMs, mustBeOpen } from '../shared/timing.js';
import { unseen } from '../shared/unseen.js';

const cases = (context: CheckContext) => ({
  request: liveRequests,
  scenario: withReplicated(scenariosOfEachKind(context.target.has('functions'))),
});

/** The documents among these that must have a row. */
function passingIds(filter: Filter, ids: Iterable<string>, state: DatabaseState): string[] {
  return [...ids].filter((id) => hasRow(filter, id, state.get(id)!, 'main_only') === true);
}

function mustReturnOnlyPassing({ rows }: LiveFeed, filter: Filter, state: DatabaseState): void {
  for (const { id, path } of rows) {
    must(
      !state.has(id) || everPasses(filter, id, state.get(id)!) !== false,
      'The feed returns a document that does not pass the filter',
      { path: `${path}.id`, expected: `a document that passes ${JSON.stringify(filter)}`, actual: id },
    );
  }
}

/** Waits until the feeds are open. @returns whether later writes must arrive in all of them */
async function mustOpen(feeds: readonly LiveFeed[], filters: readonly Filter[]): Promise<boolean> {
  const areOpen = await Promise.all(feeds.map((feed) => feed.waitUntilOpen()));
  await Promise.all(feeds.map((feed, index) => mustFollowFilter(feed, filters[index]!)));
  return areOpen.every((isOpen) => isOpen);
}

const filteredRequest = (
  mode: FeedMode,
  filter: Filter,
  request: FeedRequest,
  since?: unknown,
): LiveRequest => ({
  mode,
  ...withFilter(withQuery(request, { style: undefined, timeout: longTimeoutMs, since }), filter),
});

/**
 * The feed returns existing changes that pass the filter, unless it starts after them, then those that are made while it
 * is open. Rows must arrive in time after the write was confirmed; only time in which the target answers other requests
 * counts.
 */
const stream = (mode: 'continuous' | 'eventsource'): Run =>
  forAll(
    (context) =>
      fc.record({ start: fc.constantFrom(undefined, 'last_seq', 'now', 'now'), ...cases(context) }),
    async (context, { scenario: { before, after, ...scenario }, request, start }) => {
      const filters = supportedFilters(context, scenario.filters);
      const { database, state: played } = await playForFilters(context, filters, before);
      const existing = start === undefined ? await readWinners(database, played) : played;
      const since = start && (await sinceFor(context, database, start));
      const requests = filters.map((filter) => filteredRequest(mode, filter, request, since));
      await withLiveFeeds(database, requests, async (feeds) => {
        const mustReturn = (what: string, ids: Iterable<string>, state: DatabaseState): Promise<unknown> =>
          allSettledOrThrow(
            feeds.map((feed, index) => {
              const wanted = passingIds(filters[index]!, ids, state);
              const isReturned = (id: string): boolean =>
                feed.rows.some((row) => row.id === id && row.revs.includes(winner(state.get(id)!)!.rev));
              return feed.mustMeetInTime(what, {
                expected: `rows for ${JSON.stringify(wanted)}, which pass ${JSON.stringify(filters[index])}`,
                isMet: () => wanted.every(isReturned),
              });
            }),
          );
        const isOpen = await mustOpen(feeds, filters);
        if (start === undefined) {
          const omitsExisting = 'The feed does not return an existing document that passes the filter';
          await mustReturn(omitsExisting, [...existing.keys()], existing);
        } else if (!isOpen) {
          return;
        } else {
          feeds.forEach((feed) => mustSkipExisting(feed, new Set(), context));
        }
        const state = await readWinners(database, await play(database, after, existing));
        const omitsChange = 'The feed does not return a change that passes the filter';
        const changed = changedIds(existing, state);
        await mustReturn(omitsChange, changed, state);
        await feeds[0]!.waitUntilOpen();
        feeds.forEach((feed, index) => mustReturnOnlyPassing(feed, filters[index]!, state));
        if (start !== undefined) feeds.forEach((feed) => mustSkipExisting(feed, changed, context));
      });
    },
    { cases: liveCases },
  );

/**
 * A change that passes the filter ends the wait, any other change does not. The response must end in time after the
 * write was confirmed; only time in which the target answers other requests counts.
 */
const longpoll: Run = forAll(
  (context) => fc.record({ ...cases(context), start: starts }),
  async (context, { scenario: { before, after, ...scenario }, request, start }) => {
    const filters = supportedFilters(context, scenario.filters);
    const { database, state: existing } = await playForFilters(context, filters, before);
    const since = await sinceFor(context, database, start);
    const requests = filters.map((filter) => filteredRequest('longpoll', filter, request, since));
    await withLiveFeeds(database, requests, async (feeds) => {
      const isOpen = await mustOpen(feeds, filters);
      const state = await readWinners(database, await play(database, after, existing));
      const changed = changedIds(existing, state);
      const verify = async (feed: LiveFeed, filter: Filter): Promise<void> => {
        const wanted = passingIds(filter, changed, state);
        if (wanted.length > 0) {
          if (!isOpen) return;
          await feed.mustMeetInTime(
            'The target does not answer a long poll when a change passes the filter',
            {
              expected: `the end, with a row for one of ${JSON.stringify(wanted)}`,
              isMet: () => feed.endedAt !== undefined,
            },
          );
        } else if ([...changed].every((id) => everPasses(filter, id, state.get(id)!) === false)) {
          const what = 'The target answers a long poll although no change passes the filter';
          await mustBeOpen(what, feed, context);
        }
        mustReturnOnlyPassing(feed, filter, state);
        mustSkipExisting(feed, changed, context);
      };
      await allSettledOrThrow(feeds.map((feed, index) => verify(feed, filters[index]!)));
    });
  },
  { cases: liveCases },
);

/** Filters that members with `_` decide. */
const byMembers: readonly Filter[] = [
  ...(['deleted', 'attached'] as const).map((view): Filter => ({ kind: 'view', view })),
  ...(['deleted', 'attached', 'traced'] as const).map((name): Filter => ({
    kind: 'function',
    name,
    parameters: {},
  })),
];

const areOfAttachments = (filter: Filter): boolean =>
  (filter.kind === 'view' && filter.view === 'attached') ||
  (filter.kind === 'function' && filter.name === 'attached');

/** With existing changes that pass, a long poll does not wait. Without them, it ends after this time. */
const timeout = 2000;

const seesMembers: Run = async (context) => {
  const hasAttachments = context.target.has('attachments');
  const filters = byMembers.filter((filter) => hasAttachments || !areOfAttachments(filter));
  const { database, state } = await playDifferentDocuments(context, filters);
  const compared = await allSettledOrThrow(
    variantsFor(context, filters).map(async (filter) => {
      const wanted = passingIds(filter, state.keys(), state);
      // What normal mode does not return either is a matter of the filter, and a long poll could wait for it in vain.
      const normal = await readFiltered(database, {}, filter);
      if (wanted.length === 0 || !wanted.every((id) => normal.ids.includes(id))) return false;
      const { ids } = await readFiltered(database, { query: { feed: 'longpoll', timeout } }, filter);
      const wrong = [
        ...wanted.filter((id) => !ids.includes(id)),
        ...ids.filter((id) => state.has(id) && !wanted.includes(id)),
      ];
      must(wrong.length === 0, 'A long poll does not return exactly the documents that pass the filter', {
        path: '$.results',
        expected: `${JSON.stringify(wanted)}, which pass ${JSON.stringify(filter)}`,
        actual: ids,
      });
      return true;
    }),
  );
  if (!compared.includes(true))
    throw new Blocked('In normal mode, no filter by such members returns the documents that pass it.');
};

const inMode = (feed: Exclude<FeedMode, 'normal'>, run: Run): CheckDefinition => ({
  optional: ['functions'],
  uses: { query: { feed } },
  waits: 'changes',
  run,
});

export const filterInEveryMode = defineRule('filter-in-every-mode', {
  rung: 'filters',
  inTraffic: {
    how: 'in other modes',
    part: {
      judged: 'In each mode, each row passes the filter, as far as the row shows it.',
      rest: unseen.end,
    },
  },
  checks: {
    'filter-in-every-mode/members': {
      needs: ['functions'],
      optional: ['attachments'],
      uses: { query: { feed: 'longpoll' } },
      waits: 'changes',
      run: seesMembers,
    },

    'filter-in-every-mode/longpoll': inMode('longpoll', longpoll),

    'filter-in-every-mode/continuous': inMode('continuous', stream('continuous')),

    'filter-in-every-mode/eventsource': inMode('eventsource', stream('eventsource')),
  },
});
