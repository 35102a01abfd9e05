/** Forms of pages: they write a document, or add files to one. Everything else is as for `PUT`. */
import type { components } from '../../openapi/generated/types.service.js';
import type { Handlers } from '../generated/handlers.js';
import { asData } from '../http/document-message.js';
import { httpError } from '../http/errors.js';
import { parseMessage, type ParsedPart } from '../http/multipart.js';
import { mediaType, parseBody } from '../http/request-body.js';
import type { Database } from '../store/database.js';
import { parseDocument } from '../store/parse-document.js';
import { storedForm } from '../store/revisions.js';
import type { Context } from './context.js';
import { missing, readRevision } from './documents.js';

type Document = components['schemas']['DocumentInput'];
type Attachment = components['schemas']['Attachment'];
type FormHandlers = Pick<Handlers<Context>, 'postDocumentForm'>;

/** @param writers the operation that writes the document */
export const documentForms = ({ putDocument }: Pick<Handlers<Context>, 'putDocument'>): FormHandlers => ({
  postDocumentForm: async ({ params, headers, body }, context) => {
    const {
      'content-type': type,
      [context.settings.forwardedHostHeader]: forwarded,
      host = '',
    } = context.requestHead.headers;
    if (!isOfHost(headers.referer, String(forwarded ?? host)))
      throw httpError(400, 'bad_request', 'Referer header must match host.');
    if (mediaType(type) !== 'multipart/form-data')
      throw httpError(415, 'bad_content_type', 'Content-Type must be multipart/form-data');
    const parts = parseMessage(type!, body);
    const document = documentOf(parts, context.store.database(params.db), params.docid);
    const { _attachments: others = {} } = document;
    const files = Object.fromEntries(parts.flatMap(fileOf));
    // As in CouchDB, the new attachments come first: the revision depends on the order.
    const _attachments = { ...files, ...others, ...files };
    const request = { params, query: { new_edits: true }, headers: {}, body: { ...document, _attachments } };
    return putDocument(request, context);
  },
});

/** Browsers send cookies with the forms of any page, so the page must be of this host. */
function isOfHost(referer: string, host: string): boolean {
  return URL.canParse(referer) && new URL(referer).host === host.toLowerCase();
}

/**
 * The document in the form or, if it only has a revision, that in the database.
 *
 * @throws 400 for a malformed document, 404 if the revision is not stored
 */
function documentOf(parts: readonly ParsedPart[], database: Database, id: string): Document {
  const field = (name: string) => parts.find((part) => part.name === name)?.body;
  const [sent, revision] = [field('_doc'), field('_rev')];
  if (sent) {
    const raw = { method: 'put', contentType: undefined, bytes: sent, maxItems: Infinity };
    const document = parseBody('json', raw) as Document;
    parseDocument(document, id);
    return document;
  }
  if (!revision) throw httpError(400, 'bad_request', 'The form must have `_doc` or `_rev`');
  const head = database.find(id);
  const options = { revs: false, attachments: false };
  const document = head && readRevision(database, head, storedForm(String(revision)), options);
  if (!document) throw missing();
  return document;
}

/** A browser sends a part without a name for each input without a file. Without a type, a part is no file. */
const fileOf = ({ name, filename, contentType: content_type, body }: ParsedPart): [string, Attachment][] =>
  name === '_attachments' && filename && content_type !== undefined
    ? [[filename, { content_type, data: asData(body) }]]
    : [];
