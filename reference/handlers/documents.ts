/** Documents and design documents: reading, writing and deleting one. */
import { randomBytes } from 'node:crypto';
import { refusalToWrite } from '../auth/authorization.js';
import type { components } from '../../openapi/generated/types.service.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers, OperationRequest, OperationResponse } from '../generated/handlers.js';
import type { Database } from '../store/database.js';
import {
  renderDocument,
  renderHistory,
  renderRevisionStates,
  type Document,
} from '../store/render-document.js';
import { attachmentRenderer } from '../store/attachments.js';
import { descendantLeaves, formatRevision, revisionOf, type Ancestry } from '../store/revisions.js';
import { parseDocument, withRevisions, type ParsedDocument } from '../store/parse-document.js';
import type { DocumentHead } from '../store/tables.js';
import { localParams, readLocal, removeLocal, writeLocal } from './local-documents.js';

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
  getDocument: ({ params, query }, { store }) => {
    const local = localParams(params);
    return Promise.resolve(
      local ? readLocal(store, local) : read(store.database(params.db), params.docid, query),
    );
  },
  putDocument: ({ params, ...request }, { store }) => {
    const local = localParams(params);
    return Promise.resolve(
      local
        ? writeLocal(store, local, request.body)
        : write(store.database(params.db), params.docid, request),
    );
  },
  deleteDocument: ({ params, ...request }, { store }) => {
    const local = localParams(params);
    return Promise.resolve(
      local ? removeLocal(store, local) : remove(store.database(params.db), params.docid, request),
    );
  },

  getDesignDocument: ({ params, query }, { store }) =>
    Promise.resolve(read(store.database(params.db), designId(params.ddoc), query)),
  putDesignDocument: ({ params, ...request }, { store }) =>
    Promise.resolve(write(store.database(params.db), designId(params.ddoc), request)),
  deleteDesignDocument: ({ params, ...request }, { store }) =>
    Promise.resolve(remove(store.database(params.db), designId(params.ddoc), request)),

  postDocument: ({ params, body }, { store, user }) => {
    const database = store.database(params.db);
    const submission = parseDocument({ _id: newId(), ...body });
    const refusal = refusalToWrite(submission.id, user, database);
    if (refusal) throw refusal;
    return Promise.resolve(created(database, edit(database, submission)));
  },
};

/** An identifier for a document that comes without one. */
export const newId = () => randomBytes(16).toString('hex');

const designId = (name: string) => `_design/${name}`;

function read(database: Database, id: string, query: ReadOptions): OperationResponse<'getDocument'> {
  const head = database.find(id);
  if (query.open_revs !== undefined) {
    if (!head && query.open_revs === 'all') throw missing();
    return { status: 200, body: readOpenRevisions(database, head, query) };
  }
  if (!head) throw missing();
  if (query.rev === undefined && head.leaves.deleted) throw missing('deleted');
  const [revision] =
    query.rev === undefined ? [head.leaves.winner] : resolveRevision(database, head, query.rev, query);
  const document = readRevision(database, head, revision!, query);
  if (!document) throw missing();
  if (query.rev === undefined) Object.assign(document, conflictMembers(head, query));
  // With members that tell of other revisions the answer can change while the revision stays.
  const isTag = !Object.keys(document).some((member) => changingMembers.has(member));
  return { status: 200, headers: isTag ? { etag: `"${document._rev}"` } : {}, body: document };
}

const changingMembers = new Set(['_conflicts', '_deleted_conflicts', '_revs_info', '_local_seq']);

