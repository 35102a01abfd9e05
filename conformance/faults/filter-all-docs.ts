/** Faults of filters with style=all_docs. */
import { type Fault } from '../../reference/index.js';
import { filtering, isLive } from './shared/filters.js';
import { rendering } from './shared/feeds.js';

export const filterAllDocsFaults: readonly Fault[] = [
  {
    id: 'all-docs-row-of-conflict',
    rule: 'filter-all-docs-skip',
    summary: 'With all_docs a document in conflict has a row although no revision passes.',
    replace: filtering((verdicts) =>
      verdicts.length > 1 && !verdicts.includes(true) ? [true, ...verdicts.slice(1)] : [...verdicts],
    ),
  },
  {
    id: 'all-docs-row-of-deleted',
    rule: 'filter-all-docs-skip',
    summary: 'With all_docs every deleted document has a row.',
    replace: filtering((verdicts, candidate) =>
      verdicts.map((passes, index) => passes || (index === 0 && !isLive(candidate))),
    ),
  },
  {
    id: 'all-docs-lists-all',
    rule: 'filter-all-docs-revs',
    summary: 'With all_docs all leaves are listed when one of them passes.',
    replace: filtering((verdicts) => verdicts.map(() => verdicts.includes(true))),
  },
  {
    id: 'all-docs-winner-decides',
    rule: 'filter-all-docs-revs',
    summary: 'With all_docs a document whose winner does not pass has no row.',
    replace: filtering((verdicts) => verdicts.map((passes) => passes && verdicts[0]!)),
  },
  {
    id: 'all-docs-without-deleted',
    rule: 'filter-all-docs-revs',
    summary: 'With all_docs deleted leaves that pass are not listed beside others.',
    replace: filtering((verdicts, { revisions }) =>
      verdicts.map((passes, index) => passes && (index === 0 || !revisions[index]!.deleted)),
    ),
  },
  {
    id: 'all-docs-doc-that-passes',
    rule: 'filter-all-docs-doc',
    summary: 'The doc is the first revision that passes.',
    replace: rendering((row, document, _, database) => {
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
    summary: 'There is no doc when the winning revision does not pass.',
    replace: rendering(({ doc, ...row }, { leaves: { winner } }) =>
      row.changes.some(({ rev }) => rev === winner) ? { ...row, doc } : row,
    ),
  },
];
