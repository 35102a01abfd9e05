/** Faults in which documents a filter accepts. */
import { type Fault } from '../../reference/index.js';
import { runInNewContext } from 'node:vm';
import {
  askingFilter,
  type Candidate,
  type Filtered,
  filtering,
  isDesign,
  isLive,
  passingOnly,
  readingSelector,
} from './shared/filters.js';
import { type Replace } from './shared/components.js';
import { feeding } from './shared/feeds.js';

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

export const filterDocumentsFaults: readonly Fault[] = [
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
];
