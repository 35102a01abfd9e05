/** The functions that the server is composed of and that can be replaced by name, one or several. */
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
import { openReader } from '../feed/reader.js';
import { renderRow } from '../feed/rows.js';
import { createFilter } from '../filters/create-filter.js';
import type { Handlers } from '../generated/handlers.js';
import { handlers } from '../handlers/index.js';
import { errorBody } from '../http/error-body.js';
import { storeComponents, type StoreComponents } from '../store/database.js';

export interface Components extends AuthenticationComponents, HandlerComponents, StoreComponents {
  readonly handlers: Handlers<Context>;
  readonly authenticators: Authenticators;
  readonly authorize: typeof authorize;
  readonly errorBody: typeof errorBody;
  /** Told of each response before anything is done with it. */
  readonly prepareResponse: (response: ServerResponse) => void;
  readonly isCurrentCode: typeof isCurrentCode;
}

export const defaultComponents: Components = {
  handlers,
  authenticators,
  authorize,
  errorBody,
  prepareResponse: () => {},
  prepareUserDocument,
  checkOwnChange,
  createFilter,
  openFeed,
  openReader,
  isCurrentCode,
  renderRow,
  ...authenticationComponents,
  ...storeComponents,
};

/** A server that breaks one rule, for trying out what finds it. */
export interface Fault {
  readonly id: string;
  /** The rule that it breaks. */
  readonly rule: string;
  /** What the server does wrong, in one sentence. */
  readonly summary: string;
  /** How many nodes the server needs to break it; one unless given. */
  readonly nodes?: number;
  readonly replace: (components: Components) => Components;
}
