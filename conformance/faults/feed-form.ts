/** Faults in the JSON of feeds and rows. */
import { type Fault } from '../../reference/index.js';
import { feeding, rendering } from './shared/feeds.js';

export const feedFormFaults: readonly Fault[] = [
  {
    id: 'feed-results-null',
    rule: 'feed-shape',
    summary: 'Where there is nothing to report, the results are null.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return { ...feed, results: feed.results.length === 0 ? null : feed.results };
    }),
  },
  {
    id: 'feed-pending-missing',
    rule: 'feed-shape',
    summary: 'Where nothing is left, pending is missing.',
    replace: feeding(async ({ read }) => {
      const { pending, ...feed } = await read();
      return pending === 0 ? feed : { ...feed, pending };
    }),
  },
  {
    id: 'row-seq-null',
    rule: 'feed-row-shape',
    summary: 'The seq of every third change is null.',
    replace: rendering((row, { position }) => ({ ...row, seq: position % 3 === 0 ? null : row.seq })),
  },
  {
    id: 'row-changes-plain',
    rule: 'feed-row-shape',
    summary: 'Of a document in conflict, all_docs lists the revisions as plain strings.',
    replace: rendering(({ changes, ...row }, { leaves }, { allLeaves }) => ({
      ...row,
      changes: allLeaves && leaves.conflicts.length > 0 ? changes.map(({ rev }) => rev) : changes,
    })),
  },
];
