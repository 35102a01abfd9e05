/** Faults in the rows of the changes feed, in what a request selects of it, and in its places. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, httpError } from '../../reference/index.js';
import { feeding, positionOf, rendering, winning, type FeedRow, type Leaf } from './feeding.js';

const byHash = (a: Leaf, b: Leaf): number => (a.hash < b.hash ? 1 : -1);
const byGeneration = (a: Leaf, b: Leaf): number => b.generation - a.generation;
const liveFirst = (a: Leaf, b: Leaf): number => Number(a.deleted) - Number(b.deleted);

const inNormalForm = (value: unknown): unknown => JSON.parse(JSON.stringify(value).normalize('NFC'));

/** How long a server waits that should not: longer than the check takes to be sure. */
const stallMs = 3000;

export const feedFaults: readonly Fault[] = [
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
    id: 'feed-without-rewritten-designs',
    rule: 'feed-complete',
    summary: 'With since, design documents have no row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.filter(({ id }) => !id.startsWith('_design/')) };
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
    id: 'last-seq-skips',
    rule: 'feed-last-seq',
    summary: 'With limit, last_seq is that of the whole database: who goes on from there skips the rest.',
    replace: feeding(async ({ read }) => ({
      ...(await read()),
      last_seq: (await read({ limit: -1, descending: false })).last_seq,
    })),
  },
  {
    id: 'last-seq-of-the-first-row',
    rule: 'feed-last-seq',
    summary: 'With descending, last_seq is the seq of the first row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const [first] = feed.results;
      return query.descending && first ? { ...feed, last_seq: first.seq } : feed;
    }),
  },
  {
    id: 'pending-one-more',
    rule: 'feed-pending',
    summary: 'When limit cuts the feed, pending counts the last row too.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return { ...feed, pending: feed.pending > 0 ? feed.pending + 1 : 0 };
    }),
  },
  {
    id: 'pending-live-only',
    rule: 'feed-pending',
    summary: 'Deleted documents are not pending.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const { results } = await read({ limit: -1 });
      const rest = query.descending ? [] : results.slice(feed.results.length);
      return { ...feed, pending: rest.filter(({ deleted }) => !deleted).length };
    }),
  },
  {
    id: 'since-inclusive',
    rule: 'feed-since-excludes',
    summary: 'Every fourth change is given again to who resumes from it.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        ...parts.sequences,
        decode(instance, text) {
          const position = parts.sequences.decode(instance, text);
          return position && position % 4 === 0 ? position - 1 : position;
        },
      },
    }),
  },
  {
    id: 'since-rewinds',
    rule: 'feed-since-excludes',
    summary: 'A seq at which nothing is left rewinds the feed to its beginning.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      return query.since === 'now' || feed.results.length > 0 ? feed : read({ since: '0' });
    }),
  },
  {
    id: 'since-loses-the-next',
    rule: 'feed-since-resume',
    summary: 'Resuming from every third change loses the one after it, if it is not the last.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const lost = positionOf(query.since) % 3 === 0 && query.since !== '0' && feed.results.length > 1;
      return { ...feed, results: feed.results.slice(lost ? 1 : 0) };
    }),
  },
  {
    id: 'since-loses-deletions',
    rule: 'feed-since-resume',
    summary: 'Resuming loses the documents that are deleted.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'since-absent-without-deleted',
    rule: 'feed-since-default',
    summary: 'Without since, deleted documents are left out, as a first replication has no need of them.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      if (/[?&]since=/.test(context.requestHead.url)) return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'since-zero-after-the-first',
    rule: 'feed-since-default',
    summary: 'since=0 begins after the first change.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      return /[?&]since=0(&|$)/.test(context.requestHead.url)
        ? { ...feed, results: feed.results.slice(1) }
        : feed;
    }),
  },
  {
    id: 'since-now-shows-the-last',
    rule: 'feed-since-now',
    summary: 'since=now gives the last change of a database that has seen several.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since !== 'now' || positionOf(feed.last_seq) < 2) return feed;
      const past = await read({ since: '0', descending: true, limit: 1 });
      return { ...feed, results: past.results };
    }),
  },
  {
    id: 'since-now-ends-early',
    rule: 'feed-since-now',
    summary: 'The last_seq of since=now is the one before the latest change.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since !== 'now') return feed;
      const { results } = await read({ since: '0', descending: true, limit: 2 });
      return { ...feed, last_seq: results[1]?.seq ?? feed.last_seq };
    }),
  },
  {
    id: 'seq-array-not-read',
    rule: 'feed-seq-any-json',
    summary: 'From the third change on, seqs are arrays, which are not understood as since.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        ...parts.sequences,
        encode: (instance, position) =>
          position < 3 ? parts.sequences.encode(instance, position) : [position, instance],
      },
    }),
  },
  {
    id: 'seq-decoded-twice',
    rule: 'feed-seq-any-json',
    summary: 'A since is percent-decoded twice, and seqs hold a percent sign.',
    replace: (parts) => ({
      ...parts,
      sequences: {
        encode: (instance, position) => `${position}-${instance}%2B`,
        decode(instance, text) {
          if (text === '0') return 0;
          return parts.sequences.decode(`${instance}%2B`, decodeURIComponent(text));
        },
      },
    }),
  },
  {
    id: 'limit-one-more',
    rule: 'feed-limit',
    summary: 'A limit of three or more gives one row too many.',
    replace: feeding(({ query: { limit = -1 }, read }) => read(limit >= 3 ? { limit: limit + 1 } : {})),
  },
  {
    id: 'limit-counts-live',
    rule: 'feed-limit',
    summary: 'Deleted documents are taken out after the limit was counted.',
    replace: feeding(async ({ query: { limit = -1 }, read }) => {
      const feed = await read();
      return limit === -1 ? feed : { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'limit-before-since',
    rule: 'feed-paging',
    summary: 'limit is counted from the beginning of the feed, not from since.',
    replace: feeding(({ query: { limit = -1, since }, read }) =>
      read(limit === -1 || since === 'now' ? {} : { limit: Math.max(0, limit - positionOf(since)) }),
    ),
  },
  {
    id: 'page-ends-early',
    rule: 'feed-paging',
    summary: 'The last_seq of a page of three or more rows is that of the row before the last.',
    replace: feeding(async ({ query: { limit = -1 }, read }) => {
      const feed = await read();
      if (limit < 3 || feed.results.length < 3) return feed;
      return { ...feed, last_seq: feed.results.at(-2)!.seq };
    }),
  },
  {
    id: 'descending-oldest',
    rule: 'feed-descending',
    summary: 'With descending and limit the oldest rows come, newest first.',
    replace: feeding(async ({ query: { descending }, read }) => {
      const feed = await read({ descending: false });
      return descending ? { ...feed, results: feed.results.toReversed() } : feed;
    }),
  },
  {
    id: 'descending-by-shard',
    rule: 'feed-descending',
    summary: 'With descending, the newest of one shard come first, then those of the other.',
    replace: feeding(async ({ query: { descending, limit = -1 }, read }) => {
      if (!descending) return read();
      const feed = await read({ limit: -1 });
      const isOfOne = ({ id }: FeedRow): boolean => id.length % 2 === 0;
      const [one, other] = [feed.results.filter(isOfOne), feed.results.filter((row) => !isOfOne(row))];
      const results = [...one, ...other].slice(0, limit < 0 ? undefined : limit);
      return {
        results,
        last_seq: results.at(-1)?.seq ?? feed.last_seq,
        pending: feed.results.length - results.length,
      };
    }),
  },
  {
    id: 'descending-forgotten',
    rule: 'feed-descending',
    summary: 'descending is ignored when documents are included.',
    replace: feeding(({ query, read }) => read({ descending: query.descending && !query.include_docs })),
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
  {
    id: 'default-since-skips',
    rule: 'feed-defaults',
    summary: 'since=0 begins after the first change when the documents are not included.',
    replace: feeding(async ({ context, query, read }) => {
      const feed = await read();
      const given = /[?&]since=0(&|$)/.test(context.requestHead.url) && !query.include_docs;
      return given ? { ...feed, results: feed.results.slice(1) } : feed;
    }),
  },
  {
    id: 'default-style-unknown',
    rule: 'feed-defaults',
    summary: 'A style that is given, whichever it is, means all_docs.',
    replace: feeding(({ context, read }) =>
      read({ style: /[?&]style=/.test(context.requestHead.url) ? 'all_docs' : 'main_only' }),
    ),
  },
  {
    id: 'accept-json-without-deleted',
    rule: 'feed-accept',
    summary: 'Who accepts JSON only is not told of deleted documents.',
    replace: feeding(async ({ context, read }) => {
      const feed = await read();
      if (context.requestHead.headers.accept !== 'application/json') return feed;
      return { ...feed, results: feed.results.filter(({ deleted }) => !deleted) };
    }),
  },
  {
    id: 'accept-json-refused',
    rule: 'feed-accept',
    summary: 'A POST that accepts JSON only is not acceptable.',
    replace: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        postChanges(request, context) {
          if (context.requestHead.headers.accept === 'application/json')
            throw httpError(406, 'not_acceptable', 'Only text is given.');
          return parts.handlers.postChanges(request, context);
        },
      },
    }),
  },
  {
    id: 'post-without-style',
    rule: 'feed-post-same',
    summary: 'POST knows no style.',
    replace: feeding(({ method, read }) => read(method === 'POST' ? { style: 'main_only' } : {})),
  },
  {
    id: 'post-without-limit',
    rule: 'feed-post-same',
    summary: 'POST knows no limit.',
    replace: feeding(({ method, read }) => read(method === 'POST' ? { limit: -1 } : {})),
  },
  {
    id: 'calls-differ',
    rule: 'feed-partial-order',
    summary: 'Every third answer lacks its last row.',
    replace: (parts) => {
      let calls = 0;
      return feeding(async ({ read }) => {
        const feed = await read();
        calls += 1;
        return { ...feed, results: calls % 3 === 0 ? feed.results.slice(0, -1) : feed.results };
      })(parts);
    },
  },
  {
    id: 'calls-change-winner',
    rule: 'feed-partial-order',
    summary: 'Every other row of a database shows the best loser of a document in conflict.',
    replace: (parts) => {
      const rows = new Map<string, number>();
      return rendering((row, { leaves }, { allLeaves }, { name }) => {
        const [loser] = leaves.conflicts;
        const count = (rows.get(name) ?? 0) + 1;
        rows.set(name, count);
        return loser !== undefined && !allLeaves && count % 2 === 0
          ? { ...row, changes: [{ rev: loser }] }
          : row;
      })(parts);
    },
  },
  {
    id: 'row-read-once',
    rule: 'feed-idempotent',
    summary: 'What a row said when it was first read, it says ever after.',
    replace: (parts) => {
      const first = new Map<string, Partial<FeedRow>>();
      return rendering((row, { id }, _, { name }) => {
        const key = JSON.stringify([name, id]);
        const { changes, deleted } = first.get(key) ?? row;
        first.set(key, { changes, deleted });
        return { ...row, changes, deleted };
      })(parts);
    },
  },
  {
    id: 'resumed-row-not-deleted',
    rule: 'feed-idempotent',
    summary: 'With since, no row says that its document is deleted.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.since === '0') return feed;
      return { ...feed, results: feed.results.map((row) => ({ ...row, deleted: undefined })) };
    }),
  },
  {
    id: 'normal-waits-with-heartbeat',
    rule: 'normal-immediate',
    summary: 'With heartbeat, an answer without rows is held back.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.heartbeat !== undefined && feed.results.length === 0) await wait(stallMs);
      return feed;
    }),
  },
  {
    id: 'normal-waits-with-now',
    rule: 'normal-immediate',
    summary: 'With since=now and timeout, the answer waits for a change.',
    replace: feeding(async ({ query, read }) => {
      if (query.since === 'now' && query.timeout !== undefined) await wait(stallMs);
      return read();
    }),
  },
];
