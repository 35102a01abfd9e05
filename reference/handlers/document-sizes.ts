/** Limits for the parts of a document. Each is a setting of CouchDB. */
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { ParsedDocument } from '../store/parse-document.js';

/** @throws 413 with the ID of the document or the name of the attachment, as CouchDB does */
export function checkSizes(
  { id, body, attachments }: ParsedDocument,
  { maxDocumentBytes, maxAttachmentBytes }: Pick<Settings, 'maxDocumentBytes' | 'maxAttachmentBytes'>,
): void {
  if (Buffer.byteLength(body) > maxDocumentBytes) throw httpError(413, 'document_too_large', id);
  for (const [name, attachment] of attachments)
    if (attachment !== 'stub' && attachment.length > maxAttachmentBytes)
      throw httpError(413, 'attachment_too_large', name);
}
