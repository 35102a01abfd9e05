/** Faults in the filters of the changes feed, and in how wrong selectors are refused. */
import { runInNewContext } from 'node:vm';
import type { Fault } from '../../reference/index.js';
import { feeding, rendering, type Replace } from './feeding.js';
import {
  askingFilter,
  filtering,
  passingOnly,
  readingSelector,
  type Candidate,
  type Filtered,
} from './filtering.js';

const isLive = ({ head }: Candidate): boolean => !head.leaves.deleted;
const isDesign = (id: string): boolean => id.startsWith('_design/');

/** The keys that the view of the request emits for a revision. */
function emittedKeys({ request, database }: Filtered, { head }: Candidate, body: string): unknown[] {
  const [design, view] = request.query.view!.split('/');
  const stored = database.find(`_design/${design}`)!;
  const { views } = JSON.parse(database.revision(stored, stored.leaves.winner)!.body) as {
    views: Record<string, { map: string }>;
  };
  const keys: unknown[] = [];
  const map = runInNewContext(`(${views[view!]!.map})`, { emit: (key: unknown) => keys.push(key) }) as (
    document: unknown,
  ) => void;
  map({ ...(JSON.parse(body) as object), _id: head.id });
  return keys;
}

/** Of the revisions that pass `_view`, lets pass those for whose emitted keys this holds too. */
const passingByKeys = (holds: (keys: readonly unknown[]) => boolean): Replace =>
  filtering(
    (verdicts, candidate, filtered) =>
      verdicts.map(
        (passes, index) =>
          passes &&
          (filtered.name !== '_view' ||
            holds(emittedKeys(filtered, candidate, candidate.revisions[index]!.body))),
      ),
    true,
  );

/** The path and query string of a request, changed. */
const withUrl = (change: (url: string) => string) =>
  askingFilter((_, context) => {
    const { requestHead } = context;
    return { context: { ...context, requestHead: { ...requestHead, url: change(requestHead.url) } } };
  });

