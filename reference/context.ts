/** What a handler is given besides the request: the server's state and who asks. */
import type { IncomingHttpHeaders } from 'node:http';
import type { DialectNames } from '../openapi/generated/dialects.js';
import type { Settings } from './config/settings.js';
import type { Store } from './store/store.js';
import type { UserContext } from './auth/user-context.js';

export type { UserContext } from './auth/user-context.js';

/** One for each request. Access to the database in the path has been decided before a handler runs. */
export interface Context {
  readonly store: Store;
  readonly settings: Settings;
  /** The words of the dialect that the server speaks. */
  readonly dialect: DialectNames;
  readonly user: UserContext;
  /** The request as it came, for what the typed request does not carry. */
  readonly requestHead: RequestHead;
}

export interface RequestHead {
  readonly method: string;
  /** Path and query string as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}
