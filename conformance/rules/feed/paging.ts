/** How much of the feed a response contains, and in which order: limit, last_seq, pending, descending (SERVICE 2.5, 4.5). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  comparableRow,
  defineRule,
  equalTo,
  feedOf,
  forAll,
  must,
  mustMatch,
  playShared,
  pooled,
  readFeed,
  requestFeed,
  requests,
  sameElements,
  sharedHistories,
  withQuery,
  anInteger,
  onEnd,
  onRow,
  unlessReplaced,
} from '../../kit.js';
import {
  mustHavePendingCount,
  mustHaveSeqOfLastRow,
  pageSize,
  singleShard,
} from '../shared/page-assertions.js';
import { forSharedHistories } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';
import {
  feedDescendingFiltered,
  feedLastSeqFiltered,
  feedPagingFiltered,
  feedPagingLongpollFiltered,
  feedPendingFiltered,
  filteredByContent,
  filteredById,
} from '../shared/filtered-paging.js';
import { feedLastSeqLongpoll, feedPendingLongpoll } from '../shared/longpoll-paging.js';

/** Limits below and above the usual number of rows. */
const limits = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 130 }) },
);
const optionalLimits = fc.option(limits, { nil: undefined });

const ascending = requests({ descending: undefined });

/** Whether a seq has the form of those that CouchDB sends, also for a database with several shards. */
const mayBeOfShards = (seq: unknown): boolean => typeof seq === 'string' && /^\d+-/.test(seq);

export const feedLastSeq = defineRule('feed-last-seq', {
  rung: 'parameters',
  otherRungs: {
    'feed-last-seq/longpoll': 'modes',
    'feed-last-seq/filtered-by-id': 'filters',
    'feed-last-seq/filtered-by-content': 'filters',
  },
  inTraffic: {
    part: { judged: 'In a response with rows, `last_seq` is the `seq` of the last one.', rest: unseen.order },
    feed: onEnd(({ lastSeq }, { rows, passed }) => {
      const last = rows.at(-1)?.seq;
      if (last === undefined || last === null) return false;
      // With several shards, one position may have several seqs: see `singleShard`.
      if (!passed.database?.hasOneShard && mayBeOfShards(last)) return false;
      mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last), '$.last_seq');
    }),
  },
  checks: {
    'feed-last-seq': {
      waits: 'changes',
      run: forAll(
        (context) =>
          fc.record({ history: pooled(context, sharedHistories), request: ascending, limit: optionalLimits }),
        async (context, { history, request, limit }) => {
          const { database } = await playShared(context, history, singleShard(context));
          for (const descending of [undefined, true]) {
            const page = await readFeed(database, withQuery(request, { limit, descending }));
            mustHaveSeqOfLastRow(page);
            // With existing changes, a long poll does not wait.
            if (page.rows.length === 0 || !context.target.feed.supports({ query: { feed: 'longpoll' } }))
              continue;
            const waiting = withQuery(request, { feed: 'longpoll', limit, descending });
            mustHaveSeqOfLastRow(await readFeed(database, waiting));
          }
        },
      ),
    },

    // With several shards, a position has several seqs: CouchDB sends a row before all shards have reported their
    // position, so a later last_seq may contain more. Both seqs must resume at the same position.
    'feed-last-seq/same-place': forSharedHistories(
      { request: ascending, limit: optionalLimits },
      async ({ database }, { request, limit }) => {
        const { rows, lastSeq } = await readFeed(database, withQuery(request, { limit }));
        const last = rows.at(-1);
        if (!last || isDeepStrictEqual(last.seq, lastSeq)) return;
        const afterRow = await readFeed(database, withQuery(request, { since: last.seq }));
        const afterLastSeq = await readFeed(database, withQuery(request, { since: lastSeq }));
        const what = 'last_seq does not resume at the same position as the seq of the last row';
        mustMatch(
          what,
          [...new Set(afterLastSeq.ids)],
          sameElements([...new Set(afterRow.ids)]),
          '$.results',
        );
      },
    ),

    'feed-last-seq/longpoll': feedLastSeqLongpoll,

    'feed-last-seq/filtered-by-id': filteredById(feedLastSeqFiltered),

    'feed-last-seq/filtered-by-content': filteredByContent(feedLastSeqFiltered),
  },
});

