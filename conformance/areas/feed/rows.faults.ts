/** Faults in the rows of the feed: which documents and revisions they show. */
import type { Fault } from '../../../reference/index.js';
import { combine, perServer, replaceHandler, type Replace } from '../shared/components.faults.js';
import { changeFeed, changeFeedQuery, changeRow, changeRows, type FeedRow } from '../shared/feeds.faults.js';
import { changeRowText } from '../shared/open-feeds.faults.js';

interface Leaf {
  readonly rev: string;
  readonly generation: number;
  readonly hash: string;
  readonly deleted: boolean;
}

/** Shows the first leaf in this order as the winning revision, although reads of the document return another one. */
const showWinner = (inOrder: (a: Leaf, b: Leaf) => number): Replace =>
  changeRow((row, { leaves: { winner, deleted, conflicts, deletedConflicts } }, { query: { style } }) => {
    if (style === 'all_docs') return row;
    const leafOf = (rev: string, isDeleted: boolean): Leaf => {
      const [generation, hash] = rev.split('-') as [string, string];
      return { rev, generation: Number(generation), hash, deleted: isDeleted };
    };
    const [first] = [
      leafOf(winner, deleted),
      ...conflicts.map((rev) => leafOf(rev, false)),
      ...deletedConflicts.map((rev) => leafOf(rev, true)),
    ].sort(inOrder);
    return { ...row, changes: [{ rev: first!.rev }] };
  });

const byHash = (a: Leaf, b: Leaf): number => (a.hash < b.hash ? 1 : -1);
const byGeneration = (a: Leaf, b: Leaf): number => b.generation - a.generation;
const liveFirst = (a: Leaf, b: Leaf): number => Number(a.deleted) - Number(b.deleted);

/** Changes which rows the feed has of documents for which `isAffected` is true; it gets their rows of `all_docs`. */
const changeRowsOf = (isAffected: (row: FeedRow) => boolean, change: (row: FeedRow) => FeedRow[]): Replace =>
  changeFeed(async ({ read }) => {
    const { results: all } = await read({ style: 'all_docs' });
    const affected = new Set(all.filter(isAffected).map(({ id }) => id));
    const feed = await read();
    return { ...feed, results: feed.results.flatMap((row) => (affected.has(row.id) ? change(row) : [row])) };
  });

/** Changes the ids in the rows. */
const changeIds = (change: (id: string) => unknown): Replace =>
  changeRow((row) => ({ ...row, id: change(row.id) }));

/** Omits the rows of some documents. */
const omitIds = (isOmitted: (id: string) => boolean): Replace =>
  changeRows((rows) => rows.filter(({ id }) => !isOmitted(id)));

const normalized = (value: unknown): unknown => JSON.parse(JSON.stringify(value).normalize('NFC'));

const withRoundedNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'number' ? Number(member.toPrecision(15)) : member,
  );

const withTrimmedText = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? member.trimEnd() : member,
  );

/** Leaves only the fields of the document that every document has. */
function withoutContent({ doc, ...row }: FeedRow): FeedRow {
  const { _id, _rev, _deleted } = doc!;
  return { ...row, doc: { _id, _rev, _deleted } };
}

const listConflictsAtMost = (count: number): Replace =>
  changeRow((row) => {
    const listed = row.doc?.['_conflicts'] as string[] | undefined;
    return listed ? { ...row, doc: { ...row.doc, _conflicts: listed.slice(0, count) } } : row;
  });

const listLeavesAtMost = (count: number): Replace =>
  changeRow((row) => ({ ...row, changes: row.changes.slice(0, count) }));

