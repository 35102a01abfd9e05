/** Bulk operations: writing, reading and listing several documents. */
import type { Boom } from '@hapi/boom';
import type { components } from '../../openapi/generated/types.service.js';
import { refusalToWrite } from '../auth/authorization.js';
import type { Context } from './context.js';
import { httpError, type ErrorBody } from '../http/errors.js';
import { validateEdits, validateReplication } from '../filters/validation.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { WriteResult } from '../store/revision-writer.js';
import { renderDocument } from '../store/render-document.js';
import { parseDocument, withRevisions, type ParsedDocument } from '../store/parse-document.js';
import { revisionOf } from '../store/revisions.js';
import type { DocumentRow, Identifiers } from '../store/tables.js';
import { leavesOf, newId, readRevision, resolveRevision } from './documents.js';

type BulkHandlers = Pick<
  Handlers<Context>,
  'bulkDocs' | 'bulkGet' | 'revsDiff' | 'getAllDocs' | 'postAllDocs'
>;
type BulkGetItem = components['schemas']['BulkGetItem'];
type BulkGetEntry = components['schemas']['BulkGetEntry'];
type BulkDocsResults = components['schemas']['BulkDocsResults'];
type ListRow = Omit<DocumentRow, 'body'> & { body?: string | undefined };
type ListOptions = OperationRequest<'getAllDocs'>['query'];

export const bulk: BulkHandlers = {
  bulkDocs: async ({ params, body }, context) => {
    const database = context.store.database(params.db);
    // Parse all documents before writing the first, because a malformed document rejects the whole request.
    const documents = body.docs.map((document) =>
      parseDocument('_id' in document ? document : { _id: newId(), ...document }),
    );
    const errors = await rejections(database, documents, body.new_edits, context);
    const allowed = documents.filter((_, index) => !errors[index]);
    let results: BulkDocsResults = [];
    if (body.new_edits) results = database.edit(allowed).map(resultOf);
    else database.replicate(allowed.map(withRevisions));
    // With new_edits, the response has a result for each document. Without it, only failures are included.
    const outcomes = documents.flatMap(({ id, revisions }, index) => {
      const error = errors[index];
      if (!error) return results.splice(0, 1);
      const rev = body.new_edits ? {} : { rev: revisionOf(revisions!) };
      return { id, ...rev, ...(error.output.payload as unknown as ErrorBody) };
    });
    return { status: 201, body: outcomes };
  },

  bulkGet: ({ params, query, body }, { store }) => {
    const database = store.database(params.db);
    const results = body.docs.map((item) => readItem(database, item, query));
    return Promise.resolve({ status: 200, body: { results } });
  },

  revsDiff: ({ params, body }, { store }) => {
    const database = store.database(params.db);
    const results = Object.entries(body).flatMap(([id, revisions]) => {
      const result = missingRevisions(database, id, revisions);
      return result ? [[id, result] as const] : [];
    });
    return Promise.resolve({ status: 200, body: Object.fromEntries(results) });
  },

  getAllDocs: ({ params, query }, { store }) => Promise.resolve(list(store.database(params.db), query)),
  postAllDocs: ({ params, query, body }, { store }) =>
    // Members of the body override the query, which the prototype provides.
    Promise.resolve(
      list(store.database(params.db), Object.assign(Object.create(query), body) as ListOptions),
    ),
};

/** Returns the errors of documents that the user may not write or that a validation function rejects. */
async function rejections(
  database: Database,
  documents: ParsedDocument[],
  newEdits: boolean,
  context: Context,
): Promise<(Boom | undefined)[]> {
  const validated = await (newEdits
    ? validateEdits(database, documents, context)
    : validateReplication(database, documents.map(withRevisions), context));
  return documents.map(({ id }, index) => refusalToWrite(id, context.user, database) ?? validated[index]);
}

function resultOf(result: WriteResult): BulkDocsResults[number] {
  return result.error === undefined ? { ok: true, ...result } : result;
}

