/** Documents that clients send, within the limits for their parts. Each limit is a setting of CouchDB. */
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import { parseDocument, type ParsedDocument } from '../store/parse-document.js';

type Limits = Pick<Settings, 'maxDocumentBytes' | 'maxAttachmentBytes'>;

/**
 * @param id document ID, if the request has it outside of the document
 * @throws 400 or 413 with the reason
 */
export function submittedDocument(sent: unknown, limits: Limits, id?: string): ParsedDocument {
  const document = parseDocument(sent, id);
  checkSizes(document, limits);
  return document;
}

/** @throws 413 with the ID of the document or the name of the attachment, as CouchDB does */
export function checkSizes(
  { id, body, attachments }: ParsedDocument,
  { maxDocumentBytes, maxAttachmentBytes }: Limits,
): void {
  if (Buffer.byteLength(body) > maxDocumentBytes) throw httpError(413, 'document_too_large', id);
  for (const [name, attachment] of attachments)
    if ('bytes' in attachment && attachment.length > maxAttachmentBytes)
      throw httpError(413, 'attachment_too_large', name);
}
