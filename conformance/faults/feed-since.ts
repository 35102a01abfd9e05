/** Faults in where a feed starts. */
import { type Fault } from '../../reference/index.js';
import { feeding, positionOf } from './shared/feeds.js';

export const feedSinceFaults: readonly Fault[] = [
  {
    id: 'feed-without-rewritten-designs',
    rule: 'feed-complete',
    summary: 'With since, design documents have no row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.filter(({ id }) => !id.startsWith('_design/')) };
    }),
  },
  {
    id: 'since-inclusive',
    rule: 'feed-since-excludes',
    summary: 'Every fourth change is given again to who resumes from it.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        ...parts.sequences,
        decode(instance, text) {
          const position = parts.sequences.decode(instance, text);
          return position && position % 4 === 0 ? position - 1 : position;
        },
      },
    }),
  },
  {
    id: 'since-rewinds',
    rule: 'feed-since-excludes',
    summary: 'A seq at which nothing is left rewinds the feed to its beginning.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      return query.since === 'now' || feed.results.length > 0 ? feed : read({ since: '0' });
    }),
  },
  {
    id: 'since-loses-the-next',
    rule: 'feed-since-resume',
    summary: 'Resuming from every third change loses the one after it, if it is not the last.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const lost = positionOf(query.since) % 3 === 0 && query.since !== '0' && feed.results.length > 1;
      return { ...feed, results: feed.results.slice(lost ? 1 : 0) };
    }),
  },
  {
    id: 'since-loses-deletions',
    rule: 'feed-since-resume',
    summary: 'Resuming loses the documents that are deleted.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'since-absent-without-deleted',
    rule: 'feed-since-default',
    summary: 'Without since, deleted documents are left out, as a first replication has no need of them.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      if (/[?&]since=/.test(context.requestHead.url)) return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'since-zero-after-the-first',
    rule: 'feed-since-default',
    summary: 'since=0 begins after the first change.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      return /[?&]since=0(&|$)/.test(context.requestHead.url)
        ? { ...feed, results: feed.results.slice(1) }
        : feed;
    }),
  },
  {
    id: 'since-now-shows-the-last',
    rule: 'feed-since-now',
    summary: 'since=now gives the last change of a database that has seen several.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since !== 'now' || positionOf(feed.last_seq) < 2) return feed;
      const past = await read({ since: '0', descending: true, limit: 1 });
      return { ...feed, results: past.results };
    }),
  },
  {
    id: 'since-now-ends-early',
    rule: 'feed-since-now',
    summary: 'The last_seq of since=now is the one before the latest change.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since !== 'now') return feed;
      const { results } = await read({ since: '0', descending: true, limit: 2 });
      return { ...feed, last_seq: results[1]?.seq ?? feed.last_seq };
    }),
  },
  {
    id: 'seq-array-not-read',
    rule: 'feed-seq-any-json',
    summary: 'From the third change on, seqs are arrays, which are not understood as since.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        ...parts.sequences,
        encode: (instance, position) =>
          position < 3 ? parts.sequences.encode(instance, position) : [position, instance],
      },
    }),
  },
  {
    id: 'seq-decoded-twice',
    rule: 'feed-seq-any-json',
    summary: 'A since is percent-decoded twice, and seqs hold a percent sign.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        encode: (instance, position) => `${position}-${instance}%2B`,
        decode(instance, text) {
          if (text === '0') return 0;
          return parts.sequences.decode(`${instance}%2B`, decodeURIComponent(text));
        },
      },
    }),
  },
];
