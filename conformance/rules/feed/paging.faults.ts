/** Faults in how much of the feed a response has: `limit`, `descending`, `last_seq`, and `pending`. */
import {
  changeFeed,
  changeFeedBody,
  changeFeedQuery,
  changeRows,
  type FeedRow,
  positionOf,
} from '../shared/feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';

export const feedPagingFaults = faultsOf({
  'feed-last-seq': {
    'last-seq-skips': {
      summary: 'The server sends the last_seq of the whole database although limit omits changes.',
      replace: changeFeed(async ({ read }) => ({
        ...(await read()),
        last_seq: (await read({ limit: -1, descending: false })).last_seq,
      })),
    },
    'last-seq-of-the-first-row': {
      summary: 'The server sends the seq of the first row as last_seq with descending=true.',
      replace: changeFeedBody((feed, { query }) => {
        const [first] = feed.results;
        return query.descending && first ? { last_seq: first.seq } : {};
      }),
    },
  },
  'feed-pending': {
    'pending-one-more': {
      summary: 'The server counts the last row as pending if limit omits changes.',
      replace: changeFeedBody((feed) => ({ pending: feed.pending > 0 ? feed.pending + 1 : 0 })),
    },
    'pending-live-only': {
      summary: 'The server does not count deleted documents as pending.',
      replace: changeFeedBody(async (feed, { query, read }) => {
        const { results } = await read({ limit: -1 });
        const rest = query.descending ? [] : results.slice(feed.results.length);
        return { pending: rest.filter(({ deleted }) => !deleted).length };
      }),
    },
    'pending-from-start': {
      summary: 'The server counts the changes before since as pending.',
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (query.since === '0' || query.filter) return {};
        const all = await read({ since: '0', limit: -1 });
        return { pending: all.results.length - feed.results.length };
      }),
    },
    'pending-after-exact-limit': {
      summary: 'The server sends 1 as pending if limit is exactly the number of remaining rows.',
      replace: changeFeedBody((feed, { query }) =>
        feed.pending === 0 && feed.results.length === query.limit ? { pending: 1 } : {},
      ),
    },
  },
  'feed-limit': {
    'limit-one-more': {
      summary: 'The server sends one row too many if limit is 3 or more.',
      replace: changeFeedQuery('any', ({ query: { limit = -1 } }) =>
        limit >= 3 ? { limit: limit + 1 } : {},
      ),
    },
    'limit-counts-live': {
      summary: 'The server counts deleted documents towards limit, then omits them.',
      replace: changeRows((rows, { query: { limit = -1 } }) =>
        limit === -1 ? rows : rows.filter(({ deleted }) => !deleted),
      ),
    },
  },
  'feed-paging': {
    'limit-before-since': {
      summary: 'The server counts limit from the beginning of the feed instead of from since.',
      replace: changeFeedQuery('any', ({ query: { limit = -1, since } }) =>
        limit === -1 || since === 'now' ? {} : { limit: Math.max(0, limit - positionOf(since)) },
      ),
    },
    'page-ends-early': {
      summary: 'The server sends the seq of the second to last row as last_seq if limit is 3 or more.',
      replace: changeFeedBody((feed, { query: { limit = -1 } }) => {
        if (limit < 3 || feed.results.length < 3) return {};
        return { last_seq: feed.results.at(-2)!.seq };
      }),
    },
  },
  'feed-descending': {
    'descending-oldest': {
      summary: 'The server sends the oldest rows, newest first, with descending=true and limit.',
      replace: changeFeed(async ({ query: { descending }, read }) => {
        const feed = await read({ descending: false });
        return descending ? { ...feed, results: feed.results.toReversed() } : feed;
      }),
    },
    'descending-by-shard': {
      summary: 'The server sends all rows of one shard before those of another with descending=true.',
      replace: changeFeed(async ({ query: { descending, limit = -1 }, read }) => {
        if (!descending) return read();
        const feed = await read({ limit: -1 });
        const isOnFirstShard = ({ id }: FeedRow): boolean => id.length % 2 === 0;
        const first = feed.results.filter(isOnFirstShard);
        const second = feed.results.filter((row) => !isOnFirstShard(row));
        const results = [...first, ...second].slice(0, limit < 0 ? undefined : limit);
        return {
          results,
          last_seq: results.at(-1)?.seq ?? feed.last_seq,
          pending: feed.results.length - results.length,
        };
      }),
    },
    'descending-forgotten': {
      summary: 'The server ignores descending with include_docs=true.',
      replace: changeFeedQuery('any', { descending: false }, ({ query }) => query.include_docs),
    },
  },
});
