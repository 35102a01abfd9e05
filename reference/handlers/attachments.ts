/** Reading, writing and deleting single attachments. */
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import { requestedPart } from '../http/ranges.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import {
  checkAttachmentName,
  decode,
  newAttachment,
  type NewAttachment,
  type Stub,
} from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Revision } from '../store/tables.js';
import { parseDocument, type ParsedDocument } from '../store/parse-document.js';
import { storedForm } from '../store/revisions.js';
import { checkSizes } from './submitted-document.js';
import { localName } from './local-documents.js';
import { created, edit, missing, requestedRevision } from './documents.js';

type AttachmentHandlers = Pick<Handlers<Context>, 'getAttachment' | 'putAttachment' | 'deleteAttachment'>;
type AttachmentParams = OperationRequest<'getAttachment'>['params'];

export const attachments: AttachmentHandlers = {
  getAttachment: ({ params, query, headers }, { store, settings, requestHead }) => {
    const database = store.database(params.db);
    const { id, name } = parseParams(params);
    const head = database.find(id);
    if (!head) throw missing();
    if (query.rev === undefined && head.leaves.deleted) throw missing('deleted');
    const revision = database.revision(
      head,
      query.rev === undefined ? head.leaves.winner : storedForm(query.rev),
    );
    if (!revision) throw missing();
    const attachment = attachmentOf(revision, name);
    if (!attachment) throw attachmentMissing();
    const stored = database.contents.read(attachment);
    const compressed = attachment.encoding && acceptsGzip(requestHead.headers['accept-encoding']);
    const etag = `"${attachment.digest.slice('md5-'.length)}"`;
    const response = {
      status: 200 as const,
      type: attachment.content_type,
      headers: {
        etag,
        'accept-ranges': attachment.encoding ? 'none' : 'bytes',
        ...(settings.sandboxAttachments && { 'content-security-policy': 'sandbox' }),
        ...(attachment.encoding && { vary: 'accept-encoding' }),
        ...(compressed && { 'content-encoding': 'gzip' }),
      },
    };
    // A 304 response has no position, and hapi finds out later whether it is one.
    const isPlain = requestHead.method === 'GET' && requestHead.headers['if-none-match'] === undefined;
    const part =
      isPlain && !attachment.encoding ? requestedPart(headers, { etag, length: stored.length }) : undefined;
    if (part) {
      const { first, last } = part;
      const position = { 'content-range': `bytes ${first}-${last}/${stored.length}` };
      return Promise.resolve({
        ...response,
        status: 206,
        headers: { ...response.headers, ...position },
        body: stored.subarray(first, last + 1),
      });
    }
    return Promise.resolve({ ...response, body: compressed ? stored : decode(attachment, stored) });
  },

  putAttachment: async ({ params, query, headers, body }, context) => {
    const database = context.store.database(params.db);
    const { id, name } = parseParams(params);
    checkAttachmentName(name);
    checkEncoding(context.requestHead.headers['content-encoding']);
    const base = requestedRevision({ query, headers });
    const type = context.requestHead.headers['content-type'] ?? 'application/octet-stream';
    const document = withAttachment(database, id, base, { name, replacement: newAttachment(type, body) });
    checkSizes(document, context.settings);
    const { rev } = await edit(database, document, context);
    const { headers: written, ...response } = created(database, { id, rev });
    const location = `${written.location}/${encodeURIComponent(name)}`;
    return { ...response, headers: { location } };
  },

  deleteAttachment: async ({ params, query, headers }, context) => {
    const database = context.store.database(params.db);
    const { id, name } = parseParams(params);
    const head = database.find(id);
    const base = requestedRevision({ query, headers });
    if (base === undefined && (!head || head.leaves.deleted)) throw missing(head && 'deleted');
    const content = head && database.revision(head, base ?? head.leaves.winner);
    if (content && !attachmentOf(content, name)) throw attachmentMissing();
    if (base === undefined) throw httpError(409, 'conflict', 'Document update conflict.');
    const { rev } = await edit(database, withAttachment(database, id, base, { name }), context);
    return { status: 200, body: { ok: true, id, rev } };
  },
};

/**
 * Returns a revision as a new edit, with one attachment replaced or removed.
 *
 * @throws 409 if the content of the revision is not stored
 */
function withAttachment(
  database: Database,
  id: string,
  base: string | undefined,
  { name, replacement }: { name: string; replacement?: NewAttachment },
): ParsedDocument {
  const submission = parseDocument({ ...(base !== undefined && { _rev: base }) }, id);
  const head = database.find(id);
  const before = head && base !== undefined ? database.revision(head, base) : undefined;
  if (base !== undefined && !before) throw httpError(409, 'not_found', 'missing_rev');
  // As in CouchDB, the new attachment comes first: the revision depends on the order.
  const attachments = new Map<string, NewAttachment | Stub>();
  if (replacement) attachments.set(name, replacement);
  for (const other of Object.keys(before?.attachments ?? {}))
    if (other !== name) attachments.set(other, { stub: true });
  return { ...submission, body: before?.body ?? submission.body, attachments };
}

/**
 * For a design document, the router puts the second segment of its ID into the attachment name.
 *
 * @throws 400 for a local document
 */
function parseParams({ docid, attname }: AttachmentParams): { id: string; name: string } {
  if (docid === '_local' || localName(docid) !== undefined)
    throw httpError(400, 'bad_request', '_local documents do not accept attachments.');
  if (docid !== '_design') return { id: docid, name: attname };
  const [design, ...rest] = attname.split('/');
  return { id: `_design/${design}`, name: rest.join('/') };
}

function attachmentOf(revision: Revision | undefined, name: string) {
  const attachments = revision?.attachments ?? {};
  return Object.hasOwn(attachments, name) ? attachments[name] : undefined;
}

/** Whether an `Accept-Encoding` header allows gzip. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(1|0\.0*[1-9]\d*))?\s*(,|$)/i.test(String(header ?? ''));
}

/** @throws 415, as CouchDB does: other encodings are decoded for JSON only */
function checkEncoding(encoding = 'identity'): void {
  if (!/^(gzip|identity)$/i.test(encoding))
    throw httpError(415, 'bad_content_type', 'Only gzip and identity content-encodings are supported');
}

const attachmentMissing = () => httpError(404, 'not_found', 'Document is missing attachment');
