/** Documents as programs see them: JSON texts, in batches. */
import { renderStub } from '../store/attachments.js';
import type { Revision } from '../store/tables.js';

/** Maximum size of a batch, unless a single document is larger. */
const batchCharacters = 1024 * 1024;

/**
 * Renders a document, with stubs of attachments.
 *
 * @param content a new document has no revision
 * @param extraMembers further members, such as `_revisions`
 */
export function documentText(
  id: string,
  content: Omit<Revision, 'revision'> & Partial<Revision>,
  extraMembers: object = {},
): string {
  const { revision, deleted, body } = content;
  const attachments = Object.entries(content.attachments ?? {}).map(([name, attachment]) => [
    name,
    renderStub(attachment),
  ]);
  const members = JSON.stringify({
    _id: id,
    _rev: revision,
    ...(deleted && { _deleted: true }),
    ...(attachments.length > 0 && { _attachments: Object.fromEntries(attachments) as unknown }),
    ...extraMembers,
  });
  // Combine JSON texts instead of parsing the body.
  return body === '{}' ? members : `${members.slice(0, -1)},${body.slice(1)}`;
}

export function* inBatches<T>(documents: readonly T[], textOf: (document: T) => string): Generator<T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const document of documents) {
    const { length } = textOf(document);
    if (batch.length > 0 && characters + length > batchCharacters) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(document);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
