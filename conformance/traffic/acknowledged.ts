/** The writes that a response certainly acknowledges. */
import { asObject } from '../http/parse-json.js';
import type { Passed } from '../passing/passed.js';

const writing: ReadonlySet<string> = new Set([
  'postDocument',
  'putDocument',
  'deleteDocument',
  'putDesignDocument',
  'deleteDesignDocument',
  'putAttachment',
  'deleteAttachment',
  'bulkDocs',
]);

export function acknowledgedIn({ operation, passing, sent, body }: Passed): { id: string; rev: string }[] {
  // 202: another copy has not stored it yet. Without new edits, a revision may have been there before.
  if (!writing.has(operation!.id) || passing.status === 202 || passing.query.has('new_edits')) return [];
  if (operation!.id === 'bulkDocs' && (sent === undefined || 'new_edits' in asObject(sent))) return [];
  return (Array.isArray(body) ? (body as readonly unknown[]) : [body]).flatMap((result) => {
    const { ok, id, rev } = asObject(result);
    const isStored = ok === true && typeof id === 'string' && typeof rev === 'string';
    return isStored && !id.startsWith('_local/') ? [{ id, rev }] : [];
  });
}
