/** Faults in the rows of the feed: which revisions and documents they show. */
import { type Fault, type Parts } from '../../reference/index.js';
import { type Replace } from './shared/components.js';
import { feeding, type FeedRow, rendering } from './shared/feeds.js';

const byHash = (a: Leaf, b: Leaf): number => (a.hash < b.hash ? 1 : -1);

const byGeneration = (a: Leaf, b: Leaf): number => b.generation - a.generation;

const liveFirst = (a: Leaf, b: Leaf): number => Number(a.deleted) - Number(b.deleted);

const inNormalForm = (value: unknown): unknown => JSON.parse(JSON.stringify(value).normalize('NFC'));

interface Leaf {
  generation: number;
  hash: string;
  deleted: boolean;
}

/** Lets another leaf win: the first when they are sorted by this. */
function winning(byRank: (a: Leaf, b: Leaf) => number): Replace {
  return (parts) => ({
    ...parts,
    winningRevision(tree) {
      const [best] = tree.flatMap(({ pos, ids }) => [...leavesOf(pos, ids)]).sort(byRank);
      return `${best!.generation}-${best!.hash}`;
    },
  });
}

type Node = Parameters<Parts['winningRevision']>[0][number]['ids'];

function* leavesOf(generation: number, [hash, { deleted }, children]: Node): Generator<Leaf> {
  if (children.length === 0) yield { generation, hash, deleted: deleted === true };
  for (const child of children) yield* leavesOf(generation + 1, child);
}