export const feedRowsFaults: readonly Fault[] = [
  {
    id: 'winner-by-hash',
    rule: 'feed-latest',
    summary:
      'The feed shows the leaf with the greatest hash as the winning revision, whatever its generation.',
    replace: showWinner((a, b) => liveFirst(a, b) || byHash(a, b)),
  },
  {
    id: 'winner-generation-as-text',
    rule: 'feed-latest',
    summary: 'The feed compares generations as text to find the winning revision, so that 9 wins against 10.',
    replace: showWinner(
      (a, b) => liveFirst(a, b) || (`${a.generation}-${a.hash}` < `${b.generation}-${b.hash}` ? 1 : -1),
    ),
  },
  {
    id: 'winner-deleted',
    rule: 'feed-latest',
    summary: 'The feed shows a longer deleted branch as the winning revision.',
    replace: showWinner((a, b) => byGeneration(a, b) || byHash(a, b)),
  },
  {
    id: 'winner-lesser-hash',
    rule: 'feed-latest',
    summary: 'The feed shows the lower hash as the winning revision between branches of the same length.',
    replace: showWinner((a, b) => liveFirst(a, b) || byGeneration(a, b) || -byHash(a, b)),
  },
  {
    id: 'winner-hash-prefix',
    rule: 'feed-latest',
    summary:
      'The feed shows the lower of two hashes with the same first eight digits as the winning revision.',
    replace: showWinner(
      (a, b) =>
        liveFirst(a, b) ||
        byGeneration(a, b) ||
        (a.hash.slice(0, 8) === b.hash.slice(0, 8) ? -byHash(a, b) : byHash(a, b)),
    ),
  },
  {
    id: 'feed-without-deleted-conflicts',
    rule: 'feed-complete',
    summary: 'The server omits documents that are deleted in several branches.',
    replace: changeRowsOf(
      ({ deleted, changes }) => deleted === true && changes.length > 1,
      () => [],
    ),
  },
  {
    id: 'feed-without-local-lookalikes',
    rule: 'feed-complete',
    summary: 'The server omits documents whose id contains local/.',
    replace: omitIds((id) => id.includes('local/')),
  },
  {
    id: 'feed-without-user-lookalikes',
    rule: 'feed-complete',
    summary: 'The server omits documents whose id starts like those of users.',
    replace: omitIds((id) => /^org\.\w+\.user:/.test(id)),
  },
  {
    id: 'feed-without-long-ids',
    rule: 'feed-complete',
    summary: 'The server omits documents whose id has more than 255 characters.',
    replace: omitIds((id) => id.length > 255),
  },
  {
    id: 'feed-without-users',
    rule: 'feed-complete',
    summary: 'The server omits all documents of the users database.',
    replace: changeRows((rows, { params: { db } }) => (db === '_users' ? [] : rows)),
  },
  {
    id: 'feed-300-rows-at-most',
    rule: 'feed-complete',
    summary: 'The server sends 300 rows at most if there is no limit.',
    replace: changeFeed(async ({ query, read }) => ((query.limit ?? -1) < 0 ? read({ limit: 300 }) : read())),
  },
  {
    id: 'feed-with-local-documents',
    rule: 'feed-local-documents',
    summary: 'The server shows the first local document that is written to a database.',
    replace: perServer(() => {
      const written = new Map<string, string>();
      return combine(
        replaceHandler('putLocalDocument', (original, request, context) => {
          const { db, docid } = request.params;
          if (!written.has(db)) written.set(db, `_local/${docid}`);
          return original(request, context);
        }),
        changeRows((rows, { params: { db } }) => {
          const [first] = rows;
          const id = written.get(db);
          return first && id !== undefined ? [...rows, { ...first, id }] : rows;
        }),
      );
    }),
  },
  {
    id: 'row-id-composed',
    rule: 'feed-complete',
    summary: 'The server converts ids in rows to Unicode normalization form C.',
    replace: changeIds((id) => id.normalize('NFC')),
  },
  {
    id: 'row-id-lower-case',
    rule: 'feed-complete',
    summary: 'The server converts ids in rows to lower case.',
    replace: changeIds((id) => id.toLowerCase()),
  },
  {
    id: 'row-id-trimmed',
    rule: 'feed-nothing-extra',
    summary: 'The server removes spaces around ids in rows.',
    replace: changeIds((id) => id.trim()),
  },
  {
    id: 'row-id-shortened',
    rule: 'feed-nothing-extra',
    summary: 'The server shortens ids of more than 128 characters in rows.',
    replace: changeIds((id) => id.slice(0, 128)),
  },
  {
    id: 'feed-of-another-database',
    rule: 'feed-nothing-extra',
    summary: 'The server shows a deleted document of another database.',
    replace: changeRows((rows, { context: { store } }) => {
      const [first] = rows;
      if (!first) return rows;
      const other = store
        .names()
        .filter((name) => name.startsWith('docfeed-'))
        .flatMap((name) => {
          const database = store.database(name);
          const range = { after: 0, upTo: database.position };
          return database.changes(range, false, false, { rows: 9, characters: 9 });
        })
        .find(({ id, leaves }) => leaves.deleted && rows.every((row) => row.id !== id));
      if (!other) return rows;
      return [{ ...first, id: other.id, changes: [{ rev: other.leaves.winner }], deleted: true }, ...rows];
    }),
  },
  {
    id: 'feed-revision-invented',
    rule: 'feed-nothing-extra',
    summary:
      'The server lists a revision that does not exist for a document in conflict with style=all_docs.',
    replace: changeRow((row, { leaves }, { query: { style } }) => {
      const next = { rev: leaves.winner.replace(/^\d+/, (generation) => `${Number(generation) + 1}`) };
      const changes =
        style === 'all_docs' && leaves.conflicts.length > 0 ? [...row.changes, next] : row.changes;
      return { ...row, changes };
    }),
  },
  {
    id: 'feed-row-a-conflict',
    rule: 'feed-one-row',
    summary: 'The server sends two rows for a document with three or more leaf revisions.',
    replace: changeRowsOf(
      ({ changes }) => changes.length > 2,
      (row) => [row, row],
    ),
  },
  {
    id: 'feed-row-repeated-at-border',
    rule: 'feed-one-row',
    summary: 'The server repeats the fourth row as the fifth.',
    replace: changeRows((rows) => [...rows.slice(0, 4), ...rows.slice(3)]),
  },
  {
    id: 'row-deleted-false',
    rule: 'feed-deleted',
    summary: 'The server sends deleted: false for a live document with a deleted leaf revision.',
    replace: changeRow((row, { leaves: { deleted, deletedConflicts } }) =>
      !deleted && deletedConflicts.length > 0 ? { ...row, deleted: false } : row,
    ),
  },
  {
    id: 'row-deleted-as-text',
    rule: 'feed-deleted',
    summary: 'The server sends deleted as the text "true".',
    replace: changeRow((row) => (row.deleted ? { ...row, deleted: 'true' } : row)),
  },
  {
    id: 'row-deleted-unsaid',
    rule: 'feed-deleted',
    summary: 'The server omits deleted from rows that include their document.',
    replace: changeRow(({ deleted, ...row }) => (row.doc ? row : { ...row, deleted })),
  },
  {
    id: 'row-deleted-by-any-leaf',
    rule: 'feed-deleted-winner',
    summary: 'The server marks a document with any deleted leaf revision as deleted with style=all_docs.',
    replace: changeRow((row, { leaves }, { query: { style } }) =>
      style === 'all_docs' && leaves.deletedConflicts.length > 0 ? { ...row, deleted: true } : row,
    ),
  },
  {
    id: 'row-deleted-by-one-leaf',
    rule: 'feed-deleted-winner',
    summary: 'The server marks a document as deleted with style=all_docs only if it has one leaf revision.',
    replace: changeRow(({ deleted, ...row }, _, { query: { style } }) =>
      style === 'all_docs' && row.changes.length > 1 ? row : { ...row, deleted },
    ),
  },
  {
    id: 'doc-of-a-loser',
    rule: 'feed-include-docs',
    summary: 'The server includes the content of a losing revision for a document in conflict.',
    replace: changeRow((row, document, _, database) => {
      const [loser] = document.leaves.conflicts;
      if (!row.doc || loser === undefined) return row;
      const { _id, _rev } = row.doc;
      const content = database.revision(document, loser)!.body;
      return { ...row, doc: { _id, _rev, ...(JSON.parse(content) as object) } };
    }),
  },
  {
    id: 'doc-normalised',
    rule: 'feed-include-docs',
    summary: 'The server converts text in included documents to Unicode normalization form C.',
    replace: changeRow((row) => (row.doc ? { ...row, doc: normalized(row.doc) } : row)),
  },
  {
    id: 'doc-of-deleted-bare',
    rule: 'feed-include-docs',
    summary: 'The server includes a deleted document without the fields that were written with the deletion.',
    replace: changeRow((row) => (row.doc && row.deleted ? withoutContent(row) : row)),
  },
  {
    id: 'doc-numbers-rounded',
    rule: 'feed-include-docs',
    summary: 'The server rounds numbers in included documents to 15 digits.',
    replace: changeRow((row) => (row.doc ? { ...row, doc: withRoundedNumbers(row.doc) } : row)),
  },
  {
    id: 'doc-trimmed',
    rule: 'feed-include-docs',
    summary: 'The server removes white space at the end of text in included documents.',
    replace: changeRow((row) => (row.doc ? { ...row, doc: withTrimmedText(row.doc) } : row)),
  },
  {
    id: 'doc-large-bare',
    rule: 'feed-include-docs',
    summary: 'The server includes a document of more than 16 KiB without its fields.',
    replace: changeRow((row) =>
      row.doc && JSON.stringify(row.doc).length > 16_384 ? withoutContent(row) : row,
    ),
  },
  {
    id: 'doc-large-lost-in-continuous',
    rule: 'feed-include-docs',
    summary: 'The server omits lines of more than 16 KiB from a continuous feed.',
    replace: changeRowText('continuous', () => (text) => (text.length > 16_384 ? '' : text)),
  },
  {
    id: 'doc-when-told-not-to',
    rule: 'feed-include-docs',
    summary: 'The server includes documents with include_docs=false.',
    replace: changeFeedQuery('any', ({ sent }) => ({ include_docs: sent.has('include_docs') })),
  },
  {
    id: 'conflicts-with-deleted',
    rule: 'feed-conflicts',
    summary: 'The server lists deleted leaf revisions in _conflicts.',
    replace: changeRow((row, { leaves }, { query: { conflicts } }) => {
      const losers = [...leaves.conflicts, ...leaves.deletedConflicts];
      return row.doc && conflicts && losers.length > 0
        ? { ...row, doc: { ...row.doc, _conflicts: losers } }
        : row;
    }),
  },
  {
    id: 'conflicts-first-only',
    rule: 'feed-conflicts',
    summary: 'The server lists only one losing revision in _conflicts.',
    replace: listConflictsAtMost(1),
  },
  {
    id: 'conflicts-five-at-most',
    rule: 'feed-conflicts',
    summary: 'The server lists five losing revisions at most in _conflicts.',
    replace: listConflictsAtMost(5),
  },
  {
    id: 'conflicts-with-winner',
    rule: 'feed-conflicts',
    summary: 'The server lists the winning revision in _conflicts as well.',
    replace: changeRow((row, { leaves: { winner, conflicts } }) =>
      row.doc?.['_conflicts'] ? { ...row, doc: { ...row.doc, _conflicts: [winner, ...conflicts] } } : row,
    ),
  },
  {
    id: 'conflicts-with-all-docs',
    rule: 'feed-conflicts',
    summary: 'The server includes _conflicts with style=all_docs without conflicts=true.',
    replace: changeRow((row, { leaves }, { query: { style, conflicts } }) =>
      row.doc && style === 'all_docs' && !conflicts && leaves.conflicts.length > 0
        ? { ...row, doc: { ...row.doc, _conflicts: leaves.conflicts } }
        : row,
    ),
  },
  {
    id: 'conflicts-include-docs',
    rule: 'feed-conflicts',
    summary: 'The server includes documents with conflicts=true alone.',
    replace: changeFeedQuery('any', ({ query }) => ({ include_docs: query.include_docs || query.conflicts })),
  },
  {
    id: 'row-with-conflicts',
    rule: 'feed-conflicts',
    summary: 'The server adds _conflicts to a row without a document with conflicts=true.',
    replace: changeRow((row, { leaves }, { query: { conflicts } }) =>
      conflicts && !row.doc && leaves.conflicts.length > 0 ? { ...row, _conflicts: leaves.conflicts } : row,
    ),
  },
  {
    id: 'style-default-all',
    rule: 'feed-style-main',
    summary: 'The server lists all leaf revisions if style is missing.',
    replace: changeFeedQuery('any', ({ sent }) => (sent.has('style') ? {} : { style: 'all_docs' })),
  },
  {
    id: 'style-main-loser-too',
    rule: 'feed-style-main',
    summary: 'The server lists a losing revision with style=main_only if there are two or more.',
    replace: changeRow((row, { leaves }, { query: { style } }) => {
      const [loser, other] = leaves.conflicts;
      return style === 'all_docs' || other === undefined
        ? row
        : { ...row, changes: [...row.changes, { rev: loser }] };
    }),
  },
  {
    id: 'style-all-live-only',
    rule: 'feed-style-all',
    summary: 'The server omits deleted losing revisions with style=all_docs.',
    replace: changeRow((row, { leaves: { deletedConflicts } }) => ({
      ...row,
      changes: row.changes.filter(({ rev }) => !deletedConflicts.includes(rev)),
    })),
  },
  {
    id: 'style-all-winner-twice',
    rule: 'feed-style-all',
    summary: 'The server lists the winning revision twice with style=all_docs if it is deleted.',
    replace: changeRow((row, { leaves: { deleted } }, { query: { style } }) =>
      style === 'all_docs' && deleted ? { ...row, changes: [row.changes[0], ...row.changes] } : row,
    ),
  },
  {
    id: 'style-all-two-at-most',
    rule: 'feed-style-all',
    summary: 'The server lists two leaf revisions at most with style=all_docs.',
    replace: listLeavesAtMost(2),
  },
  {
    id: 'style-all-ten-at-most',
    rule: 'feed-style-all',
    summary: 'The server lists ten leaf revisions at most with style=all_docs.',
    replace: listLeavesAtMost(10),
  },
];
