/** Which documents, and which of their revisions, a filter lets through (SERVICE 4.8). */
import {
  filterFunctions,
  mapFunctions,
  type FilterFunction,
  type MapFunction,
  type RequestParameters,
} from './functions.js';
import { some, type Ternary } from './ternary.js';
import type { FeedQuery } from './feed.js';
import { leaves, winner, type Revision, type RevisionTree } from './revisions.js';
import { matches, type Selector } from './selector.js';

export type Filter =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'design' }
  | { readonly kind: 'selector'; readonly selector: Selector }
  | { readonly kind: 'view'; readonly view: MapFunction }
  | { readonly kind: 'function'; readonly name: FilterFunction; readonly parameters: RequestParameters };

/** Whether the revision of that document passes. */
export function passes(filter: Filter, id: string, { rev, deleted, body }: Revision): Ternary {
  switch (filter.kind) {
    case 'ids':
      return filter.ids.includes(id);
    case 'design':
      return id.startsWith('_design/');
  }
  // What a server adds to the fields that were written is its own, but for these.
  const document = { ...body, _id: id, _rev: rev, ...(deleted && { _deleted: true }) };
  switch (filter.kind) {
    case 'selector':
      return matches(filter.selector, document);
    case 'view':
      return mapFunctions[filter.view].passes(document);
    case 'function':
      return filterFunctions[filter.name].passes(document, filter.parameters);
  }
}

/** The revisions that a row of the document may list, and whether it must list them if there is a row. */
export function listedRevisions(
  filter: Filter,
  id: string,
  tree: RevisionTree,
  style: FeedQuery['style'],
): Map<string, Ternary> {
  const judged = style === 'all_docs' ? leaves(tree) : [winner(tree)!];
  return new Map(judged.map((revision) => [revision.rev, passes(filter, id, revision)]));
}

/** Whether the document has a row: when any of the revisions passes that are put to the filter. */
export function hasRow(filter: Filter, id: string, tree: RevisionTree, style: FeedQuery['style']): Ternary {
  return some([...listedRevisions(filter, id, tree, style).values()], (judgement) => judgement);
}

/** Whether the filter may let through any state that the document has had. */
export function everPasses(filter: Filter, id: string, tree: RevisionTree): Ternary {
  const told = [...tree.values()].filter(({ body }) => body !== undefined);
  return some(told, (revision) => passes(filter, id, revision));
}
