/** Interface between the changes feed and its filters (SERVICE 4.8). */
import type { IncomingHttpHeaders } from 'node:http';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { UserContext } from '../auth/user-context.js';
import type { OperationRequest } from '../generated/handlers.js';
import type { DocumentHead, Revision } from '../store/tables.js';
import type { WorkerPool } from './evaluation/worker-pool.js';

/** The parts of a changes request that select the filter. */
export interface FilterRequest {
  readonly query: Pick<OperationRequest<'getChanges'>['query'], 'filter' | 'view' | 'doc_ids'>;
  /** Null for GET. */
  readonly body: OperationRequest<'postChanges'>['body'] | null;
}

/** The parts of the HTTP request that the generated request types leave out. */
export interface RequestHead {
  readonly method: string;
  /** Path and query string as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client; empty if the client has already disconnected. */
  readonly address: string;
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

/** Whose programs share the processes fairly: a user, or an address without one. */
export function accountOf({ user, requestHead }: Pick<FilterContext, 'user' | 'requestHead'>): string {
  return JSON.stringify(user.name === null ? { address: requestHead.address } : { user: user.name });
}

/** A changed document and the revisions to filter. */
export interface Candidate {
  readonly head: DocumentHead;
  /** Revisions that the feed would list, winner first. */
  readonly revisions: readonly Revision[];
}

/** What a filter does with texts of documents. */
export interface Verdicts {
  /** Whether each of them passes. */
  readonly passes: readonly boolean[];
  /** Whether that depends on nothing but the program and the texts. */
  readonly isPure: boolean;
}

/** The texts of documents that a filter evaluates. */
export interface DocumentTexts {
  /** Filters with the same key have the same texts. */
  readonly key: string;
  /** Unique key of the program that evaluates them. */
  readonly program: string;
  /** Call it right after reading the document. */
  readonly render: (head: DocumentHead, revision: Revision) => string;
  /** Like `Filter.accept`, for texts. */
  readonly accept: (texts: readonly string[]) => Promise<Verdicts>;
}

export interface Filter {
  /**
   * Unique key of a filter that depends on nothing but the revision, so that its results can be used again. A filter that
   * depends on anything else has none.
   */
  readonly key?: string | undefined;
  /** The filter accepts all revisions of these documents, and no others. */
  readonly ids?: ReadonlySet<string>;
  /** Lets feeds keep the texts, and filter without reading documents again. */
  readonly texts?: DocumentTexts;
  /** Whether the filter uses the content of documents. Otherwise the `body` of revisions may be empty. */
  readonly needsBodies: boolean;
  /**
   * Returns for each candidate and each of its revisions whether it passes. Wait for the result before the next call.
   * Call it right after reading a batch, before any write.
   *
   * Rejects with an `httpError` (4xx) if the filter fails, for example because a function throws or does not end. The
   * feed ends then. Rejects with an `AbortError` if the filter is closed.
   */
  accept(batch: readonly Candidate[]): Promise<boolean[][]>;
  /** Call this when the feed ends. Further calls have no effect. */
  close(): void;
}
