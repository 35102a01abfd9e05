/** The continuous mode (SERVICE 4.7 mode 3): a row a line, as long as the feed is open. */
import fc from 'fast-check';
import { liveHistories, liveRequests } from '../arbitraries/live.js';
import { changedIds, emptyState } from '../model/history.js';
import { withLiveFeed, type LiveFeed, type LiveRequest } from '../play/live-feed.js';
import { play, playNew } from '../play/player.js';
import { equalTo, mustMatch } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import { check, forAll, type Check, type Run } from '../check.js';
import { rowForm } from './feed-form.js';
import { beatsOf, limited, past, present, timed } from './shared/open-feeds.js';

const mode = 'continuous';

/** Feeds with heartbeats between the rows, and feeds that come to their end. */
const varied = fc.constantFrom<LiveRequest['query']>({}, { heartbeat: 20 }, { limit: 3 }, { limit: 12 });

/** Judges what a feed holds, of the past and of what is written while it is open, whether all has come or not. */
const followed = (judge: (feed: LiveFeed) => void): Run =>
  forAll(
    fc.record({ history: liveHistories, request: liveRequests, varied }),
    async (context, { history, request: { method, query }, varied }) => {
      const { database, state: before } = await playNew(context, history.before);
      await withLiveFeed(database, { mode, method, query: { ...query, ...varied } }, async (feed) => {
        const brings = async (wanted: Iterable<string>): Promise<void> => {
          const enough = (): boolean => {
            const seen = new Set(
              feed.arrivals.map((arrival) => (arrival.kind === 'row' ? arrival.row.id : '')),
            );
            return [...wanted].every((id) => seen.has(id));
          };
          await feed.isMetInTime(enough, { by: performance.now(), graceMs: 500 });
        };
        await brings(before.keys());
        feed.mustBeAccepted();
        const after = await play(database, history.during, before);
        await brings(changedIds(emptyState, after));
        if (varied?.heartbeat !== undefined) {
          await feed.isMetInTime(() => beatsOf(feed) > 0, { by: performance.now(), graceMs: 500 });
        }
        if (varied?.limit !== undefined && varied.limit <= after.size) {
          await feed.isMetInTime(() => false, { by: performance.now(), graceMs: 500 });
        }
        judge(feed);
      });
    },
  );

function mustBeLines({ arrivals }: LiveFeed): void {
  let end: unknown;
  for (const arrival of arrivals) {
    if (arrival.kind === 'strange') {
      throw new Violation('A line is neither empty nor a row', {
        path: 'a line',
        expected: 'nothing, or a row in JSON',
        actual: arrival.text,
      });
    }
    if (arrival.kind === 'row')
      mustMatch('A line holds no row', arrival.row.value, rowForm, arrival.row.path);
    if (end !== undefined && arrival.kind !== 'beat') {
      throw new Violation('Something comes after the end of the feed', {
        path: 'a line',
        expected: `nothing after ${JSON.stringify(end)}`,
        actual: arrival.kind === 'row' ? arrival.row.value : arrival.lastSeq,
      });
    }
    if (arrival.kind === 'end') end = { last_seq: arrival.lastSeq };
  }
}

export const continuousChecks: readonly Check[] = [
  check({ rule: 'continuous-lines', waits: true, run: followed(mustBeLines) }),

  check({
    rule: 'continuous-crlf',
    waits: true,
    run: followed(({ arrivals }) => {
      for (const arrival of arrivals) {
        if (arrival.kind !== 'row') continue;
        mustMatch(
          'A line does not end in CR LF',
          arrival.ending,
          equalTo('\r\n'),
          `the end of ${arrival.row.path}`,
        );
      }
    }),
  }),

  check({ rule: 'continuous-behind', waits: true, run: past(mode) }),

  check({ rule: 'continuous-live', waits: true, run: present(mode) }),

  check({
    rule: 'continuous-limit',
    waits: true,
    run: limited(mode, (feed) => {
      const last = feed.arrivals.findLast(({ kind }) => kind !== 'beat');
      if (last?.kind === 'end') return;
      throw new Violation('A feed with limit does not end with an object that holds last_seq', {
        path: 'the last line',
        expected: '{"last_seq": ...}',
        actual: last?.kind === 'row' ? last.row.value : undefined,
      });
    }),
  }),

  check({ rule: 'continuous-timeout', waits: true, run: timed(mode) }),
];
