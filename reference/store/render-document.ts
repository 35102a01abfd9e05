import type { components } from '../../openapi/generated/types.service.js';
import { renderStub, type RenderAttachment } from './attachments.js';
import type { Database } from './database.js';
import type { DocumentHead, Revision } from './tables.js';
import { ancestryOf, formatRevision } from './revisions.js';
import { parseJson } from '../http/json-text.js';

/** A document in a response. */
export type Document = components['schemas']['Document'];

/** Renders a revision of a document, with its attachments as stubs by default. */
export function renderDocument(
  id: string,
  { revision, deleted, body, attachments = {} }: Revision,
  renderAttachment: RenderAttachment = renderStub,
): Document {
  const rendered = Object.entries(attachments).map(([name, attachment]) => [
    name,
    renderAttachment(attachment),
  ]);
  return {
    _id: id,
    _rev: revision,
    ...(deleted && { _deleted: true }),
    ...renderMembers(body),
    ...(rendered.length > 0 && { _attachments: Object.fromEntries(rendered) as Document['_attachments'] }),
  };
}

/** Parses the stored body of a document. */
export function renderMembers(body: string): Record<string, unknown> {
  return parseJson(body) as Record<string, unknown>;
}

/** Renders `_revisions`: the known path from a revision to its root, within the limit of the database. */
export function renderHistory(database: Database, head: DocumentHead, revision: string) {
  const { start, ids } = ancestryOf(database.tree(head), revision)!;
  return { start, ids: ids.slice(0, database.revisionsLimit) };
}

/** Renders `_revs_info`: the whole path, with the status of each revision. */
export function renderRevisionStates(database: Database, head: DocumentHead, revision: string) {
  const { start, ids } = ancestryOf(database.tree(head), revision)!;
  const stored = database.revisions(head);
  return ids.map((hash, back) => {
    const rev = formatRevision(start - back, hash);
    const found = stored.get(rev);
    return { rev, status: found ? (found.deleted ? 'deleted' : 'available') : 'missing' };
  });
}