export const feedRowsFaults: readonly Fault[] = [
  {
    id: 'winner-by-hash',
    rule: 'feed-latest',
    summary: 'The greater hash wins even against a longer history.',
    replace: winning((a, b) => liveFirst(a, b) || byHash(a, b)),
  },
  {
    id: 'winner-generation-as-text',
    rule: 'feed-latest',
    summary: 'Generations are compared as text: 9 wins against 10.',
    replace: winning(
      (a, b) => liveFirst(a, b) || (`${a.generation}-${a.hash}` < `${b.generation}-${b.hash}` ? 1 : -1),
    ),
  },
  {
    id: 'winner-deleted',
    rule: 'feed-latest',
    summary: 'A longer deleted branch wins against a live one.',
    replace: winning((a, b) => byGeneration(a, b) || byHash(a, b)),
  },
  {
    id: 'winner-lesser-hash',
    rule: 'feed-latest',
    summary: 'Between branches of one length the lesser hash wins.',
    replace: winning((a, b) => liveFirst(a, b) || byGeneration(a, b) || -byHash(a, b)),
  },
  {
    id: 'feed-without-deleted-conflicts',
    rule: 'feed-complete',
    summary: 'A document that is deleted in several branches has no row.',
    replace: feeding(async ({ query, read }) => {
      const several = new Set(
        (await read({ style: 'all_docs' })).results
          .filter(({ deleted, changes }) => deleted && changes.length > 1)
          .map(({ id }) => id),
      );
      const feed = await read(query);
      return { ...feed, results: feed.results.filter(({ id }) => !several.has(id)) };
    }),
  },
  {
    id: 'feed-of-another-database',
    rule: 'feed-nothing-extra',
    summary: 'A deleted document of another database shows through.',
    replace: feeding(async ({ context: { store }, read }) => {
      const feed = await read();
      const [first] = feed.results;
      if (!first) return feed;
      const other = store
        .names()
        .filter((name) => name.startsWith('docfeed-'))
        .flatMap((name) => {
          const database = store.database(name);
          return database.changes({ after: 0, upTo: database.position }, false, false, {
            rows: 9,
            characters: 9,
          });
        })
        .find(({ id, leaves }) => leaves.deleted && feed.results.every((row) => row.id !== id));
      if (!other) return feed;
      const strange: FeedRow = {
        ...first,
        id: other.id,
        changes: [{ rev: other.leaves.winner }],
        deleted: true,
      };
      return { ...feed, results: [strange, ...feed.results] };
    }),
  },
  {
    id: 'feed-revision-invented',
    rule: 'feed-nothing-extra',
    summary: 'With all_docs a document in conflict shows a revision to come.',
    replace: rendering((row, { leaves }, { allLeaves }) => {
      const next = { rev: leaves.winner.replace(/^\d+/, (generation) => `${Number(generation) + 1}`) };
      const changes = allLeaves && leaves.conflicts.length > 0 ? [...row.changes, next] : row.changes;
      return { ...row, changes };
    }),
  },
  {
    id: 'feed-row-a-conflict',
    rule: 'feed-one-row',
    summary: 'A document with two live losers has two rows.',
    replace: feeding(async ({ read }) => {
      const contested = new Set(
        (await read({ style: 'all_docs' })).results
          .filter(({ changes }) => changes.length > 2)
          .map(({ id }) => id),
      );
      const feed = await read();
      return {
        ...feed,
        results: feed.results.flatMap((row) => (contested.has(row.id) ? [row, row] : [row])),
      };
    }),
  },
  {
    id: 'feed-row-repeated-at-border',
    rule: 'feed-one-row',
    summary: 'The fourth row comes again as the fifth.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return { ...feed, results: [...feed.results.slice(0, 4), ...feed.results.slice(3)] };
    }),
  },
  {
    id: 'row-deleted-false',
    rule: 'feed-deleted',
    summary: 'A live document with a deleted leaf says that it is not deleted.',
    replace: rendering((row, { leaves: { deleted, deletedConflicts } }) =>
      !deleted && deletedConflicts.length > 0 ? { ...row, deleted: false } : row,
    ),
  },
  {
    id: 'row-deleted-unsaid',
    rule: 'feed-deleted',
    summary: 'With include_docs the row of a deleted document does not say so: the doc does.',
    replace: rendering(({ deleted, ...row }) => (row.doc ? row : { ...row, deleted })),
  },
  {
    id: 'row-deleted-by-any-leaf',
    rule: 'feed-deleted-winner',
    summary: 'With all_docs a document is called deleted when any of its leaves is.',
    replace: rendering((row, { leaves }, { allLeaves }) =>
      allLeaves && leaves.deletedConflicts.length > 0 ? { ...row, deleted: true } : row,
    ),
  },
  {
    id: 'row-deleted-by-one-leaf',
    rule: 'feed-deleted-winner',
    summary: 'With all_docs a document is called deleted only when it has a single leaf.',
    replace: rendering(({ deleted, ...row }, _, { allLeaves }) =>
      allLeaves && row.changes.length > 1 ? row : { ...row, deleted },
    ),
  },
  {
    id: 'doc-of-a-loser',
    rule: 'feed-include-docs',
    summary: 'The doc of a document in conflict has the content of a loser.',
    replace: rendering((row, document, _, database) => {
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
    summary: 'Text in documents is put into the normal form C of Unicode.',
    replace: rendering((row) => (row.doc ? { ...row, doc: inNormalForm(row.doc) } : row)),
  },
  {
    id: 'doc-of-deleted-bare',
    rule: 'feed-include-docs',
    summary: 'The doc of a deleted document lacks what was written with the deletion.',
    replace: rendering((row) => {
      if (!row.doc || !row.deleted) return row;
      const { _id, _rev, _deleted } = row.doc;
      return { ...row, doc: { _id, _rev, _deleted } };
    }),
  },
  {
    id: 'doc-when-told-not-to',
    rule: 'feed-include-docs',
    summary: 'include_docs=false counts as given.',
    replace: feeding(({ context, read }) =>
      read({ include_docs: /[?&]include_docs=/.test(context.requestHead.url) }),
    ),
  },
  {
    id: 'conflicts-with-deleted',
    rule: 'feed-conflicts',
    summary: '_conflicts lists deleted leaves too.',
    replace: rendering((row, { leaves }, { conflicts }) => {
      const losers = [...leaves.conflicts, ...leaves.deletedConflicts];
      return row.doc && conflicts && losers.length > 0
        ? { ...row, doc: { ...row.doc, _conflicts: losers } }
        : row;
    }),
  },
  {
    id: 'conflicts-first-only',
    rule: 'feed-conflicts',
    summary: '_conflicts lists one loser only.',
    replace: rendering((row) => {
      const listed = row.doc?._conflicts as string[] | undefined;
      return listed ? { ...row, doc: { ...row.doc, _conflicts: listed.slice(0, 1) } } : row;
    }),
  },
  {
    id: 'conflicts-with-all-docs',
    rule: 'feed-conflicts',
    summary: 'With style=all_docs, documents list their conflicts unasked.',
    replace: rendering((row, { leaves: { conflicts } }, { allLeaves, conflicts: asked }) =>
      row.doc && allLeaves && !asked && conflicts.length > 0
        ? { ...row, doc: { ...row.doc, _conflicts: conflicts } }
        : row,
    ),
  },
  {
    id: 'conflicts-include-docs',
    rule: 'feed-conflicts',
    summary: 'conflicts=true includes the documents by itself.',
    replace: feeding(({ query, read }) => read({ include_docs: query.include_docs || query.conflicts })),
  },
  {
    id: 'style-default-all',
    rule: 'feed-style-main',
    summary: 'Without style all leaves are listed.',
    replace: feeding(({ context, query, read }) =>
      read({ style: /[?&]style=/.test(context.requestHead.url) ? query.style : 'all_docs' }),
    ),
  },
  {
    id: 'style-main-loser-too',
    rule: 'feed-style-main',
    summary: 'main_only lists the best loser too when there are two.',
    replace: rendering((row, { leaves }, { allLeaves }) => {
      const [loser, other] = leaves.conflicts;
      return allLeaves || other === undefined ? row : { ...row, changes: [...row.changes, { rev: loser }] };
    }),
  },
  {
    id: 'style-all-live-only',
    rule: 'feed-style-all',
    summary: 'all_docs leaves deleted losers out.',
    replace: rendering((row, { leaves: { deletedConflicts } }) => ({
      ...row,
      changes: row.changes.filter(({ rev }) => !deletedConflicts.includes(rev)),
    })),
  },
  {
    id: 'style-all-two-at-most',
    rule: 'feed-style-all',
    summary: 'all_docs lists two leaves at most.',
    replace: rendering((row) => ({ ...row, changes: row.changes.slice(0, 2) })),
  },
];
