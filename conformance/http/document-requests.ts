/** Builds requests that write documents. */
import type { TargetRequest } from './client.js';

/** A document as a client sends it. */
export type SentDocument = Readonly<Record<string, unknown>> & { readonly _id: string };

/** The path of a document below its database. The slash in `_design/` is not escaped. */
export function documentPath(id: string): string {
  const design = '_design/';
  return id.startsWith(design)
    ? `/${design}${encodeURIComponent(id.slice(design.length))}`
    : `/${encodeURIComponent(id)}`;
}

/**
 * Writes documents in one request, below the database.
 *
 * @param newEdits false if the documents bring their revisions
 */
export const bulkRequest = (documents: readonly SentDocument[], newEdits: boolean): TargetRequest => ({
  method: 'POST',
  path: '/_bulk_docs',
  json: { docs: documents, ...(!newEdits && { new_edits: false }) },
  echoesTarget: true,
});

/** Writes one document with a request of its own. */
export function singleRequest(document: SentDocument, newEdits: boolean): TargetRequest {
  const { _id: id, _rev: rev, _deleted, ...content } = document;
  const request = { path: documentPath(id), echoesTarget: true };
  // The usual way to delete; the other one is for a deletion that has a body.
  if (newEdits && _deleted === true && Object.keys(content).length === 0)
    return { ...request, method: 'DELETE', query: { rev } };
  return { ...request, method: 'PUT', json: document, ...(!newEdits && { query: { new_edits: false } }) };
}
