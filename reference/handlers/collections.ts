/** What lists of documents show: all documents, the design documents, or the local documents of a database. */
import type { components } from '../../openapi/generated/types.service.js';
import type { OperationRequest } from '../generated/handlers.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Batch, Database } from '../store/database.js';
import { renderDocument } from '../store/render-document.js';
import type { DocumentRow, Identifiers } from '../store/tables.js';
import { localPrefix, renderLocalDocument } from './local-documents.js';

/** Local documents have fewer options. */
export type ListOptions = OperationRequest<'getLocalDocs'>['query'] &
  Partial<OperationRequest<'getAllDocs'>['query']>;
export type Row = components['schemas']['AllDocsResult']['rows'][number];
/** The row of a document. */
type FoundRow = components['schemas']['AllDocsRow'];

type ListRow = Omit<DocumentRow, 'body'> & { body?: string | undefined };

/** Documents of a database with a common prefix of their IDs. */
export interface Collection {
  /** All IDs begin with it. A list does not show other keys. */
  readonly prefix: string;
  /** Number of documents; null if the list does not say it. */
  readonly total: number | null;
  /** Undefined if the list has none. */
  readonly updateSequence?: () => components['schemas']['UpdateSequence'];
  /** @returns the number of documents in a range */
  readonly count: (range: Identifiers) => number;
  /** @returns the row of a document, also of a deleted one; undefined if there is none */
  readonly find: (id: string, query: ListOptions) => FoundRow | undefined;
  /** The first rows of a range, in the order of the query. A list asks for the next ones until there are none. */
  readonly rows: (
    range: Identifiers,
    query: ListOptions,
    limits: { skip: number; limit: number },
  ) => FoundRow[];
}

/** A long list reads this much at a time. */
const batch: Batch = { rows: 500, characters: 256 * 1024 };

export const allDocuments = (database: Database): Collection =>
  replicatedDocuments(database, '', database.documentCount);

const designPrefix = '_design/';

export const designDocuments = (database: Database): Collection =>
  replicatedDocuments(database, designPrefix, database.countDocuments(withPrefix({}, designPrefix)));

function replicatedDocuments(database: Database, prefix: string, total: number): Collection {
  return {
    prefix,
    total,
    updateSequence: () => database.sequenceOf(database.position),
    count: (range) => database.countDocuments(range),

    find: (id, query) => {
      const found = database.find(id);
      if (!found) return undefined;
      const { winner, deleted } = found.leaves;
      const content = query.include_docs && !deleted ? database.revision(found, winner) : undefined;
      return renderRow(database, { ...found, ...content }, query);
    },

    rows: (range, query, { skip, limit }) => {
      const listing = { descending: query.descending, bodies: query.include_docs, skip };
      const limits = { ...batch, rows: Math.min(batch.rows, limit), attachments: query.attachments };
      return database.documents(range, listing, limits).map((row) => renderRow(database, row, query));
    },
  };
}

/** As in CouchDB, a list of local documents says nothing of their number. */
export const localDocuments = ({ local }: Database): Collection => ({
  prefix: localPrefix,
  total: null,
  count: () => 0,
  find: (id, query) => localRow(local, id.slice(localPrefix.length), query),
  rows: (range, query, { skip, limit }) => {
    const { from = '', to = '' } = range;
    // What ends before all of them or begins after them has another prefix.
    if (!from.startsWith(localPrefix) || to < localPrefix) return [];
    const names = local.names(withoutPrefix(range), query.descending, skip, Math.min(batch.rows, limit));
    return names.map((name) => localRow(local, name, query)!);
  },
});

function localRow(local: Database['local'], name: string, query: ListOptions): FoundRow | undefined {
  const found = local.find(name);
  if (!found) return undefined;
  const id = localPrefix + name;
  const doc = query.include_docs && { doc: renderLocalDocument(name, found) };
  return { id, key: id, value: { rev: found.revision }, ...doc };
}

/** The range of names of local documents. */
const withoutPrefix = ({ from, to, ...rest }: Identifiers): Identifiers => ({
  ...rest,
  from: from?.slice(localPrefix.length),
  // The end of all of them has another prefix.
  to: to?.startsWith(localPrefix) ? to.slice(localPrefix.length) : undefined,
});

/** @returns the part of a range whose IDs begin with a prefix, which is empty or ends with a slash */
export function withPrefix(range: Identifiers, prefix: string): Identifiers {
  if (prefix === '') return range;
  const { from = '', fromExclusive, to, toExclusive } = range;
  // The character after the slash.
  const end = prefix.replace(/\/$/, '0');
  return {
    ...(from > prefix ? { from, fromExclusive } : { from: prefix }),
    ...(to !== undefined && to < end ? { to, toExclusive } : { to: end, toExclusive: true }),
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
  const { attachments: withContent = false, att_encoding_info = false } = query;
  const renderAttachment = attachmentRenderer((attachment) => database.contents.read(attachment), {
    attachments: withContent,
    att_encoding_info,
  });
  return {
    ...renderDocument(id, { revision, deleted, body, attachments }, renderAttachment),
    ...(query.conflicts && conflicts.length > 0 && { _conflicts: conflicts }),
  };
}
