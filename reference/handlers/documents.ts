/** Reading, writing and deleting documents and design documents. */
import { isBoom } from '@hapi/boom';
import { refusalToWrite } from '../auth/authorization.js';
import type { components } from '../../openapi/generated/types.service.js';
import type { Context } from './context.js';
import { documentPart, errorPart, writeDocumentMessage, type ReadContent } from '../http/document-message.js';
import { httpError } from '../http/errors.js';
import { requestedMultipart, streamMessage, type Part } from '../http/multipart.js';
import { validateEdits, validateReplication, type ValidationContext } from '../filters/validation.js';
import type { Handlers, OperationRequest, OperationResponse } from '../generated/handlers.js';
import type { Database } from '../store/database.js';
import {
  renderDocument,
  renderHistory,
  renderRevisionStates,
  type Document,
} from '../store/render-document.js';
import { attachmentRenderer, type Attachment } from '../store/attachments.js';
import {
  descendantLeaves,
  formatRevision,
  revisionOf,
  storedForm,
  type Ancestry,
} from '../store/revisions.js';
import { parseDocument, withRevisions, type ParsedDocument } from '../store/parse-document.js';
import type { DocumentHead } from '../store/tables.js';
import { localParams, readLocal, removeLocal, writeLocal } from './local-documents.js';
import { submittedDocument } from './submitted-document.js';

type DocumentHandlers = Pick<
  Handlers<Context>,
  | 'getDocument'
  | 'putDocument'
  | 'deleteDocument'
  | 'getDesignDocument'
  | 'putDesignDocument'
  | 'deleteDesignDocument'
  | 'postDocument'
>;
type OpenRevisions = components['schemas']['OpenRevisions'];
type ReadOptions = OperationRequest<'getDocument'>['query'];
type WriteRequest = Pick<OperationRequest<'putDocument'>, 'query' | 'headers' | 'body'>;
type DeleteRequest = Pick<OperationRequest<'deleteDocument'>, 'query' | 'headers'>;

export const documents: DocumentHandlers = {
  getDocument: ({ params, query }, context) => {
    const local = localParams(params);
    return Promise.resolve(
      local ? readLocal(context.store, local) : read(context, params.db, params.docid, query),
    );
  },
  putDocument: async ({ params, ...request }, context) => {
    const local = localParams(params);
    return local
      ? writeLocal(context.store, local, request.body)
      : write(context, params.db, params.docid, request);
  },
  deleteDocument: async ({ params, ...request }, context) => {
    const local = localParams(params);
    return local ? removeLocal(context.store, local) : remove(context, params.db, params.docid, request);
  },

  getDesignDocument: ({ params, query }, context) =>
    Promise.resolve(read(context, params.db, designId(params.ddoc), query)),
  putDesignDocument: ({ params, ...request }, context) =>
    write(context, params.db, designId(params.ddoc), request),
  deleteDesignDocument: ({ params, ...request }, context) =>
    remove(context, params.db, designId(params.ddoc), request),

  postDocument: async ({ params, query, body }, context) => {
    const database = context.store.database(params.db);
    const document = submittedDocument({ _id: context.uuids.next(), ...body }, context.settings);
    const error = refusalToWrite(document.id, context.user, database);
    if (error) throw error;
    const writing = edit(database, document, context);
    return query.batch ? accepted(document.id, writing) : created(database, await writing);
  },
};

const designId = (name: string) => `_design/${name}`;

function read(
  { store, requestHead }: Context,
  db: string,
  id: string,
  query: ReadOptions,
): OperationResponse<'getDocument'> {
  const database = store.database(db);
  const { accept } = requestHead.headers;
  const head = database.find(id);
  if (query.open_revs !== undefined) {
    if (!head && query.open_revs === 'all') throw missing();
    const type = requestedMultipart(accept, 'multipart/mixed');
    if (!type) return { status: 200, body: [...openRevisions(database, head, query)] };
    const parts = openRevisionParts(
      openRevisions(database, head, query, 'message'),
      storedContents(database),
    );
    return { status: 200, ...streamMessage(type, parts, () => store.flushed()) };
  }
  if (!head) throw missing();
  if (query.rev === undefined && head.leaves.deleted) throw missing('deleted');
  const [revision] =
    query.rev === undefined ? [head.leaves.winner] : resolveRevision(database, head, query.rev, query);
  const form = withContents(query) && requestedMultipart(accept, 'multipart/related') ? 'message' : 'json';
  const document = readRevision(database, head, revision!, query, form);
  if (!document) throw missing();
  if (query.rev === undefined) Object.assign(document, conflictMembers(head, query));
  // Some members depend on other revisions, so the revision does not identify the response.
  const hasEtag = !Object.keys(document).some((member) => variableMembers.has(member));
  const content = form === 'message' ? writeDocumentMessage(document, storedContents(database)) : undefined;
  const headers = hasEtag ? { etag: `"${document._rev}"` } : undefined;
  return { status: 200, ...(headers && { headers }), ...(content ?? { body: document }) };
}

