/** Attachments by themselves: reading, writing and removing one. */
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { checkAttachmentName, decode, newAttachment, type NewAttachment } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Revision } from '../store/tables.js';
import { parseDocument } from '../store/parse-document.js';
import { created, edit, missing, requestedRevision } from './documents.js';

type AttachmentHandlers = Pick<Handlers<Context>, 'getAttachment' | 'putAttachment' | 'deleteAttachment'>;
type AttachmentParams = OperationRequest<'getAttachment'>['params'];

export const attachments: AttachmentHandlers = {
  getAttachment: ({ params, query }, { store, requestHead }) => {
    const database = store.database(params.db);
    const { id, name } = targetOf(params);
    const head = database.find(id);
    if (!head) throw missing();
    if (query.rev === undefined && head.leaves.deleted) throw missing('deleted');
    const revision = database.revision(head, query.rev ?? head.leaves.winner);
    if (!revision) throw missing();
    const attachment = attachmentOf(revision, name);
    if (!attachment) throw attachmentMissing();
    const stored = database.contents.read(attachment);
    const compressed = attachment.encoding && accepts(requestHead.headers['accept-encoding']);
    return Promise.resolve({
      status: 200,
      type: attachment.content_type,
      headers: {
        etag: `"${attachment.digest.slice('md5-'.length)}"`,
        'accept-ranges': 'none',
        // What anybody has stored here must not run as a page of this server.
        'content-security-policy': 'sandbox',
        ...(attachment.encoding && { vary: 'accept-encoding' }),
        ...(compressed && { 'content-encoding': 'gzip' }),
      },
      body: compressed ? stored : decode(attachment, stored),
    });
  },

  putAttachment: ({ params, query, headers, body }, { store, requestHead }) => {
    const database = store.database(params.db);
    const { id, name } = targetOf(params);
    checkAttachmentName(name);
    const based = requestedRevision({ query, headers });
    const type = requestHead.headers['content-type'] ?? 'application/octet-stream';
    const { rev } = rewrite(database, id, based, { name, replacement: newAttachment(type, body) });
    const { headers: written, ...response } = created(database, { id, rev });
    const location = `${written.location}/${encodeURIComponent(name)}`;
    return Promise.resolve({ ...response, headers: { location } });
  },

  deleteAttachment: ({ params, query, headers }, { store }) => {
    const database = store.database(params.db);
    const { id, name } = targetOf(params);
    const head = database.find(id);
    if (!head) throw missing();
    const based = requestedRevision({ query, headers });
    if (based === undefined) throw httpError(409, 'conflict', 'Document update conflict.');
    const content = database.revision(head, based);
    if (content && !attachmentOf(content, name)) throw attachmentMissing();
    const { rev } = rewrite(database, id, based, { name });
    return Promise.resolve({ status: 200, body: { ok: true, id, rev } });
  },
};

/** Makes a revision in which one attachment is another, or no more; all else is as it was. */
function rewrite(
  database: Database,
  id: string,
  based: string | undefined,
  { name, replacement }: { name: string; replacement?: NewAttachment },
) {
  const submission = parseDocument({ ...(based !== undefined && { _rev: based }) }, id);
  const head = database.find(id);
  const before = head && based !== undefined ? database.revision(head, based) : undefined;
  const attachments = new Map<string, NewAttachment | 'stub'>();
  for (const other of Object.keys(before?.attachments ?? {})) attachments.set(other, 'stub');
  if (replacement) attachments.set(name, replacement);
  else attachments.delete(name);
  return edit(database, { ...submission, body: before?.body ?? submission.body, attachments });
}

/** The identifier of a design document takes up the first segment of what looks like the attachment's name. */
function targetOf({ docid, attname }: AttachmentParams): { id: string; name: string } {
  if (docid !== '_design') return { id: docid, name: attname };
  const [design, ...rest] = attname.split('/');
  return { id: `_design/${design}`, name: rest.join('/') };
}

function attachmentOf(revision: Revision | undefined, name: string) {
  const attachments = revision?.attachments ?? {};
  return Object.hasOwn(attachments, name) ? attachments[name] : undefined;
}

/** Whether a header `Accept-Encoding` allows gzip. */
function accepts(header: string | string[] | undefined): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(1|0\.0*[1-9]\d*))?\s*(,|$)/i.test(String(header ?? ''));
}

const attachmentMissing = () => httpError(404, 'not_found', 'Document is missing attachment');
