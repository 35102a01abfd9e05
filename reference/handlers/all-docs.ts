/** Lists of documents. */
import { Readable } from 'node:stream';
import type { Context } from './context.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { httpError } from '../http/errors.js';
import { toJson } from '../http/json-text.js';
import { rowListBody } from '../http/row-list.js';
import { mapInTurns, Turn } from '../http/turns.js';
import type { Database } from '../store/database.js';
import { bytesOf, type Identifiers } from '../store/tables.js';
import {
  allDocuments,
  designDocuments,
  localDocuments,
  withPrefix,
  type Collection,
  type ListOptions,
  type Row,
} from './collections.js';

type ListHandlers = Pick<
  Handlers<Context>,
  | 'getAllDocs'
  | 'postAllDocs'
  | 'postAllDocsQueries'
  | 'getDesignDocs'
  | 'postDesignDocs'
  | 'postDesignDocsQueries'
  | 'getLocalDocs'
  | 'postLocalDocs'
  | 'postLocalDocsQueries'
>;
type PostRequest = OperationRequest<'postAllDocs' | 'postLocalDocs'>;
type QueriesRequest = OperationRequest<'postAllDocsQueries' | 'postLocalDocsQueries'>;
type GetRequest = OperationRequest<'getAllDocs' | 'getLocalDocs'>;

export const allDocs: ListHandlers = {
  getAllDocs: (request, context) => get(allDocuments, request, context),
  postAllDocs: (request, context) => post(allDocuments, request, context),
  postAllDocsQueries: (request, context) => queries(allDocuments, request, context),
  getDesignDocs: (request, context) => get(designDocuments, request, context),
  postDesignDocs: (request, context) => post(designDocuments, request, context),
  postDesignDocsQueries: (request, context) => queries(designDocuments, request, context),
  getLocalDocs: (request, context) => get(localDocuments, request, context),
  postLocalDocs: (request, context) => post(localDocuments, request, context),
  postLocalDocsQueries: (request, context) => queries(localDocuments, request, context),
};

type CollectionOf = (database: Database) => Collection;

const get = (collectionOf: CollectionOf, { params, query }: GetRequest, { store }: Context) =>
  list(store, collectionOf(store.database(params.db)), query);

function post(collectionOf: CollectionOf, { params, query, body }: PostRequest, context: Context) {
  const { store, requestHead } = context;
  // `query` also has defaults, which the body overrides.
  const sent = new URLSearchParams(requestHead.url.split('?')[1]);
  if (sent.has('keys') && body.keys !== undefined) throw keysWithRange();
  const inBody = Object.fromEntries(Object.entries(body).filter(([name]) => !sent.has(name)));
  return list(store, collectionOf(store.database(params.db)), optionsOf(query, inBody));
}

/** The prototype provides the query. A member `__proto__` of the body does not replace it. */
const optionsOf = (query: PostRequest['query'], body: object) =>
  Object.create(query, Object.getOwnPropertyDescriptors(body)) as ListOptions;

/** All queries are validated before the response begins. Each list is read when the client has received the previous one. */
async function queries(
  collectionOf: CollectionOf,
  { params, query, body }: QueriesRequest,
  { store }: Pick<Context, 'store'>,
) {
  const database = store.database(params.db);
  const all = body.queries.map((one) => optionsOf(query, one));
  const turn = new Turn();
  for (const options of all) {
    if (turn.isOver) await turn.next();
    await validateOptions(options);
  }
  return { status: 200 as const, body: Readable.from(pieces(), { objectMode: false, highWaterMark: 1 }) };

  async function* pieces(): AsyncGenerator<string | Buffer, void, void> {
    yield '{"results":[\n';
    for (const [index, options] of all.entries()) {
      if (turn.isOver) await turn.next();
      if (index > 0) yield ',\n';
      const { body } = await listValid(store, collectionOf(database), options);
      if (body instanceof Readable) yield* body as AsyncIterable<Buffer>;
      else yield toJson(body);
    }
    yield ']}\n';
  }
}