/** `atts_since` implies the content of newer attachments. */
const withContents = ({
  attachments,
  atts_since,
}: Pick<ReadOptions, 'attachments' | 'atts_since'>): boolean => attachments || atts_since !== undefined;

/** Where a document goes: in a message, the contents of its attachments follow it as they are stored. */
type Form = 'json' | 'message';

/** Reads the contents that follow a document. */
export const storedContents =
  ({ contents }: Database): ReadContent =>
  (attachment) =>
    contents.read(attachment as Attachment);

const variableMembers = new Set(['_conflicts', '_deleted_conflicts', '_revs_info', '_local_seq']);

/** @returns undefined if the content of the revision is not stored */
export function readRevision(
  database: Database,
  head: DocumentHead,
  revision: string,
  query: Pick<ReadOptions, 'revs' | 'attachments' | 'atts_since'> & Partial<ReadOptions>,
  form: Form = 'json',
): Document | undefined {
  const { revs, revs_info, meta, local_seq, att_encoding_info = false, atts_since } = query;
  const content = database.revision(head, revision);
  const renderAttachment = attachmentRenderer(
    (attachment) => database.contents.read(attachment),
    form === 'message'
      ? { attachments: true, att_encoding_info: true, follow: true }
      : { attachments: withContents(query), att_encoding_info },
    content && atts_since && newestOnPath(renderHistory(database, head, revision), atts_since),
  );
  return (
    content && {
      ...renderDocument(head.id, content, renderAttachment),
      ...(revs && { _revisions: renderHistory(database, head, revision) }),
      ...((revs_info || meta) && { _revs_info: renderRevisionStates(database, head, revision) }),
      ...(local_seq && { _local_seq: head.position }),
    }
  );
}

/** @returns the highest generation of the `revisions` that are in the ancestry; 0 if none is */
function newestOnPath({ start, ids }: Ancestry, revisions: string[]): number {
  const back = ids.findIndex((hash, back) => revisions.includes(formatRevision(start - back, hash)));
  return back < 0 ? 0 : start - back;
}

/** Members that list conflicts. Only responses with the winning revision have them. */
function conflictMembers({ leaves }: DocumentHead, { conflicts, deleted_conflicts, meta }: ReadOptions) {
  return {
    ...((conflicts || meta) && leaves.conflicts.length > 0 && { _conflicts: leaves.conflicts }),
    ...((deleted_conflicts || meta) &&
      leaves.deletedConflicts.length > 0 && { _deleted_conflicts: leaves.deletedConflicts }),
  };
}

/** Reads the requested revisions, each when it is taken. */
function* openRevisions(
  database: Database,
  head: DocumentHead | undefined,
  query: ReadOptions,
  form?: Form,
): Generator<OpenRevisions[number], void> {
  const { open_revs: requested = [] } = query;
  const existing = (head: DocumentHead) =>
    requested === 'all'
      ? leavesOf(head)
      : requested.flatMap((revision) => resolveRevision(database, head, revision, query));
  for (const revision of new Set(head ? existing(head) : requested)) {
    const ok = head && readRevision(database, head, revision, query, form);
    yield ok ? { ok } : { missing: revision };
  }
}

function* openRevisionParts(
  revisions: Iterable<OpenRevisions[number]>,
  read: ReadContent,
): Generator<Part, void> {
  for (const one of revisions) yield 'ok' in one ? documentPart(one.ok, read) : errorPart(one);
}

