/** Lists of documents. */
import type { components } from '../../openapi/generated/types.service.js';
import type { Context } from './context.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { httpError } from '../http/errors.js';
import { rowListBody } from '../http/row-list.js';
import { mapInTurns } from '../http/turns.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Batch, Database } from '../store/database.js';
import { renderDocument } from '../store/render-document.js';
import { bytesOf, type DocumentRow, type Identifiers } from '../store/tables.js';

type ListRow = Omit<DocumentRow, 'body'> & { body?: string | undefined };
type ListOptions = OperationRequest<'getAllDocs'>['query'];
type Rows = Iterable<components['schemas']['AllDocsResult']['rows'][number]>;

/** A long list reads this much at a time. */
const batch: Batch = { rows: 500, characters: 256 * 1024 };

export const allDocs: Pick<Handlers<Context>, 'getAllDocs' | 'postAllDocs'> = {
  getAllDocs: ({ params, query }, { store }) => list(store, params.db, query),
  postAllDocs: ({ params, query, body }, { store }) =>
    // Members of the body override the query, which the prototype provides.
    list(store, params.db, Object.assign(Object.create(query), body) as ListOptions),
};

/**
 * Each row shows its document at the time when the client receives it, as in a CouchDB cluster. A document that exists
 * all the time has one row, and `total_rows`, `offset` and `update_seq` are those of the beginning.
 */
async function list(store: Context['store'], name: string, query: ListOptions) {
  const database = store.database(name);
  requireKeysOrRange(query);
  // A malformed key must be rejected before the response begins.
  await mapInTurns(query.keys ?? [], (key) => void bytesOf(key));
  const { rows, offset } = query.keys ? listKeys(database, query, query.keys) : listRange(database, query);
  const head = {
    total_rows: database.documentCount,
    offset,
    ...(query.update_seq && { update_seq: database.sequenceOf(database.position) }),
  };
  const body = await rowListBody({
    rows: rows[Symbol.iterator](),
    bodyOf: (rows) => ({ ...head, rows }),
    flushed: () => store.flushed(),
  });
  return { status: 200 as const, body };
}

interface List {
  readonly rows: Rows;
  readonly offset: number | null;
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
  if (range.length > 0 && (keys.length > 1 || keys.some((one) => range.some((limit) => limit !== one))))
    throw httpError(400, 'query_parse_error', '`keys` is incompatible with `key`, `start_key` and `end_key`');
}

/** Returns a row for each key, also for keys without a document. */
function listKeys(database: Database, query: ListOptions, keys: string[]): List {
  const { descending, skip, limit = Infinity } = query;
  const ordered = descending ? keys.toReversed() : keys;
  return { rows: rowsOf(ordered.slice(skip, skip + limit)), offset: null };

  function* rowsOf(keys: string[]): Rows {
    for (const key of keys) {
      const found = database.find(key);
      if (!found) {
        yield { key, error: 'not_found' };
        continue;
      }
      const { winner, deleted } = found.leaves;
      const content = query.include_docs && !deleted ? database.revision(found, winner) : undefined;
      yield renderRow(database, { ...found, ...content }, query);
    }
  }
}

function listRange(database: Database, query: ListOptions): List {
  const { descending, skip, limit = Infinity, inclusive_end: inclusive } = query;
  const first = query.key ?? query.startkey ?? query.start_key;
  const last = query.key ?? query.endkey ?? query.end_key;
  const range: Identifiers = descending
    ? { from: last, to: first, fromExclusive: !inclusive }
    : { from: first, to: last, toExclusive: !inclusive };
  const before: Identifiers = descending
    ? { from: first, fromExclusive: true }
    : { to: first, toExclusive: true };
  const rowsBefore = first === undefined ? 0 : database.countDocuments(before);
  return {
    rows: rowsOf(range),
    offset: Math.min(rowsBefore + skip, database.documentCount),
  };

  function* rowsOf(range: Identifiers): Rows {
    const listing = { descending, bodies: query.include_docs };
    let rest = range;
    for (let left = limit, skipped = skip; left > 0; skipped = 0) {
      const limits = { ...batch, rows: Math.min(batch.rows, left), attachments: query.attachments };
      const found = database.documents(rest, { ...listing, skip: skipped }, limits);
      const { id } = found.at(-1) ?? {};
      if (id === undefined) return;
      for (const row of found) yield renderRow(database, row, query);
      left -= found.length;
      rest = descending ? { ...rest, to: id, toExclusive: true } : { ...rest, from: id, fromExclusive: true };
    }
  }
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
