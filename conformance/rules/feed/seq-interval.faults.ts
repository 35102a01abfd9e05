/** Faults in the sequences of rows with `seq_interval`. */
import { faultsOf, type Replace } from '../shared/components.faults.js';
import { changeFeed, changeFeedBody } from '../shared/feeds.faults.js';
import { unseen } from '../shared/unseen.js';

/** Sends the sequence only of rows for which `hasSeq` is true; `index` counts rows from 0. */
const chooseRowsWithSeq = (hasSeq: (index: number, interval: number) => boolean): Replace =>
  changeFeed(async ({ query: { seq_interval: interval }, read }) => {
    if (interval === undefined) return read();
    const feed = await read({ seq_interval: 1 });
    const results = feed.results.map((row, index) => (hasSeq(index, interval) ? row : { ...row, seq: null }));
    return { ...feed, results };
  });

export const feedSeqIntervalFaults = faultsOf({
  'feed-seq-interval': {
    'seq-interval-one-more': {
      summary: 'The server omits the seq of one row more than seq_interval requires.',
      replace: chooseRowsWithSeq((index, interval) => interval === 1 || index % (interval + 1) === interval),
    },
    'seq-interval-halved': {
      summary: 'The server sends the seq of every second row with a seq_interval of more than two.',
      // PouchDB Server gives every row a seq, whatever seq_interval is.
      knownIn: ['pouchdb-server-4'],
      replace: chooseRowsWithSeq((index, interval) => index % Math.min(interval, 2) === 0),
    },
    'seq-interval-first-only': {
      summary: 'The server sends the seq of two rows at most with seq_interval.',
      replace: chooseRowsWithSeq((index, interval) => index % interval === 0 && index < 2 * interval),
    },
    'seq-interval-rows-dropped': {
      summary: 'The server omits rows after the last one that has a seq.',
      replace: changeFeedBody((feed, { query }) => {
        if (query.seq_interval === undefined) return {};
        const last = feed.results.findLastIndex(({ seq }) => seq !== null);
        return { results: last < 0 ? feed.results : feed.results.slice(0, last + 1) };
      }),
    },
    'seq-interval-last-seq-null': {
      summary: 'The server sends null as last_seq if the last row has no seq.',
      replace: changeFeedBody((feed) => (feed.results.at(-1)?.seq === null ? { last_seq: null } : {})),
    },
    'seq-interval-of-the-next': {
      summary: 'The server sends the seq of the next row with seq_interval.',
      notInTraffic: unseen.position,
      replace: changeFeedBody(async (feed, { query, read }) => {
        if (query.seq_interval === undefined) return {};
        const whole = await read({ seq_interval: 1 });
        const results = feed.results.map((row, index) =>
          row.seq === null ? row : { ...row, seq: whole.results[index + 1]?.seq ?? row.seq },
        );
        return { results };
      }),
    },
    'filtered-seq-interval-once': {
      summary: 'The server sends only the seq of the first row in a feed with a filter and seq_interval.',
      onlyIn: ['filters'],
      replace: changeFeedBody((feed, { query }) => {
        if (!query.filter || (query.seq_interval ?? 1) === 1) return {};
        const results = feed.results.map((row, index) => (index === 0 ? row : { ...row, seq: null }));
        return { results };
      }),
    },
  },
});
