/** Requests, responses and handler types of each operation. Generated from openapi/ by `npm run generate`. */
import type { Readable } from 'node:stream';
import type { components } from '../../openapi/generated/types.service.js';

type NoParameters = Record<never, never>;
type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A response without a body. */
interface Empty<Status> {
  status: Status;
  headers?: ResponseHeaders;
  body?: undefined;
}

/** A JSON response. */
interface Json<Status, Body> {
  status: Status;
  type?: 'application/json';
  headers?: ResponseHeaders;
  body: Body;
}

/** A response of another media type. */
interface Content<Status, Type, Body> {
  status: Status;
  type: Type;
  headers?: ResponseHeaders;
  body: Body;
}

/** The requests of each operation: parameters are parsed and have their defaults, header names are lowercase. */
export interface OperationRequests {
  getRoot: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getUp: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getUuids: {
    params: NoParameters;
    query: { count: number };
    headers: NoParameters;
    body: null;
  };
  getMembership: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getAllDbs: {
    params: NoParameters;
    query: {
      descending: boolean;
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      limit?: number;
      skip: number;
    };
    headers: NoParameters;
    body: null;
  };
  getDbsInfo: {
    params: NoParameters;
    query: {
      descending: boolean;
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      limit?: number;
      skip: number;
    };
    headers: NoParameters;
    body: null;
  };
  postDbsInfo: {
    params: NoParameters;
    query: NoParameters;
    headers: { 'content-encoding'?: string };
    body: components['schemas']['DbsInfoRequest'];
  };
  getSession: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  postSession: {
    params: NoParameters;
    query: { next?: string };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['Credentials'];
  };
  deleteSession: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getUser: {
    params: { username: string };
    query: {
      rev?: string;
      revs: boolean;
      revs_info: boolean;
      open_revs?: 'all' | components['schemas']['SentRevision'][];
      conflicts: boolean;
      deleted_conflicts: boolean;
      local_seq: boolean;
      meta: boolean;
      latest: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      atts_since?: components['schemas']['SentRevision'][];
    };
    headers: { 'if-none-match'?: string };
    body: null;
  };
  putUser: {
    params: { username: string };
    query: { rev?: string; new_edits: boolean };
    headers: { 'if-match'?: string };
    body: components['schemas']['User'];
  };
  deleteUser: {
    params: { username: string };
    query: { rev?: string; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: null;
  };
  getConfig: {
    params: { node: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  reloadConfig: {
    params: { node: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getConfigSection: {
    params: { node: string; section: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getConfigKey: {
    params: { node: string; section: string; key: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  putConfigKey: {
    params: { node: string; section: string; key: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['ConfigValue'];
  };
  deleteConfigKey: {
    params: { node: string; section: string; key: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  getDatabase: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  postDocument: {
    params: { db: string };
    query: { batch?: 'ok' };
    headers: NoParameters;
    body: components['schemas']['DocumentInput'];
  };
  putDatabase: {
    params: { db: string };
    query: { q?: number; n?: number; partitioned: boolean };
    headers: NoParameters;
    body: null;
  };
  deleteDatabase: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  compactDatabase: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['NoInput'];
  };
  commitDatabase: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['NoInput'];
  };
  getChanges: {
    params: { db: string };
    query: {
      doc_ids?: string[];
      conflicts: boolean;
      descending: boolean;
      feed: 'normal' | 'longpoll' | 'continuous' | 'eventsource';
      filter?: string;
      heartbeat?: true | number;
      include_docs: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      'last-event-id'?: number | string;
      limit?: number;
      since: string;
      style: 'main_only' | 'all_docs';
      timeout?: number;
      view?: string;
      seq_interval?: number;
    };
    headers: { accept?: string; 'last-event-id'?: string; 'if-none-match'?: string };
    body: null;
  };
  postChanges: {
    params: { db: string };
    query: {
      doc_ids?: string[];
      conflicts: boolean;
      descending: boolean;
      feed: 'normal' | 'longpoll' | 'continuous' | 'eventsource';
      filter?: string;
      heartbeat?: true | number;
      include_docs: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      'last-event-id'?: number | string;
      limit?: number;
      since: string;
      style: 'main_only' | 'all_docs';
      timeout?: number;
      view?: string;
      seq_interval?: number;
    };
    headers: {
      accept?: string;
      'last-event-id'?: string;
      'if-none-match'?: string;
      'content-encoding'?: string;
    };
    body: components['schemas']['ChangesRequest'] | null;
  };
  getAllDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: NoParameters;
    body: null;
  };
  postAllDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsRequest'];
  };
  getDesignDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: NoParameters;
    body: null;
  };
  postDesignDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsRequest'];
  };
  getLocalDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
    };
    headers: NoParameters;
    body: null;
  };
  postLocalDocs: {
    params: { db: string };
    query: {
      include_docs: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsRequest'];
  };
  postAllDocsQueries: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsQueriesRequest'];
  };
  postDesignDocsQueries: {
    params: { db: string };
    query: {
      include_docs: boolean;
      conflicts: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
      update_seq: boolean;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsQueriesRequest'];
  };
  postLocalDocsQueries: {
    params: { db: string };
    query: {
      include_docs: boolean;
      descending: boolean;
      key?: string;
      keys?: unknown[];
      startkey?: string;
      start_key?: string;
      endkey?: string;
      end_key?: string;
      inclusive_end: boolean;
      limit?: number;
      skip: number;
    };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['AllDocsQueriesRequest'];
  };
  bulkDocs: {
    params: { db: string };
    query: { w?: number };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['BulkDocsRequest'] &
      Required<Pick<components['schemas']['BulkDocsRequest'], 'new_edits'>>;
  };
  bulkGet: {
    params: { db: string };
    query: { revs: boolean; latest: boolean; attachments: boolean };
    headers: { 'content-encoding'?: string };
    body: components['schemas']['BulkGetRequest'];
  };
  revsDiff: {
    params: { db: string };
    query: NoParameters;
    headers: { 'content-encoding'?: string };
    body: components['schemas']['RevsDiffRequest'];
  };
  missingRevs: {
    params: { db: string };
    query: NoParameters;
    headers: { 'content-encoding'?: string };
    body: components['schemas']['RevsDiffRequest'];
  };
  getSecurity: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  putSecurity: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['Security'];
  };
  getRevsLimit: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  putRevsLimit: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['RevsLimit'];
  };
  getDesignDocument: {
    params: { db: string; ddoc: string };
    query: {
      rev?: string;
      revs: boolean;
      revs_info: boolean;
      open_revs?: 'all' | components['schemas']['SentRevision'][];
      conflicts: boolean;
      deleted_conflicts: boolean;
      local_seq: boolean;
      meta: boolean;
      latest: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      atts_since?: components['schemas']['SentRevision'][];
    };
    headers: { 'if-none-match'?: string };
    body: null;
  };
  putDesignDocument: {
    params: { db: string; ddoc: string };
    query: { rev?: string; new_edits: boolean; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: components['schemas']['DocumentInput'];
  };
  deleteDesignDocument: {
    params: { db: string; ddoc: string };
    query: { rev?: string; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: null;
  };
  getLocalDocument: {
    params: { db: string; docid: string };
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };
  putLocalDocument: {
    params: { db: string; docid: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['DocumentInput'];
  };
  deleteLocalDocument: {
    params: { db: string; docid: string };
    query: { rev?: string };
    headers: NoParameters;
    body: null;
  };
  getDocument: {
    params: { db: string; docid: string };
    query: {
      rev?: string;
      revs: boolean;
      revs_info: boolean;
      open_revs?: 'all' | components['schemas']['SentRevision'][];
      conflicts: boolean;
      deleted_conflicts: boolean;
      local_seq: boolean;
      meta: boolean;
      latest: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      atts_since?: components['schemas']['SentRevision'][];
    };
    headers: { 'if-none-match'?: string };
    body: null;
  };
  postDocumentForm: {
    params: { db: string; docid: string };
    query: NoParameters;
    headers: { referer: string };
    body: Buffer;
  };
  putDocument: {
    params: { db: string; docid: string };
    query: { rev?: string; new_edits: boolean; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: components['schemas']['DocumentInput'];
  };
  deleteDocument: {
    params: { db: string; docid: string };
    query: { rev?: string; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: null;
  };
  getAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: string };
    headers: { 'if-none-match'?: string; range?: string; 'if-range'?: string };
    body: null;
  };
  putAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: string };
    headers: { 'if-match'?: string };
    body: Buffer;
  };
  deleteAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: string };
    headers: { 'if-match'?: string };
    body: null;
  };
}

/** The responses of each operation. Handlers throw the errors that the description does not list for the operation. */
export interface OperationResponses {
  getRoot: Json<200, components['schemas']['Greeting']> | Json<400 | 401, components['schemas']['ErrorBody']>;
  getUp: Json<200, components['schemas']['UpStatus']> | Json<404, components['schemas']['UpProblem']>;
  getUuids: Json<200, components['schemas']['Uuids']> | Json<400 | 401, components['schemas']['ErrorBody']>;
  getMembership:
    Json<200, components['schemas']['Membership']> | Json<401 | 403, components['schemas']['ErrorBody']>;
  getAllDbs:
    | Json<200, components['schemas']['DatabaseNames']>
    | Json<400 | 401 | 403, components['schemas']['ErrorBody']>;
  getDbsInfo:
    | Json<200, components['schemas']['DatabasesInfo']>
    | Json<400 | 401 | 403, components['schemas']['ErrorBody']>;
  postDbsInfo:
    | Json<200, components['schemas']['DatabasesInfo']>
    | Json<400 | 401 | 403 | 413 | 415, components['schemas']['ErrorBody']>;
  getSession:
    Json<200, components['schemas']['Session']> | Json<400 | 401 | 403, components['schemas']['ErrorBody']>;
  postSession:
    | Json<200 | 302, components['schemas']['LoginResult']>
    | Json<400 | 401 | 403 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteSession:
    Json<200, components['schemas']['Success']> | Json<400 | 401, components['schemas']['ErrorBody']>;
  getUser:
    | Content<200, 'multipart/related', Buffer | Readable>
    | Content<200, 'multipart/mixed', Buffer | Readable>
    | Json<200, components['schemas']['DocumentOrRevisions']>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 406, components['schemas']['ErrorBody']>;
  putUser:
    | Json<201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteUser:
    | Json<200, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409, components['schemas']['ErrorBody']>;
  getConfig:
    Json<200, components['schemas']['Config']> | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  reloadConfig:
    | Json<200, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 404, components['schemas']['ErrorBody']>;
  getConfigSection:
    | Json<200, components['schemas']['ConfigSection']>
    | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  getConfigKey:
    | Json<200, components['schemas']['ConfigValue']>
    | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  putConfigKey:
    | Json<200, components['schemas']['ConfigValue']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteConfigKey:
    | Json<200, components['schemas']['ConfigValue']>
    | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  getDatabase:
    | Json<200, components['schemas']['DatabaseInfo']>
    | Json<400 | 401 | 403 | 404, components['schemas']['ErrorBody']>;
  postDocument:
    | Json<201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 413 | 415, components['schemas']['ErrorBody']>;
  putDatabase:
    | Json<201 | 202, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 412, components['schemas']['ErrorBody']>;
  deleteDatabase:
    | Json<200 | 202, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 404, components['schemas']['ErrorBody']>;
  compactDatabase:
    | Json<202, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  commitDatabase:
    | Json<201, components['schemas']['Committed']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getChanges:
    | Content<200, 'text/plain', components['schemas']['ContinuousFeed'] | Buffer | Readable>
    | Content<200, 'text/event-stream', components['schemas']['EventStream'] | Buffer | Readable>
    | Json<200, components['schemas']['ChangesResponse'] | Buffer | Readable>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 405 | 406 | 413 | 415 | 429, components['schemas']['ErrorBody']>;
  postChanges:
    | Content<200, 'text/plain', components['schemas']['ContinuousFeed'] | Buffer | Readable>
    | Content<200, 'text/event-stream', components['schemas']['EventStream'] | Buffer | Readable>
    | Json<200, components['schemas']['ChangesResponse'] | Buffer | Readable>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 405 | 406 | 413 | 415 | 429, components['schemas']['ErrorBody']>;
  getAllDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postAllDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getDesignDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postDesignDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getLocalDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postLocalDocs:
    | Json<200, components['schemas']['AllDocsResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postAllDocsQueries:
    | Json<200, components['schemas']['AllDocsQueriesResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postDesignDocsQueries:
    | Json<200, components['schemas']['AllDocsQueriesResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  postLocalDocsQueries:
    | Json<200, components['schemas']['AllDocsQueriesResult'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  bulkDocs:
    | Json<201 | 202, components['schemas']['BulkDocsResults']>
    | Json<400 | 401 | 403 | 404 | 412 | 413 | 415, components['schemas']['ErrorBody']>;
  bulkGet:
    | Content<200, 'multipart/mixed', Buffer | Readable>
    | Content<200, 'multipart/related', Buffer | Readable>
    | Json<200, components['schemas']['BulkGetResults'] | Buffer | Readable>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  revsDiff:
    | Json<200, components['schemas']['RevsDiffResults']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  missingRevs:
    | Json<200, components['schemas']['MissingRevsResults']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getSecurity:
    Json<200, components['schemas']['Security']> | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  putSecurity:
    | Json<200 | 202, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getRevsLimit:
    Json<200, components['schemas']['RevsLimit']> | Json<401 | 403 | 404, components['schemas']['ErrorBody']>;
  putRevsLimit:
    | Json<200, components['schemas']['Success']>
    | Json<400 | 401 | 403 | 404 | 413 | 415, components['schemas']['ErrorBody']>;
  getDesignDocument:
    | Content<200, 'multipart/related', Buffer | Readable>
    | Content<200, 'multipart/mixed', Buffer | Readable>
    | Json<200, components['schemas']['DocumentOrRevisions']>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 406, components['schemas']['ErrorBody']>;
  putDesignDocument:
    | Json<200 | 201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 412 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteDesignDocument:
    | Json<200, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409, components['schemas']['ErrorBody']>;
  getLocalDocument:
    | Json<200, components['schemas']['Document']>
    | Json<400 | 401 | 403 | 404, components['schemas']['ErrorBody']>;
  putLocalDocument:
    | Json<201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteLocalDocument:
    | Json<200, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409, components['schemas']['ErrorBody']>;
  getDocument:
    | Content<200, 'multipart/related', Buffer | Readable>
    | Content<200, 'multipart/mixed', Buffer | Readable>
    | Json<200, components['schemas']['DocumentOrRevisions']>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 406, components['schemas']['ErrorBody']>;
  postDocumentForm:
    | Json<200 | 201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 412 | 413 | 415, components['schemas']['ErrorBody']>;
  putDocument:
    | Json<200 | 201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 412 | 413 | 415, components['schemas']['ErrorBody']>;
  deleteDocument:
    | Json<200, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409, components['schemas']['ErrorBody']>;
  getAttachment:
    | Content<200 | 206, 'application/octet-stream', Buffer | Readable>
    | Content<200 | 206, string, Buffer | Readable>
    | Empty<304>
    | Json<400 | 401 | 403 | 404 | 416, components['schemas']['ErrorBody']>;
  putAttachment:
    | Json<201, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409 | 413, components['schemas']['ErrorBody']>;
  deleteAttachment:
    | Json<200, components['schemas']['WriteResult']>
    | Json<202, components['schemas']['PendingWrite']>
    | Json<400 | 401 | 403 | 404 | 409, components['schemas']['ErrorBody']>;
}

export type OperationId = keyof OperationRequests;
export type OperationRequest<Id extends OperationId> = OperationRequests[Id];
export type OperationResponse<Id extends OperationId> = OperationResponses[Id];

export type Handler<Id extends OperationId, Context> = (
  request: OperationRequest<Id>,
  context: Context,
) => Promise<OperationResponse<Id>>;

/** One handler per operation. */
export interface Handlers<Context> {
  /** Read the greeting (SERVICE 4.1) */
  getRoot: Handler<'getRoot', Context>;
  /** Check whether the server is ready (supporting) */
  getUp: Handler<'getUp', Context>;
  /** Generate UUIDs (supporting) */
  getUuids: Handler<'getUuids', Context>;
  /** List the nodes (supporting) */
  getMembership: Handler<'getMembership', Context>;
  /** List the databases (supporting) */
  getAllDbs: Handler<'getAllDbs', Context>;
  /** List the databases with their state (supporting) */
  getDbsInfo: Handler<'getDbsInfo', Context>;
  /** Read the state of some databases (supporting) */
  postDbsInfo: Handler<'postDbsInfo', Context>;
  /** Read the session (SERVICE 4.2) */
  getSession: Handler<'getSession', Context>;
  /** Log in (SERVICE 4.3) */
  postSession: Handler<'postSession', Context>;
  /** Log out (supporting) */
  deleteSession: Handler<'deleteSession', Context>;
  /** Read a user (supporting) */
  getUser: Handler<'getUser', Context>;
  /** Create or change a user (SERVICE 4.4) */
  putUser: Handler<'putUser', Context>;
  /** Delete a user (supporting) */
  deleteUser: Handler<'deleteUser', Context>;
  /** Read the settings of a node (supporting) */
  getConfig: Handler<'getConfig', Context>;
  /** Read the configuration files again (supporting) */
  reloadConfig: Handler<'reloadConfig', Context>;
  /** Read the settings of a section (supporting) */
  getConfigSection: Handler<'getConfigSection', Context>;
  /** Read a setting (supporting) */
  getConfigKey: Handler<'getConfigKey', Context>;
  /** Change a setting (supporting) */
  putConfigKey: Handler<'putConfigKey', Context>;
  /** Delete a setting (supporting) */
  deleteConfigKey: Handler<'deleteConfigKey', Context>;
  /** Read information about a database (supporting) */
  getDatabase: Handler<'getDatabase', Context>;
  /** Create a document (supporting) */
  postDocument: Handler<'postDocument', Context>;
  /** Create a database (supporting) */
  putDatabase: Handler<'putDatabase', Context>;
  /** Delete a database (supporting) */
  deleteDatabase: Handler<'deleteDatabase', Context>;
  /** Compact a database (supporting) */
  compactDatabase: Handler<'compactDatabase', Context>;
  /** Commit a database (supporting) */
  commitDatabase: Handler<'commitDatabase', Context>;
  /** Read the changes of a database (SERVICE 4.5) */
  getChanges: Handler<'getChanges', Context>;
  /** Read the changes of a database with filter input in the body (SERVICE 4.6) */
  postChanges: Handler<'postChanges', Context>;
  /** List the documents (supporting) */
  getAllDocs: Handler<'getAllDocs', Context>;
  /** List documents with options in the body (supporting) */
  postAllDocs: Handler<'postAllDocs', Context>;
  /** List the design documents (supporting) */
  getDesignDocs: Handler<'getDesignDocs', Context>;
  /** List the design documents with options in the body (supporting) */
  postDesignDocs: Handler<'postDesignDocs', Context>;
  /** List the local documents (supporting) */
  getLocalDocs: Handler<'getLocalDocs', Context>;
  /** List the local documents with options in the body (supporting) */
  postLocalDocs: Handler<'postLocalDocs', Context>;
  /** Read several lists of documents (supporting) */
  postAllDocsQueries: Handler<'postAllDocsQueries', Context>;
  /** Read several lists of design documents (supporting) */
  postDesignDocsQueries: Handler<'postDesignDocsQueries', Context>;
  /** Read several lists of local documents (supporting) */
  postLocalDocsQueries: Handler<'postLocalDocsQueries', Context>;
  /** Write many documents (supporting) */
  bulkDocs: Handler<'bulkDocs', Context>;
  /** Read many documents (supporting) */
  bulkGet: Handler<'bulkGet', Context>;
  /** Find missing revisions (supporting) */
  revsDiff: Handler<'revsDiff', Context>;
  /** List missing revisions (supporting) */
  missingRevs: Handler<'missingRevs', Context>;
  /** Read the security object of a database (supporting) */
  getSecurity: Handler<'getSecurity', Context>;
  /** Replace the security object of a database (supporting) */
  putSecurity: Handler<'putSecurity', Context>;
  /** Read the limit of revisions (supporting) */
  getRevsLimit: Handler<'getRevsLimit', Context>;
  /** Change the limit of revisions (supporting) */
  putRevsLimit: Handler<'putRevsLimit', Context>;
  /** Read a design document (supporting) */
  getDesignDocument: Handler<'getDesignDocument', Context>;
  /** Write a design document (supporting) */
  putDesignDocument: Handler<'putDesignDocument', Context>;
  /** Delete a design document (supporting) */
  deleteDesignDocument: Handler<'deleteDesignDocument', Context>;
  /** Read a local document (supporting) */
  getLocalDocument: Handler<'getLocalDocument', Context>;
  /** Write a local document (supporting) */
  putLocalDocument: Handler<'putLocalDocument', Context>;
  /** Delete a local document (supporting) */
  deleteLocalDocument: Handler<'deleteLocalDocument', Context>;
  /** Read a document (supporting) */
  getDocument: Handler<'getDocument', Context>;
  /** Write a document with the form of a page (supporting) */
  postDocumentForm: Handler<'postDocumentForm', Context>;
  /** Write a document (supporting) */
  putDocument: Handler<'putDocument', Context>;
  /** Delete a document (supporting) */
  deleteDocument: Handler<'deleteDocument', Context>;
  /** Read an attachment (supporting) */
  getAttachment: Handler<'getAttachment', Context>;
  /** Write an attachment (supporting) */
  putAttachment: Handler<'putAttachment', Context>;
  /** Delete an attachment (supporting) */
  deleteAttachment: Handler<'deleteAttachment', Context>;
}
