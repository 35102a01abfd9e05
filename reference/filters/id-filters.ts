/** Filters that judge a document by its identifier: all of its revisions pass, or none (SERVICE 4.8). */
import type { Filter } from './filter.js';

export function documentIdFilter(ids: readonly string[]): Filter {
  const listed = new Set(ids);
  return identifierFilter((id) => listed.has(id));
}

export const designDocumentFilter = identifierFilter((id) => id.startsWith('_design/'));

function identifierFilter(passes: (id: string) => boolean): Filter {
  return {
    needsBodies: false,
    accept: (batch) =>
      Promise.resolve(batch.map(({ head, revisions }) => revisions.map(() => passes(head.id)))),
    close() {},
  };
}
