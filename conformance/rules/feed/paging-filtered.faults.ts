/** Faults in `last_seq`, `pending`, and `limit` of feeds with a filter. */
import { faultsOf, type Replace } from '../shared/components.faults.js';
import { changeFeed, changeFeedBody, type FeedRow, type Query } from '../shared/feeds.faults.js';
import { documentIdsOf } from '../shared/filters.faults.js';
import { changeEnd, endAtPresent } from '../shared/open-feeds.faults.js';

export const feedPagingFilteredFaults = faultsOf({
  'feed-last-seq': {
    'filtered-last-seq-scanned': {
      summary:
        'The server sends the seq of the last change that it has read as last_seq if a filter rejects it.',
      replace: changeFeedBody(async (_, { query, read }) => {
        if (!query.filter || query.limit !== undefined) return {};
        return { last_seq: (await read({ filter: undefined })).last_seq };
      }),
    },
  },
  'feed-pending': {
    'filtered-pending-rejected': {
      summary: 'The server counts changes that a filter has rejected as pending if there is no limit.',
      replace: countRejected(({ limit }) => limit === undefined),
    },
    'filtered-pending-rejected-with-limit': {
      summary: 'The server counts changes that a filter has rejected as pending if limit is given.',
      replace: countRejected(({ limit }) => limit !== undefined),
    },
    'filtered-pending-one-less': {
      summary: 'The server counts one change too few as pending if limit omits changes that pass a filter.',
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (!query.filter || query.limit === undefined) return {};
        const passing = await read({ limit: -1 });
        return { pending: Math.max(0, passing.results.length - feed.results.length - 1) };
      }),
    },
    'filtered-pending-negative': {
      summary: 'The server subtracts the number of listed documents from pending with filter=_doc_ids.',
      replace: changeFeedBody((feed, request) => {
        const count = documentIdsOf(request).length;
        return request.query.filter === '_doc_ids' ? { pending: feed.pending - count } : {};
      }),
    },
  },
  'feed-paging': {
    'filtered-limit-counts-rejected': {
      summary: 'The server counts changes that a filter rejects towards limit.',
      replace: changeFeed(async ({ query, read }) => {
        if (!query.filter || query.limit === undefined) return read();
        const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
        const feed = await read({ limit: -1 });
        return { ...feed, results: feed.results.filter(({ id }) => page.has(id)) };
      }),
    },
    'longpoll-filtered-pending-zero': {
      summary: 'The server always sends 0 as pending in a long poll with a filter.',
      replace: changeEnd('longpoll', (_, { filter }) => (filter ? { pending: 0 } : {})),
    },
    'longpoll-filtered-last-seq-ahead': {
      summary: 'The server sends the last_seq of the whole database in a long poll with a filter and limit.',
      replace: endAtPresent('longpoll', ({ filter }) => filter !== undefined),
    },
  },
  'feed-descending': {
    'filtered-descending-oldest': {
      summary: 'The server sends the oldest rows, newest first, with a filter, descending=true and limit.',
      replace: limitDescending((results, limit) => results.slice(-limit)),
    },
    'filtered-descending-limit-counts-rejected': {
      summary: 'The server counts changes that a filter rejects towards limit with descending=true.',
      replace: limitDescending((results, _, page) => results.filter(({ id }) => page.has(id))),
    },
  },
  'feed-seq-interval': {
    'filtered-seq-interval-once': {
      summary: 'The server sends only the seq of the first row in a feed with a filter and seq_interval.',
      replace: changeFeedBody((feed, { query }) => {
        if (!query.filter || (query.seq_interval ?? 1) === 1) return {};
        const results = feed.results.map((row, index) => (index === 0 ? row : { ...row, seq: null }));
        return { results };
      }),
    },
  },
  'feed-since-resume': {
    'filtered-seqs-of-last': {
      summary: 'The server sends the seq of the last row in every row of a feed with a filter.',
      replace: changeFeedBody((feed, { query }) => {
        if (!query.filter) return {};
        return { results: feed.results.map((row) => ({ ...row, seq: feed.last_seq })) };
      }),
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