async function list(store: Context['store'], collection: Collection, query: ListOptions) {
  await validateOptions(query);
  return listValid(store, collection, query);
}

/**
 * Each row shows its document at the time when the client receives it, as in a CouchDB cluster. A document that exists
 * all the time has one row, and `total_rows`, `offset` and `update_seq` are those of the beginning.
 */
async function listValid(store: Context['store'], collection: Collection, query: ListOptions) {
  const { rows, offset } = query.keys
    ? listKeys(collection, query, query.keys)
    : listRange(collection, query);
  const { total, updateSequence } = collection;
  const sequence = query.update_seq && updateSequence && { update_seq: updateSequence() };
  const head = { total_rows: total, offset, ...sequence };
  const body = await rowListBody({
    rows: rows[Symbol.iterator](),
    bodyOf: (rows) => ({ ...head, rows }),
    flushed: () => store.flushed(),
  });
  return { status: 200 as const, body };
}

/** Malformed options must be rejected before the response begins. */
async function validateOptions(query: ListOptions): Promise<void> {
  requireKeysOrRange(query);
  await mapInTurns(query.keys ?? [], (key) => typeof key === 'string' && void bytesOf(key));
}

interface List {
  readonly rows: Iterable<Row>;
  readonly offset: number | null;
}

/**
 * As in CouchDB, a single key may be repeated as the range.
 *
 * @throws 400 for keys with a different range
 */
function requireKeysOrRange({ keys = [], key, startkey, start_key, endkey, end_key }: ListOptions): void {
  const range = [key, startkey, start_key, endkey, end_key].filter((limit) => limit !== undefined);
  if (range.length > 0 && (keys.length > 1 || keys.some((one) => range.some((limit) => limit !== one))))
    throw keysWithRange();
}

/** As in CouchDB, `keys` that are there twice have the same error. */
const keysWithRange = () =>
  httpError(400, 'query_parse_error', '`keys` is incompatible with `key`, `start_key` and `end_key`');

/** Returns a row for each key, also for keys without a document. */
function listKeys({ prefix, find }: Collection, query: ListOptions, keys: readonly unknown[]): List {
  const { descending, skip, limit = Infinity } = query;
  // The other lists leave out what can be none of their documents.
  const own = prefix === '' ? keys : keys.filter((key) => String(key).startsWith(prefix));
  const ordered = descending ? own.toReversed() : own;
  return { rows: rowsOf(ordered.slice(skip, skip + limit)), offset: null };

  function* rowsOf(keys: readonly unknown[]): Iterable<Row> {
    for (const key of keys) {
      const row = typeof key === 'string' ? find(key, query) : undefined;
      yield row ?? { key, error: 'not_found' };
    }
  }
}

function listRange({ prefix, total, count, rows }: Collection, query: ListOptions): List {
  const { descending, skip, limit = Infinity, inclusive_end: inclusive } = query;
  const first = query.key ?? query.startkey ?? query.start_key;
  const last = query.key ?? query.endkey ?? query.end_key;
  const range: Identifiers = descending
    ? { from: last, to: first, fromExclusive: !inclusive }
    : { from: first, to: last, toExclusive: !inclusive };
  const before: Identifiers = descending
    ? { from: first, fromExclusive: true }
    : { to: first, toExclusive: true };
  const rowsBefore = first === undefined ? 0 : count(withPrefix(before, prefix));
  return {
    rows: rowsOf(withPrefix(range, prefix)),
    offset: total === null ? null : Math.min(rowsBefore + skip, total),
  };

  function* rowsOf(range: Identifiers): Iterable<Row> {
    let rest = range;
    for (let left = limit, skipped = skip; left > 0; skipped = 0) {
      const found = rows(rest, query, { skip: skipped, limit: left });
      const { id } = found.at(-1) ?? {};
      if (id === undefined) return;
      yield* found;
      left -= found.length;
      rest = descending ? { ...rest, to: id, toExclusive: true } : { ...rest, from: id, fromExclusive: true };
    }
  }
}
