/** Faults of filters with `style=all_docs`. */
import { changeFeedQuery, changeRow } from '../shared/feeds.faults.js';
import { changeAccepted, hideMember, isLive } from '../shared/filters.faults.js';
import { faultsOf } from '../shared/components.faults.js';
import { unseen } from '../shared/unseen.js';

export const filterAllDocsFaults = faultsOf({
  'filter-all-docs-skip': {
    'all-docs-row-of-conflict': {
      summary:
        'The server sends a row for a document in conflict although the filter rejects all leaf revisions.',
      replace: changeAccepted((accepted) =>
        accepted.length > 1 && !accepted.includes(true) ? [true, ...accepted.slice(1)] : accepted,
      ),
    },
    'all-docs-row-of-deleted': {
      summary: 'The server sends a row for every deleted document although the filter rejects it.',
      replace: changeAccepted((accepted, candidate) =>
        accepted.map((isAccepted, index) => isAccepted || (index === 0 && !isLive(candidate))),
      ),
    },
  },
  'filter-all-docs-revs': {
    'all-docs-deleted-hidden': {
      summary: 'The server hides _deleted from functions and selectors with style=all_docs.',
      notInTraffic: unseen.lackingRows,
      replace: hideMember('_deleted', ({ query }) => query.style === 'all_docs'),
    },
    'all-docs-deleted-hidden-of-losers': {
      summary: 'The server hides _deleted of losing revisions from map functions.',
      notInTraffic: unseen.code,
      replace: hideMember('_deleted', ({ name, isWinner }) => name === '_view' && !isWinner),
    },
    'all-docs-attachments-hidden-of-losers': {
      summary: 'The server hides _attachments of losing revisions from selectors.',
      notInTraffic: unseen.lackingRows,
      replace: hideMember('_attachments', ({ name, isWinner }) => name === '_selector' && !isWinner),
    },
    'all-docs-revisions-hidden-of-losers': {
      summary: 'The server hides _revisions of losing revisions from functions.',
      notInTraffic: unseen.code,
      replace: hideMember('_revisions', ({ isWinner }) => !isWinner),
    },
    'all-docs-lists-all': {
      summary: 'The server lists all leaf revisions if the filter accepts one of them.',
      replace: changeAccepted((accepted) => accepted.map(() => accepted.includes(true))),
    },
    'all-docs-resumed-lists-all': {
      summary:
        'The server lists all leaf revisions in normal mode if the filter accepts one of them and since is neither 0 nor now.',
      notInTraffic: unseen.rare,
      replace: changeAccepted((accepted, _, { query: { feed, since } }) =>
        feed === 'normal' && since !== '0' && since !== 'now'
          ? accepted.map(() => accepted.includes(true))
          : accepted,
      ),
    },
    'all-docs-winner-decides': {
      summary: 'The server omits a document if the filter rejects its winning revision.',
      notInTraffic: unseen.lackingRows,
      replace: changeAccepted((accepted) => accepted.map((isAccepted) => isAccepted && accepted[0]!)),
    },
    'all-docs-without-deleted': {
      summary: 'The server omits deleted losing revisions that the filter accepts.',
      replace: changeAccepted((accepted, { revisions }) =>
        accepted.map((isAccepted, index) => isAccepted && (index === 0 || !revisions[index]!.deleted)),
      ),
    },
    'all-docs-lists-two': {
      summary: 'The server lists at most two of the leaf revisions that the filter accepts.',
      replace: changeAccepted((accepted) =>
        accepted.map(
          (isAccepted, index) => isAccepted && accepted.slice(0, index).filter(Boolean).length < 2,
        ),
      ),
    },
    'all-docs-ids-winner-only': {
      summary: 'The server ignores style=all_docs with the filter _doc_ids.',
      replace: changeFeedQuery('any', { style: 'main_only' }, ({ query }) => query.filter === '_doc_ids'),
    },
    'all-docs-design-winner-only': {
      summary: 'The server ignores style=all_docs with the filter _design.',
      notInTraffic: unseen.stored,
      replace: changeFeedQuery('any', { style: 'main_only' }, ({ query }) => query.filter === '_design'),
    },
  },
  'filter-all-docs-doc': {
    'all-docs-doc-that-passes': {
      summary:
        'The server includes the first revision that the filter accepts instead of the winning revision.',
      replace: changeRow((row, document, _, database) => {
        const [first] = row.changes;
        if (!row.doc || !first || first.rev === document.leaves.winner) return row;
        const { body, deleted } = database.revision(document, first.rev)!;
        const doc = { _id: row.id, _rev: first.rev, ...(deleted && { _deleted: true }) };
        return { ...row, doc: { ...doc, ...(JSON.parse(body) as object) } };
      }),
    },
    'all-docs-doc-missing': {
      summary: 'The server omits doc if the filter rejects the winning revision.',
      replace: changeRow(({ doc, ...row }, { leaves: { winner } }) =>
        row.changes.some(({ rev }) => rev === winner) ? { ...row, doc } : row,
      ),
    },
  },
});
