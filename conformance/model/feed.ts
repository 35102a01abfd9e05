/**
 * What the changes feed may show of a database, rule by rule: each function answers one question, so that a check
 * which asks it fails for its own rule only.
 *
 * What is deliberately left open, since the service document leaves it open (4.7 rule 3): the order of the rows, also
 * between calls; the order of the revisions in a row; the seqs, which are opaque JSON values and may differ between
 * calls for the same place.
 */
import { conflicts, leaves, winner, type RevisionTree } from './revisions.js';

export type FeedMode = 'normal' | 'longpoll' | 'continuous' | 'eventsource';

/** The query parameters of a request to the feed (SERVICE 4.5). One that is not there is not sent. */
export interface FeedQuery {
  readonly feed?: FeedMode;
  readonly style?: 'main_only' | 'all_docs';
  readonly include_docs?: boolean;
  readonly conflicts?: boolean;
  readonly filter?: string;
  readonly view?: string;
  readonly doc_ids?: readonly string[];
  readonly seq_interval?: number;
  readonly attachments?: boolean;
  readonly att_encoding_info?: boolean;
  readonly descending?: boolean;
  readonly limit?: number;
  /** A seq as the server gave it, or `now`. */
  readonly since?: unknown;
  readonly timeout?: number;
  readonly heartbeat?: number | true;
}

export interface FeedRequest {
  readonly method: 'GET' | 'POST';
  readonly query: FeedQuery;
}

/** The row that a document has in the feed once nothing is written any more. */
export interface AllowedRow {
  readonly id: string;
  /** The winning revision. */
  readonly winner: string;
  /** The revisions in `changes`, in any order. */
  readonly revs: readonly string[];
  /** `deleted: true`, or no such member. */
  readonly deleted: boolean;
  /** Missing when the row has no `doc`. */
  readonly doc?: AllowedDoc;
}

export interface AllowedDoc {
  /** `_id`, `_rev`, `_deleted` for a deleted one, and every field as written; nothing else but `_` members. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The revisions in `_conflicts`, in any order; where there are none, the member may be missing. */
  readonly conflicts: readonly string[];
}

/** The allowed row of a written document. */
export function allowedRow(id: string, tree: RevisionTree, query: FeedQuery = {}): AllowedRow {
  const best = winner(tree);
  if (!best) throw new Error(`${id} was never written`);
  const shown = query.style === 'all_docs' ? leaves(tree) : [best];
  return {
    id,
    winner: best.rev,
    revs: shown.map(({ rev }) => rev),
    deleted: best.deleted,
    doc: query.include_docs ? allowedDoc(id, tree, query) : undefined,
  };
}

function allowedDoc(id: string, tree: RevisionTree, query: FeedQuery): AllowedDoc {
  const { rev, deleted, body } = winner(tree)!;
  return {
    fields: { ...body, _id: id, _rev: rev, ...(deleted && { _deleted: true }) },
    conflicts: query.conflicts ? conflicts(tree).map((loser) => loser.rev) : [],
  };
}
