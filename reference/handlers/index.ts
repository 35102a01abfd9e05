/** All operations of the description, composed from the handlers of each resource. */
import type { Context } from './context.js';
import type { Handlers } from '../generated/handlers.js';
import { allDocs } from './all-docs.js';
import { attachments } from './attachments.js';
import { bulk } from './bulk.js';
import { changes } from './changes.js';
import { config } from './config.js';
import { databases } from './databases.js';
import { documentForms } from './document-form.js';
import { documents } from './documents.js';
import { acceptLocalDocuments, localDocuments } from './local-documents.js';
import { root } from './root.js';
import { security } from './security.js';
import { session } from './session.js';
import { protectUsersDatabase } from './users.js';

const protectedWriters = protectUsersDatabase({ ...documents, ...bulk, ...attachments });

export const handlers: Handlers<Context> = {
  ...root,
  ...session,
  ...databases,
  ...documents,
  ...allDocs,
  ...bulk,
  ...attachments,
  ...protectedWriters,
  ...acceptLocalDocuments(protectedWriters),
  ...documentForms(protectedWriters),
  ...changes,
  ...localDocuments,
  ...security,
  ...config,
};
