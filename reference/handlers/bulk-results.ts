import type { components } from '../../openapi/generated/types.service.js';

type BulkResult = components['schemas']['BulkDocsResults'][number];

/**
 * The results of a bulk write in the order of its documents, of which only some were passed on to be written.
 *
 * @param own for each document its result, if it was not passed on
 * @param others the results of those that were. With `new_edits`, each document has a result; without it, only one that
 * fails does.
 */
export function bulkResults(
  own: readonly (BulkResult | undefined)[],
  others: readonly BulkResult[],
  newEdits: boolean,
): BulkResult[] {
  const left = others.values();
  const inOrder = own.flatMap((result): readonly BulkResult[] | BulkResult => {
    if (result !== undefined) return newEdits || 'error' in result ? result : [];
    return newEdits ? (left.next().value ?? []) : [];
  });
  return [...inOrder, ...left];
}
