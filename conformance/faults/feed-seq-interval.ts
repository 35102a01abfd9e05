/** Faults in the sequences of seq_interval. */
import { type Fault } from '../../reference/index.js';
import { type Replace } from './shared/components.js';
import { feeding } from './shared/feeds.js';

/** Every seq but some is null, the row at that place counted from 0. */
const numbering = (isNumbered: (index: number, interval: number, rows: number) => boolean): Replace =>
  feeding(async ({ query, read }) => {
    const feed = await read({ seq_interval: 1 });
    const { seq_interval: interval } = query;
    if (interval === undefined) return feed;
    const results = feed.results.map((row, index) =>
      isNumbered(index, interval, feed.results.length) ? row : { ...row, seq: null },
    );
    return { ...feed, results };
  });

export const feedSeqIntervalFaults: readonly Fault[] = [
  {
    id: 'seq-interval-one-more',
    rule: 'feed-seq-interval',
    summary: 'One row more than asked for goes without a seq.',
    replace: numbering((index, interval) => interval === 1 || index % (interval + 1) === interval),
  },
  {
    id: 'seq-interval-first-only',
    rule: 'feed-seq-interval',
    summary: 'Only the first of the rows in the interval has a seq, and then none.',
    replace: numbering((index, interval) => index % interval === 0 && index < 2 * interval),
  },
  {
    id: 'seq-interval-rows-dropped',
    rule: 'feed-seq-interval',
    summary: 'Rows after the last one that has a seq are left out.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.seq_interval === undefined) return feed;
      const last = feed.results.findLastIndex(({ seq }) => seq !== null);
      return { ...feed, results: last < 0 ? feed.results : feed.results.slice(0, last + 1) };
    }),
  },
  {
    id: 'seq-interval-last-seq-null',
    rule: 'feed-seq-interval',
    summary: 'last_seq is null when the last row has no seq.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return feed.results.at(-1)?.seq === null ? { ...feed, last_seq: null } : feed;
    }),
  },
  {
    id: 'seq-interval-of-the-next',
    rule: 'feed-seq-interval',
    summary: 'A row has the seq of the one after it.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.seq_interval === undefined) return feed;
      const whole = await read({ seq_interval: 1 });
      const results = feed.results.map((row, index) =>
        row.seq === null ? row : { ...row, seq: whole.results[index + 1]?.seq ?? row.seq },
      );
      return { ...feed, results };
    }),
  },
];