export const filterFaults: readonly Fault[] = [
  {
    id: 'filtered-last-seq-scanned',
    rule: 'feed-last-seq',
    summary: 'With a filter, last_seq is where the server has read to, not the last row.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const all = await read({ filter: undefined });
      return query.filter && query.limit === undefined ? { ...feed, last_seq: all.last_seq } : feed;
    }),
  },
  {
    id: 'filtered-pending-rejected',
    rule: 'feed-pending',
    summary: 'With a filter, pending counts what was read and rejected as if it were still to come.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      const all = await read({ filter: undefined, limit: -1 });
      return query.filter ? { ...feed, pending: all.results.length - feed.results.length } : feed;
    }),
  },
  {
    id: 'filtered-pending-negative',
    rule: 'feed-pending',
    summary: 'With _doc_ids, pending falls below 0 by the documents that are listed.',
    replace: feeding(async ({ query, body, read }) => {
      const feed = await read();
      const ids = body?.doc_ids ?? query.doc_ids ?? [];
      return query.filter === '_doc_ids' ? { ...feed, pending: feed.pending - ids.length } : feed;
    }),
  },
  {
    id: 'filtered-limit-counts-rejected',
    rule: 'feed-paging',
    summary: 'With a filter, what it rejects counts against the limit.',
    replace: feeding(async ({ query, read }) => {
      if (!query.filter || query.limit === undefined) return read();
      const page = new Set((await read({ filter: undefined })).results.map(({ id }) => id));
      const feed = await read({ limit: -1 });
      return { ...feed, results: feed.results.filter(({ id }) => page.has(id)) };
    }),
  },
  {
    id: 'doc-ids-without-deleted',
    rule: 'filter-doc-ids',
    summary: 'A listed document that is deleted is not given.',
    replace: passingOnly(/^_doc_ids$/, isLive),
  },
  {
    id: 'doc-ids-query-of-post-ignored',
    rule: 'filter-doc-ids',
    summary: 'With POST the list in the query is not looked at.',
    replace: askingFilter(({ query, body }) =>
      body ? { request: { query: { ...query, doc_ids: undefined }, body } } : {},
    ),
  },
  {
    id: 'doc-ids-prefix',
    rule: 'filter-doc-ids',
    summary: 'Documents are given whose id begins with a listed one.',
    replace: filtering((verdicts, { head }, { name, request: { query, body } }) => {
      const ids = body?.doc_ids ?? query.doc_ids ?? [];
      return verdicts.map(
        (passes) => passes || (name === '_doc_ids' && ids.some((id) => head.id.startsWith(id))),
      );
    }),
  },
  {
    id: 'doc-ids-first-three',
    rule: 'filter-doc-ids',
    summary: 'Of a list the first three ids count.',
    replace: askingFilter(({ query, body }) => ({
      request: {
        query: { ...query, doc_ids: query.doc_ids?.slice(0, 3) },
        body: body && { ...body, doc_ids: body.doc_ids?.slice(0, 3) },
      },
    })),
  },
  {
    id: 'doc-ids-repeated-rows',
    rule: 'filter-doc-ids',
    summary: 'A document whose id is listed twice has two rows.',
    replace: feeding(async ({ query, body, read }) => {
      const feed = await read();
      const ids = body?.doc_ids ?? query.doc_ids ?? [];
      const results = feed.results.flatMap((row) => ids.filter((id) => id === row.id).map(() => row));
      return query.filter === '_doc_ids' ? { ...feed, results } : feed;
    }),
  },
  {
    id: 'selector-greater-or-equal',
    rule: 'filter-selector',
    summary: '$gt is read as $gte.',
    replace: readingSelector((selector) => selector.replaceAll('"$gt":', '"$gte":')),
  },
  {
    id: 'selector-less',
    rule: 'filter-selector',
    summary: '$lte is read as $lt.',
    replace: readingSelector((selector) => selector.replaceAll('"$lte":', '"$lt":')),
  },
  {
    id: 'selector-without-deleted',
    rule: 'filter-selector',
    summary: 'Deleted documents match no selector.',
    replace: passingOnly(/^_selector$/, isLive),
  },
  {
    id: 'selector-in-first',
    rule: 'filter-selector',
    summary: 'Of the values of $in only the first counts.',
    replace: readingSelector((selector) => selector.replaceAll(/("\$in":\[[^,\]]*),[^\]]*\]/g, '$1]')),
  },
  {
    id: 'selector-escaped-dot',
    rule: 'filter-selector',
    summary: 'A dot after a backslash separates names all the same.',
    replace: readingSelector((selector) => selector.replaceAll('\\\\.', '.')),
  },
  {
    id: 'selector-nested-whole',
    rule: 'filter-selector',
    summary: 'An object in a selector is compared as a whole.',
    replace: readingSelector((selector) =>
      selector
        .replaceAll('{"city":', '{"$eq":{"city":')
        .replace(/\{"\$eq":\{"city":("[^"]*"|\{[^}]*\})\}/g, '{"$$eq":{"city":$1}}'),
    ),
  },
  {
    id: 'selector-all-any',
    rule: 'filter-selector',
    summary: '$allMatch is read as $elemMatch.',
    replace: readingSelector((selector) => selector.replaceAll('"$allMatch":', '"$elemMatch":')),
  },
  {
    id: 'selector-nor-or',
    rule: 'filter-selector',
    summary: '$nor is read as $or.',
    replace: readingSelector((selector) => selector.replaceAll('"$nor":', '"$or":')),
  },
  {
    id: 'design-without-deleted',
    rule: 'filter-design',
    summary: 'Deleted design documents are not given.',
    replace: passingOnly(/^_design$/, isLive),
  },
  {
    id: 'design-of-plain-names',
    rule: 'filter-design',
    summary: 'Design documents whose names need escaping are not given.',
    replace: passingOnly(/^_design$/, ({ head }) => /^_design\/\w+$/.test(head.id)),
  },
  {
    id: 'view-without-design',
    rule: 'filter-view',
    summary: 'Design documents are not put to the map function.',
    replace: passingOnly(/^_view$/, ({ head }) => !isDesign(head.id)),
  },
  {
    id: 'view-null-key',
    rule: 'filter-view',
    summary: 'What is emitted with the key null does not count.',
    replace: passingByKeys((keys) => keys.some((key) => key !== null)),
  },
  {
    id: 'view-twice-none',
    rule: 'filter-view',
    summary: 'A document for which the map function emits twice does not pass.',
    replace: passingByKeys((keys) => keys.length !== 2),
  },
  {
    id: 'view-skip',
    rule: 'filter-view',
    summary: 'The parameter skip skips rows.',
    replace: feeding(async ({ query, context, read }) => {
      const feed = await read();
      const skip = Number(/[?&]skip=(\d+)/.exec(context.requestHead.url)?.[1] ?? 0);
      return query.filter === '_view' ? { ...feed, results: feed.results.slice(skip) } : feed;
    }),
  },
  {
    id: 'function-query-of-post-missing',
    rule: 'filter-function',
    summary: 'With POST a filter function sees no query.',
    replace: (parts) => {
      const withoutQuery = withUrl((url) => url.split('?')[0]!)(parts);
      return {
        ...parts,
        createFilter: (database, request, context) =>
          (request.body ? withoutQuery : parts).createFilter(database, request, context),
      };
    },
  },
  {
    id: 'function-query-escaped',
    rule: 'filter-function',
    summary: 'A filter function sees the values of the query as they are escaped in the URL.',
    replace: withUrl((url) => url.replaceAll('%', '%25')),
  },
  {
    id: 'function-without-deleted',
    rule: 'filter-function',
    summary: 'Deleted documents are not put to a filter function.',
    replace: passingOnly(/^[^_]/, isLive),
  },
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
  {
    id: 'live-filter-forgotten',
    rule: 'filter-in-every-mode',
    summary: 'What is written while a feed is open passes every filter.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const opened = database.position;
        const lenient = filtering((verdicts, { head }) =>
          verdicts.map((passes) => passes || head.position > opened),
        );
        return lenient(parts).createFilter(database, request, context);
      },
    }),
  },
  {
    id: 'live-deleted-kept-back',
    rule: 'filter-in-every-mode',
    summary: 'Deletions that are made while a feed with a filter is open do not pass.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const opened = database.position;
        return passingOnly(
          /./,
          ({ head }) => !head.leaves.deleted || head.position <= opened,
        )(parts).createFilter(database, request, context);
      },
    }),
  },
  {
    id: 'longpoll-ended-by-rejected',
    rule: 'filter-in-every-mode',
    summary: 'A long poll gives a change of a design document whatever its filter says.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const isLongpoll = /[?&]feed=longpoll/.test(context.requestHead.url);
        const lenient = filtering((verdicts, { head }) =>
          verdicts.map((passes) => passes || isDesign(head.id)),
        );
        return (isLongpoll ? lenient(parts) : parts).createFilter(database, request, context);
      },
    }),
  },
  {
    id: 'selector-missing-lets-all-pass',
    rule: 'error-selector-missing',
    summary: 'Without a selector everything passes.',
    replace: askingFilter((request) =>
      request.query.filter === '_selector' && request.body?.selector === undefined
        ? { request: { ...request, query: { ...request.query, filter: undefined } } }
        : {},
    ),
  },
  {
    id: 'selector-missing-not-found',
    rule: 'error-selector-missing',
    summary: 'That the selector is missing is called "not_found".',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return /^Selector must be/.test(body.reason) ? { ...body, error: 'not_found' } : body;
      },
    }),
  },
  {
    id: 'selector-not-object-unsaid',
    rule: 'error-selector-not-object',
    summary: 'The refusal of a selector that is no object does not say what is wrong.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return body.reason === 'Selector error: expected a JSON object'
          ? { ...body, reason: 'Invalid request' }
          : body;
      },
    }),
  },
  {
    id: 'selector-not-object-error',
    rule: 'error-selector-not-object',
    summary: 'The error of a selector that is no object has a name of its own.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return body.reason === 'Selector error: expected a JSON object'
          ? { ...body, error: 'selector_error' }
          : body;
      },
    }),
  },
  {
    id: 'selector-invalid-unnoticed',
    rule: 'error-selector-invalid',
    summary: 'A wrong selector is noticed only when there is a document to judge.',
    replace: (parts) => ({
      ...parts,
      async createFilter(database, request, context) {
        try {
          return await parts.createFilter(database, request, context);
        } catch (error) {
          if (database.position > 0 || request.query.filter !== '_selector') throw error;
          return undefined;
        }
      },
    }),
  },
  {
    id: 'selector-exists-any',
    rule: 'error-selector-invalid',
    summary: '$exists takes any argument for true.',
    replace: readingSelector((selector) => selector.replaceAll(/"\$exists":"[^"]*"/g, '"$exists":true')),
  },
];
