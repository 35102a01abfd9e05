/** Filters: how a request names them, and which documents and revisions pass (SERVICE 4.5, 4.6, 4.8). */
import {
  designDocumentWith,
  designName,
  filterFunctions,
  mapFunctions,
  type FilterFunction,
  type MapFunction,
  type RequestParameters,
} from './functions.js';
import { some, type Ternary } from './ternary.js';
import { withQuery, type FeedQuery, type FeedRequest } from './allowed-rows.js';
import type { History } from './history.js';
import { leaves, winner, type Revision, type RevisionTree } from './revisions.js';
import { matches, type Selector } from './selector.js';

export type Filter =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'design' }
  | { readonly kind: 'selector'; readonly selector: Selector }
  | { readonly kind: 'view'; readonly view: MapFunction }
  | { readonly kind: 'function'; readonly name: FilterFunction; readonly parameters: RequestParameters };

/** Whether a revision of the document passes. */
export function passes(filter: Filter, id: string, { rev, deleted, body, attachments }: Revision): Ternary {
  switch (filter.kind) {
    case 'ids':
      return filter.ids.includes(id);
    case 'design':
      return id.startsWith('_design/');
  }
  // A server may add fields of its own, also to stubs; a filter can only depend on these.
  const document = {
    ...body,
    _id: id,
    _rev: rev,
    ...(deleted && { _deleted: true }),
    ...(attachments?.size && {
      _attachments: Object.fromEntries([...attachments.keys()].map((name) => [name, {}])),
    }),
  };
  switch (filter.kind) {
    case 'selector':
      return matches(filter.selector, document);
    case 'view':
      return mapFunctions[filter.view].passes(document);
    case 'function':
      return filterFunctions[filter.name].passes(document, filter.parameters);
  }
}

/** The revisions that the filter is applied to, and for each whether it passes and thus is listed in the row. */
export function listedRevisions(
  filter: Filter,
  id: string,
  tree: RevisionTree,
  style: FeedQuery['style'],
): Map<string, Ternary> {
  if (style === 'all_docs')
    return new Map(leaves(tree).map((revision) => [revision.rev, passes(filter, id, revision)]));
  const best = winner(tree)!;
  const result = passes(filter, id, best);
  // The service document does not show whether a deletion is the change of a document that matches a selector.
  const isOpen = filter.kind === 'selector' && best.deleted && result === true;
  return new Map([[best.rev, isOpen ? undefined : result]]);
}

/** Whether the document has a row: it does if any of the filtered revisions passes. */
export function hasRow(filter: Filter, id: string, tree: RevisionTree, style: FeedQuery['style']): Ternary {
  return some([...listedRevisions(filter, id, tree, style).values()], (isListed) => isListed);
}

/** Whether any revision that the document has ever had passes. */
export function everPasses(filter: Filter, id: string, tree: RevisionTree): Ternary {
  const known = [...tree.values()].filter(({ body }) => body !== undefined);
  return some(known, (revision) => passes(filter, id, revision));
}

/** The request with the filter (SERVICE 4.5, 4.6). A selector needs a POST. */
export function withFilter<Request extends FeedRequest>(request: Request, filter: Filter): Request {
  switch (filter.kind) {
    case 'ids': {
      const { ids } = filter;
      const filtered = withQuery(request, { filter: '_doc_ids' });
      return request.method === 'POST'
        ? { ...filtered, json: { doc_ids: ids } }
        : withQuery(filtered, { doc_ids: ids });
    }
    case 'design':
      return withQuery(request, { filter: '_design' });
    case 'selector': {
      const json = { selector: filter.selector };
      return { ...withQuery(request, { filter: '_selector' }), method: 'POST', json };
    }
    case 'view':
      return withQuery(request, { filter: '_view', view: `${designName}/${filter.view}` });
    case 'function':
      return withQuery(request, { ...filter.parameters, filter: `${designName}/${filter.name}` });
  }
}

/** The design document with the functions that these filters use and no others; nothing if they use none. */
export function designDocumentFor(filters: readonly Filter[]): History {
  const functions = filters.flatMap((filter) => (filter.kind === 'function' ? filter.name : []));
  const views = filters.flatMap((filter) => (filter.kind === 'view' ? filter.view : []));
  return functions.length + views.length === 0 ? [] : [designDocumentWith({ filters: functions, views })];
}

/** The filter as messages name it: the value of the query parameter `filter`. */
export const filterName = (filter: Filter): string => withFilter<FeedRequest>({}, filter).query!.filter!;

/** A filter of each kind, which no document passes but design documents. */
const rejectingFilters = (hasFunctions: boolean): readonly Filter[] => [
  { kind: 'ids', ids: ['nobody'] },
  { kind: 'design' },
  ...(hasFunctions
    ? ([
        { kind: 'view', view: 'nothing' },
        { kind: 'function', name: 'nothing', parameters: {} },
      ] as const)
    : []),
];

/** The design document that {@link withRejectingFilters} needs. */
export const rejectingDesign = (hasFunctions: boolean): History =>
  designDocumentFor(rejectingFilters(hasFunctions));

/** The request with a filter of each kind, which no document passes but design documents, by each method. */
export function withRejectingFilters<Request extends FeedRequest>(
  request: Request,
  { hasFunctions }: { readonly hasFunctions: boolean },
): Request[] {
  return [
    withFilter(request, { kind: 'selector', selector: { _id: 'nobody' } }),
    ...(['GET', 'POST'] as const).flatMap((method) =>
      rejectingFilters(hasFunctions).map((filter) => withFilter({ ...request, method }, filter)),
    ),
  ];
}

/** The request with a filter that no document passes. */
export const withRejectingFilter = <Request extends FeedRequest>(request: Request): Request =>
  withFilter({ ...request, method: 'GET' }, { kind: 'ids', ids: ['nobody'] });
