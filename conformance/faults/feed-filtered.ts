/** Faults in last_seq, pending, and limit when a filter is in use. */
import { type Fault } from '../../reference/index.js';
import { feeding } from './shared/feeds.js';

export const feedFilteredFaults: readonly Fault[] = [
  {
    id: 'filtered-last-seq-scanned',
    rule: 'feed-last-seq',
    summary: 'With a filter, last_seq is where the server has read to, not the last row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const all = await read({ filter: undefined });
      return query.filter && query.limit === undefined ? { ...feed, last_seq: all.last_seq } : feed;
    }),
  },
  {
    id: 'filtered-pending-rejected',
    rule: 'feed-pending',
    summary: 'With a filter, pending counts what was read and rejected as if it were still to come.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const all = await read({ filter: undefined, limit: -1 });
      return query.filter ? { ...feed, pending: all.results.length - feed.results.length } : feed;
    }),
  },
  {
    id: 'filtered-pending-negative',
    rule: 'feed-pending',
    summary: 'With _doc_ids, pending falls below 0 by the documents that are listed.',
    replace: feeding(async ({ query, body, read }) => {
      const feed = await read();
      const ids = body?.doc_ids ?? query.doc_ids ?? [];
      return query.filter === '_doc_ids' ? { ...feed, pending: feed.pending - ids.length } : feed;
    }),
  },
  {
    id: 'filtered-limit-counts-rejected',
    rule: 'feed-paging',
    summary: 'With a filter, what it rejects counts against the limit.',
    replace: feeding(async ({ query, read }) => {
      if (!query.filter || query.limit === undefined) return read();
      const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
      const feed = await read({ limit: -1 });
      return { ...feed, results: feed.results.filter(({ id }) => page.has(id)) };
    }),
  },
];
