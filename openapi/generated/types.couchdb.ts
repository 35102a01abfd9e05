/** Types of the API, in the "couchdb" dialect. Generated from the OpenAPI description by docfeed. */

export interface paths {
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the greeting
     * @description Returns the greeting and the version of the server. Credentials are optional.
     */
    get: operations['getRoot'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_up': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check whether the server is ready
     * @description For load balancers, and to wait until the server has started.
     */
    get: operations['getUp'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_uuids': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Generate UUIDs
     * @description Generate UUIDs that can be used as document ids.
     */
    get: operations['getUuids'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_membership': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the nodes
     * @description Returns the names of the nodes, for paths such as `/_node/{node}/_config`, to an administrator.
     */
    get: operations['getMembership'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_all_dbs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the databases
     * @description Returns the names of all databases, sorted.
     */
    get: operations['getAllDbs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_dbs_info': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the databases with their state
     * @description Returns what `GET /{db}` returns of all databases, sorted by name.
     */
    get: operations['getDbsInfo'];
    put?: never;
    /**
     * Read the state of some databases
     * @description Returns what `GET /{db}` returns of the listed databases. The server limits their number.
     */
    post: operations['postDbsInfo'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the session
     * @description Returns the user context for the credentials of the request, whichever authentication method it uses. Proxy headers and bearer tokens need no separate session request.
     */
    get: operations['getSession'];
    put?: never;
    /**
     * Log in
     * @description Verify the name, the password and, for a user with a second factor, the one-time code. Issue the session cookie `AuthSession` for later requests. Wrong credentials give no cookie that authenticates.
     */
    post: operations['postSession'];
    /**
     * Log out
     * @description Clear the session cookie.
     */
    delete: operations['deleteSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_node/{node}/_config': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
      };
      cookie?: never;
    };
    /**
     * Read the settings of a node
     * @description Returns all settings, by section, to an administrator.
     */
    get: operations['getConfig'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_node/{node}/_config/_reload': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read the configuration files again
     * @description Apply as an administrator what has changed in the configuration files since the server read them. Settings that were changed in another way stay, unless the files changed them as well.
     */
    post: operations['reloadConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_node/{node}/_config/{section}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
      };
      cookie?: never;
    };
    /**
     * Read the settings of a section
     * @description Returns all settings of the section to an administrator. An unknown section has no settings.
     */
    get: operations['getConfigSection'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/_node/{node}/_config/{section}/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
        /**
         * @description Name of the setting.
         * @example authentication_handlers
         */
        key: components['parameters']['ConfigKey'];
      };
      cookie?: never;
    };
    /**
     * Read a setting
     * @description Returns the value of the setting to an administrator.
     */
    get: operations['getConfigKey'];
    /**
     * Change a setting
     * @description Set the value as an administrator. Settings apply immediately, except that the server may read chttpd/authentication_handlers only at startup. Handlers have the form `{chttpd_auth, cookie_authentication_handler}`.
     */
    put: operations['putConfigKey'];
    post?: never;
    /**
     * Delete a setting
     * @description Delete the value as an administrator, so that the default applies again.
     */
    delete: operations['deleteConfigKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read information about a database
     * @description Returns the name of the database, its number of documents and its update sequence. A trailing slash in the path is ignored.
     */
    get: operations['getDatabase'];
    /**
     * Create a database
     * @description Create an empty database, as an administrator.
     */
    put: operations['putDatabase'];
    /**
     * Create a document
     * @description Write a document. The server generates an id if the document has none.
     */
    post: operations['postDocument'];
    /**
     * Delete a database
     * @description Delete a database with all its documents, as an administrator.
     */
    delete: operations['deleteDatabase'];
    options?: never;
    /**
     * Check whether a database exists
     * @description Returns the status of `GET` without a body.
     */
    head: operations['headDatabase'];
    patch?: never;
    trace?: never;
  };
  '/{db}/_compact': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Compact a database
     * @description Remove the content of all revisions that are not leaves. Their ids stay in the history of the document.
     */
    post: operations['compactDatabase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_ensure_full_commit': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Commit a database
     * @description Confirm that all earlier writes are complete. Replicators compare `instance_start_time` with its value before the replication, to find out whether the database is still the same.
     */
    post: operations['commitDatabase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_changes': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read the changes of a database
     * @description Returns one row per document, for its latest change after `since`; intermediate states can be missing. Rows are partially ordered: the order can differ between requests. In a cluster that has lost a node, rows can repeat, so consumers must apply them idempotently. `feed` selects a response with all past changes, a response that waits for a change, or one of two responses that stay open.
     */
    get: operations['getChanges'];
    put?: never;
    /**
     * Read the changes of a database with filter input in the body
     * @description Same as `GET`, with the same parameters. The body contains the input of the filters `_doc_ids` and `_selector`, which can be too long for a URL.
     */
    post: operations['postChanges'];
    delete?: never;
    options?: never;
    /**
     * Read the headers of the changes of a database
     * @description Returns the status and headers of `GET`, without the feed.
     */
    head: operations['headChanges'];
    patch?: never;
    trace?: never;
  };
  '/{db}/_all_docs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * List the documents
     * @description Returns the documents that are not deleted, sorted by id.
     */
    get: operations['getAllDocs'];
    put?: never;
    /**
     * List documents with options in the body
     * @description Same as `GET`. A list with `keys` includes deleted documents and unknown keys.
     */
    post: operations['postAllDocs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_design_docs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * List the design documents
     * @description Returns the design documents, sorted by id, like a list of all documents.
     */
    get: operations['getDesignDocs'];
    put?: never;
    /**
     * List the design documents with options in the body
     * @description Same as `GET`. A list with `keys` includes unknown keys.
     */
    post: operations['postDesignDocs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_local_docs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * List the local documents
     * @description Returns the local documents, sorted by id. `total_rows` and `offset` are null.
     */
    get: operations['getLocalDocs'];
    put?: never;
    /**
     * List the local documents with options in the body
     * @description Same as `GET`. A list with `keys` includes unknown keys.
     */
    post: operations['postLocalDocs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_all_docs/queries': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read several lists of documents
     * @description Returns one list for each query.
     */
    post: operations['postAllDocsQueries'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_design_docs/queries': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read several lists of design documents
     * @description Returns one list for each query.
     */
    post: operations['postDesignDocsQueries'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_local_docs/queries': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read several lists of local documents
     * @description Returns one list for each query.
     */
    post: operations['postLocalDocsQueries'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_bulk_docs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Write many documents
     * @description Create, update and delete documents in one request. Each document succeeds or fails independently. With `new_edits=false`, revisions are stored unchanged, including conflicts.
     */
    post: operations['bulkDocs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_bulk_get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read many documents
     * @description Read documents, or specific revisions of them, in one request, as a replicator does.
     */
    post: operations['bulkGet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_revs_diff': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find missing revisions
     * @description Returns the listed revisions that the database does not have. A replicator sends this request before it writes.
     */
    post: operations['revsDiff'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_missing_revs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List missing revisions
     * @description Returns the listed revisions that the database does not have. `_revs_diff` also says what they may descend from.
     */
    post: operations['missingRevs'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_security': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read the security object of a database
     * @description Returns the users and roles that are administrators or members of the database.
     */
    get: operations['getSecurity'];
    /**
     * Replace the security object of a database
     * @description Replace the users and roles that are administrators or members of the database.
     */
    put: operations['putSecurity'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_revs_limit': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read the limit of revisions
     * @description Returns how many revisions the server remembers on each path of the history of a document.
     */
    get: operations['getRevsLimit'];
    /**
     * Change the limit of revisions
     * @description Sets how many revisions the server remembers. A document loses its older revisions with its next write. Replicas that have not seen the newer ones then get a conflict.
     */
    put: operations['putRevsLimit'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/_design/{ddoc}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document: its id without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    /**
     * Read a design document
     * @description Returns the winning revision, the revision `rev`, or with `open_revs` several revisions.
     */
    get: operations['getDesignDocument'];
    /**
     * Write a design document
     * @description Create the design document, or update the revision in `_rev`, `rev` or `If-Match`.
     */
    put: operations['putDesignDocument'];
    post?: never;
    /**
     * Delete a design document
     * @description Add a deleted revision after the revision in `rev` or `If-Match`.
     */
    delete: operations['deleteDesignDocument'];
    options?: never;
    /**
     * Check whether a design document exists
     * @description Returns the status and headers of `GET`. `ETag` is the revision.
     */
    head: operations['headDesignDocument'];
    patch?: never;
    trace?: never;
  };
  '/{db}/_local/{docid}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the local document without `_local/`.
         * @example 3fb2c1
         */
        docid: components['parameters']['LocalDocId'];
      };
      cookie?: never;
    };
    /**
     * Read a local document
     * @description Local documents are not replicated and do not appear in the feed. Replicators store their checkpoints in them.
     */
    get: operations['getLocalDocument'];
    /**
     * Write a local document
     * @description Create the local document, or update the revision in `_rev`.
     */
    put: operations['putLocalDocument'];
    post?: never;
    /**
     * Delete a local document
     * @description Delete the local document permanently.
     */
    delete: operations['deleteLocalDocument'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/{db}/{docid}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    /**
     * Read a document
     * @description Returns the winning revision, the revision `rev`, or with `open_revs` several revisions.
     */
    get: operations['getDocument'];
    /**
     * Write a document
     * @description Create the document, or update the revision in `_rev`, `rev` or `If-Match`.
     */
    put: operations['putDocument'];
    /**
     * Write a document with the form of a page
     * @description Create or update the document in `_doc`, or update the revision `_rev`, with the files as attachments. The form must be of a page of the same host, since browsers send cookies with the forms of any page. Programs use `PUT`.
     */
    post: operations['postDocumentForm'];
    /**
     * Delete a document
     * @description Add a deleted revision after the revision in `rev` or `If-Match`.
     */
    delete: operations['deleteDocument'];
    options?: never;
    /**
     * Check whether a document exists
     * @description Returns the status and headers of `GET`. `ETag` is the revision.
     */
    head: operations['headDocument'];
    patch?: never;
    trace?: never;
  };
  '/{db}/{docid}/{attname}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment. It can contain slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    /**
     * Read an attachment
     * @description Returns the content of an attachment, from the winning revision or from the revision `rev`.
     */
    get: operations['getAttachment'];
    /**
     * Write an attachment
     * @description Add or replace an attachment. This creates a new revision of the document. The server stores the `Content-Type`.
     */
    put: operations['putAttachment'];
    post?: never;
    /**
     * Delete an attachment
     * @description Create a revision of the document without the attachment.
     */
    delete: operations['deleteAttachment'];
    options?: never;
    /**
     * Check whether an attachment exists
     * @description Returns the status and headers of `GET`.
     */
    head: operations['headAttachment'];
    patch?: never;
    trace?: never;
  };
  '/_users/org.couchdb.user:{username}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the user. It equals `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    /**
     * Read a user
     * @description Returns the user document, with a hash in place of the password: the winning revision, the revision `rev`, or with `open_revs` several revisions. Users can read their own document only.
     */
    get: operations['getUser'];
    /**
     * Create or change a user
     * @description Write a user document as an administrator. With `totp`, the user has a second factor. The id is the prefix followed by the name.
     */
    put: operations['putUser'];
    post?: never;
    /**
     * Delete a user
     * @description Add a deleted revision after the revision in `rev` or `If-Match`.
     */
    delete: operations['deleteUser'];
    options?: never;
    /**
     * Check whether a user exists
     * @description Returns the status and headers of `GET`. `ETag` is the revision.
     */
    head: operations['headUser'];
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Body of every error response. */
    ErrorBody: {
      /** @description Error code. */
      error: string;
      /** @description Human-readable reason. */
      reason: string;
    };
    /** @description The vendor of the server. */
    Vendor: {
      /** @description Name of the vendor. */
      name: string;
      /** @description Version of the vendor. */
      version: string;
    };
    /** @description Information about the server. */
    Greeting: {
      /** @description Hexadecimal identifier of the server. */
      uuid: string;
      /** @description Version of the server. */
      version: string;
      vendor: components['schemas']['Vendor'];
      /** @description Greeting text. The name of this field depends on the dialect. */
      couchdb: string;
    };
    /** @description Whether the server is ready. */
    UpStatus: {
      /** @description `ok` if the server is ready, otherwise the reason. */
      status: string;
      /** @description State of the nodes from which a node of a cluster gets the others. */
      seeds?: Record<string, never>;
    };
    /** @description Why the server is not ready, or that it does not support the path. A server can say both. */
    UpProblem: components['schemas']['UpStatus'] | components['schemas']['ErrorBody'];
    /** @description New UUIDs. */
    Uuids: {
      /** @description The requested number of UUIDs. */
      uuids: string[];
    };
    /** @description The nodes of a cluster. */
    Membership: {
      /** @description Names of the nodes that this one is connected to, and its own. */
      all_nodes: string[];
      /** @description Names of the nodes of the cluster. */
      cluster_nodes: string[];
    };
    /** @description Names of databases, sorted. */
    DatabaseNames: string[];
    /** @description A position in the feed. It can be any JSON value and usually is a string `<n>-<opaque>`. Clients treat it as opaque and send it back as `since`: a string as plain text, any other value as JSON. It is null only in rows without a sequence because of `seq_interval`. */
    UpdateSequence: unknown;
    /** @description Information about a database. */
    DatabaseInfo: {
      /** @description Name of the database. */
      db_name: string;
      /**
       * Format: int64
       * @description Number of documents that are not deleted.
       */
      doc_count: number;
      /**
       * Format: int64
       * @description Number of deleted documents.
       */
      doc_del_count?: number;
      update_seq: components['schemas']['UpdateSequence'];
      /** @description Opaque sequence of purges. */
      purge_seq?: unknown;
      /** @description When the database was created, in seconds since 1970; `0` if the server does not tell. */
      instance_start_time?: string;
      /** @description Whether the database is being compacted. */
      compact_running?: boolean;
      /**
       * Format: int64
       * @description Version of the format on disk.
       */
      disk_format_version?: number;
      /** @description Sizes in bytes. */
      sizes?: {
        /**
         * Format: int64
         * @description Size on disk.
         */
        file?: number;
        /**
         * Format: int64
         * @description Size of the live data.
         */
        active?: number;
        /**
         * Format: int64
         * @description Size of the uncompressed content.
         */
        external?: number;
      };
      /** @description Additional properties, such as `partitioned`. */
      props?: {
        [key: string]: unknown;
      };
      /** @description How the database is distributed: shards `q`, replicas `n`, quorums `w` and `r`. */
      cluster?: {
        /**
         * Format: int64
         * @description Number of shards.
         */
        q?: number;
        /**
         * Format: int64
         * @description Number of copies of each document.
         */
        n?: number;
        /**
         * Format: int64
         * @description Write quorum.
         */
        w?: number;
        /**
         * Format: int64
         * @description Read quorum.
         */
        r?: number;
      };
    };
    /** @description A database, or an error if there is none of the name. */
    DatabasesInfoEntry: {
      /** @description The requested name. */
      key: unknown;
      info?: components['schemas']['DatabaseInfo'];
      /** @description `not_found`. */
      error?: string;
    };
    /** @description The databases, in the order of the request. */
    DatabasesInfo: components['schemas']['DatabasesInfoEntry'][];
    /** @description Databases to read. */
    DbsInfoRequest: {
      /** @description Names. Other values are unknown databases. */
      keys: unknown[];
    };
    /** @description Roles of a user. The array may be empty. */
    Roles: string[];
    /** @description The identity of the caller. */
    UserContext: {
      /** @description Name of the user, or null for an anonymous caller. */
      name: string | null;
      roles: components['schemas']['Roles'];
    };
    /** @description How the caller was authenticated. */
    SessionInfo: {
      /** @description The handler that authenticated the request, such as `proxy` or `jwt`. Missing for an anonymous caller. */
      authenticated?: string;
      /** @description The users database. */
      authentication_db: string;
      /** @description The active handlers, in the order in which the server tries them. */
      authentication_handlers: string[];
    };
    /** @description The identity of the caller and how it was authenticated. */
    Session: {
      /**
       * @description True on success.
       * @constant
       */
      ok: true;
      userCtx: components['schemas']['UserContext'];
      info: components['schemas']['SessionInfo'];
    };
    /** @description The credentials of a login: `name` (or `username`) and `password`. */
    Credentials: {
      /** @description Name of the user. */
      name?: string;
      /** @description Alternative to `name` that some clients send. */
      username?: string;
      /** @description Password of the user. */
      password: string;
      /** @description The current one-time code, for a user with a `totp.key`. */
      token?: string;
    };
    /** @description The user who is logged in. */
    LoginResult: {
      /**
       * @description True on success.
       * @constant
       */
      ok: true;
      /** @description Name of the user. */
      name: string | null;
      roles: components['schemas']['Roles'];
    };
    /** @description Success. */
    Success: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
    };
    /** @description Id of a revision that a client sends. Its hash can be empty, and is hexadecimal if it has 32 characters. Only local documents have the generation 0. */
    SentRevision: string;
    /** @description Id of a revision, `<n>-<hash>`: its generation and a hash, which can be empty if a client made it. */
    Revision: string;
    /** @description An attachment: a stub without content, or its content in Base64. */
    Attachment: {
      /** @description Media type of the content. */
      content_type?: string;
      /**
       * Format: int64
       * @description Generation of the revision that added the attachment.
       */
      revpos?: number;
      /** @description Hash of the stored content, `md5-<base64>`. */
      digest?: string;
      /**
       * Format: int64
       * @description Length of the content in bytes, on a stub.
       */
      length?: number;
      /** @description True if the content is omitted. */
      stub?: boolean;
      /** @description True if the content follows in another part of the message. */
      follows?: boolean;
      /** @description The content in Base64. */
      data?: string;
      /** @description Compression of the stored content, such as `gzip`. */
      encoding?: string;
      /**
       * Format: int64
       * @description Length of the compressed content in bytes.
       */
      encoded_length?: number;
    };
    /** @description Attachments by name. */
    Attachments: {
      [key: string]: components['schemas']['Attachment'];
    };
    /** @description The path from a revision back to its root, newest first. */
    RevisionHistory: {
      /**
       * Format: int64
       * @description Generation of the newest revision.
       */
      start: number;
      /** @description The hashes, without the generations. */
      ids: string[];
    };
    /** @description A revision of the history and its state. */
    RevisionInfo: {
      rev: components['schemas']['Revision'];
      /** @description `available`, `missing` or `deleted`. */
      status: string;
    };
    /** @description A document as the server returns it. Fields without a leading underscore are defined by the application. */
    Document: {
      /** @description Id of the document. */
      _id: string;
      _rev: components['schemas']['Revision'];
      /**
       * @description Present on a deleted revision only.
       * @constant
       */
      _deleted?: true;
      _attachments?: components['schemas']['Attachments'];
      /** @description The live leaf revisions other than this one, if `conflicts` is true. */
      _conflicts?: components['schemas']['Revision'][];
      /** @description The deleted leaf revisions, if `deleted_conflicts` is true. */
      _deleted_conflicts?: components['schemas']['Revision'][];
      _revisions?: components['schemas']['RevisionHistory'];
      /** @description The history with the state of each revision, if `revs_info` is true. */
      _revs_info?: components['schemas']['RevisionInfo'][];
      /** @description Sequence of the last change, if `local_seq` is true. */
      _local_seq?: unknown;
    } & {
      [key: string]: unknown;
    };
    /** @description A revision that exists. */
    FoundRevision: {
      ok: components['schemas']['Document'];
    };
    /** @description A revision that does not exist. */
    MissingRevision: {
      missing: components['schemas']['SentRevision'];
    };
    /** @description A revision of `open_revs`, found or not. */
    OpenRevision: components['schemas']['FoundRevision'] | components['schemas']['MissingRevision'];
    /** @description The revisions of `open_revs`, in any order. */
    OpenRevisions: components['schemas']['OpenRevision'][];
    /** @description The document, or with `open_revs` a list of its revisions. */
    DocumentOrRevisions: components['schemas']['Document'] | components['schemas']['OpenRevisions'];
    /** @description The second factor of a user. */
    TotpSettings: {
      /** @description The base32 secret of the one-time codes. */
      key: string;
    };
    /** @description A user document in the users database. */
    User: {
      /** @description The user prefix followed by the name, as in the path. */
      _id?: string;
      _rev?: components['schemas']['Revision'];
      /** @description Name of the user. */
      name: string;
      /** @description The plain password. The server stores only a hash of it. */
      password?: string;
      roles: components['schemas']['Roles'];
      /**
       * @description Always `user`.
       * @constant
       */
      type: 'user';
      totp?: components['schemas']['TotpSettings'];
    } & {
      [key: string]: unknown;
    };
    /** @description The revision that a write created. */
    WriteResult: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Id of the document. */
      id: string;
      rev: components['schemas']['Revision'];
    };
    /** @description An accepted write, with its revision if it is known. */
    PendingWrite: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Id of the document. */
      id: string;
      rev?: components['schemas']['Revision'];
    };
    /** @description Settings of the server. */
    HttpSettings: {
      /** @description Comma-separated list of the active authentication handlers, in the order in which the server tries them. Some servers read it only at startup. */
      authentication_handlers?: string;
      /** @description Default of the parameter `timeout` of the changes feed, in milliseconds. */
      changes_timeout?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description Settings of the authentication handlers. */
    AuthenticationSettings: {
      /** @description With `true` (strongly recommended), the server requires a token from a proxy. */
      proxy_use_secret?: string;
      /** @description Comma-separated list of the hash algorithms allowed for proxy tokens. */
      hash_algorithms?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description Settings for the claims of JSON Web Tokens. The service document does not show the name of this section. */
    JwtSettings: {
      /** @description Comma-separated list of additional mandatory claims. Other claims are not validated. */
      required_claims?: string;
      /**
       * @deprecated
       * @description Name of the claim with the roles. Deprecated since version 3.3; use roles_claim_path.
       */
      roles_claim_name?: string;
      /** @description Path of the claim with the roles. From version 3.3, it replaces roles_claim_name. */
      roles_claim_path?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description Value of a setting. All values are strings. */
    ConfigValue: string;
    /** @description The keys that verify JSON Web Tokens, by `<alg_type>:<kid>`, where `alg_type` is `hmac`, `rsa` or `ec`. `<alg_type>:_default` is the key for tokens without `kid`. A symmetric key is Base64; an asymmetric key is the public key as PEM with each line feed written as `\n`. All nodes of a cluster have the same keys. From version 3.3, a name can contain `=`; in a configuration file, the separator `=` then has a space on each side. */
    JwtKeys: {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description Settings by section. The named settings affect the API; other settings are allowed. */
    Config: {
      chttpd?: components['schemas']['HttpSettings'];
      chttpd_auth?: components['schemas']['AuthenticationSettings'];
      jwt_auth?: components['schemas']['JwtSettings'];
      jwt_keys?: components['schemas']['JwtKeys'];
    } & {
      [key: string]: unknown;
    };
    /** @description Settings of a section. */
    ConfigSection: {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description A document as a client writes it. Fields without a leading underscore are defined by the application. */
    DocumentInput: {
      /** @description Id of the document. It equals the id in the path, if the path has one. */
      _id?: string;
      _rev?: components['schemas']['SentRevision'];
      /** @description If true, this revision deletes the document. */
      _deleted?: boolean;
      _attachments?: components['schemas']['Attachments'];
      _revisions?: components['schemas']['RevisionHistory'];
    } & {
      [key: string]: unknown;
    };
    /** @description A body that the server ignores. Clients send an empty object. */
    NoInput: unknown;
    /** @description Confirmation that all earlier writes are complete. */
    Committed: {
      /**
       * @description Always `true`.
       * @constant
       */
      ok: true;
      /** @description That of the database. */
      instance_start_time: string;
    };
    /**
     * @description When the server responds with changes, and in which format.
     * @default normal
     * @enum {string}
     */
    FeedMode: 'normal' | 'longpoll' | 'continuous' | 'eventsource';
    /** @description How often the server shows that the feed still runs. */
    HeartbeatPeriod: true | number;
    /** @description Id of an event, a number or any sequence. */
    EventId: number | string;
    /**
     * @description Which revisions a row of the feed has.
     * @default main_only
     * @enum {string}
     */
    RevisionStyle: 'main_only' | 'all_docs';
    /** @description A revision in a row. */
    ChangeRevision: {
      rev: components['schemas']['Revision'];
    };
    /** @description The latest change of one document. */
    ChangeRow: {
      /** @description Id of the document. */
      id: string;
      seq: components['schemas']['UpdateSequence'];
      /** @description The winning revision, or with `style=all_docs` every leaf revision. */
      changes: components['schemas']['ChangeRevision'][];
      /**
       * @description Present only when the winning revision is deleted.
       * @constant
       */
      deleted?: true;
      doc?: components['schemas']['Document'];
    };
    /** @description The feed in normal and longpoll mode. */
    ChangesResponse: {
      /** @description One row per document. */
      results: components['schemas']['ChangeRow'][];
      last_seq: components['schemas']['UpdateSequence'];
      /**
       * Format: int64
       * @description Number of changes after the last row.
       */
      pending: number;
    };
    /** @description The last line of a continuous feed with `limit`. */
    FeedEnd: {
      last_seq: components['schemas']['UpdateSequence'];
      /**
       * Format: int64
       * @description Number of remaining changes.
       */
      pending?: number;
    };
    /** @description A line of a continuous feed that is not empty. */
    FeedLine: components['schemas']['ChangeRow'] | components['schemas']['FeedEnd'];
    /** @description The feed in continuous mode: lines separated by CRLF, each empty (a heartbeat) or one row. With `limit`, the last line is an object with `last_seq`. */
    ContinuousFeed: string;
    /** @description An event with a row, of the default type `message`. */
    ChangeEvent: {
      /**
       * @description The type of the event. Usually missing.
       * @constant
       */
      event?: 'message';
      /** @description Value for `Last-Event-ID`; usually the sequence of the row as JSON. */
      id?: string;
      /** @description The row as JSON. */
      data: string;
    };
    /** @description An event without a row, sent only with `heartbeat`. Clients can use it to detect a stuck connection. */
    HeartbeatEvent: {
      /**
       * @description The type of the event.
       * @constant
       */
      event: 'heartbeat';
      /** @description Not used. */
      data?: string;
    };
    /** @description An event of an event stream. */
    FeedEvent: components['schemas']['ChangeEvent'] | components['schemas']['HeartbeatEvent'];
    /** @description The feed in eventsource mode, an event stream. */
    EventStream: string;
    /** @description Input of a filter that can be too long for a URL. */
    ChangesRequest: {
      /** @description Document ids for the filter `_doc_ids`. */
      doc_ids?: string[];
      /** @description Selector for the filter `_selector`, in the syntax of `_find`. */
      selector?: {
        [key: string]: unknown;
      };
    };
    /** @description The document if `include_docs` is true, or null if it is deleted. */
    ListedDocument: components['schemas']['Document'] | null;
    /** @description A document. */
    AllDocsRow: {
      /** @description Id of the document. */
      id: string;
      /** @description The same id. */
      key: string;
      /** @description The winning revision. */
      value: {
        rev: components['schemas']['Revision'];
        /** @description True for a deleted document, which only a list with `keys` includes. */
        deleted?: boolean;
      };
      doc?: components['schemas']['ListedDocument'];
    };
    /** @description A key without a document. */
    AllDocsMissing: {
      /** @description The requested key. */
      key: unknown;
      /** @description `not_found`. */
      error: string;
    };
    /** @description A row of a list of documents. */
    AllDocsEntry: components['schemas']['AllDocsRow'] | components['schemas']['AllDocsMissing'];
    /** @description A list of documents. */
    AllDocsResult: {
      /**
       * Format: int64
       * @description Number of documents in the database.
       */
      total_rows?: number | null;
      /**
       * Format: int64
       * @description Number of documents before the first row.
       */
      offset?: number | null;
      update_seq?: components['schemas']['UpdateSequence'];
      /** @description One row per document. */
      rows: components['schemas']['AllDocsEntry'][];
    };
    /** @description The documents to list, and the options of the query. The query overrides the body. */
    AllDocsRequest: {
      /** @description Ids. The rows have the same order. Other values are unknown ids. */
      keys?: unknown[];
      /** @description Return only this id. */
      key?: string;
      /** @description Start with this id. */
      startkey?: string;
      /** @description Same as `startkey`. */
      start_key?: string;
      /** @description End with this id. */
      endkey?: string;
      /** @description Same as `endkey`. */
      end_key?: string;
      /** @description Whether the list includes `endkey`. */
      inclusive_end?: boolean;
      /** @description Return the entries in reverse order. */
      descending?: boolean;
      /**
       * Format: int64
       * @description Maximum number of rows.
       */
      limit?: number;
      /**
       * Format: int64
       * @description Number of rows to skip first.
       */
      skip?: number;
      /** @description Include the document in each row. */
      include_docs?: boolean;
      /** @description Include the conflicting revisions in the documents. */
      conflicts?: boolean;
      /** @description Include the content of attachments. */
      attachments?: boolean;
      /** @description Include the encoding of attachments that are stored compressed. */
      att_encoding_info?: boolean;
      /** @description Include the update sequence of the list. */
      update_seq?: boolean;
    };
    /** @description The lists to return. Their options override the query. */
    AllDocsQueriesRequest: {
      /** @description The options of each list. */
      queries: components['schemas']['AllDocsRequest'][];
    };
    /** @description The lists, in the order of the request. */
    AllDocsQueriesResult: {
      /** @description The lists. */
      results: components['schemas']['AllDocsResult'][];
    };
    /** @description Documents to write in one request. */
    BulkDocsRequest: {
      /** @description The documents. A document that already exists needs its `_rev`. */
      docs: components['schemas']['DocumentInput'][];
      /**
       * @description If false, the revisions are stored unchanged with the history in `_revisions`, as a replicator requires. This can create conflicts.
       * @default true
       */
      new_edits?: boolean;
      /** @description If true, the documents must be written as a whole or not at all. No server offers that: it refuses the request. */
      all_or_nothing?: unknown;
    };
    /** @description A document that was written. */
    BulkDocsSuccess: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Id of the document. */
      id: string;
      rev: components['schemas']['Revision'];
    };
    /** @description A document that was not written. */
    BulkDocsFailure: {
      /** @description Id of the document. */
      id: string;
      rev?: components['schemas']['Revision'];
      /** @description Error code, such as `conflict`. */
      error: string;
      /** @description Reason for the error. */
      reason?: string;
    };
    /** @description What happened to one document. */
    BulkDocsResult: components['schemas']['BulkDocsSuccess'] | components['schemas']['BulkDocsFailure'];
    /** @description One entry per document, in the order of the request. With `new_edits=false`, only documents that failed have an entry. */
    BulkDocsResults: components['schemas']['BulkDocsResult'][];
    /** @description A document, or one revision of it. */
    BulkGetItem: {
      /** @description Id of the document. */
      id: string;
      rev?: components['schemas']['SentRevision'];
      /** @description Omit the attachments that these revisions already have. */
      atts_since?: components['schemas']['SentRevision'][];
    };
    /** @description Documents to read in one request. */
    BulkGetRequest: {
      /** @description The documents to read. */
      docs: components['schemas']['BulkGetItem'][];
    };
    /** @description Why a revision could not be read. */
    BulkGetFailure: {
      /** @description Id of the document. */
      id?: string | null;
      /** @description The requested revision. */
      rev?: string | null;
      /** @description Error code. */
      error: string;
      /** @description Reason for the error. */
      reason: string;
    };
    /** @description A revision. One of the fields is present. */
    BulkGetDocument: {
      ok?: components['schemas']['Document'];
      error?: components['schemas']['BulkGetFailure'];
      missing?: components['schemas']['SentRevision'];
    };
    /** @description The revisions of one requested document. */
    BulkGetEntry: {
      /** @description Id of the document, or null if the request has none. */
      id?: string | null;
      /** @description Each revision, or the reason why it is missing. */
      docs: components['schemas']['BulkGetDocument'][];
    };
    /** @description The documents, with one entry per requested document. */
    BulkGetResults: {
      /** @description The entries, in the order of the request. */
      results: components['schemas']['BulkGetEntry'][];
    };
    /** @description Revisions by document id. */
    RevsDiffRequest: {
      [key: string]: components['schemas']['SentRevision'][];
    };
    /** @description The missing revisions of one document. */
    MissingRevisions: {
      /** @description Revisions that the database does not have. */
      missing: components['schemas']['SentRevision'][];
      /** @description Leaf revisions that may be ancestors of the missing revisions. */
      possible_ancestors?: components['schemas']['Revision'][];
    };
    /** @description The missing revisions by document id. Documents without missing revisions are omitted. */
    RevsDiffResults: {
      [key: string]: components['schemas']['MissingRevisions'];
    };
    /** @description The missing revisions. */
    MissingRevsResults: {
      /** @description The missing revisions by document id. Documents without missing revisions are omitted. */
      missing_revs: {
        [key: string]: components['schemas']['SentRevision'][];
      };
    };
    /** @description The users and roles of a group. */
    SecurityGroup: {
      /** @description Names of users. */
      names?: string[];
      /** @description Roles. */
      roles?: string[];
    };
    /** @description The administrators and members of a database. Without any member names and roles, everyone is a member. The server chooses the security object of a new database. `readers` is an older name of `members`, and counts without them only. */
    Security: {
      admins?: components['schemas']['SecurityGroup'];
      members?: components['schemas']['SecurityGroup'];
      readers?: components['schemas']['SecurityGroup'];
    };
    /**
     * Format: int64
     * @description The maximum length of each path in the revision tree of a document.
     */
    RevsLimit: number;
    /** @description A form: it has `_doc` or `_rev`. */
    DocumentForm: {
      /** @description The document as JSON text. */
      _doc?: string;
      /** @description The revision that gets the files. */
      _rev?: string;
      /** @description Files, with their names and types. */
      _attachments?: string[];
    };
    /**
     * Format: binary
     * @description Bytes of the content of an attachment.
     */
    AttachmentBytes: string;
  };
  responses: {
    /** @description Any other error. */
    OtherError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The request is malformed or has an invalid value. */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The credentials are wrong, or an anonymous caller is not allowed to do this. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The caller is authenticated but not allowed to do this. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The databases. */
    DatabasesInfo: {
      headers: {
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['DatabasesInfo'];
      };
    };
    /** @description The body exceeds the size limit of the server. */
    PayloadTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The operation does not support the media type of the body. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The client has sent too many wrong passwords for the account. */
    AccountLocked: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The document, or with `open_revs` a list of its revisions. */
    DocumentFound: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['DocumentOrRevisions'];
      };
    };
    /** @description The cached response is still valid. */
    NotModified: {
      headers: {
        ETag: components['headers']['ETag'];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The resource does not exist. */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The server supports none of the media types in `Accept`. */
    NotAcceptable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The user is written. */
    UserWritten: {
      headers: {
        ETag: components['headers']['ETag'];
        Location: components['headers']['Location'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WriteResult'];
      };
    };
    /** @description The write is accepted but has not reached the write quorum or, with `batch=ok`, the disk. */
    WriteAccepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PendingWrite'];
      };
    };
    /** @description The id is not the prefix followed by the name, or the document is not a user document. */
    UserForbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The document has a newer revision than the one in the request. */
    Conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The document is deleted with a new revision. */
    Deleted: {
      headers: {
        ETag: components['headers']['ETag'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WriteResult'];
      };
    };
    /** @description An error. The response to HEAD has no body. */
    EmptyError: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The document exists. */
    DocumentHead: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The node or setting does not exist. */
    SettingNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description Success. */
    Done: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Success'];
      };
    };
    /** @description The request is accepted but has not reached all nodes. */
    Accepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Success'];
      };
    };
    /** @description The database already exists. */
    PreconditionFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The document is written. */
    Written: {
      headers: {
        ETag: components['headers']['ETag'];
        Location: components['headers']['Location'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WriteResult'];
      };
    };
    /** @description The feed. Normal and longpoll: one JSON object of type `application/json`. Continuous: lines separated by CRLF, each empty or one row; with `limit`, the last line is an object with `last_seq`. Eventsource: an event stream with one row per message. The mode determines the format, not the media type: some servers send lines as `application/json`. */
    ChangesFeed: {
      headers: {
        'Cache-Control': components['headers']['CacheControl'];
        ETag: components['headers']['ETag'];
        'Transfer-Encoding': components['headers']['TransferEncoding'];
        'Access-Control-Allow-Origin': components['headers']['AccessControlAllowOrigin'];
        'Access-Control-Allow-Credentials': components['headers']['AccessControlAllowCredentials'];
        'Access-Control-Expose-Headers': components['headers']['AccessControlExposeHeaders'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ChangesResponse'];
      };
    };
    /** @description A parameter, the input of the filter or the body is invalid. */
    ChangesBadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The path does not support this method. `Allow` lists the supported methods. */
    MethodNotAllowed: {
      headers: {
        Allow: components['headers']['Allow'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The client has reached the limit of open requests of this type. */
    TooManyRequests: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The list. */
    AllDocs: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AllDocsResult'];
      };
    };
    /** @description The lists. */
    AllDocsQueries: {
      headers: {
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AllDocsQueriesResult'];
      };
    };
    /** @description The result for each document. A failed document does not affect the others. */
    BulkDocs: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BulkDocsResults'];
      };
    };
    /** @description The document has a stub for an attachment that the previous revision does not have. */
    MissingStub: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The local document is written. */
    LocalWritten: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WriteResult'];
      };
    };
    /** @description The content as written, with the media type that was written. */
    AttachmentContent: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        'Content-MD5': components['headers']['ContentMd5'];
        'Content-Encoding': components['headers']['ContentEncoding'];
        'Accept-Ranges': components['headers']['AcceptRanges'];
        [name: string]: unknown;
      };
      content: {
        'application/octet-stream': components['schemas']['AttachmentBytes'];
        '*/*': components['schemas']['AttachmentBytes'];
      };
    };
    /** @description The part of the content in `Range`. */
    AttachmentPart: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        'Accept-Ranges': components['headers']['AcceptRanges'];
        /**
         * @description The position of the part.
         * @example bytes 0-4/12
         */
        'Content-Range'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/octet-stream': components['schemas']['AttachmentBytes'];
        '*/*': components['schemas']['AttachmentBytes'];
      };
    };
    /** @description The requested range is outside the content. */
    RangeNotSatisfiable: {
      headers: {
        /**
         * @description The length of the content.
         * @example bytes *\/12
         */
        'Content-Range'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorBody'];
      };
    };
    /** @description The attachment exists. */
    AttachmentHead: {
      headers: {
        ETag: components['headers']['ETag'];
        'Content-MD5': components['headers']['ContentMd5'];
        'Content-Encoding': components['headers']['ContentEncoding'];
        'Accept-Ranges': components['headers']['AcceptRanges'];
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: {
    /**
     * @description Return the entries in reverse order.
     * @example false
     */
    ListDescending: boolean;
    /**
     * @description Start with this name or id, given as JSON.
     * @example "p"
     */
    StartKey: string;
    /**
     * @description Same as `startkey`.
     * @example "p"
     */
    StartKeyAlias: string;
    /**
     * @description End with this name or id, given as JSON.
     * @example "w"
     */
    EndKey: string;
    /**
     * @description Same as `endkey`.
     * @example "w"
     */
    EndKeyAlias: string;
    /**
     * @description Maximum number of entries.
     * @example 10
     */
    ListLimit: number;
    /**
     * @description Number of entries to skip first.
     * @example 0
     */
    Skip: number;
    /**
     * @description Compression of the body. Some clients send `gzip`.
     * @example identity
     */
    BodyEncoding: string;
    /**
     * @description Name of the user. It equals `name` in the body.
     * @example alice
     */
    Username: string;
    /**
     * @description The revision to read, update or delete.
     * @example 1-967a00dff5e02add41819138abb3284d
     */
    Rev: components['schemas']['SentRevision'];
    /**
     * @description Include the history of the revision.
     * @example true
     */
    Revs: boolean;
    /**
     * @description Include the history with the state of each revision.
     * @example true
     */
    RevsInfo: boolean;
    /**
     * @description Return these revisions instead of the document: a JSON array, or `all` for every leaf revision.
     * @example ["2-7051cbe5c8faecd085a3fa619e6e6337"]
     */
    OpenRevs: string;
    /**
     * @description Include the conflicting revisions.
     * @example true
     */
    DocumentConflicts: boolean;
    /**
     * @description Include the deleted conflicting revisions.
     * @example true
     */
    DeletedConflicts: boolean;
    /**
     * @description Include the sequence of the last change.
     * @example true
     */
    LocalSeq: boolean;
    /**
     * @description Same as `conflicts`, `deleted_conflicts` and `revs_info` together.
     * @example true
     */
    Meta: boolean;
    /**
     * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
     * @example true
     */
    Latest: boolean;
    /**
     * @description Include the content of attachments.
     * @example true
     */
    DocumentAttachments: boolean;
    /**
     * @description Include the encoding of attachments that are stored compressed.
     * @example true
     */
    DocumentAttEncodingInfo: boolean;
    /**
     * @description Include the content of attachments that were added after these revisions.
     * @example ["1-967a00dff5e02add41819138abb3284d"]
     */
    AttsSince: string;
    /**
     * @description ETag of a cached response. If it is still valid, the server returns 304.
     * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
     */
    IfNoneMatch: string;
    /**
     * @description If false, the revision is stored unchanged, as a replicator requires.
     * @example false
     */
    NewEdits: boolean;
    /**
     * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
     * @example 1-967a00dff5e02add41819138abb3284d
     */
    IfMatch: string;
    /**
     * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
     * @example ok
     */
    Batch: 'ok';
    /**
     * @description Name of the node. `_local` is the node that receives the request.
     * @example _local
     */
    Node: string;
    /**
     * @description Name of the section.
     * @example chttpd
     */
    Section: string;
    /**
     * @description Name of the setting.
     * @example authentication_handlers
     */
    ConfigKey: string;
    /**
     * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
     * @example recipes
     */
    Db: string;
    /** @description Preferred media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not select the mode; `feed` does. */
    Accept: string;
    /** @description Id of the last event that the client received on an earlier connection. The feed continues after it. Overrides `since`. Applies from version 1.4.0. */
    LastEventIdHeader: string;
    /**
     * @description JSON array of document ids for the filter `_doc_ids`. The length of a URL is limited, so send a long list in the body of a POST.
     * @example ["pancakes","waffles"]
     */
    DocIds: string;
    /**
     * @description Include the conflicting revisions in each document. Ignored without `include_docs=true`.
     * @example true
     */
    Conflicts: boolean;
    /**
     * @description Most recent change first.
     * @example true
     */
    Descending: boolean;
    /**
     * @description Mode of the feed. `normal` returns all past changes immediately; `longpoll` waits for a change, then ends; `continuous` stays open and sends one row per line; `eventsource` stays open and sends an event stream (applies from version 1.3.0).
     * @example longpoll
     */
    Feed: components['schemas']['FeedMode'];
    /** @description Return only the changes of the listed documents (`_doc_ids`), of documents that match a selector (`_selector`, applies from version 2.0.0), of design documents (`_design`), of documents for which a map function emits (`_view`, applies from version 1.2.0), or of documents that the filter function `<design_doc>/<filter_name>` accepts. */
    Filter: string;
    /** @description Period in milliseconds after which the server sends an empty line if there is no change. `true` selects the default of 60000. The heartbeat keeps the feed open indefinitely and overrides `timeout`. Without the parameter, there is no heartbeat. For longpoll, continuous and eventsource mode. */
    Heartbeat: components['schemas']['HeartbeatPeriod'];
    /**
     * @description Include the document in each row; only the winning revision if there are conflicts. Applies from version 0.11.0.
     * @example true
     */
    IncludeDocs: boolean;
    /**
     * @description Include the content of attachments as Base64, which adds one third to their size. Ignored without `include_docs=true`. Applies from version 1.6.0.
     * @example true
     */
    IncludeAttachments: boolean;
    /**
     * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Applies from version 1.6.0.
     * @example true
     */
    AttEncodingInfo: boolean;
    /** @description Same as the header `Last-Event-ID`, for clients that cannot set the header: a number, or any sequence. Applies from version 1.4.0. */
    LastEventId: components['schemas']['EventId'];
    /**
     * @description Maximum number of rows. Without the parameter, or with -1, there is no limit.
     * @example 100
     */
    Limit: number;
    /** @description Start with the change immediately after this update sequence, or with `now` after the latest change (applies from version 1.3.0). A sequence that is not a string is sent as JSON. */
    Since: string;
    /**
     * @description Revisions in each row: `main_only` is the winning revision, `all_docs` is all leaf revisions, including conflicts and deleted former conflicts.
     * @example all_docs
     */
    Style: components['schemas']['RevisionStyle'];
    /**
     * @description Maximum wait for a change in milliseconds. After that, the response ends even if it has no rows. The default is the setting chttpd/changes_timeout. A value above the maximum (60000 unless configured otherwise) is reduced to the maximum. For longpoll, continuous and eventsource mode.
     * @example 30000
     */
    Timeout: number;
    /**
     * @description The view `<design_doc>/<view_name>` whose map function the filter `_view` uses. Applies from version 1.2.0.
     * @example lists/by_title
     */
    View: string;
    /**
     * @description Compute the sequence only for every Nth row; other rows can have null. With the batch size as value, it reduces the load on a database with many shards. Applies from version 2.0.0.
     * @example 100
     */
    SeqInterval: number;
    /**
     * @description Include the document in each row.
     * @example true
     */
    ListIncludeDocs: boolean;
    /**
     * @description Return only this id, given as JSON.
     * @example "pancakes"
     */
    Key: string;
    /**
     * @description Return these ids in this order, given as a JSON array.
     * @example ["pancakes","waffles"]
     */
    Keys: string;
    /**
     * @description Whether the list includes `endkey`.
     * @example false
     */
    InclusiveEnd: boolean;
    /**
     * @description Include the update sequence of the list.
     * @example true
     */
    UpdateSeq: boolean;
    /**
     * @description The number of copies that must have stored the documents before the response. Only a cluster has several copies.
     * @example 3
     */
    WriteQuorum: number;
    /**
     * @description Name of the design document: its id without `_design/`.
     * @example lists
     */
    DesignDocName: string;
    /**
     * @description Id of the local document without `_local/`.
     * @example 3fb2c1
     */
    LocalDocId: string;
    /**
     * @description Id of the document.
     * @example pancakes
     */
    DocId: string;
    /**
     * @description The page with the form. Browsers send it.
     * @example http://127.0.0.1:5984/recipes/pancakes
     */
    Referer: string;
    /**
     * @description Name of the attachment. It can contain slashes.
     * @example note.txt
     */
    AttachmentName: string;
    /**
     * @description The requested range of the content.
     * @example bytes=0-4
     */
    Range: string;
    /**
     * @description ETag of the content that `Range` is for. If it has changed, the server returns all of it.
     * @example "Y7Ha7hOy5Z0AnbyTBbnjKg=="
     */
    IfRange: string;
  };
  requestBodies: {
    /** @description The user document. */
    UserBody: {
      content: {
        'application/json': components['schemas']['User'];
      };
    };
    /** @description The document. */
    DocumentBody: {
      content: {
        'application/json': components['schemas']['DocumentInput'];
        'multipart/related': string;
      };
    };
  };
  headers: {
    /**
     * @description How long a client may cache the response, such as `must-revalidate` or `no-cache`.
     * @example must-revalidate
     */
    CacheControl: string;
    /**
     * @description Validator of the response, for `If-None-Match`.
     * @example "1-967a00dff5e02add41819138abb3284d"
     */
    ETag: string;
    /**
     * @description The session cookie `AuthSession`, set after a login and, from version 3.4, after successful basic authentication. An empty value ends the session.
     * @example AuthSession=YWxpY2U6NjVGMDAwMDA6c2lnbmF0dXJl; Version=1; Path=/; HttpOnly
     */
    SetCookie: string;
    /**
     * @description URL of the new resource.
     * @example http://127.0.0.1:5984/recipes
     */
    Location: string;
    /**
     * @description `chunked` if the server sends the response while it generates it.
     * @example chunked
     */
    TransferEncoding: string;
    /**
     * @description The origin whose pages may read the response in a browser. Present only if CORS is configured on the server and the request has an allowed `Origin`.
     * @example https://app.example
     */
    AccessControlAllowOrigin: string;
    /**
     * @description `true` if pages of that origin may send credentials.
     * @example true
     */
    AccessControlAllowCredentials: string;
    /**
     * @description Comma-separated list of the response headers that pages of that origin may read.
     * @example etag, cache-control
     */
    AccessControlExposeHeaders: string;
    /**
     * @description Methods that the path supports.
     * @example GET,POST,HEAD
     */
    Allow: string;
    /**
     * @description MD5 of the content in Base64.
     * @example Y7Ha7hOy5Z0AnbyTBbnjKg==
     */
    ContentMd5: string;
    /**
     * @description How the content is compressed.
     * @example gzip
     */
    ContentEncoding: string;
    /**
     * @description `bytes` if the server supports range requests for the content, otherwise `none`.
     * @example bytes
     */
    AcceptRanges: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getRoot: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The greeting. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          ETag: components['headers']['ETag'];
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Greeting'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      default: components['responses']['OtherError'];
    };
  };
  getUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The server is ready. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UpStatus'];
        };
      };
      /** @description The server is in maintenance mode, or it does not support this path. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UpProblem'];
        };
      };
      default: components['responses']['OtherError'];
    };
  };
  getUuids: {
    parameters: {
      query?: {
        /**
         * @description Number of UUIDs.
         * @example 2
         */
        count?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The UUIDs. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Uuids'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      default: components['responses']['OtherError'];
    };
  };
  getMembership: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The nodes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Membership'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      default: components['responses']['OtherError'];
    };
  };
  getAllDbs: {
    parameters: {
      query?: {
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The names. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DatabaseNames'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      default: components['responses']['OtherError'];
    };
  };
  getDbsInfo: {
    parameters: {
      query?: {
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DatabasesInfo'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      default: components['responses']['OtherError'];
    };
  };
  postDbsInfo: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The names. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DbsInfoRequest'];
      };
    };
    responses: {
      200: components['responses']['DatabasesInfo'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. For an anonymous caller, the name is null. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      default: components['responses']['OtherError'];
    };
  };
  postSession: {
    parameters: {
      query?: {
        /**
         * @description Path of the redirect after the login.
         * @example /recipes
         */
        next?: string;
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The credentials. */
    requestBody: {
      content: {
        'application/json': components['schemas']['Credentials'];
        'application/x-www-form-urlencoded': components['schemas']['Credentials'];
      };
    };
    responses: {
      /** @description The user is logged in. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoginResult'];
        };
      };
      /** @description The user is logged in and redirected to `next`. */
      302: {
        headers: {
          Location: components['headers']['Location'];
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoginResult'];
        };
      };
      /** @description The body has no name or is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      /** @description The name, password or one-time code is wrong. The cookie is cleared. */
      401: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      403: components['responses']['AccountLocked'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cookie is cleared. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Success'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      default: components['responses']['OtherError'];
    };
  };
  getConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The settings. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Config'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      default: components['responses']['OtherError'];
    };
  };
  reloadConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Done'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      default: components['responses']['OtherError'];
    };
  };
  getConfigSection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The settings. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigSection'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      default: components['responses']['OtherError'];
    };
  };
  getConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
        /**
         * @description Name of the setting.
         * @example authentication_handlers
         */
        key: components['parameters']['ConfigKey'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigValue'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      default: components['responses']['OtherError'];
    };
  };
  putConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
        /**
         * @description Name of the setting.
         * @example authentication_handlers
         */
        key: components['parameters']['ConfigKey'];
      };
      cookie?: never;
    };
    /** @description The value, a JSON string. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfigValue'];
      };
    };
    responses: {
      /** @description The previous value, or an empty string if there was none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigValue'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node. `_local` is the node that receives the request.
         * @example _local
         */
        node: components['parameters']['Node'];
        /**
         * @description Name of the section.
         * @example chttpd
         */
        section: components['parameters']['Section'];
        /**
         * @description Name of the setting.
         * @example authentication_handlers
         */
        key: components['parameters']['ConfigKey'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The previous value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigValue'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['SettingNotFound'];
      default: components['responses']['OtherError'];
    };
  };
  getDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The information. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DatabaseInfo'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      default: components['responses']['OtherError'];
    };
  };
  putDatabase: {
    parameters: {
      query?: {
        /**
         * @description Number of shards.
         * @example 1
         */
        q?: number;
        /**
         * @description Number of copies of each document in a cluster.
         * @example 3
         */
        n?: number;
        /**
         * @description Whether document ids include a partition.
         * @example false
         */
        partitioned?: boolean;
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The database is created. */
      201: {
        headers: {
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Success'];
        };
      };
      202: components['responses']['Accepted'];
      /** @description The database name or a parameter is not allowed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      412: components['responses']['PreconditionFailed'];
      default: components['responses']['OtherError'];
    };
  };
  postDocument: {
    parameters: {
      query?: {
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The document. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DocumentInput'];
      };
    };
    responses: {
      201: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Done'];
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      default: components['responses']['OtherError'];
    };
  };
  headDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The database exists. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
  compactDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description Ignored, but the request needs its media type. */
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['NoInput'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  commitDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description Ignored, but the request needs its media type. */
    requestBody: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['NoInput'];
      };
    };
    responses: {
      /** @description All earlier writes are complete. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Committed'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getChanges: {
    parameters: {
      query?: {
        /**
         * @description JSON array of document ids for the filter `_doc_ids`. The length of a URL is limited, so send a long list in the body of a POST.
         * @example ["pancakes","waffles"]
         */
        doc_ids?: components['parameters']['DocIds'];
        /**
         * @description Include the conflicting revisions in each document. Ignored without `include_docs=true`.
         * @example true
         */
        conflicts?: components['parameters']['Conflicts'];
        /**
         * @description Most recent change first.
         * @example true
         */
        descending?: components['parameters']['Descending'];
        /**
         * @description Mode of the feed. `normal` returns all past changes immediately; `longpoll` waits for a change, then ends; `continuous` stays open and sends one row per line; `eventsource` stays open and sends an event stream (applies from version 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Return only the changes of the listed documents (`_doc_ids`), of documents that match a selector (`_selector`, applies from version 2.0.0), of design documents (`_design`), of documents for which a map function emits (`_view`, applies from version 1.2.0), or of documents that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which the server sends an empty line if there is no change. `true` selects the default of 60000. The heartbeat keeps the feed open indefinitely and overrides `timeout`. Without the parameter, there is no heartbeat. For longpoll, continuous and eventsource mode. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document in each row; only the winning revision if there are conflicts. Applies from version 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which adds one third to their size. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['IncludeAttachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /** @description Same as the header `Last-Event-ID`, for clients that cannot set the header: a number, or any sequence. Applies from version 1.4.0. */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Maximum number of rows. Without the parameter, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Start with the change immediately after this update sequence, or with `now` after the latest change (applies from version 1.3.0). A sequence that is not a string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions in each row: `main_only` is the winning revision, `all_docs` is all leaf revisions, including conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Maximum wait for a change in milliseconds. After that, the response ends even if it has no rows. The default is the setting chttpd/changes_timeout. A value above the maximum (60000 unless configured otherwise) is reduced to the maximum. For longpoll, continuous and eventsource mode.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function the filter `_view` uses. Applies from version 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence only for every Nth row; other rows can have null. With the batch size as value, it reduces the load on a database with many shards. Applies from version 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Preferred media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not select the mode; `feed` does. */
        Accept?: components['parameters']['Accept'];
        /** @description Id of the last event that the client received on an earlier connection. The feed continues after it. Overrides `since`. Applies from version 1.4.0. */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['ChangesFeed'];
      304: components['responses']['NotModified'];
      400: components['responses']['ChangesBadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      default: components['responses']['OtherError'];
    };
  };
  postChanges: {
    parameters: {
      query?: {
        /**
         * @description JSON array of document ids for the filter `_doc_ids`. The length of a URL is limited, so send a long list in the body of a POST.
         * @example ["pancakes","waffles"]
         */
        doc_ids?: components['parameters']['DocIds'];
        /**
         * @description Include the conflicting revisions in each document. Ignored without `include_docs=true`.
         * @example true
         */
        conflicts?: components['parameters']['Conflicts'];
        /**
         * @description Most recent change first.
         * @example true
         */
        descending?: components['parameters']['Descending'];
        /**
         * @description Mode of the feed. `normal` returns all past changes immediately; `longpoll` waits for a change, then ends; `continuous` stays open and sends one row per line; `eventsource` stays open and sends an event stream (applies from version 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Return only the changes of the listed documents (`_doc_ids`), of documents that match a selector (`_selector`, applies from version 2.0.0), of design documents (`_design`), of documents for which a map function emits (`_view`, applies from version 1.2.0), or of documents that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which the server sends an empty line if there is no change. `true` selects the default of 60000. The heartbeat keeps the feed open indefinitely and overrides `timeout`. Without the parameter, there is no heartbeat. For longpoll, continuous and eventsource mode. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document in each row; only the winning revision if there are conflicts. Applies from version 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which adds one third to their size. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['IncludeAttachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /** @description Same as the header `Last-Event-ID`, for clients that cannot set the header: a number, or any sequence. Applies from version 1.4.0. */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Maximum number of rows. Without the parameter, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Start with the change immediately after this update sequence, or with `now` after the latest change (applies from version 1.3.0). A sequence that is not a string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions in each row: `main_only` is the winning revision, `all_docs` is all leaf revisions, including conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Maximum wait for a change in milliseconds. After that, the response ends even if it has no rows. The default is the setting chttpd/changes_timeout. A value above the maximum (60000 unless configured otherwise) is reduced to the maximum. For longpoll, continuous and eventsource mode.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function the filter `_view` uses. Applies from version 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence only for every Nth row; other rows can have null. With the batch size as value, it reduces the load on a database with many shards. Applies from version 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Preferred media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not select the mode; `feed` does. */
        Accept?: components['parameters']['Accept'];
        /** @description Id of the last event that the client received on an earlier connection. The feed continues after it. Overrides `since`. Applies from version 1.4.0. */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description Input of a filter. Without a filter, an empty object or nothing. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangesRequest'];
      };
    };
    responses: {
      200: components['responses']['ChangesFeed'];
      304: components['responses']['NotModified'];
      400: components['responses']['ChangesBadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      default: components['responses']['OtherError'];
    };
  };
  headChanges: {
    parameters: {
      query?: {
        /**
         * @description JSON array of document ids for the filter `_doc_ids`. The length of a URL is limited, so send a long list in the body of a POST.
         * @example ["pancakes","waffles"]
         */
        doc_ids?: components['parameters']['DocIds'];
        /**
         * @description Include the conflicting revisions in each document. Ignored without `include_docs=true`.
         * @example true
         */
        conflicts?: components['parameters']['Conflicts'];
        /**
         * @description Most recent change first.
         * @example true
         */
        descending?: components['parameters']['Descending'];
        /**
         * @description Mode of the feed. `normal` returns all past changes immediately; `longpoll` waits for a change, then ends; `continuous` stays open and sends one row per line; `eventsource` stays open and sends an event stream (applies from version 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Return only the changes of the listed documents (`_doc_ids`), of documents that match a selector (`_selector`, applies from version 2.0.0), of design documents (`_design`), of documents for which a map function emits (`_view`, applies from version 1.2.0), or of documents that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which the server sends an empty line if there is no change. `true` selects the default of 60000. The heartbeat keeps the feed open indefinitely and overrides `timeout`. Without the parameter, there is no heartbeat. For longpoll, continuous and eventsource mode. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document in each row; only the winning revision if there are conflicts. Applies from version 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which adds one third to their size. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['IncludeAttachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Applies from version 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /** @description Same as the header `Last-Event-ID`, for clients that cannot set the header: a number, or any sequence. Applies from version 1.4.0. */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Maximum number of rows. Without the parameter, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Start with the change immediately after this update sequence, or with `now` after the latest change (applies from version 1.3.0). A sequence that is not a string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions in each row: `main_only` is the winning revision, `all_docs` is all leaf revisions, including conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Maximum wait for a change in milliseconds. After that, the response ends even if it has no rows. The default is the setting chttpd/changes_timeout. A value above the maximum (60000 unless configured otherwise) is reduced to the maximum. For longpoll, continuous and eventsource mode.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function the filter `_view` uses. Applies from version 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence only for every Nth row; other rows can have null. With the batch size as value, it reduces the load on a database with many shards. Applies from version 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Preferred media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not select the mode; `feed` does. */
        Accept?: components['parameters']['Accept'];
        /** @description Id of the last event that the client received on an earlier connection. The feed continues after it. Overrides `since`. Applies from version 1.4.0. */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The feed is readable. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      304: components['responses']['NotModified'];
      400: components['responses']['EmptyError'];
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
  getAllDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postAllDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The ids, or other options of the list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getDesignDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postDesignDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The ids, or other options of the list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getLocalDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postLocalDocs: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The ids, or other options of the list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postAllDocsQueries: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The options of each list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsQueriesRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocsQueries'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postDesignDocsQueries: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence of the list.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The options of each list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsQueriesRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocsQueries'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postLocalDocsQueries: {
    parameters: {
      query?: {
        /**
         * @description Include the document in each row.
         * @example true
         */
        include_docs?: components['parameters']['ListIncludeDocs'];
        /**
         * @description Return the entries in reverse order.
         * @example false
         */
        descending?: components['parameters']['ListDescending'];
        /**
         * @description Return only this id, given as JSON.
         * @example "pancakes"
         */
        key?: components['parameters']['Key'];
        /**
         * @description Return these ids in this order, given as a JSON array.
         * @example ["pancakes","waffles"]
         */
        keys?: components['parameters']['Keys'];
        /**
         * @description Start with this name or id, given as JSON.
         * @example "p"
         */
        startkey?: components['parameters']['StartKey'];
        /**
         * @description Same as `startkey`.
         * @example "p"
         */
        start_key?: components['parameters']['StartKeyAlias'];
        /**
         * @description End with this name or id, given as JSON.
         * @example "w"
         */
        endkey?: components['parameters']['EndKey'];
        /**
         * @description Same as `endkey`.
         * @example "w"
         */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether the list includes `endkey`.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Maximum number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Number of entries to skip first.
         * @example 0
         */
        skip?: components['parameters']['Skip'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The options of each list. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AllDocsQueriesRequest'];
      };
    };
    responses: {
      200: components['responses']['AllDocsQueries'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  bulkDocs: {
    parameters: {
      query?: {
        /**
         * @description The number of copies that must have stored the documents before the response. Only a cluster has several copies.
         * @example 3
         */
        w?: components['parameters']['WriteQuorum'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The documents. */
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkDocsRequest'];
      };
    };
    responses: {
      201: components['responses']['BulkDocs'];
      202: components['responses']['BulkDocs'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      412: components['responses']['MissingStub'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  bulkGet: {
    parameters: {
      query?: {
        /**
         * @description Include the history of the revision.
         * @example true
         */
        revs?: components['parameters']['Revs'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
      };
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The documents to read. */
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkGetRequest'];
      };
    };
    responses: {
      /** @description The documents. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkGetResults'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  revsDiff: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The revisions. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevsDiffRequest'];
      };
    };
    responses: {
      /** @description The missing revisions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RevsDiffResults'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  missingRevs: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Compression of the body. Some clients send `gzip`.
         * @example identity
         */
        'Content-Encoding'?: components['parameters']['BodyEncoding'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The revisions. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevsDiffRequest'];
      };
    };
    responses: {
      /** @description The missing revisions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MissingRevsResults'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getSecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The security object. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Security'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      default: components['responses']['OtherError'];
    };
  };
  putSecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The security object. */
    requestBody: {
      content: {
        'application/json': components['schemas']['Security'];
      };
    };
    responses: {
      200: components['responses']['Done'];
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getRevsLimit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The limit. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RevsLimit'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      default: components['responses']['OtherError'];
    };
  };
  putRevsLimit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The limit. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevsLimit'];
      };
    };
    responses: {
      200: components['responses']['Done'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  getDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the history of the revision.
         * @example true
         */
        revs?: components['parameters']['Revs'];
        /**
         * @description Include the history with the state of each revision.
         * @example true
         */
        revs_info?: components['parameters']['RevsInfo'];
        /**
         * @description Return these revisions instead of the document: a JSON array, or `all` for every leaf revision.
         * @example ["2-7051cbe5c8faecd085a3fa619e6e6337"]
         */
        open_revs?: components['parameters']['OpenRevs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the deleted conflicting revisions.
         * @example true
         */
        deleted_conflicts?: components['parameters']['DeletedConflicts'];
        /**
         * @description Include the sequence of the last change.
         * @example true
         */
        local_seq?: components['parameters']['LocalSeq'];
        /**
         * @description Same as `conflicts`, `deleted_conflicts` and `revs_info` together.
         * @example true
         */
        meta?: components['parameters']['Meta'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Include the content of attachments that were added after these revisions.
         * @example ["1-967a00dff5e02add41819138abb3284d"]
         */
        atts_since?: components['parameters']['AttsSince'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document: its id without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentFound'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['OtherError'];
    };
  };
  putDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description If false, the revision is stored unchanged, as a replicator requires.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document: its id without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    /** @description The design document. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DocumentInput'];
        'multipart/related': string;
      };
    };
    responses: {
      200: components['responses']['Deleted'];
      201: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['MissingStub'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document: its id without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Deleted'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      default: components['responses']['OtherError'];
    };
  };
  headDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document: its id without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentHead'];
      304: components['responses']['NotModified'];
      400: components['responses']['EmptyError'];
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
  getLocalDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the local document without `_local/`.
         * @example 3fb2c1
         */
        docid: components['parameters']['LocalDocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The local document. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Document'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      default: components['responses']['OtherError'];
    };
  };
  putLocalDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the local document without `_local/`.
         * @example 3fb2c1
         */
        docid: components['parameters']['LocalDocId'];
      };
      cookie?: never;
    };
    /** @description The local document. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DocumentInput'];
      };
    };
    responses: {
      201: components['responses']['LocalWritten'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteLocalDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the local document without `_local/`.
         * @example 3fb2c1
         */
        docid: components['parameters']['LocalDocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['LocalWritten'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      default: components['responses']['OtherError'];
    };
  };
  getDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the history of the revision.
         * @example true
         */
        revs?: components['parameters']['Revs'];
        /**
         * @description Include the history with the state of each revision.
         * @example true
         */
        revs_info?: components['parameters']['RevsInfo'];
        /**
         * @description Return these revisions instead of the document: a JSON array, or `all` for every leaf revision.
         * @example ["2-7051cbe5c8faecd085a3fa619e6e6337"]
         */
        open_revs?: components['parameters']['OpenRevs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the deleted conflicting revisions.
         * @example true
         */
        deleted_conflicts?: components['parameters']['DeletedConflicts'];
        /**
         * @description Include the sequence of the last change.
         * @example true
         */
        local_seq?: components['parameters']['LocalSeq'];
        /**
         * @description Same as `conflicts`, `deleted_conflicts` and `revs_info` together.
         * @example true
         */
        meta?: components['parameters']['Meta'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Include the content of attachments that were added after these revisions.
         * @example ["1-967a00dff5e02add41819138abb3284d"]
         */
        atts_since?: components['parameters']['AttsSince'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentFound'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['OtherError'];
    };
  };
  putDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description If false, the revision is stored unchanged, as a replicator requires.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['DocumentBody'];
    responses: {
      200: components['responses']['Deleted'];
      201: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['MissingStub'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  postDocumentForm: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The page with the form. Browsers send it.
         * @example http://127.0.0.1:5984/recipes/pancakes
         */
        Referer: components['parameters']['Referer'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    /** @description The form. */
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['DocumentForm'];
      };
    };
    responses: {
      200: components['responses']['Deleted'];
      201: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['MissingStub'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Deleted'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      default: components['responses']['OtherError'];
    };
  };
  headDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentHead'];
      304: components['responses']['NotModified'];
      400: components['responses']['EmptyError'];
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
  getAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /**
         * @description The requested range of the content.
         * @example bytes=0-4
         */
        Range?: components['parameters']['Range'];
        /**
         * @description ETag of the content that `Range` is for. If it has changed, the server returns all of it.
         * @example "Y7Ha7hOy5Z0AnbyTBbnjKg=="
         */
        'If-Range'?: components['parameters']['IfRange'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment. It can contain slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['AttachmentContent'];
      206: components['responses']['AttachmentPart'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      416: components['responses']['RangeNotSatisfiable'];
      default: components['responses']['OtherError'];
    };
  };
  putAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment. It can contain slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    /** @description The content. */
    requestBody: {
      content: {
        'application/octet-stream': components['schemas']['AttachmentBytes'];
        '*/*': components['schemas']['AttachmentBytes'];
      };
    };
    responses: {
      201: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      default: components['responses']['OtherError'];
    };
  };
  deleteAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment. It can contain slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Written'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      default: components['responses']['OtherError'];
    };
  };
  headAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database. It starts with a lowercase letter, followed by lowercase letters, digits and `_$()+-/` (a slash is sent as `%2F`). The server has some databases whose names start with an underscore, such as `_users`.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Id of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment. It can contain slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['AttachmentHead'];
      304: components['responses']['NotModified'];
      400: components['responses']['EmptyError'];
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
  getUser: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the history of the revision.
         * @example true
         */
        revs?: components['parameters']['Revs'];
        /**
         * @description Include the history with the state of each revision.
         * @example true
         */
        revs_info?: components['parameters']['RevsInfo'];
        /**
         * @description Return these revisions instead of the document: a JSON array, or `all` for every leaf revision.
         * @example ["2-7051cbe5c8faecd085a3fa619e6e6337"]
         */
        open_revs?: components['parameters']['OpenRevs'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Include the deleted conflicting revisions.
         * @example true
         */
        deleted_conflicts?: components['parameters']['DeletedConflicts'];
        /**
         * @description Include the sequence of the last change.
         * @example true
         */
        local_seq?: components['parameters']['LocalSeq'];
        /**
         * @description Same as `conflicts`, `deleted_conflicts` and `revs_info` together.
         * @example true
         */
        meta?: components['parameters']['Meta'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include the encoding of attachments that are stored compressed.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Include the content of attachments that were added after these revisions.
         * @example ["1-967a00dff5e02add41819138abb3284d"]
         */
        atts_since?: components['parameters']['AttsSince'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the user. It equals `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentFound'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['OtherError'];
    };
  };
  putUser: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description If false, the revision is stored unchanged, as a replicator requires.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the user. It equals `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['UserBody'];
    responses: {
      201: components['responses']['UserWritten'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['UserForbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['OtherError'];
    };
  };
  deleteUser: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description With `ok`, the server may respond before it writes. It tells neither the new revision nor whether the write fails.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision to update or delete, instead of `rev`. Quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the user. It equals `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Deleted'];
      202: components['responses']['WriteAccepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      default: components['responses']['OtherError'];
    };
  };
  headUser: {
    parameters: {
      query?: {
        /**
         * @description The revision to read, update or delete.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Return the leaf revisions that descend from the requested revisions, instead of the requested revisions.
         * @example true
         */
        latest?: components['parameters']['Latest'];
      };
      header?: {
        /**
         * @description ETag of a cached response. If it is still valid, the server returns 304.
         * @example "2-7051cbe5c8faecd085a3fa619e6e6337"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the user. It equals `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['DocumentHead'];
      304: components['responses']['NotModified'];
      400: components['responses']['EmptyError'];
      401: components['responses']['EmptyError'];
      403: components['responses']['EmptyError'];
      404: components['responses']['EmptyError'];
      default: components['responses']['EmptyError'];
    };
  };
}
