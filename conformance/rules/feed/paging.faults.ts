/** Faults in how much of the feed a response has: `limit`, `descending`, `last_seq`, and `pending`. */
import { faultsOf, type Replace } from '../shared/components.faults.js';
import {
  changeFeed,
  changeFeedBody,
  changeFeedQuery,
  changeRows,
  type FeedRow,
  positionOf,
  type Query,
} from '../shared/feeds.faults.js';
import { documentIdsOf } from '../shared/filters.faults.js';
import {
  changeEnd,
  changeFraming,
  endAtPresent,
  type Feed,
  moveLastSeq,
} from '../shared/open-feeds.faults.js';
import { unseen } from '../shared/unseen.js';

/** Whether a feed that is being opened waits, because nothing is after its start. */
const waits = ({ options: { start }, database }: Feed): boolean =>
  start.since === 'now' || positionOf(start.since) >= database.position;

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
    'filtered-last-seq-scanned': {
      summary:
        'The server sends the seq of the last change that it has read as last_seq if a filter rejects it.',
      onlyIn: ['filters'],
      // Each of the servers sends the position that it has scanned to as last_seq, with and without limit.
      knownIn: ['couchdb-3.3', 'couchdb-3.5', 'pouchdb-server-4'],
      replace: changeFeedBody(async (_, { query, read }) => {
        if (!query.filter || query.limit !== undefined) return {};
        return { last_seq: (await read({ filter: undefined })).last_seq };
      }),
    },
    'longpoll-last-seq-behind': {
      summary: 'The server sends the seq of the change before the last row as last_seq in a long poll.',
      onlyIn: ['modes'],
      replace: moveLastSeq('longpoll', -1),
    },
    'longpoll-last-seq-of-start': {
      summary: 'The server sends the start of a long poll as last_seq if a limit ends it.',
      onlyIn: ['modes'],
      replace: changeEnd('longpoll', ({ pending }, { options: { start } }) =>
        pending > 0 ? { last_seq: start.since } : {},
      ),
    },
    'longpoll-awaited-last-seq-ahead': {
      summary:
        'The server sends the last_seq of the whole database in a long poll that has waited, with limit.',
      onlyIn: ['modes'],
      notInTraffic: unseen.position,
      replace: endAtPresent('longpoll', waits),
    },
    'longpoll-descending-last-seq-of-first': {
      summary: 'The server sends the seq of the first row as last_seq in a long poll with descending=true.',
      onlyIn: ['modes'],
      replace: changeEnd('longpoll', ({ last_seq }, { options }, seqs) =>
        options.query.descending ? { last_seq: seqs.find((seq) => seq !== null) ?? last_seq } : {},
      ),
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
    'filtered-pending-rejected': {
      summary: 'The server counts changes that a filter has rejected as pending if there is no limit.',
      onlyIn: ['filters'],
      notInTraffic: unseen.position,
      replace: countRejected(({ limit }) => limit === undefined),
    },
    'filtered-pending-rejected-with-limit': {
      summary: 'The server counts changes that a filter has rejected as pending if limit is given.',
      onlyIn: ['filters'],
      notInTraffic: unseen.position,
      replace: countRejected(({ limit }) => limit !== undefined),
    },
    'filtered-pending-one-less': {
      summary: 'The server counts one change too few as pending if limit omits changes that pass a filter.',
      onlyIn: ['filters'],
      notInTraffic: unseen.position,
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (!query.filter || query.limit === undefined) return {};
        const passing = await read({ limit: -1 });
        return { pending: Math.max(0, passing.results.length - feed.results.length - 1) };
      }),
    },
    'filtered-pending-negative': {
      summary: 'The server subtracts the number of listed documents from pending with filter=_doc_ids.',
      onlyIn: ['filters'],
      replace: changeFeedBody((feed, request) => {
        const count = documentIdsOf(request).length;
        return request.query.filter === '_doc_ids' ? { pending: feed.pending - count } : {};
      }),
    },
    'longpoll-pending-one-more': {
      summary: 'The server counts the last row of a long poll as pending.',
      onlyIn: ['modes'],
      replace: changeEnd('longpoll', ({ pending }) => ({ pending: pending + 1 })),
    },
    'longpoll-awaited-pending-one-more': {
      summary: 'The server counts the last row of a long poll that has waited as pending.',
      onlyIn: ['modes'],
      notInTraffic: unseen.position,
      replace: changeFraming('longpoll', ({ end }, feed) =>
        waits(feed) ? { end: (values) => end({ ...values, pending: values.pending + 1 }) } : {},
      ),
    },
    'longpoll-pending-zero': {
      summary: 'The server always sends 0 as pending in a long poll.',
      onlyIn: ['modes'],
      replace: changeEnd('longpoll', () => ({ pending: 0 })),
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
    'filtered-limit-counts-rejected': {
      summary: 'The server counts changes that a filter rejects towards limit.',
      onlyIn: ['filters'],
      replace: changeFeed(async ({ query, read }) => {
        if (!query.filter || query.limit === undefined) return read();
        const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
        const feed = await read({ limit: -1 });
        return { ...feed, results: feed.results.filter(({ id }) => page.has(id)) };
      }),
    },
    'longpoll-filtered-pending-zero': {
      summary: 'The server always sends 0 as pending in a long poll with a filter.',
      onlyIn: ['modes', 'filters'],
      replace: changeEnd('longpoll', (_, { filter }) => (filter ? { pending: 0 } : {})),
    },
    'longpoll-filtered-last-seq-ahead': {
      summary: 'The server sends the last_seq of the whole database in a long poll with a filter and limit.',
      onlyIn: ['modes', 'filters'],
      replace: endAtPresent('longpoll', ({ filter }) => filter !== undefined),
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
    'filtered-descending-oldest': {
      summary: 'The server sends the oldest rows, newest first, with a filter, descending=true and limit.',
      onlyIn: ['filters'],
      notInTraffic: unseen.lackingRows,
      replace: limitDescending((results, limit) => results.slice(-limit)),
    },
    'filtered-descending-limit-counts-rejected': {
      summary: 'The server counts changes that a filter rejects towards limit with descending=true.',
      onlyIn: ['filters'],
      notInTraffic: unseen.lackingRows,
      replace: limitDescending((results, _, page) => results.filter(({ id }) => page.has(id))),
    },
  },
});

/** Counts changes that a filter has rejected as pending, in some requests. */
function countRejected(isAffected: (query: Query) => boolean): Replace {
  return changeFeedBody(async (feed, { query, read }) => {
    if (!query.filter || !isAffected(query)) return {};
    const all = await read({ filter: undefined, limit: -1 });
    return { pending: all.results.length - feed.results.length };
  });
}

/**
 * Chooses the rows of descending feeds with a filter and `limit` from all rows that pass; `page` has the ids that the
 * feed would have without the filter.
 */
function limitDescending(
  choose: (results: readonly FeedRow[], limit: number, page: ReadonlySet<string>) => readonly FeedRow[],
): Replace {
  return changeFeed(async ({ query, read }) => {
    const { limit = -1 } = query;
    if (!query.filter || !query.descending || limit < 0) return read();
    const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
    const feed = await read({ limit: -1 });
    const results = choose(feed.results, limit, page);
    return { ...feed, results, last_seq: results.at(-1)?.seq ?? feed.last_seq };
  });
}