/** Returns all leaf revisions, winner first. */
export function leavesOf({ leaves: { winner, conflicts, deletedConflicts } }: DocumentHead): string[] {
  return [winner, ...conflicts, ...deletedConflicts];
}

/** Returns the revision itself or, with `latest`, its leaf descendants, winner first. */
export function resolveRevision(
  database: Database,
  head: DocumentHead,
  revision: string,
  { latest }: Pick<ReadOptions, 'latest'>,
): string[] {
  const requested = storedForm(revision);
  const newer = latest ? descendantLeaves(database.tree(head), requested) : [];
  return newer.length > 0 ? leavesOf(head).filter((leaf) => newer.includes(leaf)) : [requested];
}

async function write(context: Context, db: string, id: string, request: WriteRequest) {
  const { new_edits, batch } = request.query;
  const database = context.store.database(db);
  const sent = { ...request.body, _rev: requestedRevision(request, request.body._rev) };
  const document = submittedDocument(sent, context.settings, id);
  const writing = (new_edits ? edit : replicate)(database, document, context);
  if (batch) return accepted(id, writing);
  const { rev } = await writing;
  if (document.deleted) return removed(id, rev);
  const { headers, ...response } = created(database, { id, rev });
  return { ...response, headers: { ...headers, etag: `"${rev}"` } };
}

async function remove(context: Context, db: string, id: string, request: DeleteRequest) {
  const database = context.store.database(db);
  const head = database.find(id);
  if (!head) throw missing();
  if (head.leaves.deleted) throw missing('deleted');
  const deletion = parseDocument({ _deleted: true, _rev: requestedRevision(request) }, id);
  const { rev } = await edit(database, deletion, context);
  return removed(id, rev);
}

const removed = (id: string, rev: string) => ({
  status: 200 as const,
  headers: { etag: `"${rev}"` },
  body: { ok: true as const, id, rev },
});

/** Returns the revision that a write is based on. It can be in the body, the query or the If-Match header. */
export function requestedRevision(
  { query, headers }: DeleteRequest,
  bodyRevision?: string,
): string | undefined {
  const ifMatch = headers['if-match']?.replace(/^"(.*)"$/, '$1');
  const candidates = [bodyRevision, query.rev, ifMatch].flatMap((revision) =>
    revision === undefined ? [] : [storedForm(revision)],
  );
  if (candidates.some((revision) => revision !== candidates[0])) {
    const other = query.rev !== undefined && storedForm(query.rev) !== candidates[0];
    const reason = other
      ? 'Document rev from request body and query string have different values'
      : 'Document rev and etag have different values';
    throw httpError(400, 'bad_request', reason);
  }
  return candidates[0];
}

/** @throws 409 if the document is not based on a leaf revision; 403 or 401 if a validation function rejects it */
export async function edit(
  database: Database,
  document: ParsedDocument,
  context: ValidationContext,
): Promise<{ id: string; rev: string }> {
  const [rejection] = await validateEdits(database, [document], context);
  if (rejection) throw rejection;
  const [result] = database.edit([document]);
  if (result!.error !== undefined) throw httpError(409, result!.error, result!.reason);
  return result!;
}

async function replicate(
  database: Database,
  document: ParsedDocument,
  context: ValidationContext,
): Promise<{ rev: string }> {
  const replicated = withRevisions(document);
  const [rejection] = await validateReplication(database, [replicated], context);
  if (rejection) throw rejection;
  database.replicate([replicated]);
  return { rev: revisionOf(replicated.revisions) };
}

export function created(database: Database, { id, rev }: { id: string; rev: string }) {
  const location = `/${encodeURIComponent(database.name)}/${encodeURIComponent(id)}`;
  return {
    status: 201 as const,
    headers: { location },
    body: { ok: true as const, id, rev },
  };
}

/**
 * The response to a write with `batch=ok`. It is complete by then, but clients expect what CouchDB answers before it
 * writes: nothing is known of the revision, nor whether the write is a conflict or refused.
 */
async function accepted(id: string, writing: Promise<unknown>) {
  await writing.catch((error: unknown) => {
    if (!isBoom(error) || error.isServer) throw error;
  });
  return { status: 202 as const, body: { ok: true as const, id } };
}

export const missing = (reason = 'missing') => httpError(404, 'not_found', reason);