export const feedPending = defineRule('feed-pending', {
  rung: 'parameters',
  otherRungs: {
    'feed-pending/longpoll': 'modes',
    'feed-pending/filtered-by-id': 'filters',
    'feed-pending/filtered-by-content': 'filters',
  },
  inTraffic: {
    part: {
      judged:
        '`pending` is a whole number and, with one copy, counts at least the writes that passed and have no row yet, and, without a filter, no more changes than the next request returns or counts.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
    feed: onEnd(({ pending }) =>
      mustMatch('pending is not a number of rows', pending, anInteger({ min: 0 }), '$.pending'),
    ),
  },
  checks: {
    'feed-pending': {
      needs: ['single-copy'],
      run: forSharedHistories(
        { request: ascending, limit: optionalLimits },
        async ({ database }, { request, limit }) => {
          let since: unknown;
          let size = limit;
          // The second page may have just the remaining rows, the third one follows all rows.
          for (let count = 0; count < 3; count += 1) {
            const page = await readFeed(database, withQuery(request, { limit: size, since }));
            mustHavePendingCount(page);
            since = page.lastSeq;
            const { ids, sent } = await readFeed(database, withQuery(request, { since }));
            const what = 'pending is not the number of rows that the next request returns';
            // Whether a document has several rows is a matter of feed-one-row.
            must([sent.length, new Set(ids).size].includes(page.pending as number), what, {
              path: '$.pending',
              expected: ids.length,
              actual: page.pending,
              exchange: page.exchange,
            });
            if (page.ids.length === 0) break;
            size = Math.max(1, ids.length);
          }
        },
      ),
    },

    'feed-pending/longpoll': feedPendingLongpoll,

    'feed-pending/filtered-by-id': filteredById(feedPendingFiltered),

    'feed-pending/filtered-by-content': filteredByContent(feedPendingFiltered),
  },
});

export const feedLimit = defineRule('feed-limit', {
  rung: 'parameters',
  inTraffic: {
    part: { judged: 'No response has more rows than `limit`.', rest: unseen.end },
    feed: onRow((_, { count, parameters: { limit } }) => {
      if (limit === undefined) return false;
      must(count <= limit, 'The feed has more rows than limit allows', {
        path: '$.results',
        expected: `at most ${limit} rows`,
        actual: `${count} rows`,
      });
    }),
  },
  checks: {
    'feed-limit': forSharedHistories(
      {
        request: requests(),
        limit: fc.oneof({ weight: 5, arbitrary: limits }, { weight: 1, arbitrary: fc.constant(0) }),
      },
      async ({ database }, { request, limit }) => {
        const all = await readFeed(database, request);
        const response = await requestFeed(database, withQuery(request, { limit }));
        // The service document shows no status for parameters that a server refuses.
        if (limit === 0 && response.status === 400) return;
        const { ids, sent } = feedOf(response);
        const count = Math.min(limit, all.ids.length);
        // Whether a document has several rows is a matter of feed-one-row.
        must(
          [sent.length, ids.length].includes(count),
          'The feed does not return as many rows as limit allows',
          {
            path: '$.results',
            expected: `${count} of the ${all.ids.length} rows`,
            actual: ids,
          },
        );
      },
    ),
  },
});

export const feedPaging = defineRule('feed-paging', {
  rung: 'parameters',
  uses: { query: { limit: 1, since: 'a seq' } },
  otherRungs: {
    'feed-paging/filtered-by-id': 'filters',
    'feed-paging/longpoll-filtered-by-id': 'filters',
    'feed-paging/filtered-by-content': 'filters',
    'feed-paging/longpoll-filtered-by-content': 'filters',
  },
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-paging': {
      needs: ['single-copy'],
      run: forSharedHistories(
        { request: ascending, limit: limits },
        async ({ database }, { request, limit }) => {
          const all = await readFeed(database, request);
          const size = pageSize(limit, all.ids.length);
          const seen: string[] = [];
          // A row that comes twice in one response is a matter of feed-one-row, and may be on two pages.
          const isRepeated = all.sent.length > all.rows.length;
          let since: unknown;
          for (;;) {
            const page = await readFeed(database, withQuery(request, { limit: size, since }));
            if (page.ids.length === 0 || (isRepeated && page.ids.every((id) => seen.includes(id)))) break;
            since = page.lastSeq;
            const repeated = page.rows.find(({ id }) => seen.includes(id));
            must(repeated === undefined || isRepeated, 'A page repeats a document of an earlier page', {
              path: `${repeated?.path}.id`,
              expected: 'an id that no earlier page has',
              actual: repeated?.id,
            });
            seen.push(...page.ids);
          }
          const missed = all.ids.filter((id) => !seen.includes(id));
          must(missed.length === 0, 'The pages do not contain all documents', {
            path: 'the ids of all pages',
            expected: `also ${JSON.stringify(missed)}`,
            actual: seen,
          });
        },
      ),
    },

    'feed-paging/filtered-by-id': filteredById(feedPagingFiltered),

    'feed-paging/longpoll-filtered-by-id': filteredById(feedPagingLongpollFiltered),

    'feed-paging/filtered-by-content': filteredByContent(feedPagingFiltered),

    'feed-paging/longpoll-filtered-by-content': filteredByContent(feedPagingLongpollFiltered),
  },
});

