/** All operations of the description, composed from the handlers of each resource. */
import type { Context } from '../context.js';
import { httpError } from '../errors.js';
import type { Handlers } from '../generated/handlers.js';
import { attachments } from './attachments.js';
import { bulk } from './bulk.js';
import { changes } from './changes.js';
import { databases } from './databases.js';
import { documents } from './documents.js';
import { localDocuments } from './local-documents.js';
import { root } from './root.js';
import { security } from './security.js';
import { session } from './session.js';
import { guardUsers } from './users.js';

/** Of what the description has and this server does not offer. */
const notImplemented = () =>
  Promise.reject(httpError(501, 'not_implemented', 'This server does not offer the operation.'));

export const handlers: Handlers<Context> = {
  ...root,
  ...session,
  ...databases,
  ...documents,
  ...bulk,
  ...guardUsers({ ...documents, ...bulk }),
  ...changes,
  ...localDocuments,
  ...security,
  ...attachments,
  getConfig: notImplemented,
  getConfigSection: notImplemented,
  getConfigKey: notImplemented,
  putConfigKey: notImplemented,
  deleteConfigKey: notImplemented,
};
