/** The rows of a feed (SERVICE 2.6), whatever the mode that carries them. */
import type { components } from '../../openapi/generated/types.service.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import { renderDocument } from '../store/render-document.js';
import type { Json } from '../store/json.js';
import type { DocumentRow } from '../store/tables.js';

type ChangeRow = components['schemas']['ChangeRow'];

/** Where a feed begins. */
export interface Start {
  /** A sequence of the database, or `now`. */
  readonly since: string;
  /** The parameter that says it. */
  readonly parameter: string;
}

/** Which rows, and what is in them. */
export interface FeedOptions {
  start: Start;
  /** Greatest number of rows; Infinity for all. */
  limit: number;
  descending: boolean;
  includeDocs: boolean;
  /** Put `_conflicts` into the documents. */
  conflicts: boolean;
  /** Put the content of attachments into the documents. */
  attachments: boolean;
  /** Tell of attachments in the documents how they are compressed. */
  encodingInfo: boolean;
  /** List all leaves of a document, not only the winning revision. */
  allLeaves: boolean;
  /** Only every so many rows have a sequence. */
  seqInterval: number;
}

/** A changed document, with what its row says of it. */
export interface Change extends DocumentRow {
  /** Resumes after this row. */
  readonly seq: Json;
  /** The revisions that the row lists, winner first. */
  readonly listed: readonly string[];
}

/** One row of the feed. */
export type RenderRow = (database: Database, change: Change, options: FeedOptions) => ChangeRow;

export const renderRow: RenderRow = (database, change, options) => {
  const { id, seq, leaves, listed, body, attachments } = change;
  const { conflicts, encodingInfo } = options;
  const { winner, deleted } = leaves;
  const row: ChangeRow = {
    seq,
    id,
    changes: listed.map((rev) => ({ rev })),
  };
  if (deleted) row.deleted = true;
  if (body !== undefined) {
    const renderAttachment = attachmentRenderer((attachment) => database.contents.read(attachment), {
      attachments: options.attachments,
      att_encoding_info: encodingInfo,
    });
    row.doc = renderDocument(id, { revision: winner, deleted, body, attachments }, renderAttachment);
    if (conflicts && leaves.conflicts.length > 0) row.doc._conflicts = leaves.conflicts;
  }
  return row;
};
