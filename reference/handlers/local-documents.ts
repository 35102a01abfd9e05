/** Local documents. Replicators store their checkpoints in them. */
import { isBoom } from '@hapi/boom';
import type { components } from '../../openapi/generated/types.service.js';
import type { Context } from './context.js';
import { httpError, type ErrorBody } from '../http/errors.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { renderMembers } from '../store/render-document.js';
import type { LocalDocument } from '../store/local-documents.js';
import type { Store } from '../store/store.js';
import { bulkResults } from './bulk-results.js';
import { parseLocalDocument } from '../store/parse-document.js';

type LocalHandlers = Pick<Handlers<Context>, 'getLocalDocument' | 'putLocalDocument' | 'deleteLocalDocument'>;

type LocalParams = OperationRequest<'getLocalDocument'>['params'];

/** The server stores nothing of a deleted local document, but clients expect a revision. */
const revisionOfDeleted = '0-0';

export const localPrefix = '_local/';

export const localDocuments: LocalHandlers = {
  getLocalDocument: ({ params }, { store }) => Promise.resolve(readLocal(store, params)),
  putLocalDocument: ({ params, body }, { store }) => Promise.resolve(writeLocal(store, params, body)),
  deleteLocalDocument: ({ params }, { store }) => Promise.resolve(removeLocal(store, params)),
};

export function readLocal(store: Store, { db, docid }: LocalParams) {
  const found = store.database(db).local.find(docid);
  if (!found) throw httpError(404, 'not_found', 'missing');
  const headers = { etag: `"${found.revision}"` };
  return { status: 200 as const, headers, body: renderLocalDocument(docid, found) };
}

/** @param name document ID without `_local/` */
export const renderLocalDocument = (name: string, { revision, body }: LocalDocument) => ({
  _id: localPrefix + name,
  _rev: revision,
  ...renderMembers(body),
});

export function writeLocal(store: Store, { db, docid }: LocalParams, document: unknown) {
  const id = localPrefix + docid;
  const { local } = store.database(db);
  const { version, deleted, body } = parseLocalDocument(document);
  if (deleted) local.delete(docid);
  const rev = deleted ? revisionOfDeleted : local.put(docid, version, body);
  return { status: 201 as const, headers: { etag: `"${rev}"` }, body: { ok: true as const, id, rev } };
}

export function removeLocal(store: Store, { db, docid }: LocalParams) {
  store.database(db).local.delete(docid);
  const body = { ok: true as const, id: localPrefix + docid, rev: revisionOfDeleted };
  return { status: 200 as const, headers: { etag: `"${revisionOfDeleted}"` }, body };
}

/** @returns the ID of a local document without its prefix; undefined for the ID of another document */
export function localName(id = ''): string | undefined {
  return id.startsWith(localPrefix) && id !== localPrefix ? id.slice(localPrefix.length) : undefined;
}

/**
 * Recognizes a local document in the path of a normal document. This happens if the slash after `_local` is encoded.
 *
 * @returns undefined if it is not a local document
 * @throws 400 for a local document without a name
 */
export function localParams({ db, docid: id }: LocalParams): LocalParams | undefined {
  if (id === '_local' || id === localPrefix)
    throw httpError(400, 'bad_request', 'Invalid _local document id.');
  const docid = localName(id);
  return docid === undefined ? undefined : { db, docid };
}

type BulkHandlers = Pick<Handlers<Context>, 'bulkDocs' | 'postDocument'>;
type BulkResult = components['schemas']['BulkDocsResults'][number];

/** Wraps handlers that receive document IDs in the body, so that they write local documents too. */
export function acceptLocalDocuments(handlers: BulkHandlers): BulkHandlers {
  return {
    postDocument: (request, context) => {
      const { params, body } = request;
      const docid = localName(body._id);
      return docid === undefined
        ? handlers.postDocument(request, context)
        : Promise.resolve(writeLocal(context.store, { db: params.db, docid }, body));
    },

    bulkDocs: async (request, context) => {
      const { params, body } = request;
      const { db } = params;
      const names = body.docs.map(({ _id }) => localName(_id));
      if (names.every((name) => name === undefined)) return handlers.bulkDocs(request, context);
      const docs = body.docs.filter((_, index) => names[index] === undefined);
      const response = await handlers.bulkDocs({ ...request, body: { ...body, docs } }, context);
      if (response.status !== 201 && response.status !== 202) return response;
      const written = names.map((docid, index) =>
        docid === undefined ? undefined : writeLocalInBulk(context.store, { db, docid }, body.docs[index]),
      );
      return { ...response, body: bulkResults(written, response.body, body.new_edits) };
    },
  };
}

/** As in CouchDB, deleting a missing document succeeds here. */
function writeLocalInBulk(store: Store, params: LocalParams, document: unknown): BulkResult {
  const id = localPrefix + params.docid;
  try {
    return writeLocal(store, params, document).body;
  } catch (error) {
    if (!isBoom(error)) throw error;
    const { statusCode, payload } = error.output;
    return statusCode === 404
      ? { ok: true, id, rev: revisionOfDeleted }
      : { id, ...(payload as unknown as ErrorBody) };
  }
}
