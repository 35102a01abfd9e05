/** What a handler is given besides the request: the server's state and who asks. */
import type { Authentication } from '../auth/chain.js';
import type { checkOwnChange, prepareUserDocument } from '../auth/user-documents.js';
import type { Configuration } from '../config/configuration.js';
import type { Settings } from '../config/settings.js';
import type { OpenFeed } from '../feed/feed.js';
import type { OpenReader } from '../feed/reader.js';
import type { RenderRow } from '../feed/rows.js';
import type { Filter, FilterContext, FilterRequest } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import type { Store } from '../store/store.js';

/** The replaceable functions that handlers call. */
export interface HandlerComponents {
  readonly prepareUserDocument: typeof prepareUserDocument;
  readonly checkOwnChange: typeof checkOwnChange;
  readonly createFilter: (
    database: Database,
    request: FilterRequest,
    context: Context,
  ) => Promise<Filter | undefined>;
  readonly openFeed: OpenFeed;
  readonly openReader: OpenReader;
  readonly renderRow: RenderRow;
}

/** What the requests of one server share. */
export interface ServerState extends Pick<FilterContext, 'dialect' | 'evaluators'> {
  /** Identifier of the server, hexadecimal (SERVICE 2.1). */
  readonly uuid: string;
  readonly store: Store;
  readonly configuration: Configuration;
  /** Those of the configuration. */
  readonly settings: Settings;
  readonly authentication: Authentication;
  readonly components: HandlerComponents;
  /** Which of the nodes over one store this server is, counted from 0. */
  readonly node: number;
}

/** One for each request. Access to the database in the path has been decided before a handler runs. */
export interface Context extends ServerState, FilterContext {
  /** Aborted when the server stops: what waits ends then. */
  readonly stopping: AbortSignal;
}
