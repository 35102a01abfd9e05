/** Local documents. Replicators store their checkpoints in them. */
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { renderMembers } from '../store/render-document.js';
import type { Store } from '../store/store.js';
import { parseLocalDocument } from '../store/parse-document.js';

type LocalHandlers = Pick<Handlers<Context>, 'getLocalDocument' | 'putLocalDocument' | 'deleteLocalDocument'>;

type LocalParams = OperationRequest<'getLocalDocument'>['params'];

/** The server stores nothing of a deleted local document, but clients expect a revision. */
const revisionOfDeleted = '0-0';

const prefix = '_local/';

export const localDocuments: LocalHandlers = {
  getLocalDocument: ({ params }, { store }) => Promise.resolve(readLocal(store, params)),
  putLocalDocument: ({ params, body }, { store }) => Promise.resolve(writeLocal(store, params, body)),
  deleteLocalDocument: ({ params }, { store }) => Promise.resolve(removeLocal(store, params)),
};

export function readLocal(store: Store, { db, docid }: LocalParams) {
  const found = store.database(db).local.find(docid);
  if (!found) throw httpError(404, 'not_found', 'missing');
  const body = { _id: prefix + docid, _rev: found.revision, ...renderMembers(found.body) };
  return { status: 200 as const, headers: { etag: `"${found.revision}"` }, body };
}

export function writeLocal(store: Store, { db, docid }: LocalParams, document: unknown) {
  const id = prefix + docid;
  const { local } = store.database(db);
  const { version, deleted, body } = parseLocalDocument(document, id);
  if (deleted) local.delete(docid);
  const rev = deleted ? revisionOfDeleted : local.put(docid, version, body);
  return { status: 201 as const, body: { ok: true as const, id, rev } };
}

export function removeLocal(store: Store, { db, docid }: LocalParams) {
  store.database(db).local.delete(docid);
  return { status: 200 as const, body: { ok: true as const, id: prefix + docid, rev: revisionOfDeleted } };
}

/**
 * Recognizes a local document in the path of a normal document. This happens if the slash after `_local` is encoded.
 *
 * @returns undefined if it is no local document
 */
export function localParams({ db, docid }: LocalParams): LocalParams | undefined {
  return docid.startsWith(prefix) && docid !== prefix ? { db, docid: docid.slice(prefix.length) } : undefined;
}
