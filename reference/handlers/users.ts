/** The users database (SERVICE 2.4, 4.4): validates documents and hashes passwords before writing. */
import { isBoom } from '@hapi/boom';
import { isUsersDatabase, USERS_DATABASE } from '../auth/authorization.js';
import type { Context } from './context.js';
import type { ErrorBody } from '../http/errors.js';
import type { Handlers, OperationId, OperationRequest, OperationResponse } from '../generated/handlers.js';
import type { Database } from '../store/database.js';
import type { DocumentHead } from '../store/tables.js';
import { parseDocument } from '../store/parse-document.js';
import { bulkResults } from './bulk-results.js';
import { requestedRevision } from './documents.js';
import { renderMembers } from '../store/render-document.js';

type Document = OperationRequest<'bulkDocs'>['body']['docs'][number];
type DocumentParams = OperationRequest<'putDocument'>['params'];
type AttachmentRequest = Pick<OperationRequest<'deleteAttachment'>, 'params' | 'query' | 'headers'>;
type DocumentHandlers = Pick<
  Handlers<Context>,
  | 'getDocument'
  | 'putDocument'
  | 'deleteDocument'
  | 'postDocument'
  | 'bulkDocs'
  | 'putAttachment'
  | 'deleteAttachment'
>;
type GuardedHandlers = DocumentHandlers & Pick<Handlers<Context>, 'getUser' | 'putUser' | 'deleteUser'>;
type Prepared =
  { document: Document; failure?: undefined } | { document?: undefined; failure: ErrorBody & { id: string } };

/** Wraps handlers so that they prepare user documents. Other documents are not affected. */
export function protectUsersDatabase(handlers: DocumentHandlers): GuardedHandlers {
  const putDocument: Handlers<Context>['putDocument'] = async (request, context) => {
    const { params, body } = request;
    if (!isUsersDatabase(params.db, context.settings)) return handlers.putDocument(request, context);
    const prepared = await prepare(params.db, { ...body, _id: params.docid }, context);
    // Check after the asynchronous hashing, so that the document cannot change before the write.
    checkChange(params, prepared, context);
    return handlers.putDocument({ ...request, body: prepared }, context);
  };

  const deleteDocument: Handlers<Context>['deleteDocument'] = (request, context) => {
    const { params } = request;
    if (isUsersDatabase(params.db, context.settings)) checkChange(params, { _deleted: true }, context);
    return handlers.deleteDocument(request, context);
  };

  return {
    getDocument: handlers.getDocument,
    putDocument,
    deleteDocument,

    getUser: (request, context) => handlers.getDocument(ofDocument(request, context), context),
    putUser: (request, context) => {
      const response = putDocument(ofDocument(request, context), context);
      // The additional responses of documents concern attachments, which this body cannot have.
      return response as Promise<OperationResponse<'putUser'>>;
    },
    deleteUser: (request, context) => deleteDocument(ofDocument(request, context), context),

    putAttachment: async (request, context) => {
      if (isUsersDatabase(request.params.db, context.settings)) await checkBaseRevision(request, context);
      return handlers.putAttachment(request, context);
    },

    deleteAttachment: async (request, context) => {
      if (isUsersDatabase(request.params.db, context.settings)) await checkBaseRevision(request, context);
      return handlers.deleteAttachment(request, context);
    },

    postDocument: async (request, context) => {
      if (!isUsersDatabase(request.params.db, context.settings))
        return handlers.postDocument(request, context);
      return handlers.postDocument(
        { ...request, body: await prepare(request.params.db, request.body, context) },
        context,
      );
    },

    bulkDocs: async (request, context) => {
      if (!isUsersDatabase(request.params.db, context.settings)) return handlers.bulkDocs(request, context);
      const { docs, new_edits } = request.body;
      const prepared = await Promise.all(
        docs.map((document) => prepareOrFail(request.params.db, document, context)),
      );
      const valid = prepared.flatMap(({ document }) => (document ? [document] : []));
      const response = await handlers.bulkDocs(
        { ...request, body: { ...request.body, docs: valid } },
        context,
      );
      if (response.status !== 201 && response.status !== 202) return response;
      const failures = prepared.map(({ failure }) => failure);
      return { ...response, body: bulkResults(failures, response.body, new_edits) };
    },
  };
}

/**
 * As in CouchDB, the users database has a design document, which some clients look for. What its function does there,
 * `prepareUserDocument` does here. CouchDB adds it some time after the database is made, so a client can find the database
 * empty. Here, that is until the first request for anything but the state of the database.
 */
export function addUsersDesign(
  operationId: OperationId,
  name: string,
  { store, settings }: Pick<Context, 'store' | 'settings'>,
): void {
  if (operationId === 'getDatabase' || !isUsersDatabase(name, settings) || !store.has(name)) return;
  const database = store.database(name);
  if (!database.find('_design/_auth'))
    database.edit([parseDocument({ language: 'javascript' }, '_design/_auth')]);
}

/** The request to the document of a user. */
const ofDocument = <Request extends { readonly params: { readonly username: string } }>(
  request: Request,
  { dialect }: Context,
) => ({ ...request, params: { db: USERS_DATABASE, docid: dialect.userIdPrefix + request.params.username } });

async function prepare(database: string, document: Document, context: Context): Promise<Document> {
  const { components, dialect, settings, user } = context;
  return components.prepareUserDocument(document, {
    dialect,
    settings,
    // Not the address, which may be that of someone who guesses passwords.
    client: `user ${user.name}`,
    // CouchDB adds the design document that asks for it to such a database only later.
    typeIsOptional: database !== USERS_DATABASE,
  });
}

/** @throws 403 or 404 if the caller may not change the document in this way */
function checkChange(
  { db, docid }: DocumentParams,
  document: Document,
  { components, store, user }: Context,
): void {
  const database = store.database(db);
  const head = database.find(docid);
  const live = head && !head.leaves.deleted ? head : undefined;
  const current = live && {
    roles: contentOf(live, live.leaves.winner, database)?.roles,
    hasConflicts: live.leaves.conflicts.length > 0,
  };
  components.checkOwnChange(document, current, user);
}

/** Changing an attachment copies the content of the base revision, which must be a valid user document. */
async function checkBaseRevision(
  { params, query, headers }: AttachmentRequest,
  context: Context,
): Promise<void> {
  const { db, docid } = params;
  if (docid === '_design') return;
  const base = requestedRevision({ query, headers });
  const database = context.store.database(db);
  const head = database.find(docid);
  const content = head && base !== undefined ? contentOf(head, base, database) : undefined;
  checkChange(params, await prepare(db, { ...content, _id: docid }, context), context);
}

/** @returns undefined if the content of the revision is not stored */
function contentOf(head: DocumentHead, revision: string, database: Database): Document | undefined {
  const content = database.revision(head, revision);
  return content && renderMembers(content.body);
}

async function prepareOrFail(database: string, document: Document, context: Context): Promise<Prepared> {
  try {
    return { document: await prepare(database, document, context) };
  } catch (error) {
    if (!isBoom(error)) throw error;
    return { failure: { id: document._id ?? '', ...(error.output.payload as unknown as ErrorBody) } };
  }
}
