/** Faults in `last_seq`, `pending`, and `limit` of feeds with a filter. */
import type { Fault } from '../../reference/index.js';
import type { Replace } from './shared/components.js';
import { changeFeed, type Query } from './shared/feeds.js';

export const feedPagingFilteredFaults: readonly Fault[] = [
  {
    id: 'filtered-last-seq-scanned',
    rule: 'feed-last-seq',
    summary:
      'The server sends the seq of the last change that it has read as last_seq if a filter rejects it.',
    replace: changeFeed(async ({ query, read }) => {
      const feed = await read();
      if (!query.filter || query.limit !== undefined) return feed;
      return { ...feed, last_seq: (await read({ filter: undefined })).last_seq };
    }),
  },
  {
    id: 'filtered-pending-rejected',
    rule: 'feed-pending',
    summary: 'The server counts changes that a filter has rejected as pending if there is no limit.',
    replace: countRejected(({ limit }) => limit === undefined),
  },
  {
    id: 'filtered-pending-rejected-with-limit',
    rule: 'feed-pending',
    summary: 'The server counts changes that a filter has rejected as pending if limit is given.',
    replace: countRejected(({ limit }) => limit !== undefined),
  },
  {
    id: 'filtered-pending-one-less',
    rule: 'feed-pending',
    summary: 'The server counts one change too few as pending if limit omits changes that pass a filter.',
    replace: changeFeed(async ({ query, read }) => {
      const feed = await read();
      if (!query.filter || query.limit === undefined) return feed;
      const passing = await read({ limit: -1 });
      return { ...feed, pending: Math.max(0, passing.results.length - feed.results.length - 1) };
    }),
  },
  {
    id: 'filtered-pending-negative',
    rule: 'feed-pending',
    summary: 'The server subtracts the number of listed documents from pending with filter=_doc_ids.',
    replace: changeFeed(async ({ query, body, read }) => {
      const feed = await read();
      const ids = body?.doc_ids ?? query.doc_ids ?? [];
      return query.filter === '_doc_ids' ? { ...feed, pending: feed.pending - ids.length } : feed;
    }),
  },
  {
    id: 'filtered-limit-counts-rejected',
    rule: 'feed-paging',
    summary: 'The server counts changes that a filter rejects towards limit.',
    replace: changeFeed(async ({ query, read }) => {
      if (!query.filter || query.limit === undefined) return read();
      const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
      const feed = await read({ limit: -1 });
      return { ...feed, results: feed.results.filter(({ id }) => page.has(id)) };
    }),
  },
];

/** Counts changes that a filter has rejected as pending, in some requests. */
function countRejected(isAffected: (query: Query) => boolean): Replace {
  return changeFeed(async ({ query, read }) => {
    const feed = await read();
    if (!query.filter || !isAffected(query)) return feed;
    const all = await read({ filter: undefined, limit: -1 });
    return { ...feed, pending: all.results.length - feed.results.length };
  });
}
