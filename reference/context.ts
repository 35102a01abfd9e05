/** What a handler is given besides the request: the server's state and who asks. */
import type { IncomingHttpHeaders } from 'node:http';
import type { DialectNames } from '../openapi/generated/dialects.js';
import type { Authentication } from './auth/chain.js';
import type { checkOwnChange, prepareUserDocument } from './auth/user-documents.js';
import type { UserContext } from './auth/user-context.js';
import type { Configuration } from './config/configuration.js';
import type { Settings } from './config/settings.js';
import type { OpenFeed } from './feed/feed.js';
import type { OpenReader } from './feed/reader.js';
import type { RenderRow } from './feed/rows.js';
import type { Evaluators } from './filters/evaluation/evaluators.js';
import type { Filter, FilterRequest } from './filters/filter.js';
import type { Database } from './store/database.js';
import type { Store } from './store/store.js';

export type { UserContext } from './auth/user-context.js';

/** The replaceable functions that handlers call. */
export interface HandlerParts {
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
export interface ServerState {
  /** Identifier of the server, hexadecimal (SERVICE 2.1). */
  readonly uuid: string;
  readonly store: Store;
  readonly configuration: Configuration;
  /** Those of the configuration. */
  readonly settings: Settings;
  /** The words of the dialect that the server speaks. */
  readonly dialect: DialectNames;
  readonly authentication: Authentication;
  /** What runs the filters of feeds. */
  readonly evaluators: Evaluators;
  readonly parts: HandlerParts;
  /** Which of the nodes over one store this server is, counted from 0. */
  readonly node: number;
}

/** One for each request. Access to the database in the path has been decided before a handler runs. */
export interface Context extends ServerState {
  readonly user: UserContext;
  /** Aborted when the server stops: what waits ends then. */
  readonly stopping: AbortSignal;
  /** The request as it came, for what the typed request does not carry. */
  readonly requestHead: RequestHead;
}

export interface RequestHead {
  readonly method: string;
  /** Path and query string as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the client. */
  readonly address: string;
}