export const feedDescending = defineRule('feed-descending', {
  rung: 'parameters',
  otherRungs: {
    'feed-descending/filtered-by-id': 'filters',
    'feed-descending/filtered-by-content': 'filters',
  },
  inTraffic: {
    part: {
      judged:
        'In a database with one shard and one copy, rows come in the reverse order of an earlier ascending response, and of writes that passed one after the other.',
      rest: unseen.otherWriters,
    },
    feed: onRow((row, { rows, passed: { database: known }, parameters, hasOneCopy }) => {
      const previous = rows.at(-2);
      const isTotal = hasOneCopy && known?.hasOneShard === true;
      if (!isTotal || parameters.has('descending') !== true || previous === undefined) return false;
      const what = 'With descending=true, the feed returns an earlier change first';
      const later = `a change before that of ${JSON.stringify(previous.id)}`;
      const mustComeBefore = (why: string) => (): void =>
        must(false, what, { path: `${row.path}.id`, expected: `${later}, ${why}`, actual: row.id });
      const at = isDeepStrictEqual(previous.seq, row.seq)
        ? undefined
        : known.order.cameBefore(previous, row.seq);
      if (at !== undefined && known.order.cameAt(row) !== undefined)
        unlessReplaced(at, mustComeBefore('which came first in an ascending feed'));
      const [written, writtenBefore] = [row, previous].map(({ id, revs }) => {
        const write = known.changes.writeOf(id);
        return write?.rev === revs[0] ? write : undefined;
      });
      if (written && writtenBefore && written.startedAt > writtenBefore.endedAt) {
        const { id, rev, startedAt } = writtenBefore;
        // A losing revision that others have written moves a document to the end as well.
        const still = { id, rev, as: 'only leaf' } as const;
        unlessReplaced(startedAt, mustComeBefore('which was acknowledged before it was sent'), still);
      }
    }),
  },
  checks: {
    'feed-descending': forAll(
      (context) =>
        fc.record({
          history: pooled(context, sharedHistories),
          request: requests({ descending: true }),
          limit: optionalLimits,
        }),
      async (context, { history, request, limit }) => {
        const { database } = await playShared(context, history, singleShard(context));
        const ascending = withQuery(request, { descending: undefined });
        const { rows: oldestFirst } = await readFeed(database, ascending);
        const { rows: newestFirst } = await readFeed(database, withQuery(request, { limit }));
        const expected = oldestFirst.toReversed().slice(0, limit);
        mustMatch(
          'With descending=true, the feed does not return the newest changes first',
          newestFirst.map(comparableRow),
          equalTo(expected.map(comparableRow)),
          '$.results',
        );
      },
    ),

    'feed-descending/filtered-by-id': filteredById(feedDescendingFiltered),

    'feed-descending/filtered-by-content': filteredByContent(feedDescendingFiltered),
  },
});