/** Reads the requested revision or, if the item names none, all leaf revisions. */
function readItem(
  database: Database,
  { id, rev, atts_since }: BulkGetItem,
  query: OperationRequest<'bulkGet'>['query'],
): BulkGetEntry {
  const { revs, attachments } = query;
  const failure = (rev: string | null) => ({ error: { id, rev, error: 'not_found', reason: 'missing' } });
  const head = database.find(id);
  if (!head) return { id, docs: [failure(rev ?? null)] };
  const revisions = rev === undefined ? leavesOf(head) : resolveRevision(database, head, rev, query);
  const docs = revisions.map((revision) => {
    const ok = readRevision(database, head, revision, { revs, attachments, atts_since });
    return ok ? { ok } : failure(revision);
  });
  return { id, docs };
}

/** @returns undefined if no revision is missing */
function missingRevisions(database: Database, id: string, revisions: string[]) {
  const head = database.find(id);
  const known = head && database.knownRevisions(head);
  const missing = [...new Set(revisions)].filter((revision) => !known?.has(revision));
  if (missing.length === 0) return undefined;
  const newest = Math.max(...missing.map(generationOf));
  const ancestors = (head ? leavesOf(head) : []).filter((leaf) => generationOf(leaf) < newest);
  return { missing, ...(ancestors.length > 0 && { possible_ancestors: ancestors }) };
}

const generationOf = (revision: string) => parseInt(revision, 10);

function list(database: Database, query: ListOptions) {
  requireKeysOrRange(query);
  const { rows, offset } = query.keys ? listKeys(database, query, query.keys) : listRange(database, query);
  return {
    status: 200 as const,
    body: {
      total_rows: database.documentCount,
      offset,
      ...(query.update_seq && { update_seq: database.sequenceOf(database.position) }),
      rows,
    },
  };
}

/**
 * As in CouchDB, a single key may be repeated as the range.
 *
 * @throws 400 for keys with a different range
 */
function requireKeysOrRange(query: ListOptions): void {
  // Options of the query are inherited, so a rest pattern would not have them.
  const { keys = [], key, startkey, start_key, endkey, end_key } = query;
  const range = [key, startkey, start_key, endkey, end_key].filter((limit) => limit !== undefined);
  if (keys.some((one) => range.some((limit) => limit !== one || keys.length > 1)))
    throw httpError(400, 'query_parse_error', '`keys` is incompatible with `key`, `start_key` and `end_key`');
}

/** Returns a row for each key, also for keys without a document. */
function listKeys(database: Database, query: ListOptions, keys: string[]) {
  const { descending, skip, limit = Infinity } = query;
  const ordered = descending ? keys.toReversed() : keys;
  const rows = ordered.slice(skip, skip + limit).map((key) => {
    const found = database.find(key);
    if (!found) return { key, error: 'not_found' };
    const { winner, deleted } = found.leaves;
    const content = query.include_docs && !deleted ? database.revision(found, winner) : undefined;
    return renderRow(database, { ...found, ...content }, query);
  });
  return { rows, offset: null };
}

function listRange(database: Database, query: ListOptions) {
  const { descending, skip, limit = Infinity, include_docs: bodies, inclusive_end: inclusive } = query;
  const first = query.key ?? query.startkey ?? query.start_key;
  const last = query.key ?? query.endkey ?? query.end_key;
  const range: Identifiers = descending
    ? { from: last, to: first, fromExclusive: !inclusive }
    : { from: first, to: last, toExclusive: !inclusive };
  const before: Identifiers = descending
    ? { from: first, fromExclusive: true }
    : { to: first, toExclusive: true };
  const rowsBefore = first === undefined ? 0 : database.countDocuments(before);
  const rows = database.documents(range, { descending, skip, limit, bodies });
  return {
    rows: rows.map((row) => renderRow(database, row, query)),
    offset: Math.min(rowsBefore + skip, database.documentCount),
  };
}

function renderRow(database: Database, row: ListRow, query: ListOptions) {
  const { id, leaves } = row;
  const { winner, deleted } = leaves;
  return {
    id,
    key: id,
    value: { rev: winner, ...(deleted && { deleted: true }) },
    ...(query.include_docs && { doc: documentOf(database, row, query) }),
  };
}

function documentOf(database: Database, { id, leaves, body, attachments }: ListRow, query: ListOptions) {
  if (body === undefined) return null;
  const { winner: revision, deleted, conflicts } = leaves;
  const renderAttachment = attachmentRenderer((attachment) => database.contents.read(attachment), query);
  return {
    ...renderDocument(id, { revision, deleted, body, attachments }, renderAttachment),
    ...(query.conflicts && conflicts.length > 0 && { _conflicts: conflicts }),
  };
}
