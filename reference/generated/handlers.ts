/** What each operation is given and what it may answer. Generated from openapi/ by `npm run generate`. */
import type { Readable } from 'node:stream';
import type { components } from '../../openapi/generated/types.service.js';

type NoParameters = Record<never, never>;
type HeaderValue = string | readonly string[];
type ResponseHeaders = Readonly<Record<string, HeaderValue>>;

/** What a handler is given: parameters are parsed and have their defaults, header names are in lower case. */
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

  getSession: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };

  postSession: {
    params: NoParameters;
    query: { next?: string };
    headers: NoParameters;
    body: components['schemas']['Credentials'];
  };

  deleteSession: {
    params: NoParameters;
    query: NoParameters;
    headers: NoParameters;
    body: null;
  };

  putUser: {
    params: { username: string };
    query: { rev?: components['schemas']['Revision']; new_edits: boolean };
    headers: { 'if-match'?: string };
    body: components['schemas']['User'];
  };

  getConfig: {
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
    headers: { accept?: string; 'last-event-id'?: string; 'if-none-match'?: string };
    body: components['schemas']['ChangesRequest'];
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
      keys?: string[];
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
      keys?: string[];
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
    body: components['schemas']['AllDocsRequest'];
  };

  bulkDocs: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
    body: components['schemas']['BulkDocsRequest'] &
      Required<Pick<components['schemas']['BulkDocsRequest'], 'new_edits'>>;
  };

  bulkGet: {
    params: { db: string };
    query: { revs: boolean; latest: boolean; attachments: boolean };
    headers: NoParameters;
    body: components['schemas']['BulkGetRequest'];
  };

  revsDiff: {
    params: { db: string };
    query: NoParameters;
    headers: NoParameters;
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

  getDesignDocument: {
    params: { db: string; ddoc: string };
    query: {
      rev?: components['schemas']['Revision'];
      revs: boolean;
      revs_info: boolean;
      open_revs?: 'all' | components['schemas']['Revision'][];
      conflicts: boolean;
      deleted_conflicts: boolean;
      local_seq: boolean;
      meta: boolean;
      latest: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      atts_since?: components['schemas']['Revision'][];
    };
    headers: { 'if-none-match'?: string };
    body: null;
  };

  putDesignDocument: {
    params: { db: string; ddoc: string };
    query: { rev?: components['schemas']['Revision']; new_edits: boolean; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: components['schemas']['DocumentInput'];
  };

  deleteDesignDocument: {
    params: { db: string; ddoc: string };
    query: { rev?: components['schemas']['Revision']; batch?: 'ok' };
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
    query: { rev?: components['schemas']['Revision'] };
    headers: NoParameters;
    body: null;
  };

  getDocument: {
    params: { db: string; docid: string };
    query: {
      rev?: components['schemas']['Revision'];
      revs: boolean;
      revs_info: boolean;
      open_revs?: 'all' | components['schemas']['Revision'][];
      conflicts: boolean;
      deleted_conflicts: boolean;
      local_seq: boolean;
      meta: boolean;
      latest: boolean;
      attachments: boolean;
      att_encoding_info: boolean;
      atts_since?: components['schemas']['Revision'][];
    };
    headers: { 'if-none-match'?: string };
    body: null;
  };

  putDocument: {
    params: { db: string; docid: string };
    query: { rev?: components['schemas']['Revision']; new_edits: boolean; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: components['schemas']['DocumentInput'];
  };

  deleteDocument: {
    params: { db: string; docid: string };
    query: { rev?: components['schemas']['Revision']; batch?: 'ok' };
    headers: { 'if-match'?: string };
    body: null;
  };

  getAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: components['schemas']['Revision'] };
    headers: { 'if-none-match'?: string; range?: string };
    body: null;
  };

  putAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: components['schemas']['Revision'] };
    headers: { 'if-match'?: string };
    body: Buffer;
  };

  deleteAttachment: {
    params: { db: string; docid: string; attname: string };
    query: { rev?: components['schemas']['Revision'] };
    headers: { 'if-match'?: string };
    body: null;
  };
}

/**
 * What a handler may answer. Errors that the description does not list for the operation are thrown.
 * A stream is sent as it comes.
 */
