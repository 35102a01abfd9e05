/** Faults in the JSON of feeds and rows. */
import { changeFeed, changeFeedBody, changeRow, changeRows } from '../shared/feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';
import { changeEnd, changeFraming } from '../shared/open-feeds.faults.js';

export const feedShapeFaults = faultsOf({
  'feed-shape': {
    'feed-results-null': {
      summary: 'The server sends null instead of an empty list of results.',
      replace: changeRows((rows) => (rows.length === 0 ? null : rows)),
    },
    'feed-pending-missing': {
      summary: 'The server omits pending if nothing is pending.',
      replace: changeFeed(async ({ read }) => {
        const { pending, ...feed } = await read();
        return pending === 0 ? feed : { ...feed, pending };
      }),
    },
    'feed-pending-text': {
      summary: 'The server sends pending as text.',
      replace: changeFeedBody((feed) => ({ pending: String(feed.pending) })),
    },
    'longpoll-pending-missing': {
      summary: 'The server omits pending from a long poll if nothing is pending.',
      onlyIn: ['modes'],
      replace: changeFraming('longpoll', ({ end }) => ({
        end: (values) => (values.pending > 0 ? end(values) : end(values).replace(/,"pending":0/, '')),
      })),
    },
    'longpoll-seq-interval-last-seq-null': {
      summary: 'The server sends null as last_seq in a long poll if the last row has no seq.',
      onlyIn: ['modes'],
      replace: changeEnd('longpoll', (_, { options }, seqs) =>
        (options.query.seq_interval ?? 1) !== 1 && seqs.at(-1) === null ? { last_seq: null } : {},
      ),
    },
  },
  'feed-row-shape': {
    'row-id-number': {
      summary: 'The server sends an id that consists of digits as a number.',
      replace: changeRow((row) => (/^[1-9]\d*$/.test(row.id) ? { ...row, id: Number(row.id) } : row)),
    },
    'row-seq-null': {
      summary: 'The server sends null as the seq of every third change.',
      replace: changeRow((row, { position }) => ({ ...row, seq: position % 3 === 0 ? null : row.seq })),
    },
    'row-changes-described': {
      summary: 'The server adds a status to the revisions of a document with deleted leaf revisions.',
      replace: changeRow(({ changes, ...row }, { leaves }) => ({
        ...row,
        changes:
          leaves.deletedConflicts.length > 0
            ? changes.map(({ rev }) => ({ rev, status: rev === leaves.winner ? 'winner' : 'leaf' }))
            : changes,
      })),
    },
    'row-changes-plain': {
      summary:
        'The server lists the revisions of a document in conflict as plain strings with style=all_docs.',
      replace: changeRow(({ changes, ...row }, { leaves }, { query: { style } }) => ({
        ...row,
        changes:
          style === 'all_docs' && leaves.conflicts.length > 0 ? changes.map(({ rev }) => rev) : changes,
      })),
    },
  },
});
