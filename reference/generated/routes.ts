/** The route of each operation. Generated from openapi/ by `npm run generate`. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { OperationId } from './handlers.js';
import type { OperationValidators } from './validators.js';
import * as validators from './validators.js';

/** How the server parses the request body; `raw` keeps the bytes. */
export type BodyKind = 'none' | 'json' | 'json-or-form' | 'json-or-multipart' | 'raw';

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
    operationId: 'getMembership',
    method: 'GET',
    path: '/_membership',
    body: 'none',
    validators: validators.getMembership,
  },
  {
    operationId: 'getAllDbs',
    method: 'GET',
    path: '/_all_dbs',
    body: 'none',
    validators: validators.getAllDbs,
  },
  {
    operationId: 'getDbsInfo',
    method: 'GET',
    path: '/_dbs_info',
    body: 'none',
    validators: validators.getDbsInfo,
  },
  {
    operationId: 'postDbsInfo',
    method: 'POST',
    path: '/_dbs_info',
    body: 'json',
    validators: validators.postDbsInfo,
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
    operationId: 'getUser',
    method: 'GET',
    path: `/_users/${names.userIdPrefix}{username}`,
    body: 'none',
    validators: validators.getUser,
  },
  {
    operationId: 'putUser',
    method: 'PUT',
    path: `/_users/${names.userIdPrefix}{username}`,
    body: 'json',
    validators: validators.putUser,
  },
  {
    operationId: 'deleteUser',
    method: 'DELETE',
    path: `/_users/${names.userIdPrefix}{username}`,
    body: 'none',
    validators: validators.deleteUser,
  },
  {
    operationId: 'getConfig',
    method: 'GET',
    path: '/_node/{node}/_config',
    body: 'none',
    validators: validators.getConfig,
  },
  {
    operationId: 'reloadConfig',
    method: 'POST',
    path: '/_node/{node}/_config/_reload',
    body: 'none',
    validators: validators.reloadConfig,
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
    operationId: 'compactDatabase',
    method: 'POST',
    path: '/{db}/_compact',
    body: 'json',
    validators: validators.compactDatabase,
  },
  {
    operationId: 'commitDatabase',
    method: 'POST',
    path: '/{db}/_ensure_full_commit',
    body: 'json',
    validators: validators.commitDatabase,
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
    operationId: 'getDesignDocs',
    method: 'GET',
    path: '/{db}/_design_docs',
    body: 'none',
    validators: validators.getDesignDocs,
  },
  {
    operationId: 'postDesignDocs',
    method: 'POST',
    path: '/{db}/_design_docs',
    body: 'json',
    validators: validators.postDesignDocs,
  },
  {
    operationId: 'getLocalDocs',
    method: 'GET',
    path: '/{db}/_local_docs',
    body: 'none',
    validators: validators.getLocalDocs,
  },
  {
    operationId: 'postLocalDocs',
    method: 'POST',
    path: '/{db}/_local_docs',
    body: 'json',
    validators: validators.postLocalDocs,
  },
  {
    operationId: 'postAllDocsQueries',
    method: 'POST',
    path: '/{db}/_all_docs/queries',
    body: 'json',
    validators: validators.postAllDocsQueries,
  },
  {
    operationId: 'postDesignDocsQueries',
    method: 'POST',
    path: '/{db}/_design_docs/queries',
    body: 'json',
    validators: validators.postDesignDocsQueries,
  },
  {
    operationId: 'postLocalDocsQueries',
    method: 'POST',
    path: '/{db}/_local_docs/queries',
    body: 'json',
    validators: validators.postLocalDocsQueries,
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
    operationId: 'missingRevs',
    method: 'POST',
    path: '/{db}/_missing_revs',
    body: 'json',
    validators: validators.missingRevs,
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
    operationId: 'getRevsLimit',
    method: 'GET',
    path: '/{db}/_revs_limit',
    body: 'none',
    validators: validators.getRevsLimit,
  },
  {
    operationId: 'putRevsLimit',
    method: 'PUT',
    path: '/{db}/_revs_limit',
    body: 'json',
    validators: validators.putRevsLimit,
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
    body: 'json-or-multipart',
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
    operationId: 'postDocumentForm',
    method: 'POST',
    path: '/{db}/{docid}',
    body: 'raw',
    validators: validators.postDocumentForm,
  },
  {
    operationId: 'putDocument',
    method: 'PUT',
    path: '/{db}/{docid}',
    body: 'json-or-multipart',
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

/** Who may use each operation, from `x-access`. */
export const access = {
  getRoot: 'public',
  getUp: 'public',
  getUuids: 'public',
  getMembership: 'serverAdmin',
  getAllDbs: 'serverAdmin',
  getDbsInfo: 'serverAdmin',
  postDbsInfo: 'serverAdmin',
  getSession: 'public',
  postSession: 'public',
  deleteSession: 'public',
  getUser: 'owner',
  putUser: 'owner',
  deleteUser: 'owner',
  getConfig: 'serverAdmin',
  reloadConfig: 'serverAdmin',
  getConfigSection: 'serverAdmin',
  getConfigKey: 'serverAdmin',
  putConfigKey: 'serverAdmin',
  deleteConfigKey: 'serverAdmin',
  getDatabase: 'member',
  postDocument: 'member',
  putDatabase: 'serverAdmin',
  deleteDatabase: 'serverAdmin',
  compactDatabase: 'databaseAdmin',
  commitDatabase: 'member',
  getChanges: 'member',
  postChanges: 'member',
  getAllDocs: 'member',
  postAllDocs: 'member',
  getDesignDocs: 'member',
  postDesignDocs: 'member',
  getLocalDocs: 'member',
  postLocalDocs: 'member',
  postAllDocsQueries: 'member',
  postDesignDocsQueries: 'member',
  postLocalDocsQueries: 'member',
  bulkDocs: 'member',
  bulkGet: 'member',
  revsDiff: 'member',
  missingRevs: 'member',
  getSecurity: 'member',
  putSecurity: 'databaseAdmin',
  getRevsLimit: 'member',
  putRevsLimit: 'databaseAdmin',
  getDesignDocument: 'member',
  putDesignDocument: 'databaseAdmin',
  deleteDesignDocument: 'databaseAdmin',
  getLocalDocument: 'member',
  putLocalDocument: 'member',
  deleteLocalDocument: 'member',
  getDocument: 'reader',
  postDocumentForm: 'writer',
  putDocument: 'writer',
  deleteDocument: 'writer',
  getAttachment: 'reader',
  putAttachment: 'writer',
  deleteAttachment: 'writer',
} as const satisfies Record<OperationId, string>;

/** A path, and all paths below it, that the server does not offer. */
export interface NotOffered {
  readonly path: string;
  readonly reason: string;
}

/** From `x-not-offered`. */
export const notOffered: readonly NotOffered[] = [
  {
    path: '/{db}/_design/{ddoc}/_view',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_design/{ddoc}/_info',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_design/{ddoc}/_show',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_design/{ddoc}/_list',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_design/{ddoc}/_update',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_design/{ddoc}/_rewrite',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_compact/{ddoc}',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_temp_view',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_view_cleanup',
    reason:
      'Views and design functions other than filters are not offered. Filters of the changes feed can use map functions.',
  },
  {
    path: '/{db}/_find',
    reason: 'Queries with selectors are not offered. Filters of the changes feed can use selectors.',
  },
  {
    path: '/{db}/_explain',
    reason: 'Queries with selectors are not offered. Filters of the changes feed can use selectors.',
  },
  {
    path: '/{db}/_index',
    reason: 'Queries with selectors are not offered. Filters of the changes feed can use selectors.',
  },
  { path: '/_nouveau_analyze', reason: 'Full-text search is not offered.' },
  { path: '/_search_analyze', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_design/{ddoc}/_nouveau', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_design/{ddoc}/_nouveau_info', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_design/{ddoc}/_search', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_design/{ddoc}/_search_info', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_nouveau_cleanup', reason: 'Full-text search is not offered.' },
  { path: '/{db}/_search_cleanup', reason: 'Full-text search is not offered.' },
  {
    path: '/_replicate',
    reason:
      'Replication by the server is not offered. Clients such as PouchDB can replicate with this server.',
  },
  {
    path: '/_scheduler',
    reason:
      'Replication by the server is not offered. Clients such as PouchDB can replicate with this server.',
  },
  { path: '/{db}/_auto_purge', reason: 'Purging is not offered. Delete the database to remove everything.' },
  { path: '/{db}/_purge', reason: 'Purging is not offered. Delete the database to remove everything.' },
  {
    path: '/{db}/_purged_infos',
    reason: 'Purging is not offered. Delete the database to remove everything.',
  },
  {
    path: '/{db}/_purged_infos_limit',
    reason: 'Purging is not offered. Delete the database to remove everything.',
  },
  { path: '/{db}/_partition', reason: 'Partitioned databases are not offered.' },
  {
    path: '/_db_updates',
    reason: 'The feed of all databases is not offered. Use `_all_dbs` and the changes feed of each database.',
  },
  { path: '/_cluster_setup', reason: 'Operating a cluster is not offered.' },
  { path: '/_reshard', reason: 'Operating a cluster is not offered.' },
  { path: '/{db}/_shards', reason: 'Operating a cluster is not offered.' },
  { path: '/{db}/_sync_shards', reason: 'Operating a cluster is not offered.' },
  { path: '/_active_tasks', reason: 'Monitoring is not offered. `/_up` says whether the server runs.' },
  {
    path: '/_node/{node}/_prometheus',
    reason: 'Monitoring is not offered. `/_up` says whether the server runs.',
  },
  {
    path: '/_node/{node}/_restart',
    reason: 'Monitoring is not offered. `/_up` says whether the server runs.',
  },
  {
    path: '/_node/{node}/_smoosh',
    reason: 'Monitoring is not offered. `/_up` says whether the server runs.',
  },
  { path: '/_node/{node}/_stats', reason: 'Monitoring is not offered. `/_up` says whether the server runs.' },
  {
    path: '/_node/{node}/_system',
    reason: 'Monitoring is not offered. `/_up` says whether the server runs.',
  },
  {
    path: '/_node/{node}/_versions',
    reason: 'Monitoring is not offered. `/_up` says whether the server runs.',
  },
  { path: '/_utils', reason: 'The web interface is not offered.' },
];
