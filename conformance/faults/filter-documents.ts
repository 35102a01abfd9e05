/** Faults in which documents a filter accepts. */
import { runInNewContext } from 'node:vm';
import type { Context, Fault } from '../../reference/index.js';
import { replaceFunction, type Replace } from './shared/components.js';
import { changeRows, type FeedRequest } from './shared/feeds.js';
import {
  acceptAlso,
  acceptOnly,
  changeAccepted,
  changeFilterRequest,
  changeSelector,
  isDesign,
  isLive,
  type Candidate,
  type FilterRequest,
  type OpenFilter,
} from './shared/filters.js';

const documentIdsOf = ({ query, body }: FilterRequest | FeedRequest): readonly string[] =>
  body?.doc_ids ?? query.doc_ids ?? [];

/** The sources of the functions in the design document of a request. */
interface Design {
  readonly filters: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, { readonly map: string }>>;
}

/** Returns the design document and the name of a function from `<design_doc>/<name>`. */
function functionAt(path: string, { database }: OpenFilter): [Design, name: string] {
  const [design, name] = path.split('/');
  const stored = database.find(`_design/${design}`)!;
  return [JSON.parse(database.revision(stored, stored.leaves.winner)!.body) as Design, name!];
}

/**
 * Calls a function with a revision of a document.
 *
 * @param globals its global variables
 * @param request its second argument
 */
function call(
  source: string,
  globals: object,
  { head }: Candidate,
  body: string,
  request: { readonly query?: object; readonly userCtx?: object } | undefined,
): unknown {
  const run = runInNewContext(`(${source})`, { ...globals }) as (...args: unknown[]) => unknown;
  return run({ ...(JSON.parse(body) as object), _id: head.id }, request);
}

/** The keys that the map function of the request emits for a revision. */
function emittedKeys(
  filter: OpenFilter,
  candidate: Candidate,
  body: string,
  request?: { readonly query: object; readonly userCtx: object },
): unknown[] {
  const [{ views }, name] = functionAt(filter.query.view!, filter);
  const keys: unknown[] = [];
  call(views[name]!.map, { emit: (key: unknown) => keys.push(key) }, candidate, body, request);
  return keys;
}

/** Passes query parameters to filter functions as the JSON values that their texts stand for, for some types. */
const parseParameters = (...types: readonly string[]): Replace =>
  changeAccepted((accepted, candidate, filter) => {
    if (filter.name === '' || filter.name.startsWith('_')) return accepted;
    const [{ filters }, name] = functionAt(filter.name, filter);
    const parsed = [...filter.sent].map(([parameter, text]) => {
      const value = JSON.parse(/^(true|false|\d+)$/.test(text) ? text : JSON.stringify(text)) as unknown;
      return [parameter, types.includes(typeof value) ? value : text];
    });
    const query = Object.fromEntries(parsed) as object;
    return candidate.revisions.map(
      ({ body }) => call(filters[name]!, {}, candidate, body, { query }) === true,
    );
  }, true);

/** Accepts only revisions for whose emitted keys `holds` is true, with filter=_view. */
const acceptOnlyKeys = (holds: (keys: readonly unknown[]) => boolean): Replace =>
  changeAccepted((accepted, candidate, filter) => {
    if (filter.name !== '_view') return accepted;
    const { revisions } = candidate;
    return accepted.map(
      (isAccepted, index) => isAccepted && holds(emittedKeys(filter, candidate, revisions[index]!.body)),
    );
  }, true);

/** Changes the path and query string that a filter function sees. */
const changeUrl = (change: (url: string, context: Context) => string): Replace =>
  replaceFunction('createFilter', (original, database, request, context) => {
    const requestHead = { ...context.requestHead, url: change(context.requestHead.url, context) };
    return original(database, request, { ...context, requestHead });
  });

