/** Rows of the changes feed (SERVICE 2.6). They are the same in all modes. */
import type { components } from '../../openapi/generated/types.service.js';
import type { OperationRequest } from '../generated/handlers.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import { renderDocument } from '../store/render-document.js';
import type { Json } from '../store/json.js';
import type { DocumentRow } from '../store/tables.js';

type ChangeRow = components['schemas']['ChangeRow'];

/** Start of a feed. */
export interface Start {
  /** A sequence of the database, or `now`. */
  readonly since: string;
  /** Name of the parameter, for error messages. */
  readonly parameter: string;
}

/** Selection and content of the rows. */
export interface FeedOptions {
  /** The parameters of the request. The members beside it take the place of some of them. */
  readonly query: OperationRequest<'getChanges'>['query'];
  readonly start: Start;
  /** Maximum number of rows, or Infinity. */
  readonly limit: number;
}

/** A changed document and the data of its row. */
export interface Change extends DocumentRow {
  /** Sequence that resumes after this row. */
  readonly seq: Json;
  /** The revisions that the row lists, winner first. */
  readonly listed: readonly string[];
}

/** A row as text. */
export interface RenderedRow {
  readonly position: number;
  /** Null if the row has no sequence because of `seq_interval`. */
  readonly seq: Json;
  /** JSON text of the row. */
  readonly json: string;
}

/**
 * The parameters that decide which revisions and which documents a row shows. Without documents, those about documents
 * mean nothing (SERVICE 4.5).
 */
export const contentOf = ({
  style,
  include_docs,
  conflicts,
  attachments,
  att_encoding_info,
}: FeedOptions['query']) => ({
  style,
  include_docs,
  conflicts: include_docs && conflicts,
  attachments: include_docs && attachments,
  att_encoding_info: include_docs && att_encoding_info,
});

export type RowContent = ReturnType<typeof contentOf>;

/** Renders a row. */
export type RenderRow = (database: Database, change: Change, options: FeedOptions) => ChangeRow;

/** It knows only the {@link RowContent} of a request, so feeds with the same one can share rows. */
export const renderRow = (
  database: Database,
  change: Change,
  { query }: { readonly query: RowContent },
): ChangeRow => {
  const { id, seq, leaves, listed, body, attachments } = change;
  const { winner, deleted } = leaves;
  const row: ChangeRow = {
    seq,
    id,
    changes: listed.map((rev) => ({ rev })),
  };
  if (deleted) row.deleted = true;
  if (body !== undefined) {
    const renderAttachment = attachmentRenderer((attachment) => database.contents.read(attachment), query);
    row.doc = renderDocument(id, { revision: winner, deleted, body, attachments }, renderAttachment);
    if (query.conflicts && leaves.conflicts.length > 0) row.doc._conflicts = leaves.conflicts;
  }
  return row;
};
