/**
 * What the changes feed may return for a database.
 *
 * The service document leaves some things open (SERVICE 4.7 rule 3), and so does this model: the order of the rows,
 * which may differ between requests; the order of the revisions in a row; the seqs, which are opaque JSON values and
 * may differ between requests for the same position.
 */
import type { operations } from '../../openapi/generated/types.service.js';
import { conflicts, leaves, winner, type RevisionTree } from './revisions.js';

type Parameters = NonNullable<operations['getChanges']['parameters']['query']>;

/** The query parameters of the feed (SERVICE 4.5). A missing or undefined parameter is not sent. */
export interface FeedQuery extends Readonly<Omit<Parameters, 'doc_ids' | 'since'>> {
  readonly doc_ids?: readonly string[];
  /** A seq exactly as the server returned it, or `now`. */
  readonly since?: unknown;
}

export type FeedMode = NonNullable<FeedQuery['feed']>;
/** Modes whose responses may wait for a change (SERVICE 4.7). */
export const waitingModes = ['longpoll', 'continuous', 'eventsource'] as const satisfies FeedMode[];
export const feedModes = ['normal', ...waitingModes] as const satisfies FeedMode[];

/** A request to the feed (SERVICE 4.5, 4.6). */
export interface FeedRequest {
  /** Default: `GET`. */
  readonly method?: 'GET' | 'POST';
  readonly query?: FeedQuery;
  /** The body of a POST. Default: an empty object. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The same request with some parameters changed; `undefined` removes a parameter. */
export function withQuery<Request extends FeedRequest>(request: Request, changes: FeedQuery): Request {
  return { ...request, query: { ...request.query, ...changes } };
}

/** The row of a document in the feed of a database that is no longer written to. */
export interface AllowedRow {
  readonly id: string;
  readonly winner: string;
  /** The revisions in `changes`, in any order. */
  readonly revs: readonly string[];
  /** True: the row has `deleted: true`. False: it has no such member. */
  readonly deleted: boolean;
  /** Missing if the row has no `doc`. */
  readonly doc?: AllowedDoc;
}

export interface AllowedDoc {
  /** `_id`, `_rev`, `_deleted` if deleted, and every field as written. The server may add other `_` members only. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The revisions in `_conflicts`, in any order. If there are none, the member may be missing. */
  readonly conflicts: readonly string[];
}

/** Returns the allowed row of a document that was written. */
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
    conflicts: query.conflicts ? conflicts(tree).map((conflict) => conflict.rev) : [],
  };
}
