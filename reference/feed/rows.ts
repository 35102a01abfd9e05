/** The rows of a feed (SERVICE 2.6), whatever the mode that carries them. */
import type { components } from '../../openapi/generated/types.service.js';
import { attachmentRenderer } from '../store/attachments.js';
import type { Batch, Database } from '../store/database.js';
import { renderDocument } from '../store/document.js';
import type { DocumentRow } from '../store/tables.js';

type ChangeRow = components['schemas']['ChangeRow'];

/** Which rows, and what is in them. */
export interface FeedOptions {
  /** The position that `since` names. */
  after: number;
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
}

/** So much is in memory at once: a feed holds no more than a batch that the client has not read. */
const batch: Batch = { rows: 500, characters: 256 * 1024 };

/** Reads the changes up to the present in batches. Writes may come between two batches. */
export function* readChanges(
  database: Database,
  { after, limit, descending, includeDocs, attachments }: FeedOptions,
): Generator<DocumentRow[], void, void> {
  let positions = { after, upTo: database.position };
  for (let left = limit; left > 0 && positions.after < positions.upTo;) {
    const rows = Math.min(batch.rows, left);
    const changes = database.changes(positions, descending, includeDocs, { ...batch, rows, attachments });
    const last = changes.at(-1);
    if (!last) return;
    yield changes;
    left -= changes.length;
    positions = descending ? { after, upTo: last.position - 1 } : { ...positions, after: last.position };
  }
}

/** One row of the feed. */
export type RenderRow = (database: Database, change: DocumentRow, options: FeedOptions) => ChangeRow;

export const renderRow: RenderRow = (database, change, options) => {
  const { id, position, leaves, body, attachments } = change;
  const { conflicts, allLeaves, encodingInfo } = options;
  const { winner, deleted } = leaves;
  const listed = allLeaves ? [winner, ...leaves.conflicts, ...leaves.deletedConflicts] : [winner];
  const row: ChangeRow = {
    seq: database.sequenceOf(position),
    id,
    changes: listed.map((rev) => ({ rev })),
  };
  if (deleted) row.deleted = true;
  if (body !== undefined) {
    const renderAttachment = attachmentRenderer((attachment) => database.content(attachment), {
      attachments: options.attachments,
      att_encoding_info: encodingInfo,
    });
    row.doc = renderDocument(id, { revision: winner, deleted, body, attachments }, renderAttachment);
    if (conflicts && leaves.conflicts.length > 0) row.doc._conflicts = leaves.conflicts;
  }
  return row;
};
