/** The writes that a response certainly acknowledges. */
import { asObject } from '../http/parse-json.js';
import { isPlainObject } from '../passing/judges.js';
import type { KnownWrite } from '../passing/known-changes.js';
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
interface Acknowledged extends Pick<KnownWrite, 'id' | 'rev' | 'replaced' | 'isDeleted'> {
  /** What was written, with everything that the request has in it. */
  readonly sent: Readonly<Record<string, unknown>> | undefined;
}

const deleting: ReadonlySet<string> = new Set(['deleteDocument', 'deleteDesignDocument']);

export function acknowledgedIn(passed: Passed): Acknowledged[] {
  const { operation, passing, sent, body } = passed;
  const { id: name } = operation!;
  // 202: another copy has not stored it yet. Without new edits, a revision may have been there before.
  if (!writing.has(name) || passing.status === 202 || passing.query.has('new_edits')) return [];
  const isBulk = name === 'bulkDocs';
  if (isBulk && (sent === undefined || 'new_edits' in asObject(sent))) return [];
  return (Array.isArray(body) ? (body as readonly unknown[]) : [body]).flatMap((result, index) => {
    const { ok, id, rev } = asObject(result);
    const isStored = ok === true && typeof id === 'string' && typeof rev === 'string';
    if (!isStored || id.startsWith('_local/')) return [];
    if (isBulk) {
      const document = sentInBulk(sent, id, index);
      const replaced = document?.['_rev'];
      return [
        {
          id,
          rev,
          replaced: typeof replaced === 'string' ? replaced : undefined,
          isDeleted: isDeletedIn(document),
          sent: document,
        },
      ];
    }
    const isAttachment = name.endsWith('Attachment');
    const document = isAttachment || !isPlainObject(sent) ? undefined : sent;
    const isDeleted = deleting.has(name) || (isAttachment ? false : isDeletedIn(document));
    return [{ id, rev, replaced: replacedBy(passed), isDeleted, sent: document }];
  });
}

function isDeletedIn(document: Readonly<Record<string, unknown>> | undefined): boolean | undefined {
  const isDeleted = document?.['_deleted'] ?? false;
  return document !== undefined && typeof isDeleted === 'boolean' ? isDeleted : undefined;
}

/** The results have the order of the documents. */
function sentInBulk(sent: unknown, id: string, index: number): Readonly<Record<string, unknown>> | undefined {
  const { docs } = asObject(sent);
  const document: unknown = Array.isArray(docs) ? docs[index] : undefined;
  return isPlainObject(document) && document['_id'] === id ? document : undefined;
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