export const filterDocumentsFaults: readonly Fault[] = [
  {
    id: 'doc-ids-without-deleted',
    rule: 'filter-doc-ids',
    summary: 'The server omits deleted documents with filter=_doc_ids.',
    replace: acceptOnly(/^_doc_ids$/, isLive),
  },
  {
    id: 'doc-ids-query-of-post-ignored',
    rule: 'filter-doc-ids',
    summary: 'The server ignores doc_ids in the query of a POST request.',
    replace: changeFilterRequest(({ body }) => (body ? { query: { doc_ids: undefined } } : {})),
  },
  {
    id: 'doc-ids-prefix',
    rule: 'filter-doc-ids',
    summary: 'The server sends every document whose ID starts with a listed one with filter=_doc_ids.',
    replace: acceptAlso('_doc_ids', ({ head }, filter) =>
      documentIdsOf(filter).some((id) => head.id.startsWith(id)),
    ),
  },
  {
    id: 'doc-ids-any-case',
    rule: 'filter-doc-ids',
    summary: 'The server ignores case when it compares IDs with filter=_doc_ids.',
    replace: acceptAlso('_doc_ids', ({ head }, filter) =>
      documentIdsOf(filter).some((id) => id.toLowerCase() === head.id.toLowerCase()),
    ),
  },
  {
    id: 'doc-ids-trimmed',
    rule: 'filter-doc-ids',
    summary: 'The server ignores spaces around listed IDs with filter=_doc_ids.',
    replace: acceptAlso('_doc_ids', ({ head }, filter) =>
      documentIdsOf(filter).some((id) => id.trim() === head.id),
    ),
  },
  {
    id: 'doc-ids-first-three',
    rule: 'filter-doc-ids',
    summary: 'The server reads only the first three IDs of doc_ids.',
    replace: changeFilterRequest(({ query, body }) => ({
      query: { doc_ids: query.doc_ids?.slice(0, 3) },
      body: body && { ...body, doc_ids: body.doc_ids?.slice(0, 3) },
    })),
  },
  {
    id: 'doc-ids-repeated-rows',
    rule: 'filter-doc-ids',
    summary: 'The server sends two rows for a document that doc_ids lists twice.',
    replace: changeRows((rows, request) => {
      if (request.query.filter !== '_doc_ids') return rows;
      return rows.flatMap((row) =>
        documentIdsOf(request)
          .filter((id) => id === row.id)
          .map(() => row),
      );
    }),
  },
  {
    id: 'selector-greater-or-equal',
    rule: 'filter-selector',
    summary: 'The server reads $gt as $gte.',
    replace: changeSelector((selector) => selector.replaceAll('"$gt":', '"$gte":')),
  },
  {
    id: 'selector-equal-as-text',
    rule: 'filter-selector',
    summary: 'The server lets a number that a field must equal match the same digits as text.',
    replace: changeSelector((selector) =>
      selector
        .replaceAll(/"\$eq":(\d+)/g, '"$in":[$1,"$1"]')
        .replaceAll(/"value":(\d+)/g, '"value":{"$in":[$1,"$1"]}'),
    ),
  },
  {
    id: 'selector-less',
    rule: 'filter-selector',
    summary: 'The server reads $lte as $lt.',
    replace: changeSelector((selector) => selector.replaceAll('"$lte":', '"$lt":')),
  },
  {
    id: 'selector-without-deleted',
    rule: 'filter-selector',
    summary: 'The server omits deleted documents with filter=_selector.',
    replace: acceptOnly(/^_selector$/, isLive),
  },
  {
    id: 'selector-in-first',
    rule: 'filter-selector',
    summary: 'The server reads only the first value of $in.',
    replace: changeSelector((selector) => selector.replaceAll(/("\$in":\[[^,\]]*),[^\]]*\]/g, '$1]')),
  },
  {
    id: 'selector-escaped-dot',
    rule: 'filter-selector',
    summary: 'The server reads an escaped period in a field name of a selector as a separator.',
    replace: changeSelector((selector) => selector.replaceAll('\\\\.', '.')),
  },
  {
    id: 'selector-nested-whole',
    rule: 'filter-selector',
    summary: 'The server compares a nested object in a selector with the whole value.',
    replace: changeSelector((selector) =>
      selector
        .replaceAll('{"city":', '{"$eq":{"city":')
        .replace(/\{"\$eq":\{"city":("[^"]*"|\{[^}]*\})\}/g, '{"$$eq":{"city":$1}}'),
    ),
  },
  {
    id: 'selector-all-any',
    rule: 'filter-selector',
    summary: 'The server reads $allMatch as $elemMatch.',
    replace: changeSelector((selector) => selector.replaceAll('"$allMatch":', '"$elemMatch":')),
  },
  {
    id: 'selector-nor-or',
    rule: 'filter-selector',
    summary: 'The server reads $nor as $or.',
    replace: changeSelector((selector) => selector.replaceAll('"$nor":', '"$or":')),
  },
  {
    id: 'design-without-deleted',
    rule: 'filter-design',
    summary: 'The server omits deleted design documents with filter=_design.',
    replace: acceptOnly(/^_design$/, isLive),
  },
  {
    id: 'design-of-plain-names',
    rule: 'filter-design',
    summary: 'The server omits design documents whose names need percent-encoding with filter=_design.',
    replace: acceptOnly(/^_design$/, ({ head }) => /^_design\/\w+$/.test(head.id)),
  },
  {
    id: 'design-lookalike-prefix',
    rule: 'filter-design',
    summary: 'The server sends every document whose ID starts with design with filter=_design.',
    replace: acceptAlso('_design', ({ head }) => head.id.startsWith('design')),
  },
  {
    id: 'design-lookalike-anywhere',
    rule: 'filter-design',
    summary: 'The server sends every document whose ID contains _design/ with filter=_design.',
    replace: acceptAlso('_design', ({ head }) => head.id.includes('_design/')),
  },
  {
    id: 'view-without-design',
    rule: 'filter-view',
    summary: 'The server omits design documents with filter=_view.',
    replace: acceptOnly(/^_view$/, (candidate) => !isDesign(candidate)),
  },
  {
    id: 'view-null-key',
    rule: 'filter-view',
    summary: 'The server ignores emitted rows with a null key with filter=_view.',
    replace: acceptOnlyKeys((keys) => keys.some((key) => key !== null)),
  },
  {
    id: 'view-twice-none',
    rule: 'filter-view',
    summary: 'The server omits a document for which the map function emits two rows with filter=_view.',
    replace: acceptOnlyKeys((keys) => keys.length !== 2),
  },
  {
    id: 'view-request',
    rule: 'filter-view',
    summary: 'The server passes the request to the map function with filter=_view.',
    replace: changeAccepted((accepted, candidate, filter) => {
      if (filter.name !== '_view') return accepted;
      const { name, roles } = filter.user;
      const request = { query: Object.fromEntries(filter.sent), userCtx: { name, roles } };
      return candidate.revisions.map(({ body }) => emittedKeys(filter, candidate, body, request).length > 0);
    }, true),
  },
  {
    id: 'view-deleted-of-members',
    rule: 'filter-view',
    summary: 'The server omits deleted documents with filter=_view unless an administrator reads the feed.',
    replace: acceptOnly(
      /^_view$/,
      (candidate, { user }) => isLive(candidate) || user.roles.includes('_admin'),
    ),
  },
  {
    id: 'view-skip',
    rule: 'filter-view',
    summary: 'The server skips rows if the request has the parameter skip with filter=_view.',
    replace: changeRows((rows, { query, sent }) =>
      query.filter === '_view' ? rows.slice(Number(sent.get('skip'))) : rows,
    ),
  },
  {
    id: 'function-query-of-post-missing',
    rule: 'filter-function',
    summary: 'The server passes no query to a filter function in a POST request.',
    replace: changeUrl((url, { requestHead: { method } }) => (method === 'POST' ? url.split('?')[0]! : url)),
  },
  {
    id: 'function-query-escaped',
    rule: 'filter-function',
    summary: 'The server passes the query to a filter function without decoding it.',
    replace: changeUrl((url) => url.replaceAll('%', '%25')),
  },
  {
    id: 'function-query-numbers',
    rule: 'filter-function',
    summary: 'The server passes query parameters that are digits to a filter function as numbers.',
    replace: parseParameters('number'),
  },
  {
    id: 'function-query-booleans',
    rule: 'filter-function',
    summary: 'The server passes the query parameters true and false to a filter function as booleans.',
    replace: parseParameters('boolean'),
  },
  {
    id: 'function-without-deleted',
    rule: 'filter-function',
    summary: 'The server omits deleted documents with a filter function.',
    replace: acceptOnly(/^[^_]/, isLive),
  },
];
