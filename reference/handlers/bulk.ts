/** Many documents at once: writing them, and listing them by identifier. */
import type { Context } from '../context.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import type { Database } from '../store/database.js';
import { renderDocument } from '../store/document.js';
import { parseSubmission, withHistory } from '../store/submission.js';
import type { DocumentRow, Identifiers } from '../store/tables.js';
import { newId } from './documents.js';

type BulkHandlers = Pick<Handlers<Context>, 'bulkDocs' | 'getAllDocs' | 'postAllDocs'>;
type ListOptions = OperationRequest<'getAllDocs'>['query'];

export const bulk: BulkHandlers = {
  bulkDocs: ({ params, body }, { store }) => {
    const database = store.database(params.db);
    // All of them are read before the first is written: one that is malformed fails the request.
    const submissions = body.docs.map((document) => parseSubmission({ _id: newId(), ...document }));
    if (!body.new_edits) {
      database.replicate(submissions.map(withHistory));
      return Promise.resolve({ status: 201, body: [] });
    }
    const results = database.edit(submissions);
    return Promise.resolve({
      status: 201,
      body: results.map((result) => (result.error === undefined ? { ok: true as const, ...result } : result)),
    });
  },

  getAllDocs: ({ params, query }, { store }) => Promise.resolve(list(store.database(params.db), query)),
  postAllDocs: ({ params, query, body }, { store }) =>
    Promise.resolve(list(store.database(params.db), { ...query, keys: body.keys ?? query.keys })),
};

function list(database: Database, query: ListOptions) {
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

/** A row for each key, in their order, whether there is a document or not. */
function listKeys(database: Database, query: ListOptions, keys: string[]) {
  const { descending, skip, limit = Infinity } = query;
  const ordered = descending ? keys.toReversed() : keys;
  const rows = ordered.slice(skip, skip + limit).map((key) => {
    const found = database.find(key);
    if (!found) return { key, error: 'not_found' };
    const { winner, deleted } = found.leaves;
    const body = query.include_docs && !deleted ? database.revision(found, winner)?.body : undefined;
    return renderRow({ ...found, body }, query);
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
  const passed = first === undefined ? 0 : database.countDocuments(before);
  const rows = database.documents(range, { descending, skip, limit, bodies });
  return {
    rows: rows.map((row) => renderRow(row, query)),
    offset: Math.min(passed + skip, database.documentCount),
  };
}

function renderRow({ id, leaves, body }: DocumentRow, { include_docs, conflicts }: ListOptions) {
  const { winner, deleted } = leaves;
  const doc =
    body === undefined
      ? null
      : {
          ...renderDocument(id, { revision: winner, deleted, body }),
          ...(conflicts && leaves.conflicts.length > 0 && { _conflicts: leaves.conflicts }),
        };
  return {
    id,
    key: id,
    value: { rev: winner, ...(deleted && { deleted: true }) },
    ...(include_docs && { doc }),
  };
}