export interface OperationResponses {
  getRoot:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Greeting'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getUp:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['UpStatus'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['UpStatus'];
      };

  getUuids:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Uuids'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getAllDbs:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['DatabaseNames'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getSession:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Session'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  postSession:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['LoginResult'];
      }
    | {
        status: 302;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['LoginResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteSession:
    | { status: 200; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putUser:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getConfig:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Config'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getConfigSection:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ConfigSection'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getConfigKey:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ConfigValue'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putConfigKey:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ConfigValue'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteConfigKey:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ConfigValue'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getDatabase:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['DatabaseInfo'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  postDocument:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putDatabase:
    | { status: 201; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | { status: 202; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 412;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteDatabase:
    | { status: 200; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | { status: 202; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getChanges:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ChangesResponse'] | Readable;
      }
    | {
        status: 200;
        type: 'text/plain';
        headers?: ResponseHeaders;
        body: components['schemas']['ContinuousFeed'] | Readable;
      }
    | {
        status: 200;
        type: 'text/event-stream';
        headers?: ResponseHeaders;
        body: components['schemas']['EventStream'] | Readable;
      }
    | { status: 304; headers?: ResponseHeaders; body?: undefined }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 405;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 406;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      };

  postChanges:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['ChangesResponse'] | Readable;
      }
    | {
        status: 200;
        type: 'text/plain';
        headers?: ResponseHeaders;
        body: components['schemas']['ContinuousFeed'] | Readable;
      }
    | {
        status: 200;
        type: 'text/event-stream';
        headers?: ResponseHeaders;
        body: components['schemas']['EventStream'] | Readable;
      }
    | { status: 304; headers?: ResponseHeaders; body?: undefined }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 405;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 406;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'] | Readable;
      };

  getAllDocs:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['AllDocsResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  postAllDocs:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['AllDocsResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  bulkDocs:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['BulkDocsResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['BulkDocsResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  bulkGet:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['BulkGetResult'];
      }
    | { status: 200; type: 'multipart/mixed'; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 200; type: 'multipart/related'; headers?: ResponseHeaders; body: Buffer | Readable }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  revsDiff:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['RevsDiffResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getSecurity:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Security'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putSecurity:
    | { status: 200; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | { status: 202; type?: 'application/json'; headers?: ResponseHeaders; body: components['schemas']['Ok'] }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getDesignDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Document'] | components['schemas']['OpenRevisions'];
      }
    | { status: 200; type: 'multipart/related'; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 200; type: 'multipart/mixed'; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 304; headers?: ResponseHeaders; body?: undefined }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 406;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putDesignDocument:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteDesignDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getLocalDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Document'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putLocalDocument:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteLocalDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Document'] | components['schemas']['OpenRevisions'];
      }
    | { status: 200; type: 'multipart/related'; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 200; type: 'multipart/mixed'; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 304; headers?: ResponseHeaders; body?: undefined }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 406;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putDocument:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 415;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteDocument:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  getAttachment:
    | { status: 200; type: string; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 206; type: string; headers?: ResponseHeaders; body: Buffer | Readable }
    | { status: 304; headers?: ResponseHeaders; body?: undefined }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 416;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  putAttachment:
    | {
        status: 201;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 413;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };

  deleteAttachment:
    | {
        status: 200;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 202;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['WriteResult'];
      }
    | {
        status: 400;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 401;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 403;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 404;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 409;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      }
    | {
        status: 501;
        type?: 'application/json';
        headers?: ResponseHeaders;
        body: components['schemas']['Error'];
      };
}

export type OperationId = keyof OperationRequests;
export type OperationRequest<Id extends OperationId> = OperationRequests[Id];
export type OperationResponse<Id extends OperationId> = OperationResponses[Id];

export type Handler<Id extends OperationId, Context> = (
  request: OperationRequest<Id>,
  context: Context,
) => Promise<OperationResponse<Id>>;

/** One function an operation. */
export interface Handlers<Context> {
  /** Greet (SERVICE 4.1) */
  getRoot: Handler<'getRoot', Context>;

  /** Ask whether the server takes requests (supporting) */
  getUp: Handler<'getUp', Context>;

  /** Make identifiers (supporting) */
  getUuids: Handler<'getUuids', Context>;

  /** List the databases (supporting) */
  getAllDbs: Handler<'getAllDbs', Context>;

  /** Ask who the caller is (SERVICE 4.2) */
  getSession: Handler<'getSession', Context>;

  /** Log in (SERVICE 4.3) */
  postSession: Handler<'postSession', Context>;

  /** Log out (supporting) */
  deleteSession: Handler<'deleteSession', Context>;

  /** Create or change a user (SERVICE 4.4) */
  putUser: Handler<'putUser', Context>;

  /** Read the settings of a node (supporting) */
  getConfig: Handler<'getConfig', Context>;

  /** Read the settings of a section (supporting) */
  getConfigSection: Handler<'getConfigSection', Context>;

  /** Read a setting (supporting) */
  getConfigKey: Handler<'getConfigKey', Context>;

  /** Change a setting (supporting) */
  putConfigKey: Handler<'putConfigKey', Context>;

  /** Remove a setting (supporting) */
  deleteConfigKey: Handler<'deleteConfigKey', Context>;

  /** Read the facts about a database (supporting) */
  getDatabase: Handler<'getDatabase', Context>;

  /** Create a document (supporting) */
  postDocument: Handler<'postDocument', Context>;

  /** Create a database (supporting) */
  putDatabase: Handler<'putDatabase', Context>;

  /** Delete a database (supporting) */
  deleteDatabase: Handler<'deleteDatabase', Context>;

  /** Read the changes of a database (SERVICE 4.5) */
  getChanges: Handler<'getChanges', Context>;

  /** Read the changes of a database, with a body (SERVICE 4.6) */
  postChanges: Handler<'postChanges', Context>;

  /** List the documents (supporting) */
  getAllDocs: Handler<'getAllDocs', Context>;

  /** List documents, with the identifiers in the body (supporting) */
  postAllDocs: Handler<'postAllDocs', Context>;

  /** Write many documents (supporting) */
  bulkDocs: Handler<'bulkDocs', Context>;

  /** Read many documents (supporting) */
  bulkGet: Handler<'bulkGet', Context>;

  /** Ask which revisions are missing (supporting) */
  revsDiff: Handler<'revsDiff', Context>;

  /** Read who may use a database (supporting) */
  getSecurity: Handler<'getSecurity', Context>;

  /** Say who may use a database (supporting) */
  putSecurity: Handler<'putSecurity', Context>;

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

  /** Write a document (supporting) */
  putDocument: Handler<'putDocument', Context>;

  /** Delete a document (supporting) */
  deleteDocument: Handler<'deleteDocument', Context>;

  /** Read an attachment (supporting) */
  getAttachment: Handler<'getAttachment', Context>;

  /** Write an attachment (supporting) */
  putAttachment: Handler<'putAttachment', Context>;

  /** Remove an attachment (supporting) */
  deleteAttachment: Handler<'deleteAttachment', Context>;
}
