/** Faults of filters with `style=all_docs`. */
import type { Fault } from '../../../reference/index.js';
import { changeFeedQuery, changeRow } from '../shared/feeds.faults.js';
import { changeAccepted, isLive } from '../shared/filters.faults.js';

export const filterAllDocsFaults: readonly Fault[] = [
  {
    id: 'all-docs-row-of-conflict',
    rule: 'filter-all-docs-skip',
    summary:
      'The server sends a row for a document in conflict although the filter rejects all leaf revisions.',
    replace: changeAccepted((accepted) =>
      accepted.length > 1 && !accepted.includes(true) ? [true, ...accepted.slice(1)] : accepted,
    ),
  },
  {
    id: 'all-docs-row-of-deleted',
    rule: 'filter-all-docs-skip',
    summary: 'The server sends a row for every deleted document although the filter rejects it.',
    replace: changeAccepted((accepted, candidate) =>
      accepted.map((isAccepted, index) => isAccepted || (index === 0 && !isLive(candidate))),
    ),
  },
  {
    id: 'all-docs-lists-all',
    rule: 'filter-all-docs-revs',
    summary: 'The server lists all leaf revisions if the filter accepts one of them.',
    replace: changeAccepted((accepted) => accepted.map(() => accepted.includes(true))),
  },
  {
    id: 'all-docs-resumed-lists-all',
    rule: 'filter-all-docs-revs',
    summary:
      'The server lists all leaf revisions in normal mode if the filter accepts one of them and since is neither 0 nor now.',
    replace: changeAccepted((accepted, _, { query: { feed, since } }) =>
      feed === 'normal' && since !== '0' && since !== 'now'
        ? accepted.map(() => accepted.includes(true))
        : accepted,
    ),
  },
  {
    id: 'all-docs-winner-decides',
    rule: 'filter-all-docs-revs',
    summary: 'The server omits a document if the filter rejects its winning revision.',
    replace: changeAccepted((accepted) => accepted.map((isAccepted) => isAccepted && accepted[0]!)),
  },
  {
    id: 'all-docs-without-deleted',
    rule: 'filter-all-docs-revs',
    summary: 'The server omits deleted losing revisions that the filter accepts.',
    replace: changeAccepted((accepted, { revisions }) =>
      accepted.map((isAccepted, index) => isAccepted && (index === 0 || !revisions[index]!.deleted)),
    ),
  },
  {
    id: 'all-docs-ids-winner-only',
    rule: 'filter-all-docs-revs',
    summary: 'The server ignores style=all_docs with the filter _doc_ids.',
    replace: changeFeedQuery('any', ({ query }) =>
      query.filter === '_doc_ids' ? { style: 'main_only' } : {},
    ),
  },
  {
    id: 'all-docs-design-winner-only',
    rule: 'filter-all-docs-revs',
    summary: 'The server ignores style=all_docs with the filter _design.',
    replace: changeFeedQuery('any', ({ query }) =>
      query.filter === '_design' ? { style: 'main_only' } : {},
    ),
  },
  {
    id: 'all-docs-doc-that-passes',
    rule: 'filter-all-docs-doc',
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
  {
    id: 'all-docs-doc-missing',
    rule: 'filter-all-docs-doc',
    summary: 'The server omits doc if the filter rejects the winning revision.',
    replace: changeRow(({ doc, ...row }, { leaves: { winner } }) =>
      row.changes.some(({ rev }) => rev === winner) ? { ...row, doc } : row,
    ),
  },
];
