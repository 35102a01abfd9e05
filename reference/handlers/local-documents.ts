/** Local documents, in which replicators keep their checkpoints. */
import type { Context } from '../context.js';
import { httpError } from '../errors.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { renderMembers } from '../store/document.js';
import { parseLocalSubmission } from '../store/submission.js';

type LocalHandlers = Pick<Handlers<Context>, 'getLocalDocument' | 'putLocalDocument' | 'deleteLocalDocument'>;

type LocalParams = OperationRequest<'getLocalDocument'>['params'];

const prefix = '_local/';

export const localDocuments: LocalHandlers = {
  getLocalDocument: ({ params }, { store }) => {
    const found = store.database(params.db).local.find(params.docid);
    if (!found) throw httpError(404, 'not_found', 'missing');
    const body = { _id: prefix + params.docid, _rev: found.revision, ...renderMembers(found.body) };
    return Promise.resolve({ status: 200, headers: { etag: `"${found.revision}"` }, body });
  },

  putLocalDocument: ({ params, body }, { store }) => {
    const id = prefix + params.docid;
    const { local } = store.database(params.db);
    const { revision, deleted, body: content } = parseLocalSubmission(body, id);
    if (deleted) local.delete(params.docid, revision);
    const rev = deleted ? '0-0' : local.put(params.docid, revision, content);
    return Promise.resolve({ status: 201, body: { ok: true, id, rev } });
  },

  deleteLocalDocument: ({ params, query }, { store }) => {
    store.database(params.db).local.delete(params.docid, query.rev);
    return Promise.resolve({ status: 200, body: { ok: true, id: prefix + params.docid, rev: '0-0' } });
  },
};

/**
 * Of a path whose slash after `_local` came encoded, which then looks like that of any document.
 *
 * @returns undefined when the path means no local document
 */
export function localParams({ db, docid }: LocalParams): LocalParams | undefined {
  return docid.startsWith(prefix) && docid !== prefix ? { db, docid: docid.slice(prefix.length) } : undefined;
}
