/** Faults in how much of the feed a response has: limit, descending, last_seq, pending. */
import { type Fault } from '../../reference/index.js';
import { feeding, type FeedRow, positionOf } from './shared/feeds.js';

export const feedExtentFaults: readonly Fault[] = [
  {
    id: 'last-seq-skips',
    rule: 'feed-last-seq',
    summary: 'With limit, last_seq is that of the whole database: who goes on from there skips the rest.',
    replace: feeding(async ({ read }) => ({
      ...(await read()),
      last_seq: (await read({ limit: -1, descending: false })).last_seq,
    })),
  },
  {
    id: 'last-seq-of-the-first-row',
    rule: 'feed-last-seq',
    summary: 'With descending, last_seq is the seq of the first row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const [first] = feed.results;
      return query.descending && first ? { ...feed, last_seq: first.seq } : feed;
    }),
  },
  {
    id: 'pending-one-more',
    rule: 'feed-pending',
    summary: 'When limit cuts the feed, pending counts the last row too.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return { ...feed, pending: feed.pending > 0 ? feed.pending + 1 : 0 };
    }),
  },
  {
    id: 'pending-live-only',
    rule: 'feed-pending',
    summary: 'Deleted documents are not pending.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const { results } = await read({ limit: -1 });
      const rest = query.descending ? [] : results.slice(feed.results.length);
      return { ...feed, pending: rest.filter(({ deleted }) => !deleted).length };
    }),
  },
  {
    id: 'limit-one-more',
    rule: 'feed-limit',
    summary: 'A limit of three or more gives one row too many.',
    replace: feeding(({ query: { limit = -1 }, read }) => read(limit >= 3 ? { limit: limit + 1 } : {})),
  },
  {
    id: 'limit-counts-live',
    rule: 'feed-limit',
    summary: 'Deleted documents are taken out after the limit was counted.',
    replace: feeding(async ({ query: { limit = -1 }, read }) => {
      const feed = await read();
      return limit === -1 ? feed : { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'limit-before-since',
    rule: 'feed-paging',
    summary: 'limit is counted from the beginning of the feed, not from since.',
    replace: feeding(({ query: { limit = -1, since }, read }) =>
      read(limit === -1 || since === 'now' ? {} : { limit: Math.max(0, limit - positionOf(since)) }),
    ),
  },
  {
    id: 'page-ends-early',
    rule: 'feed-paging',
    summary: 'The last_seq of a page of three or more rows is that of the row before the last.',
    replace: feeding(async ({ query: { limit = -1 }, read }) => {
      const feed = await read();
      if (limit < 3 || feed.results.length < 3) return feed;
      return { ...feed, last_seq: feed.results.at(-2)!.seq };
    }),
  },
  {
    id: 'descending-oldest',
    rule: 'feed-descending',
    summary: 'With descending and limit the oldest rows come, newest first.',
    replace: feeding(async ({ query: { descending }, read }) => {
      const feed = await read({ descending: false });
      return descending ? { ...feed, results: feed.results.toReversed() } : feed;
    }),
  },
  {
    id: 'descending-by-shard',
    rule: 'feed-descending',
    summary: 'With descending, the newest of one shard come first, then those of the other.',
    replace: feeding(async ({ query: { descending, limit = -1 }, read }) => {
      if (!descending) return read();
      const feed = await read({ limit: -1 });
      const isOfOne = ({ id }: FeedRow): boolean => id.length % 2 === 0;
      const [one, other] = [feed.results.filter(isOfOne), feed.results.filter((row) => !isOfOne(row))];
      const results = [...one, ...other].slice(0, limit < 0 ? undefined : limit);
      return {
        results,
        last_seq: results.at(-1)?.seq ?? feed.last_seq,
        pending: feed.results.length - results.length,
      };
    }),
  },
  {
    id: 'descending-forgotten',
    rule: 'feed-descending',
    summary: 'descending is ignored when documents are included.',
    replace: feeding(({ query, read }) => read({ descending: query.descending && !query.include_docs })),
  },
];
