/** Filters that use the document ID. Either all revisions of a document pass or none (SERVICE 4.8). */
import type { Filter } from './filter.js';

export function documentIdFilter(ids: readonly string[]): Filter {
  // No document has another ID.
  const listed = new Set(ids.filter((id) => !/\p{Surrogate}/u.test(id)));
  return { ...idFilter((id) => listed.has(id)), ids: listed };
}

export const designDocumentFilter: Filter = {
  ...idFilter((id) => id.startsWith('_design/')),
  key: '_design',
};

function idFilter(passes: (id: string) => boolean): Filter {
  return {
    needsBodies: false,
    accept: (batch) =>
      Promise.resolve(batch.map(({ head, revisions }) => revisions.map(() => passes(head.id)))),
    close() {},
  };
}
