/** Faults in where a feed starts. */
import type { Components } from '../../../reference/index.js';
import { faultsOf, type Replace } from '../shared/components.faults.js';
import { changeFeedBody, changeRows, type FeedRow, ignoreNow, positionOf } from '../shared/feeds.faults.js';
import { changeFraming } from '../shared/open-feeds.faults.js';
import { unseen } from '../shared/unseen.js';

type Sequences = Components['sequences'];

const changeSequences =
  (change: (sequences: Sequences) => Partial<Sequences>): Replace =>
  (components) => ({
    ...components,
    sequences: { ...components.sequences, ...change(components.sequences) },
  });

const isLive = ({ deleted }: FeedRow): boolean => !deleted;

export const feedSinceFaults = faultsOf({
  'feed-since-excludes': {
    'since-inclusive': {
      summary: 'The server repeats every fourth change if a client resumes after it.',
      replace: changeSequences((original) => ({
        decode(instance, text) {
          const position = original.decode(instance, text);
          return position && position % 4 === 0 ? position - 1 : position;
        },
      })),
    },
    'since-rewinds': {
      summary: 'The server starts at the beginning if there is no change after since.',
      replace: changeFeedBody(async (feed, { query, read }) => {
        return query.since === 'now' || feed.results.length > 0 ? {} : read({ since: '0' });
      }),
    },
    'since-at-most-999': {
      summary: 'The server reads the seq of every change after the 999th as that of the 999th in since.',
      notInTraffic: unseen.rare,
      replace: changeSequences((original) => ({
        decode(instance, text) {
          const position = original.decode(instance, text);
          return position && Math.min(position, 999);
        },
      })),
    },
  },
  'feed-since-resume': {
    'since-loses-the-next': {
      summary:
        'The server loses the change after every third one if a client resumes there, unless it is the last.',
      replace: changeRows((rows, { query: { since } }) => {
        const isLost = positionOf(since) % 3 === 0 && since !== '0' && rows.length > 1;
        return isLost ? rows.slice(1) : rows;
      }),
    },
    'since-loses-deletions': {
      summary: 'The server omits deleted documents if since is not 0.',
      replace: changeRows((rows, { query }) => (query.since === '0' ? rows : rows.filter(isLive))),
    },
    'longpoll-seqs-of-last': {
      summary: 'The server sends the seq of the last row in every row of a long poll without a limit.',
      onlyIn: ['modes'],
      replace: changeFraming('longpoll', ({ row }, { options, database }) => {
        if (options.limit < Infinity) return {};
        const seq = database.sequenceOf(database.position);
        return { row: (json) => row(JSON.stringify({ ...(JSON.parse(json) as FeedRow), seq }), seq) };
      }),
    },
    'filtered-seqs-of-last': {
      summary: 'The server sends the seq of the last row in every row of a feed with a filter.',
      onlyIn: ['filters'],
      notInTraffic: unseen.position,
      replace: changeFeedBody((feed, { query }) => {
        if (!query.filter) return {};
        return { results: feed.results.map((row) => ({ ...row, seq: feed.last_seq })) };
      }),
    },
  },
  'feed-since-default': {
    'since-absent-without-deleted': {
      summary: 'The server omits deleted documents if since is missing.',
      replace: changeRows((rows, { sent }) => (sent.has('since') ? rows : rows.filter(isLive))),
    },
    'since-zero-after-the-first': {
      summary: 'The server omits the first change with since=0.',
      replace: changeRows((rows, { sent }) => (sent.get('since') === '0' ? rows.slice(1) : rows)),
    },
  },
  'feed-since-now': {
    'since-now-shows-the-last': {
      summary: 'The server sends the last change with since=now if the database has two or more.',
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (query.since !== 'now' || positionOf(feed.last_seq) < 2) return {};
        const { results } = await read({ since: '0', descending: true, limit: 1 });
        return { results };
      }),
    },
    'since-now-ignored-with-filter': {
      summary: 'The server ignores since=now in a request with a filter.',
      onlyIn: ['filters'],
      replace: ignoreNow('normal', ({ filter }) => filter !== undefined),
    },
    'since-now-ends-early': {
      summary: 'The server responds to since=now with the last_seq of the change before the last.',
      notInTraffic: unseen.otherWriters,
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (query.since !== 'now') return {};
        const { results } = await read({ since: '0', descending: true, limit: 2 });
        return { last_seq: results[1]?.seq ?? feed.last_seq };
      }),
    },
    'since-now-pending-all': {
      summary: 'The server counts all changes as pending with since=now.',
      replace: changeFeedBody(async (_, { query, read }) => {
        if (query.since !== 'now') return {};
        return {
          pending: (await read({ since: '0', limit: -1, filter: undefined })).results.length,
        };
      }),
    },
  },
  'feed-seq-any-json': {
    'seq-array-not-read': {
      summary: 'The server sends arrays as sequences from the third change on, and rejects them in since.',
      replace: changeSequences((original) => ({
        encode: (instance, position) =>
          position < 3 ? original.encode(instance, position) : [position, instance],
      })),
    },
    'seq-decoded-twice': {
      summary: 'The server sends sequences with a percent sign, and decodes since twice.',
      replace: changeSequences((original) => ({
        encode: (instance, position) => `${position}-${instance}%2B`,
        decode: (instance, text) =>
          text === '0' ? 0 : original.decode(`${instance}%2B`, decodeURIComponent(text)),
      })),
    },
  },
});
