/** Faults in the rows of the feed: which documents and revisions they show. */
import { combine, faultsOf, perServer, type Replace, replaceHandler } from '../shared/components.faults.js';
import { changeFeed, changeFeedQuery, changeRow, changeRows, type FeedRow } from '../shared/feeds.faults.js';
import { changeEachRowText, endLongPollsAfter } from '../shared/open-feeds.faults.js';
import { unseen } from '../shared/unseen.js';

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

export const feedRowsFaults = faultsOf({
  'feed-latest': {
    'winner-by-hash': {
      summary:
        'The feed shows the leaf with the greatest hash as the winning revision, whatever its generation.',
      replace: showWinner((a, b) => liveFirst(a, b) || byHash(a, b)),
    },
    'winner-generation-as-text': {
      summary:
        'The feed compares generations as text to find the winning revision, so that 9 wins against 10.',
      replace: showWinner(
        (a, b) => liveFirst(a, b) || (`${a.generation}-${a.hash}` < `${b.generation}-${b.hash}` ? 1 : -1),
      ),
    },
    'winner-deleted': {
      summary: 'The feed shows a longer deleted branch as the winning revision.',
      replace: showWinner((a, b) => byGeneration(a, b) || byHash(a, b)),
    },
    'winner-lesser-hash': {
      summary: 'The feed shows the lower hash as the winning revision between branches of the same length.',
      replace: showWinner((a, b) => liveFirst(a, b) || byGeneration(a, b) || -byHash(a, b)),
    },
    'winner-hash-prefix': {
      summary:
        'The feed shows the lower of two hashes with the same first eight digits as the winning revision.',
      replace: showWinner(
        (a, b) =>
          liveFirst(a, b) ||
          byGeneration(a, b) ||
          (a.hash.slice(0, 8) === b.hash.slice(0, 8) ? -byHash(a, b) : byHash(a, b)),
      ),
    },
  },
  'feed-complete': {
    'feed-without-deleted-conflicts': {
      summary: 'The server omits documents that are deleted in several branches.',
      notInTraffic: unseen.rare,
      replace: changeRowsOf(
        ({ deleted, changes }) => deleted === true && changes.length > 1,
        () => [],
      ),
    },
    'feed-without-local-lookalikes': {
      summary: 'The server omits documents whose id contains local/.',
      replace: omitIds((id) => id.includes('local/')),
    },
    'feed-without-user-lookalikes': {
      summary: 'The server omits documents whose id starts like those of users.',
      notInTraffic: unseen.rare,
      replace: omitIds((id) => /^org\.\w+\.user:/.test(id)),
    },
    'feed-without-long-ids': {
      summary: 'The server omits documents whose id has more than 255 characters.',
      replace: omitIds((id) => id.length > 255),
    },
    'feed-without-users': {
      summary: 'The server omits all documents of the users database.',
      notInTraffic: unseen.rare,
      replace: changeRows((rows, { params: { db } }) => (db === '_users' ? [] : rows)),
    },
    'feed-300-rows-at-most': {
      summary: 'The server sends 300 rows at most if there is no limit.',
      notInTraffic: unseen.rare,
      replace: changeFeed(async ({ query, read }) =>
        (query.limit ?? -1) < 0 ? read({ limit: 300 }) : read(),
      ),
    },
    'row-id-composed': {
      summary: 'The server converts ids in rows to Unicode normalization form C.',
      notInTraffic: unseen.rare,
      replace: changeIds((id) => id.normalize('NFC')),
    },
    'row-id-lower-case': {
      summary: 'The server converts ids in rows to lower case.',
      replace: changeIds((id) => id.toLowerCase()),
    },
    'feed-without-rewritten-designs': {
      summary: 'The server omits design documents if since is not 0.',
      replace: changeRows((rows, { query }) =>
        query.since === '0' ? rows : rows.filter(({ id }) => !id.startsWith('_design/')),
      ),
    },
  },
  'feed-local-documents': {
    'feed-with-local-documents': {
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
    'longpoll-woken-by-local-document': {
      summary: 'The server ends a long poll when a local document is written.',
      onlyIn: ['modes'],
      replace: endLongPollsAfter('putLocalDocument', (written, own) => written === own),
    },
  },
  'feed-nothing-extra': {
    'row-id-trimmed': {
      summary: 'The server removes spaces around ids in rows.',
      replace: changeIds((id) => id.trim()),
    },
    'row-id-shortened': {
      summary: 'The server shortens ids of more than 128 characters in rows.',
      replace: changeIds((id) => id.slice(0, 128)),
    },
    'feed-of-another-database': {
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
    'feed-revision-invented': {
      summary:
        'The server lists a revision that does not exist for a document in conflict with style=all_docs.',
      replace: changeRow((row, { leaves }, { query: { style } }) => {
        const next = { rev: leaves.winner.replace(/^\d+/, (generation) => `${Number(generation) + 1}`) };
        const changes =
          style === 'all_docs' && leaves.conflicts.length > 0 ? [...row.changes, next] : row.changes;
        return { ...row, changes };
      }),
    },
  },
  'feed-one-row': {
    'feed-row-a-conflict': {
      summary: 'The server sends two rows for a document with three or more leaf revisions.',
      replace: changeRowsOf(
        ({ changes }) => changes.length > 2,
        (row) => [row, row],
      ),
    },
    'feed-row-repeated-at-border': {
      summary: 'The server repeats the fourth row as the fifth.',
      replace: changeRows((rows) => [...rows.slice(0, 4), ...rows.slice(3)]),
    },
    'feed-row-repeated-at-limit': {
      summary: 'The server repeats the last row before a limit of more than three.',
      replace: changeRows((rows, { query: { limit } }) =>
        limit !== undefined && limit > 3 && rows.length === limit ? [...rows, ...rows.slice(-1)] : rows,
      ),
    },
    'feed-row-repeated-by-ids': {
      summary: 'The server repeats the first of several rows with filter=_doc_ids.',
      onlyIn: ['filters'],
      replace: changeRows((rows, { query: { filter } }) =>
        filter === '_doc_ids' && rows.length > 1 ? [...rows, ...rows.slice(0, 1)] : rows,
      ),
    },
    'feed-row-repeated-by-selector': {
      summary: 'The server repeats the first of several rows with filter=_selector.',
      onlyIn: ['filters'],
      replace: changeRows((rows, { query: { filter } }) =>
        filter === '_selector' && rows.length > 1 ? [...rows, ...rows.slice(0, 1)] : rows,
      ),
    },
    'feed-row-repeated-after-since': {
      summary: 'With since, the server repeats the first row as the last.',
      replace: changeRows((rows, { query }) => (query.since === '0' ? rows : [...rows, ...rows.slice(0, 1)])),
    },
  },
  'feed-deleted': {
    'row-deleted-false': {
      summary: 'The server sends deleted: false for a live document with a deleted leaf revision.',
      replace: changeRow((row, { leaves: { deleted, deletedConflicts } }) =>
        !deleted && deletedConflicts.length > 0 ? { ...row, deleted: false } : row,
      ),
    },
    'row-deleted-as-text': {
      summary: 'The server sends deleted as the text "true".',
      replace: changeRow((row) => (row.deleted ? { ...row, deleted: 'true' } : row)),
    },
    'row-deleted-unsaid': {
      summary: 'The server omits deleted from rows that include their document.',
      replace: changeRow(({ deleted, ...row }) => (row.doc ? row : { ...row, deleted })),
    },
    'row-deleted-with-doc-only': {
      summary: 'The server omits deleted from rows that do not include their document.',
      replace: changeRow(({ deleted, ...row }) => (row.doc ? { ...row, deleted } : row)),
    },
  },
  'feed-deleted-winner': {
    'row-deleted-by-any-leaf': {
      summary: 'The server marks a document with any deleted leaf revision as deleted with style=all_docs.',
      replace: changeRow((row, { leaves }, { query: { style } }) =>
        style === 'all_docs' && leaves.deletedConflicts.length > 0 ? { ...row, deleted: true } : row,
      ),
    },
    'row-deleted-by-one-leaf': {
      summary: 'The server marks a document as deleted with style=all_docs only if it has one leaf revision.',
      notInTraffic:
        'The doc of a row may be a later revision than the row, and another leaf may have won since then.',
      replace: changeRow(({ deleted, ...row }, _, { query: { style } }) =>
        style === 'all_docs' && row.changes.length > 1 ? row : { ...row, deleted },
      ),
    },
  },
  'feed-include-docs': {
    'doc-of-a-loser': {
      summary: 'The server includes the content of a losing revision for a document in conflict.',
      replace: changeRow((row, document, _, database) => {
        const [loser] = document.leaves.conflicts;
        if (!row.doc || loser === undefined) return row;
        const { _id, _rev } = row.doc;
        const content = database.revision(document, loser)!.body;
        return { ...row, doc: { _id, _rev, ...(JSON.parse(content) as object) } };
      }),
    },
    'doc-normalised': {
      summary: 'The server converts text in included documents to Unicode normalization form C.',
      replace: changeRow((row) => (row.doc ? { ...row, doc: normalized(row.doc) } : row)),
    },
    'doc-of-deleted-bare': {
      summary:
        'The server includes a deleted document without the fields that were written with the deletion.',
      notInTraffic: unseen.stored,
      replace: changeRow((row) => (row.doc && row.deleted ? withoutContent(row) : row)),
    },
    'doc-numbers-rounded': {
      summary: 'The server rounds numbers in included documents to 15 digits.',
      replace: changeRow((row) => (row.doc ? { ...row, doc: withRoundedNumbers(row.doc) } : row)),
    },
    'doc-trimmed': {
      summary: 'The server removes white space at the end of text in included documents.',
      replace: changeRow((row) => (row.doc ? { ...row, doc: withTrimmedText(row.doc) } : row)),
    },
    'doc-large-bare': {
      summary: 'The server includes a document of more than 16 KiB without its fields.',
      replace: changeRow((row) =>
        row.doc && JSON.stringify(row.doc).length > 16_384 ? withoutContent(row) : row,
      ),
    },
    'doc-large-lost-in-continuous': {
      summary: 'The server omits lines of more than 16 KiB from a continuous feed.',
      onlyIn: ['modes'],
      notInTraffic: unseen.rare,
      replace: changeEachRowText('continuous', (text) => (text.length > 16_384 ? '' : text)),
    },
    'doc-of-revision-before': {
      summary: 'The server names the revision before in the doc of a document that was edited twice or more.',
      replace: changeRow((row, document, _, database) => {
        const generation = Number.parseInt(document.leaves.winner, 10) - 1;
        const revs = [...database.revisions(document).keys()];
        const before = revs.find((rev) => rev.startsWith(`${generation}-`));
        if (!row.doc || generation < 2 || before === undefined) return row;
        return { ...row, doc: { ...row.doc, _rev: before } };
      }),
    },
    'doc-of-deleted-null': {
      summary: 'The server includes null for a deleted document with style=all_docs.',
      replace: changeRow((row, _, { query: { style } }) =>
        row.doc && row.deleted && style === 'all_docs' ? { ...row, doc: null } : row,
      ),
    },
    'doc-when-told-not-to': {
      summary: 'The server includes documents with include_docs=false.',
      replace: changeFeedQuery('any', ({ sent }) => ({ include_docs: sent.has('include_docs') })),
    },
  },
  'feed-conflicts': {
    'conflicts-with-deleted': {
      summary: 'The server lists deleted leaf revisions in _conflicts.',
      replace: changeRow((row, { leaves }, { query: { conflicts } }) => {
        const losers = [...leaves.conflicts, ...leaves.deletedConflicts];
        return row.doc && conflicts && losers.length > 0
          ? { ...row, doc: { ...row.doc, _conflicts: losers } }
          : row;
      }),
    },
    'conflicts-first-only': {
      summary: 'The server lists only one losing revision in _conflicts.',
      replace: listConflictsAtMost(1),
    },
    'conflicts-five-at-most': {
      summary: 'The server lists five losing revisions at most in _conflicts.',
      notInTraffic: unseen.stored,
      replace: listConflictsAtMost(5),
    },
    'conflicts-with-winner': {
      summary: 'The server lists the winning revision in _conflicts as well.',
      replace: changeRow((row, { leaves: { winner, conflicts } }) =>
        row.doc?.['_conflicts'] ? { ...row, doc: { ...row.doc, _conflicts: [winner, ...conflicts] } } : row,
      ),
    },
    'conflicts-with-all-docs': {
      summary: 'The server includes _conflicts with style=all_docs without conflicts=true.',
      replace: changeRow((row, { leaves }, { query: { style, conflicts } }) =>
        row.doc && style === 'all_docs' && !conflicts && leaves.conflicts.length > 0
          ? { ...row, doc: { ...row.doc, _conflicts: leaves.conflicts } }
          : row,
      ),
    },
    'conflicts-include-docs': {
      summary: 'The server includes documents with conflicts=true alone.',
      replace: changeFeedQuery('any', { include_docs: true }, ({ query }) => query.conflicts),
    },
    'row-with-conflicts': {
      summary: 'The server adds _conflicts to a row without a document with conflicts=true.',
      replace: changeRow((row, { leaves }, { query: { conflicts } }) =>
        conflicts && !row.doc && leaves.conflicts.length > 0 ? { ...row, _conflicts: leaves.conflicts } : row,
      ),
    },
  },
  'feed-style-main': {
    'style-default-all': {
      summary: 'The server lists all leaf revisions if style is missing.',
      replace: changeFeedQuery('any', { style: 'all_docs' }, ({ sent }) => !sent.has('style')),
    },
    'style-main-loser-too': {
      summary: 'The server lists a losing revision with style=main_only if there are two or more.',
      replace: changeRow((row, { leaves }, { query: { style } }) => {
        const [loser, other] = leaves.conflicts;
        return style === 'all_docs' || other === undefined
          ? row
          : { ...row, changes: [...row.changes, { rev: loser }] };
      }),
    },
  },
  'feed-style-all': {
    'style-all-live-only': {
      summary: 'The server omits deleted losing revisions with style=all_docs.',
      notInTraffic: unseen.stored,
      replace: changeRow((row, { leaves: { deletedConflicts } }) => ({
        ...row,
        changes: row.changes.filter(({ rev }) => !deletedConflicts.includes(rev)),
      })),
    },
    'style-all-winner-twice': {
      summary: 'The server lists the winning revision twice with style=all_docs if it is deleted.',
      replace: changeRow((row, { leaves: { deleted } }, { query: { style } }) =>
        style === 'all_docs' && deleted ? { ...row, changes: [row.changes[0], ...row.changes] } : row,
      ),
    },
    'style-all-two-at-most': {
      summary: 'The server lists two leaf revisions at most with style=all_docs.',
      notInTraffic: unseen.stored,
      replace: listLeavesAtMost(2),
    },
    'style-all-ten-at-most': {
      summary: 'The server lists ten leaf revisions at most with style=all_docs.',
      notInTraffic: unseen.rare,
      replace: listLeavesAtMost(10),
    },
  },
});
