/** What handlers receive in addition to the request: the state of the server, and the caller. */
import type { Authentication } from '../auth/chain.js';
import type { checkOwnChange, prepareUserDocument } from '../auth/user-documents.js';
import type { ConfigurationFiles } from '../config/config-file.js';
import type { Configuration } from '../config/configuration.js';
import type { Settings } from '../config/settings.js';
import type { openFeed } from '../feed/feed.js';
import type { RowSource } from '../feed/rendered-rows.js';
import type { Filter, FilterContext, FilterRequest } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import type { Logger } from '../http/logging.js';
import type { BulkTurn } from '../http/turns.js';
import type { Store } from '../store/store.js';
import type { Uuids } from './uuids.js';

/** The replaceable functions that handlers call. */
export interface HandlerComponents {
  readonly bulkTurn: () => BulkTurn;
  readonly prepareUserDocument: typeof prepareUserDocument;
  readonly checkOwnChange: typeof checkOwnChange;
  readonly createFilter: (
    database: Database,
    request: FilterRequest,
    context: Context,
  ) => Promise<Filter | undefined>;
  readonly openFeed: typeof openFeed;
  readonly rows: RowSource;
}

/** State that all requests to one server share. */
export interface ServerState extends Pick<FilterContext, 'dialect' | 'workerPool'> {
  /** UUID of the server, hexadecimal (SERVICE 2.1). */
  readonly uuid: string;
  readonly store: Store;
  readonly configuration: Configuration;
  readonly configurationFiles: ConfigurationFiles;
  /** The settings of `configuration`. */
  readonly settings: Settings;
  readonly authentication: Authentication;
  readonly uuids: Uuids;
  readonly components: HandlerComponents;
  readonly log: Logger;
  /** Index of this node among the nodes that share the store. */
  readonly node: number;
}

/** Context of one request. Access to the database in the path has been checked before a handler runs. */
export interface Context extends ServerState, FilterContext {
  /** Aborted when the server stops, to end requests that wait. */
  readonly stopping: AbortSignal;
  /** Returns a signal that is aborted when the client closes the connection, and after the response. */
  readonly disconnected: () => AbortSignal;
}