/** @returns undefined when the content of the revision is not here */
export function readRevision(
  database: Database,
  head: DocumentHead,
  revision: string,
  query: Pick<ReadOptions, 'revs' | 'attachments' | 'atts_since'> & Partial<ReadOptions>,
): Document | undefined {
  const { revs, revs_info, meta, local_seq, attachments, att_encoding_info = false, atts_since } = query;
  const content = database.revision(head, revision);
  const renderAttachment = attachmentRenderer(
    (attachment) => database.contents.read(attachment),
    // Who asks for what is newer asks for its content.
    { attachments: attachments || atts_since !== undefined, att_encoding_info },
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

/** The greatest generation among `revisions` that lie on the path to a revision; 0 when none does. */
function newestOnPath({ start, ids }: Ancestry, revisions: string[]): number {
  const back = ids.findIndex((hash, back) => revisions.includes(formatRevision(start - back, hash)));
  return back < 0 ? 0 : start - back;
}

/** What the winner tells of the leaves that it has won over. */
function conflictMembers({ leaves }: DocumentHead, { conflicts, deleted_conflicts, meta }: ReadOptions) {
  return {
    ...((conflicts || meta) && leaves.conflicts.length > 0 && { _conflicts: leaves.conflicts }),
    ...((deleted_conflicts || meta) &&
      leaves.deletedConflicts.length > 0 && { _deleted_conflicts: leaves.deletedConflicts }),
  };
}

function readOpenRevisions(
  database: Database,
  head: DocumentHead | undefined,
  query: ReadOptions,
): OpenRevisions {
  const { open_revs: asked = [] } = query;
  if (!head) return asked === 'all' ? [] : asked.map((revision) => ({ missing: revision }));
  const revisions =
    asked === 'all'
      ? leavesOf(head)
      : new Set(asked.flatMap((revision) => resolveRevision(database, head, revision, query)));
  return [...revisions].map((revision) => {
    const ok = readRevision(database, head, revision, query);
    return ok ? { ok } : { missing: revision };
  });
}

/** All leaves, the winner first. */
export function leavesOf({ leaves: { winner, conflicts, deletedConflicts } }: DocumentHead): string[] {
  return [winner, ...conflicts, ...deletedConflicts];
}

/** The revision itself, or with `latest` the leaves that it has become, the winner first. */
export function resolveRevision(
  database: Database,
  head: DocumentHead,
  revision: string,
  { latest }: Pick<ReadOptions, 'latest'>,
): string[] {
  const newer = latest ? descendantLeaves(database.tree(head), revision) : [];
  return newer.length > 0 ? leavesOf(head).filter((leaf) => newer.includes(leaf)) : [revision];
}

function write(database: Database, id: string, request: WriteRequest) {
  const document = { ...request.body, _rev: requestedRevision(request, request.body._rev) };
  const submission = parseDocument(document, id);
  const { rev } = request.query.new_edits ? edit(database, submission) : replicate(database, submission);
  if (submission.deleted) return removed(id, rev);
  const { headers, ...response } = created(database, { id, rev });
  return { ...response, headers: { ...headers, etag: `"${rev}"` } };
}

function remove(database: Database, id: string, request: DeleteRequest) {
  const head = database.find(id);
  if (!head) throw missing();
  if (head.leaves.deleted) throw missing('deleted');
  const { rev } = edit(database, parseDocument({ _deleted: true, _rev: requestedRevision(request) }, id));
  return removed(id, rev);
}

const removed = (id: string, rev: string) => ({
  status: 200 as const,
  headers: { etag: `"${rev}"` },
  body: { ok: true as const, id, rev },
});

/** The revision that a write is based on; the request can name it in three places. */
export function requestedRevision({ query, headers }: DeleteRequest, inBody?: string): string | undefined {
  const ifMatch = headers['if-match']?.replace(/^"(.*)"$/, '$1');
  const named = [inBody, query.rev, ifMatch].filter((revision) => revision !== undefined);
  if (named.some((revision) => revision !== named[0]))
    throw httpError(400, 'bad_request', 'The document, `rev` and If-Match name different revisions');
  return named[0];
}

/** @throws 409 when the document is not based on a leaf */
export function edit(database: Database, submission: ParsedDocument): { id: string; rev: string } {
  const [result] = database.edit([submission]);
  if (result!.error !== undefined) throw httpError(409, result!.error, result!.reason);
  return result!;
}

function replicate(database: Database, submission: ParsedDocument): { rev: string } {
  const revisions = withRevisions(submission);
  database.replicate([revisions]);
  return { rev: revisionOf(revisions.revisions) };
}

export function created(database: Database, { id, rev }: { id: string; rev: string }) {
  const location = `/${encodeURIComponent(database.name)}/${encodeURIComponent(id)}`;
  return {
    status: 201 as const,
    headers: { location },
    body: { ok: true as const, id, rev },
  };
}

export const missing = (reason = 'missing') => httpError(404, 'not_found', reason);
