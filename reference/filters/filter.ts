/** What a filter of the changes feed is to the feed, whatever the filter and the mode (SERVICE 4.8). */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { UserContext } from '../auth/user-context.js';
import type { OperationRequest } from '../generated/handlers.js';
import type { RequestHead } from '../http/request-head.js';
import type { DocumentHead, Revision } from '../store/tables.js';
import type { WorkerPool } from './evaluation/worker-pool.js';

/** What a request to the feed says of its filter. */
export interface FilterRequest {
  readonly query: Pick<OperationRequest<'getChanges'>['query'], 'filter' | 'view' | 'doc_ids'>;
  /** Null for `GET`. */
  readonly body: OperationRequest<'postChanges'>['body'] | null;
}

/** What filters use of the server and of the caller. */
export interface FilterContext {
  readonly user: UserContext;
  /** The request as sent: filter functions receive it as their second argument. */
  readonly requestHead: RequestHead;
  /** Names that the dialect of the server uses. */
  readonly dialect: DialectNames;
  readonly workerPool: WorkerPool;
}

/** A changed document, and what of it the filter judges. */
export interface Candidate {
  readonly head: DocumentHead;
  /** The revisions that the feed would list, winner first. */
  readonly revisions: readonly Revision[];
}

export interface Filter {
  /** Whether it judges by content. Without it the `body` of the revisions need not be read and may be empty. */
  readonly needsBodies: boolean;
  /**
   * For each candidate and each of its revisions, whether it passes. To be called with one batch after another, and
   * before anything can have been written since the batch was read.
   *
   * Rejects with an error of `httpError` (4xx) when the filter itself fails, such as a function that throws or
   * loops: the feed ends. Rejects with an `AbortError` when the filter has been closed in the meantime.
   */
  accept(batch: readonly Candidate[]): Promise<boolean[][]>;
  /** To be called when the feed ends, for whatever reason; more than once does no harm. */
  close(): void;
}
