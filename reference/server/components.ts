/** The replaceable functions of the server. Faults, variations and tests replace some of them by name. */
import type { ServerResponse } from 'node:http';
import { authorize } from '../auth/authorization.js';
import {
  authenticationComponents,
  authenticators,
  type AuthenticationComponents,
  type Authenticators,
} from '../auth/chain.js';
import { isCurrentCode } from '../auth/totp.js';
import { checkOwnChange, prepareUserDocument } from '../auth/user-documents.js';
import type { Context, HandlerComponents } from '../handlers/context.js';
import { openFeed } from '../feed/feed.js';
import { rowsOfFeeds } from '../feed/rendered-rows.js';
import { createFilter } from '../filters/create-filter.js';
import type { Handlers } from '../generated/handlers.js';
import { handlers } from '../handlers/index.js';
import { errorBody } from '../http/error-body.js';
import { parseBody } from '../http/request-body.js';
import { bulkTurn } from '../http/turns.js';
import { storeComponents, type StoreComponents } from '../store/database.js';

/** The replaceable functions of the server. A fault, or `ServerOptions.components`, replaces some of them. */
export interface Components extends AuthenticationComponents, HandlerComponents, StoreComponents {
  readonly handlers: Handlers<Context>;
  readonly authenticators: Authenticators;
  readonly authorize: typeof authorize;
  readonly parseBody: typeof parseBody;
  readonly errorBody: typeof errorBody;
  /** Called with each response before the server uses it. */
  readonly prepareResponse: (response: ServerResponse) => void;
  readonly isCurrentCode: typeof isCurrentCode;
}

export const defaultComponents: Components = {
  handlers,
  authenticators,
  authorize,
  parseBody,
  errorBody,
  bulkTurn,
  prepareResponse: () => {},
  prepareUserDocument,
  checkOwnChange,
  createFilter,
  openFeed,
  rows: rowsOfFeeds,
  isCurrentCode,
  ...authenticationComponents,
  ...storeComponents,
};

/** A change that makes the server break one rule, to test whether the suite detects it. */
export interface Fault {
  readonly id: string;
  /** ID of the broken rule. */
  readonly rule: string;
  /** One sentence that says what the server does wrong. */
  readonly summary: string;
  /** Number of nodes that the fault needs. Default 1. */
  readonly nodes?: number;
  /** Whether the fault shows only after a minute, which the suite waits in its most thorough profile. Default false. */
  readonly isSlow?: boolean;
  readonly replace: (components: Components) => Components;
}
