/** The route of each operation. Generated from openapi/ by `npm run generate`. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { OperationId } from './handlers.js';
import type { OperationValidators } from './validators.js';
import * as validators from './validators.js';

/** How the server parses the request body; `raw` keeps the bytes. */
export type BodyKind = 'none' | 'json' | 'json-or-form' | 'raw';

export interface Route {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path in hapi syntax. */
  readonly path: string;
  readonly body: BodyKind;
  readonly validators: OperationValidators;
}

export const routes = (names: DialectNames): readonly Route[] => [
  {
    operationId: 'getRoot',
    method: 'GET',
    path: '/',
    body: 'none',
    validators: validators.getRoot,
  },
  {
    operationId: 'getUp',
    method: 'GET',
    path: '/_up',
    body: 'none',
    validators: validators.getUp,
  },
  {
    operationId: 'getUuids',
    method: 'GET',
    path: '/_uuids',
    body: 'none',
    validators: validators.getUuids,
  },
  {
    operationId: 'getAllDbs',
    method: 'GET',
    path: '/_all_dbs',
    body: 'none',
    validators: validators.getAllDbs,
  },
  {
    operationId: 'getSession',
    method: 'GET',
    path: '/_session',
    body: 'none',
    validators: validators.getSession,
  },
  {
    operationId: 'postSession',
    method: 'POST',
    path: '/_session',
    body: 'json-or-form',
    validators: validators.postSession,
  },
  {
    operationId: 'deleteSession',
    method: 'DELETE',
    path: '/_session',
    body: 'none',
    validators: validators.deleteSession,
  },
  {
    operationId: 'putUser',
    method: 'PUT',
    path: `/_users/${names.userIdPrefix}{username}`,
    body: 'json',
    validators: validators.putUser,
  },
  {
    operationId: 'getConfig',
    method: 'GET',
    path: '/_node/{node}/_config',
    body: 'none',
    validators: validators.getConfig,
  },
  {
    operationId: 'getConfigSection',
    method: 'GET',
    path: '/_node/{node}/_config/{section}',
    body: 'none',
    validators: validators.getConfigSection,
  },
  {
    operationId: 'getConfigKey',
    method: 'GET',
    path: '/_node/{node}/_config/{section}/{key}',
    body: 'none',
    validators: validators.getConfigKey,
  },
  {
    operationId: 'putConfigKey',
    method: 'PUT',
    path: '/_node/{node}/_config/{section}/{key}',
    body: 'json',
    validators: validators.putConfigKey,
  },
  {
    operationId: 'deleteConfigKey',
    method: 'DELETE',
    path: '/_node/{node}/_config/{section}/{key}',
    body: 'none',
    validators: validators.deleteConfigKey,
  },
  {
    operationId: 'getDatabase',
    method: 'GET',
    path: '/{db}',
    body: 'none',
    validators: validators.getDatabase,
  },
  {
    operationId: 'postDocument',
    method: 'POST',
    path: '/{db}',
    body: 'json',
    validators: validators.postDocument,
  },
  {
    operationId: 'putDatabase',
    method: 'PUT',
    path: '/{db}',
    body: 'none',
    validators: validators.putDatabase,
  },
  {
    operationId: 'deleteDatabase',
    method: 'DELETE',
    path: '/{db}',
    body: 'none',
    validators: validators.deleteDatabase,
  },
  {
    operationId: 'getChanges',
    method: 'GET',
    path: '/{db}/_changes',
    body: 'none',
    validators: validators.getChanges,
  },
  {
    operationId: 'postChanges',
    method: 'POST',
    path: '/{db}/_changes',
    body: 'json',
    validators: validators.postChanges,
  },
  {
    operationId: 'getAllDocs',
    method: 'GET',
    path: '/{db}/_all_docs',
    body: 'none',
    validators: validators.getAllDocs,
  },
  {
    operationId: 'postAllDocs',
    method: 'POST',
    path: '/{db}/_all_docs',
    body: 'json',
    validators: validators.postAllDocs,
  },
  {
    operationId: 'bulkDocs',
    method: 'POST',
    path: '/{db}/_bulk_docs',
    body: 'json',
    validators: validators.bulkDocs,
  },
  {
    operationId: 'bulkGet',
    method: 'POST',
    path: '/{db}/_bulk_get',
    body: 'json',
    validators: validators.bulkGet,
  },
  {
    operationId: 'revsDiff',
    method: 'POST',
    path: '/{db}/_revs_diff',
    body: 'json',
    validators: validators.revsDiff,
  },
  {
    operationId: 'getSecurity',
    method: 'GET',
    path: '/{db}/_security',
    body: 'none',
    validators: validators.getSecurity,
  },
  {
    operationId: 'putSecurity',
    method: 'PUT',
    path: '/{db}/_security',
    body: 'json',
    validators: validators.putSecurity,
  },
  {
    operationId: 'getDesignDocument',
    method: 'GET',
    path: '/{db}/_design/{ddoc}',
    body: 'none',
    validators: validators.getDesignDocument,
  },
  {
    operationId: 'putDesignDocument',
    method: 'PUT',
    path: '/{db}/_design/{ddoc}',
    body: 'json',
    validators: validators.putDesignDocument,
  },
  {
    operationId: 'deleteDesignDocument',
    method: 'DELETE',
    path: '/{db}/_design/{ddoc}',
    body: 'none',
    validators: validators.deleteDesignDocument,
  },
  {
    operationId: 'getLocalDocument',
    method: 'GET',
    path: '/{db}/_local/{docid}',
    body: 'none',
    validators: validators.getLocalDocument,
  },
  {
    operationId: 'putLocalDocument',
    method: 'PUT',
    path: '/{db}/_local/{docid}',
    body: 'json',
    validators: validators.putLocalDocument,
  },
  {
    operationId: 'deleteLocalDocument',
    method: 'DELETE',
    path: '/{db}/_local/{docid}',
    body: 'none',
    validators: validators.deleteLocalDocument,
  },
  {
    operationId: 'getDocument',
    method: 'GET',
    path: '/{db}/{docid}',
    body: 'none',
    validators: validators.getDocument,
  },
  {
    operationId: 'putDocument',
    method: 'PUT',
    path: '/{db}/{docid}',
    body: 'json',
    validators: validators.putDocument,
  },
  {
    operationId: 'deleteDocument',
    method: 'DELETE',
    path: '/{db}/{docid}',
    body: 'none',
    validators: validators.deleteDocument,
  },
  {
    operationId: 'getAttachment',
    method: 'GET',
    path: '/{db}/{docid}/{attname*}',
    body: 'none',
    validators: validators.getAttachment,
  },
  {
    operationId: 'putAttachment',
    method: 'PUT',
    path: '/{db}/{docid}/{attname*}',
    body: 'raw',
    validators: validators.putAttachment,
  },
  {
    operationId: 'deleteAttachment',
    method: 'DELETE',
    path: '/{db}/{docid}/{attname*}',
    body: 'none',
    validators: validators.deleteAttachment,
  },
];
