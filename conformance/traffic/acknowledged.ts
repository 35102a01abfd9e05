/** The writes that a response certainly acknowledges. */
import { asObject } from '../http/parse-json.js';
import type { KnownWrite } from '../passing/known-writes.js';
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

/** A write that a response acknowledges. */
type Acknowledged = Pick<KnownWrite, 'id' | 'rev' | 'replaced'>;

export function acknowledgedIn(passed: Passed): Acknowledged[] {
  const { operation, passing, sent, body } = passed;
  // 202: another copy has not stored it yet. Without new edits, a revision may have been there before.
  if (!writing.has(operation!.id) || passing.status === 202 || passing.query.has('new_edits')) return [];
  const isBulk = operation!.id === 'bulkDocs';
  if (isBulk && (sent === undefined || 'new_edits' in asObject(sent))) return [];
  return (Array.isArray(body) ? (body as readonly unknown[]) : [body]).flatMap((result, index) => {
    const { ok, id, rev } = asObject(result);
    const isStored = ok === true && typeof id === 'string' && typeof rev === 'string';
    if (!isStored || id.startsWith('_local/')) return [];
    return [{ id, rev, replaced: isBulk ? replacedInBulk(sent, id, index) : replacedBy(passed) }];
  });
}

/** The results have the order of the documents. */
function replacedInBulk(sent: unknown, id: string, index: number): string | undefined {
  const { docs } = asObject(sent);
  const { _id: sentId, _rev: rev } = asObject(Array.isArray(docs) ? docs[index] : undefined);
  return sentId === id && typeof rev === 'string' ? rev : undefined;
}

/** If the request names one revision only. */
function replacedBy({ operation, passing, sent }: Passed): string | undefined {
  const { query, requestHeaders } = passing;
  const isAttachment = operation!.id.endsWith('Attachment');
  const named = new Set([
    ...query.getAll('rev'),
    ...(requestHeaders.get('if-match') ?? []).map((tag) => tag.replace(/^"(.*)"$/, '$1')),
    ...(isAttachment ? [] : [asObject(sent)['_rev']].filter((rev) => typeof rev === 'string')),
  ]);
  const [rev] = named;
  return named.size === 1 ? rev : undefined;
}
