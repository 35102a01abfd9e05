/** The API in the names of the dialect couchdb. Generated from its OpenAPI description by docfeed. */

export interface paths {
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Greet
     * @description What the server is, and its version. Credentials are optional.
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
     * Ask whether the server takes requests
     * @description For load balancers and for those who wait for the server to start.
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
     * Make identifiers
     * @description Fresh identifiers for documents.
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
  '/_all_dbs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the databases
     * @description The names of all databases, sorted.
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
  '/_session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Ask who the caller is
     * @description The user context that the server makes of the request's credentials, by whichever method they are sent. With the headers of a proxy or a bearer token no other session request is ever needed.
     */
    get: operations['getSession'];
    put?: never;
    /**
     * Log in
     * @description Check name and password, and the one-time code of a user who has a second factor, and issue the session cookie `AuthSession` for later requests. A wrong value gives no cookie that authenticates.
     */
    post: operations['postSession'];
    /**
     * Log out
     * @description Empty the session cookie.
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
         * @description Name of the node; `_local` is the one that answers.
         * @example _local
         */
        node: components['parameters']['Node'];
      };
      cookie?: never;
    };
    /**
     * Read the settings of a node
     * @description All settings by section, for administrators.
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
  '/_node/{node}/_config/{section}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
     * @description All settings of the section, for administrators; none when there is no such section.
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
         * @description Name of the node; `_local` is the one that answers.
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
     * @description The value of the setting, for administrators.
     */
    get: operations['getConfigKey'];
    /**
     * Change a setting
     * @description Give the setting a value, as an administrator. Settings count at once; only chttpd/authentication_handlers may be read when the server starts. It names each handler as `{chttpd_auth, cookie_authentication_handler}`.
     */
    put: operations['putConfigKey'];
    post?: never;
    /**
     * Remove a setting
     * @description Take the value away, as an administrator, so that the default counts again.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read the facts about a database
     * @description Its name, the number of its documents and where its feed stands. A slash at the end of the path makes no difference.
     */
    get: operations['getDatabase'];
    /**
     * Create a database
     * @description Create an empty database, as an administrator.
     */
    put: operations['putDatabase'];
    /**
     * Create a document
     * @description Write a document; the server makes an identifier when it has none.
     */
    post: operations['postDocument'];
    /**
     * Delete a database
     * @description Delete a database and all that is in it, as an administrator.
     */
    delete: operations['deleteDatabase'];
    options?: never;
    /**
     * Ask whether a database exists
     * @description The status of `GET` without the facts.
     */
    head: operations['headDatabase'];
    patch?: never;
    trace?: never;
  };
  '/{db}/_changes': {
    parameters: {
      query?: {
        /** @description JSON array of document identifiers, for the filter `_doc_ids`. The length of a URL is limited: send a long list in the body of a POST. */
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
         * @description Mode of the feed. `normal` gives all past changes at once; `longpoll` waits for one change, then ends; `continuous` stays open and gives a row a line; `eventsource` does so as an event stream (since 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Which changes to give: those of the listed documents (`_doc_ids`), those that match a selector (`_selector`, since 2.0.0), those of design documents (`_design`), those for which a map function emits (`_view`, since 1.2.0), or those that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which an empty line is sent while no change comes; `true` selects the default of 60000. It keeps the feed alive indefinitely, whatever `timeout` says. Without it there is no heartbeat. For longpoll, continuous and eventsource. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document with each row; of a document in conflict the winning revision only. Since 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which is a third larger. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['Attachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /**
         * @description The same as the header `Last-Event-ID`, for clients that cannot set it: a number, or any sequence.
         * @example 5-g1AAAACbeJzLYWBh
         */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Greatest number of rows to give. Without it, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Begin with the change right after this update sequence, or with `now` after the latest (since 1.3.0). A sequence that is no string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions that a row lists: `main_only` the winning one, `all_docs` all leaves, with conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Milliseconds to wait for a change before the answer ends, even without a row. The default is the setting chttpd/changes_timeout; a value above the maximum, 60000 unless configured otherwise, counts as the maximum. For longpoll, continuous and eventsource.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function is the filter `_view`. Since 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence for every Nth row only; the others may have null. As large as the batch, it takes load off a database of many shards. Since 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Wanted media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not choose the mode: `feed` does. */
        Accept?: components['parameters']['Accept'];
        /**
         * @description Identifier of the last event that the client got on an earlier connection: the feed goes on after it. It overrides `since`. Since 1.4.0.
         * @example "5-g1AAAACbeJzLYWBh"
         */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read the changes of a database
     * @description One row a document, for its latest change after `since`: intermediate states can be missed. Rows are partially ordered, the order can differ from call to call, and in a cluster that has lost a node rows can come again, so a consumer applies them idempotently. `feed` chooses between one answer with all past changes, one that waits for a change, and two that stay open.
     */
    get: operations['getChanges'];
    put?: never;
    /**
     * Read the changes of a database, with a body
     * @description The same as `GET` with the same parameters; the body holds the input of the filters `_doc_ids` and `_selector`, which may be too long for a URL.
     */
    post: operations['postChanges'];
    delete?: never;
    options?: never;
    /**
     * Ask for the headers of the changes of a database
     * @description The status and the headers of `GET`, without the feed.
     */
    head: operations['headChanges'];
    patch?: never;
    trace?: never;
  };
  '/{db}/_all_docs': {
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
         * @description Include how attachments are compressed in the store.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Reverse the order.
         * @example true
         */
        descending?: components['parameters']['ListDescending'];
        /** @description Only this identifier; JSON. */
        key?: components['parameters']['Key'];
        /** @description These identifiers, in this order; a JSON array. */
        keys?: components['parameters']['Keys'];
        /** @description Begin with this name or identifier; JSON. */
        startkey?: components['parameters']['StartKey'];
        /** @description The same as `startkey`. */
        start_key?: components['parameters']['StartKeyAlias'];
        /** @description End with this name or identifier; JSON. */
        endkey?: components['parameters']['EndKey'];
        /** @description The same as `endkey`. */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether `endkey` belongs to the list.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Greatest number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Leave out so many entries first.
         * @example 10
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence that the list stands for.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * List the documents
     * @description The documents that are not deleted, by identifier.
     */
    get: operations['getAllDocs'];
    put?: never;
    /**
     * List documents, as the body says
     * @description The same as `GET`; a list by `keys` shows deleted documents and unknown keys too.
     */
    post: operations['postAllDocs'];
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
     * @description Create, change and delete documents in one request, each on its own: one that fails does not hold the others back. With `new_edits=false` revisions are stored as they are, conflicts included.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
     * @description Documents or certain revisions of them in one request, as a replicator does.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask which revisions are missing
     * @description Of the listed revisions those that the database lacks, as a replicator asks before it writes.
     */
    post: operations['revsDiff'];
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /**
     * Read who may use a database
     * @description The users and roles that administer the database and those that are its members.
     */
    get: operations['getSecurity'];
    /**
     * Say who may use a database
     * @description Replace the users and roles that administer the database and those that are its members.
     */
    put: operations['putSecurity'];
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document, its identifier without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    /**
     * Read a design document
     * @description The winning revision, the one that `rev` names, or with `open_revs` several.
     */
    get: operations['getDesignDocument'];
    /**
     * Write a design document
     * @description Create the design document, or change it based on the revision in `_rev`, `rev` or `If-Match`.
     */
    put: operations['putDesignDocument'];
    post?: never;
    /**
     * Delete a design document
     * @description Add a revision that deletes the one named by `rev` or `If-Match`.
     */
    delete: operations['deleteDesignDocument'];
    options?: never;
    /**
     * Ask whether a design document exists
     * @description The status and the headers of `GET`; `ETag` is the revision.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the local document without `_local/`.
         * @example 3fb2c1
         */
        docid: components['parameters']['LocalDocId'];
      };
      cookie?: never;
    };
    /**
     * Read a local document
     * @description Local documents are neither replicated nor part of the feed; replicators keep their checkpoints in them.
     */
    get: operations['getLocalDocument'];
    /**
     * Write a local document
     * @description Create the local document, or change it based on the revision in `_rev`.
     */
    put: operations['putLocalDocument'];
    post?: never;
    /**
     * Delete a local document
     * @description Remove the local document for good.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    /**
     * Read a document
     * @description The winning revision, the one that `rev` names, or with `open_revs` several.
     */
    get: operations['getDocument'];
    /**
     * Write a document
     * @description Create the document, or change it based on the revision in `_rev`, `rev` or `If-Match`.
     */
    put: operations['putDocument'];
    post?: never;
    /**
     * Delete a document
     * @description Add a revision that deletes the one named by `rev` or `If-Match`.
     */
    delete: operations['deleteDocument'];
    options?: never;
    /**
     * Ask whether a document exists
     * @description The status and the headers of `GET`; `ETag` is the revision.
     */
    head: operations['headDocument'];
    patch?: never;
    trace?: never;
  };
  '/{db}/{docid}/{attname}': {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment; it may hold slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    /**
     * Read an attachment
     * @description The content of an attachment, of the winning revision or the one that `rev` names.
     */
    get: operations['getAttachment'];
    /**
     * Write an attachment
     * @description Add or replace an attachment, which makes a new revision of the document; `Content-Type` is kept.
     */
    put: operations['putAttachment'];
    post?: never;
    /**
     * Remove an attachment
     * @description Make a revision of the document without the attachment.
     */
    delete: operations['deleteAttachment'];
    options?: never;
    /**
     * Ask whether an attachment exists
     * @description The status and the headers of `GET`.
     */
    head: operations['headAttachment'];
    patch?: never;
    trace?: never;
  };
  '/_users/org.couchdb.user:{username}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Create or change a user
     * @description Write the document of a user as an administrator, with a second factor when it has `totp`. The identifier is the prefix followed by the name.
     */
    put: operations['putUser'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Body of every error. */
    Error: {
      /** @description Short name of the kind of error. */
      error: string;
      /** @description What was wrong, for a person to read. */
      reason: string;
    };
    /** @description Who made the server. The rule root-vendor asks for both fields, hence neither is required here. */
    Vendor: {
      /** @description Name of the vendor. */
      name?: string;
      /** @description The vendor's own version. */
      version?: string;
    };
    /** @description What the server says of itself. */
    Greeting: {
      /** @description Identifier of the server, hexadecimal. */
      uuid: string;
      /** @description Version of the server. */
      version: string;
      vendor?: components['schemas']['Vendor'];
      /** @description Greeting text. The rule root-greeting asks for it under the name that the dialect gives it, hence it is not required here. */
      couchdb?: string;
    };
    /** @description Whether the server takes requests. */
    UpStatus: {
      /** @description `ok` when it does, else why not. */
      status: string;
    };
    /** @description Fresh identifiers. */
    Uuids: {
      /** @description As many as were asked for. */
      uuids: string[];
    };
    /** @description Names of databases, sorted. */
    DatabaseNames: string[];
    /** @description Roles of a user; may be empty. */
    Roles: string[];
    /** @description The identity of the caller. */
    UserContext: {
      /** @description Name of the user, null for an anonymous caller. */
      name: string | null;
      roles: components['schemas']['Roles'];
    };
    /** @description How the caller was recognised. */
    SessionInfo: {
      /** @description The handler that authenticated the request, such as `proxy` or `jwt`. Absent for an anonymous caller. */
      authenticated?: string;
      /** @description The users database. The rule session-info-db asks for it, hence it is not required here. */
      authentication_db?: string;
      /** @description The active handlers in the order in which they are asked. */
      authentication_handlers?: string[];
    };
    /** @description Who the caller is, and how the server knows. */
    Session: {
      /**
       * @description True on success.
       * @constant
       */
      ok: true;
      userCtx: components['schemas']['UserContext'];
      info: components['schemas']['SessionInfo'];
    };
    /** @description What a login sends: `name`, or `username` in its place, and `password`. */
    Credentials: {
      /** @description Name of the user. */
      name?: string;
      /** @description Another word for `name` that some clients send. */
      username?: string;
      /** @description Password of the user. */
      password: string;
      /** @description The current one-time code, for a user who has a `totp.key`. */
      token?: string;
    };
    /** @description The user who has logged in. */
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
    /** @description It is done. */
    Ok: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
    };
    /** @description Identifier of a revision, `<n>-<hash>`: its generation and a hash. */
    Revision: string;
    /** @description Second factor of a user. */
    TotpSettings: {
      /** @description The secret that one-time codes are made from, base32. */
      key: string;
    };
    /** @description A user, as an administrator writes it into the users database. */
    User: {
      /** @description The user prefix followed by the name; the same as in the path. */
      _id?: string;
      _rev?: components['schemas']['Revision'];
      /** @description Name of the user. */
      name: string;
      /** @description The plain password; the server keeps only a hash of it. */
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
    /** @description The revision that a write has made. */
    WriteResult: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Identifier of the document. */
      id: string;
      rev: components['schemas']['Revision'];
    };
    /** @description A write that is taken; its revision when it is known. */
    PendingWrite: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Identifier of the document. */
      id: string;
      rev?: components['schemas']['Revision'];
    };
    /** @description Value of a setting. All are strings. */
    ConfigValue: string;
    /** @description Settings of the server. */
    HttpSettings: {
      /** @description The active authentication handlers, separated by commas, in the order in which they are asked. Some servers read it only when they start. */
      authentication_handlers?: string;
      /** @description Default of the parameter `timeout` of the changes feed, in milliseconds. */
      changes_timeout?: string;
    } & {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description Settings of the authentication handlers. */
    AuthenticationSettings: {
      /** @description `true` to demand the token from a proxy, which is strongly recommended. */
      proxy_use_secret?: string;
      /** @description Hash algorithms that the token of a proxy may be made with, separated by commas. */
      hash_algorithms?: string;
    } & {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description Which claims of a JSON Web Token count. The service document does not show the name of this section. */
    JwtSettings: {
      /** @description Further claims that a token must have, separated by commas. No other claim is validated. */
      required_claims?: string;
      /** @description Name of the claim that holds the roles. Deprecated since 3.3. */
      roles_claim_name?: string;
      /** @description Path to the claim that holds the roles; it takes the place of roles_claim_name since 3.3. */
      roles_claim_path?: string;
    } & {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description The keys that JSON Web Tokens are verified with, by `<alg_type>:<kid>` where `alg_type` is `hmac`, `rsa` or `ec`; `<alg_type>:_default` is for tokens without `kid`. A symmetric key is Base64, an asymmetric one the public key as PEM with `\n` written for each line feed. All nodes of a cluster hold the same keys. */
    JwtKeys: {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description Settings of a section. */
    ConfigSection: {
      [key: string]: components['schemas']['ConfigValue'];
    };
    /** @description Settings by section. Those that the interface speaks of are named, every other is allowed. */
    Config: {
      chttpd?: components['schemas']['HttpSettings'];
      chttpd_auth?: components['schemas']['AuthenticationSettings'];
      jwt_auth?: components['schemas']['JwtSettings'];
      jwt_keys?: components['schemas']['JwtKeys'];
    } & {
      [key: string]: components['schemas']['ConfigSection'];
    };
    /** @description A place in the feed. Any JSON value, mostly a string `<n>-<opaque>`: keep it as it is and send it back as `since`, as it stands when it is a string and as JSON otherwise. Null only where `seq_interval` has left it out. */
    UpdateSequence: unknown;
    /** @description Facts about a database. */
    DatabaseInfo: {
      /** @description Name of the database. */
      db_name: string;
      /** @description Number of documents that are not deleted. */
      doc_count: number;
      /** @description Number of deleted documents. */
      doc_del_count?: number;
      update_seq: components['schemas']['UpdateSequence'];
      /** @description Sequence of purges; opaque. */
      purge_seq?: unknown;
      /** @description Kept for old clients. */
      instance_start_time?: string;
      /** @description Whether the database is being compacted. */
      compact_running?: boolean;
      /** @description Version of the format on disk. */
      disk_format_version?: number;
      /** @description Sizes in bytes. */
      sizes?: {
        /** @description On disk. */
        file?: number;
        /** @description Live data. */
        active?: number;
        /** @description Uncompressed content. */
        external?: number;
      };
      /** @description Further properties, such as `partitioned`. */
      props?: {
        [key: string]: unknown;
      };
      /** @description How the database is spread: shards `q`, replicas `n`, quorums `w` and `r`. */
      cluster?: {
        /** @description Number of shards. */
        q?: number;
        /** @description Number of copies of each document. */
        n?: number;
        /** @description Write quorum. */
        w?: number;
        /** @description Read quorum. */
        r?: number;
      };
    };
    /** @description An attachment: a stub without content, or its content in Base64. */
    Attachment: {
      /** @description Media type of the content. */
      content_type?: string;
      /** @description Generation of the revision that brought it. */
      revpos?: number;
      /** @description Hash of the stored content, `md5-<base64>`. */
      digest?: string;
      /** @description Length of the content in bytes; on a stub. */
      length?: number;
      /** @description True when the content is left out. */
      stub?: boolean;
      /** @description True when the content follows in another part of the message. */
      follows?: boolean;
      /** @description The content in Base64. */
      data?: string;
      /** @description How it is compressed in the store, such as `gzip`. */
      encoding?: string;
      /** @description Length of the compressed content in bytes. */
      encoded_length?: number;
    };
    /** @description Attachments by name. */
    Attachments: {
      [key: string]: components['schemas']['Attachment'];
    };
    /** @description Path from a revision back to its root, newest first. */
    RevisionHistory: {
      /** @description Generation of the newest. */
      start: number;
      /** @description The hashes, without generation. */
      ids: string[];
    };
    /** @description A document as a client writes it. Fields without a leading underscore are free. */
    DocumentInput: {
      /** @description Identifier; where the path names one too, they are the same. */
      _id?: string;
      _rev?: components['schemas']['Revision'];
      /** @description True to delete the document by this revision. */
      _deleted?: boolean;
      _attachments?: components['schemas']['Attachments'];
      _revisions?: components['schemas']['RevisionHistory'];
    } & {
      [key: string]: unknown;
    };
    /** @description A revision that a row lists. */
    ChangeRevision: {
      rev: components['schemas']['Revision'];
    };
    /** @description A revision of the history and what is left of it. */
    RevisionInfo: {
      rev: components['schemas']['Revision'];
      /** @description `available`, `missing` or `deleted`. */
      status: string;
    };
    /** @description A document as the server gives it. Fields without a leading underscore are the writer's own. */
    Document: {
      /** @description Identifier of the document. */
      _id: string;
      _rev: components['schemas']['Revision'];
      /**
       * @description Present on a deleted revision only.
       * @constant
       */
      _deleted?: true;
      _attachments?: components['schemas']['Attachments'];
      /** @description The leaves that lose against this revision and are not deleted, when asked for with `conflicts`. */
      _conflicts?: components['schemas']['Revision'][];
      /** @description The deleted leaves, when asked for with `deleted_conflicts`. */
      _deleted_conflicts?: components['schemas']['Revision'][];
      _revisions?: components['schemas']['RevisionHistory'];
      /** @description The history with the state of each revision, when asked for with `revs_info`. */
      _revs_info?: components['schemas']['RevisionInfo'][];
      /** @description Sequence of the last change, when asked for with `local_seq`. */
      _local_seq?: unknown;
    } & {
      [key: string]: unknown;
    };
    /** @description The latest change of one document. */
    ChangeRow: {
      /** @description Identifier of the document. */
      id: string;
      seq: components['schemas']['UpdateSequence'];
      /** @description The winning revision, or with `style=all_docs` every leaf. */
      changes: components['schemas']['ChangeRevision'][];
      /**
       * @description Present only when the winning revision is deleted.
       * @constant
       */
      deleted?: true;
      doc?: components['schemas']['Document'];
    };
    /** @description The feed in the normal and longpoll modes. */
    ChangesResponse: {
      /** @description One row a document. */
      results: components['schemas']['ChangeRow'][];
      last_seq: components['schemas']['UpdateSequence'];
      /** @description Number of changes that remain after the last row. The rule feed-pending asks for it, hence it is not required here. */
      pending?: number;
    };
    /** @description The last line of a continuous feed that has reached its `limit`. */
    FeedEnd: {
      last_seq: components['schemas']['UpdateSequence'];
      /** @description Number of changes that remain. */
      pending?: number;
    };
    /** @description The feed in the continuous mode: lines delimited by CRLF, each empty (a heartbeat) or one row; after the last row of a feed with `limit` an object with `last_seq`. */
    ContinuousFeed: string;
    /** @description The feed in the eventsource mode: an event of the default type `message` for each row, with the row as JSON in `data`, and events of the type `heartbeat` in between. */
    EventStream: string;
    /** @description Input of a filter that is too long for a URL. */
    ChangesRequest: {
      /** @description Identifiers for the filter `_doc_ids`. */
      doc_ids?: string[];
      /** @description Selector for the filter `_selector`, in the syntax of `_find`. */
      selector?: {
        [key: string]: unknown;
      };
    };
    /** @description A document. */
    AllDocsRow: {
      /** @description Identifier of the document. */
      id: string;
      /** @description The same identifier. */
      key: string;
      /** @description The winning revision. */
      value: {
        rev: components['schemas']['Revision'];
        /** @description True for a deleted document, which only a list by `keys` shows. */
        deleted?: boolean;
      };
      /** @description The document when asked for with `include_docs`, null when it is deleted. */
      doc?: components['schemas']['Document'] | null;
    };
    /** @description A key for which there is no document. */
    AllDocsMissing: {
      /** @description The key that was asked for. */
      key: unknown;
      /** @description `not_found`. */
      error: string;
    };
    /** @description A list of documents. */
    AllDocsResult: {
      /** @description Number of documents in the database. */
      total_rows?: number | null;
      /** @description How many documents precede the first row. */
      offset?: number | null;
      update_seq?: components['schemas']['UpdateSequence'];
      /** @description One row a document. */
      rows: (components['schemas']['AllDocsRow'] | components['schemas']['AllDocsMissing'])[];
    };
    /** @description The documents to list, and anything that the query can say; it wins over the query. */
    AllDocsRequest: {
      /** @description Identifiers; the rows come in their order. */
      keys?: string[];
      /** @description Only this identifier. */
      key?: string;
      /** @description Begin with this identifier. */
      startkey?: string;
      /** @description The same as `startkey`. */
      start_key?: string;
      /** @description End with this identifier. */
      endkey?: string;
      /** @description The same as `endkey`. */
      end_key?: string;
      /** @description Whether `endkey` belongs to the list. */
      inclusive_end?: boolean;
      /** @description Reverse the order. */
      descending?: boolean;
      /** @description Greatest number of rows. */
      limit?: number;
      /** @description Leave out so many rows first. */
      skip?: number;
      /** @description Include the document in each row. */
      include_docs?: boolean;
      /** @description Name the conflicting revisions in the documents. */
      conflicts?: boolean;
      /** @description Include the content of attachments. */
      attachments?: boolean;
      /** @description Tell how attachments are compressed. */
      att_encoding_info?: boolean;
      /** @description Include the update sequence that the list stands for. */
      update_seq?: boolean;
    };
    /** @description Documents to write in one request. */
    BulkDocsRequest: {
      /** @description The documents, each with its `_rev` when it exists. */
      docs: components['schemas']['DocumentInput'][];
      /**
       * @description False to store the revisions as they are, with the history in `_revisions`, as a replicator does; this is how conflicts come to be.
       * @default true
       */
      new_edits?: boolean;
    };
    /** @description A document that is written. */
    BulkDocsSuccess: {
      /**
       * @description Always true.
       * @constant
       */
      ok: true;
      /** @description Identifier of the document. */
      id: string;
      rev: components['schemas']['Revision'];
    };
    /** @description A document that is not written. */
    BulkDocsFailure: {
      /** @description Identifier of the document. */
      id: string;
      rev?: components['schemas']['Revision'];
      /** @description Kind of error, such as `conflict`. */
      error: string;
      /** @description What was wrong. */
      reason?: string;
    };
    /** @description One entry a document in the order of the request; with `new_edits=false` the failed ones only. */
    BulkDocsResult: (components['schemas']['BulkDocsSuccess'] | components['schemas']['BulkDocsFailure'])[];
    /** @description A document, or one revision of it. */
    BulkGetItem: {
      /** @description Identifier of the document. */
      id: string;
      rev?: components['schemas']['Revision'];
      /** @description Leave out attachments that these revisions have already. */
      atts_since?: components['schemas']['Revision'][];
    };
    /** @description Documents to read in one request. */
    BulkGetRequest: {
      /** @description What to read. */
      docs: components['schemas']['BulkGetItem'][];
    };
    /** @description Why a revision could not be read. */
    BulkGetFailure: {
      /** @description Identifier of the document. */
      id?: string | null;
      /** @description The revision that was asked for. */
      rev?: string | null;
      /** @description Kind of error. */
      error: string;
      /** @description What was wrong. */
      reason: string;
    };
    /** @description A revision: one of the fields is present. */
    BulkGetDocument: {
      ok?: components['schemas']['Document'];
      error?: components['schemas']['BulkGetFailure'];
      missing?: components['schemas']['Revision'];
    };
    /** @description The revisions found for one request. */
    BulkGetEntry: {
      /** @description Identifier of the document, null when the request has none. */
      id?: string | null;
      /** @description Each revision, or why it is not given. */
      docs: components['schemas']['BulkGetDocument'][];
    };
    /** @description What was read, an entry for each that was asked for. */
    BulkGetResult: {
      /** @description In the order of the request. */
      results: components['schemas']['BulkGetEntry'][];
    };
    /** @description Revisions by document identifier. */
    RevsDiffRequest: {
      [key: string]: components['schemas']['Revision'][];
    };
    /** @description What is missing of one document. */
    MissingRevisions: {
      /** @description Revisions that the database lacks. */
      missing: components['schemas']['Revision'][];
      /** @description Leaves that may be ancestors of them. */
      possible_ancestors?: components['schemas']['Revision'][];
    };
    /** @description The revisions that the database lacks; documents without a missing one are left out. */
    RevsDiffResult: {
      [key: string]: components['schemas']['MissingRevisions'];
    };
    /** @description Users and roles that belong to a group. */
    SecurityGroup: {
      /** @description Names of users. */
      names?: string[];
      /** @description Roles. */
      roles?: string[];
    };
    /** @description Who may use a database. Where no member has a name or a role here everybody is a member, as with an object without fields. What a new database has is the server's own choice. */
    Security: {
      admins?: components['schemas']['SecurityGroup'];
      members?: components['schemas']['SecurityGroup'];
    };
    /** @description A revision that is there. */
    FoundRevision: {
      ok: components['schemas']['Document'];
    };
    /** @description A revision that is not there. */
    MissingRevision: {
      missing: components['schemas']['Revision'];
    };
    /** @description The revisions that `open_revs` asks for, in no particular order. */
    OpenRevisions: (components['schemas']['FoundRevision'] | components['schemas']['MissingRevision'])[];
  };
  responses: {
    /** @description Any other error. */
    Error: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request is malformed, or a value in it is wrong. */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The caller is not known, or an anonymous caller may not do this. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The caller is known but may not do this. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The client has sent too many wrong passwords for the account. */
    AccountLocked: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is larger than the server takes. */
    PayloadTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is of a media type that the operation does not take. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
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
    /** @description The write is taken, but not on all the nodes that it should be on, or with `batch=ok` not on disk. */
    WriteAccepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PendingWrite'];
      };
    };
    /** @description The identifier is not the prefix followed by the name, or the document is no user. */
    UserForbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is no such thing. */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The document has another revision than the writer thinks. */
    Conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is no such node or setting. */
    SettingNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description It is taken, but not on all the nodes that it should be on. */
    Accepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Ok'];
      };
    };
    /** @description It exists already. */
    PreconditionFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
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
    /** @description It is done. */
    Done: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Ok'];
      };
    };
    /** @description An error; the answer to HEAD has no body. */
    EmptyError: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The feed. Normal and longpoll: one JSON object, of type `application/json`. Continuous: lines delimited by CRLF, each empty or one row, at the end of a limited feed an object with `last_seq`. Eventsource: an event stream whose messages hold a row each. The mode alone decides on the form: some servers send lines as `application/json`. */
    Changes: {
      headers: {
        'Cache-Control': components['headers']['CacheControl'];
        ETag: components['headers']['ETag'];
        'Transfer-Encoding': components['headers']['TransferEncoding'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ChangesResponse'];
        'text/plain': components['schemas']['ContinuousFeed'];
        'text/event-stream': components['schemas']['EventStream'];
      };
    };
    /** @description What the client has is still good. */
    NotModified: {
      headers: {
        ETag: components['headers']['ETag'];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description A parameter, the filter's input or the body is wrong. */
    ChangesBadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path does not take this method; `Allow` lists those it takes. */
    MethodNotAllowed: {
      headers: {
        Allow: components['headers']['Allow'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description None of the media types in `Accept` can be given. */
    NotAcceptable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The client has as many requests of the kind open as the server allows. */
    TooManyRequests: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
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
    /** @description What became of each document. A failure of one leaves the others as they are. */
    BulkDocs: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BulkDocsResult'];
      };
    };
    /** @description A stub stands for an attachment that the revision before does not have. */
    MissingStub: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The document, or with `open_revs` a list of its revisions. */
    Document: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Document'] | components['schemas']['OpenRevisions'];
        'multipart/related': string;
        'multipart/mixed': string;
      };
    };
    /** @description The document is deleted, by a new revision. */
    Deleted: {
      headers: {
        ETag: components['headers']['ETag'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WriteResult'];
      };
    };
    /** @description The document is there. */
    DocumentHead: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        [name: string]: unknown;
      };
      content?: never;
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
    /** @description The content as it was written, of the type that it was written with. */
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
        '*/*': string;
      };
    };
    /** @description The part that `Range` asks for. */
    AttachmentPart: {
      headers: {
        ETag: components['headers']['ETag'];
        /**
         * @description Which part it is.
         * @example bytes 0-4/12
         */
        'Content-Range'?: string;
        [name: string]: unknown;
      };
      content: {
        '*/*': string;
      };
    };
    /** @description The content has no such part. */
    RangeNotSatisfiable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The attachment is there. */
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
     * @description Reverse the order.
     * @example true
     */
    ListDescending: boolean;
    /** @description Begin with this name or identifier; JSON. */
    StartKey: string;
    /** @description The same as `startkey`. */
    StartKeyAlias: string;
    /** @description End with this name or identifier; JSON. */
    EndKey: string;
    /** @description The same as `endkey`. */
    EndKeyAlias: string;
    /**
     * @description Greatest number of entries.
     * @example 10
     */
    ListLimit: number;
    /**
     * @description Leave out so many entries first.
     * @example 10
     */
    Skip: number;
    /**
     * @description How the body is compressed; some clients send `gzip`.
     * @example gzip
     */
    ContentEncoding: string;
    /**
     * @description Name of the user; the same as `name` in the body.
     * @example alice
     */
    Username: string;
    /**
     * @description The revision that is meant.
     * @example 2-7051cbe5c8faecd085a3fa619e6e6337
     */
    Rev: components['schemas']['Revision'];
    /**
     * @description False to store the revision as it is, as a replicator does.
     * @example false
     */
    NewEdits: boolean;
    /**
     * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
     * @example 1-967a00dff5e02add41819138abb3284d
     */
    IfMatch: string;
    /**
     * @description Name of the node; `_local` is the one that answers.
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
     * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
     * @example recipes
     */
    Db: string;
    /**
     * @description `ok` to have the answer before the write is on disk.
     * @example ok
     */
    Batch: 'ok';
    /** @description Wanted media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not choose the mode: `feed` does. */
    Accept: string;
    /**
     * @description Identifier of the last event that the client got on an earlier connection: the feed goes on after it. It overrides `since`. Since 1.4.0.
     * @example "5-g1AAAACbeJzLYWBh"
     */
    LastEventIdHeader: string;
    /**
     * @description ETag of the answer that the client has; when it is still good the answer is 304.
     * @example "1-967a00dff5e02add41819138abb3284d"
     */
    IfNoneMatch: string;
    /** @description JSON array of document identifiers, for the filter `_doc_ids`. The length of a URL is limited: send a long list in the body of a POST. */
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
     * @description Mode of the feed. `normal` gives all past changes at once; `longpoll` waits for one change, then ends; `continuous` stays open and gives a row a line; `eventsource` does so as an event stream (since 1.3.0).
     * @example longpoll
     */
    Feed: 'normal' | 'longpoll' | 'continuous' | 'eventsource';
    /** @description Which changes to give: those of the listed documents (`_doc_ids`), those that match a selector (`_selector`, since 2.0.0), those of design documents (`_design`), those for which a map function emits (`_view`, since 1.2.0), or those that the filter function `<design_doc>/<filter_name>` accepts. */
    Filter: string;
    /** @description Period in milliseconds after which an empty line is sent while no change comes; `true` selects the default of 60000. It keeps the feed alive indefinitely, whatever `timeout` says. Without it there is no heartbeat. For longpoll, continuous and eventsource. */
    Heartbeat: true | number;
    /**
     * @description Include the document with each row; of a document in conflict the winning revision only. Since 0.11.0.
     * @example true
     */
    IncludeDocs: boolean;
    /**
     * @description Include the content of attachments as Base64, which is a third larger. Ignored without `include_docs=true`. Since 1.6.0.
     * @example true
     */
    Attachments: boolean;
    /**
     * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Since 1.6.0.
     * @example true
     */
    AttEncodingInfo: boolean;
    /**
     * @description The same as the header `Last-Event-ID`, for clients that cannot set it: a number, or any sequence.
     * @example 5-g1AAAACbeJzLYWBh
     */
    LastEventId: number | string;
    /**
     * @description Greatest number of rows to give. Without it, or with -1, there is no limit.
     * @example 100
     */
    Limit: number;
    /** @description Begin with the change right after this update sequence, or with `now` after the latest (since 1.3.0). A sequence that is no string is sent as JSON. */
    Since: string;
    /**
     * @description Revisions that a row lists: `main_only` the winning one, `all_docs` all leaves, with conflicts and deleted former conflicts.
     * @example all_docs
     */
    Style: 'main_only' | 'all_docs';
    /**
     * @description Milliseconds to wait for a change before the answer ends, even without a row. The default is the setting chttpd/changes_timeout; a value above the maximum, 60000 unless configured otherwise, counts as the maximum. For longpoll, continuous and eventsource.
     * @example 30000
     */
    Timeout: number;
    /**
     * @description The view `<design_doc>/<view_name>` whose map function is the filter `_view`. Since 1.2.0.
     * @example lists/by_title
     */
    View: string;
    /**
     * @description Compute the sequence for every Nth row only; the others may have null. As large as the batch, it takes load off a database of many shards. Since 2.0.0.
     * @example 100
     */
    SeqInterval: number;
    /**
     * @description Include the document in each row.
     * @example true
     */
    ListIncludeDocs: boolean;
    /**
     * @description Include the conflicting revisions.
     * @example true
     */
    DocumentConflicts: boolean;
    /**
     * @description Include the content of attachments.
     * @example true
     */
    DocumentAttachments: boolean;
    /**
     * @description Include how attachments are compressed in the store.
     * @example true
     */
    DocumentAttEncodingInfo: boolean;
    /** @description Only this identifier; JSON. */
    Key: string;
    /** @description These identifiers, in this order; a JSON array. */
    Keys: string;
    /**
     * @description Whether `endkey` belongs to the list.
     * @example false
     */
    InclusiveEnd: boolean;
    /**
     * @description Include the update sequence that the list stands for.
     * @example true
     */
    UpdateSeq: boolean;
    /**
     * @description Include the history of the revision.
     * @example true
     */
    Revs: boolean;
    /**
     * @description Give the leaves that descend from the revisions asked for, not these themselves.
     * @example true
     */
    Latest: boolean;
    /**
     * @description Name of the design document, its identifier without `_design/`.
     * @example lists
     */
    DesignDocName: string;
    /**
     * @description Include the history with the state of each revision.
     * @example true
     */
    RevsInfo: boolean;
    /** @description Give these revisions instead of the document: a JSON array, or `all` for every leaf. */
    OpenRevs: string;
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
     * @description The same as `conflicts`, `deleted_conflicts` and `revs_info` together.
     * @example true
     */
    Meta: boolean;
    /** @description Include the content of attachments that came after these revisions. */
    AttsSince: string;
    /**
     * @description Identifier of the local document without `_local/`.
     * @example 3fb2c1
     */
    LocalDocId: string;
    /**
     * @description Identifier of the document.
     * @example pancakes
     */
    DocId: string;
    /**
     * @description Name of the attachment; it may hold slashes.
     * @example note.txt
     */
    AttachmentName: string;
    /**
     * @description The part of the content that is wanted.
     * @example bytes=0-4
     */
    Range: string;
  };
  requestBodies: {
    /** @description The document of the user. */
    User: {
      content: {
        'application/json': components['schemas']['User'];
      };
    };
    /** @description The document. */
    Document: {
      content: {
        'application/json': components['schemas']['DocumentInput'];
        'multipart/related': string;
      };
    };
  };
  headers: {
    /**
     * @description How long the answer may be kept, as in `must-revalidate` or `no-cache`.
     * @example must-revalidate
     */
    CacheControl: string;
    /**
     * @description Validator of the answer, for `If-None-Match`.
     * @example "1-967a00dff5e02add41819138abb3284d"
     */
    ETag: string;
    /**
     * @description The session cookie `AuthSession`, given after a login and, since 3.4, after a successful basic authentication; an empty one ends the session.
     * @example AuthSession=YWxpY2U6NjVGMDAwMDA6c2lnbmF0dXJl; Version=1; Path=/; HttpOnly
     */
    SetCookie: string;
    /**
     * @description Where the new resource is.
     * @example http://127.0.0.1:5984/recipes
     */
    Location: string;
    /**
     * @description `chunked` when the answer is sent while it is made.
     * @example chunked
     */
    TransferEncoding: string;
    /**
     * @description Methods that the path takes.
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
     * @description `bytes` when a part of the content can be asked for, else `none`.
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
      default: components['responses']['Error'];
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
      /** @description It does. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UpStatus'];
        };
      };
      /** @description It does not, for maintenance; or it does not know the question. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UpStatus'] | components['schemas']['Error'];
        };
      };
      default: components['responses']['Error'];
    };
  };
  getUuids: {
    parameters: {
      query?: {
        /**
         * @description How many.
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
      /** @description The identifiers. */
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
      default: components['responses']['Error'];
    };
  };
  getAllDbs: {
    parameters: {
      query?: {
        /**
         * @description Reverse the order.
         * @example true
         */
        descending?: components['parameters']['ListDescending'];
        /** @description Begin with this name or identifier; JSON. */
        startkey?: components['parameters']['StartKey'];
        /** @description The same as `startkey`. */
        start_key?: components['parameters']['StartKeyAlias'];
        /** @description End with this name or identifier; JSON. */
        endkey?: components['parameters']['EndKey'];
        /** @description The same as `endkey`. */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Greatest number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Leave out so many entries first.
         * @example 10
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
      default: components['responses']['Error'];
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
      /** @description The session; of an anonymous caller one without a name. */
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
      default: components['responses']['Error'];
    };
  };
  postSession: {
    parameters: {
      query?: {
        /**
         * @description Path to redirect to after the login.
         * @example /recipes
         */
        next?: string;
      };
      header?: {
        /**
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
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
      /** @description The user is logged in; go to `next`. A body does not matter. */
      302: {
        headers: {
          Location: components['headers']['Location'];
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body has no name, or is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Name, password or one-time code is wrong. The cookie is emptied. */
      401: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      403: components['responses']['AccountLocked'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['Error'];
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
      /** @description The cookie is emptied. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ok'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      default: components['responses']['Error'];
    };
  };
  getConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
      default: components['responses']['Error'];
    };
  };
  getConfigSection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
      default: components['responses']['Error'];
    };
  };
  getConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
      default: components['responses']['Error'];
    };
  };
  putConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
      /** @description The value that it had, empty when it had none. */
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
      default: components['responses']['Error'];
    };
  };
  deleteConfigKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the node; `_local` is the one that answers.
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
      /** @description The value that it had. */
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
      default: components['responses']['Error'];
    };
  };
  getDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The facts. */
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
      default: components['responses']['Error'];
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
         * @description Whether document identifiers carry a partition.
         * @example false
         */
        partitioned?: boolean;
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is created. */
      201: {
        headers: {
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ok'];
        };
      };
      202: components['responses']['Accepted'];
      /** @description The name is not allowed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      412: components['responses']['PreconditionFailed'];
      default: components['responses']['Error'];
    };
  };
  postDocument: {
    parameters: {
      query?: {
        /**
         * @description `ok` to have the answer before the write is on disk.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
      default: components['responses']['Error'];
    };
  };
  deleteDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
      default: components['responses']['Error'];
    };
  };
  headDatabase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It exists. */
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
  getChanges: {
    parameters: {
      query?: {
        /** @description JSON array of document identifiers, for the filter `_doc_ids`. The length of a URL is limited: send a long list in the body of a POST. */
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
         * @description Mode of the feed. `normal` gives all past changes at once; `longpoll` waits for one change, then ends; `continuous` stays open and gives a row a line; `eventsource` does so as an event stream (since 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Which changes to give: those of the listed documents (`_doc_ids`), those that match a selector (`_selector`, since 2.0.0), those of design documents (`_design`), those for which a map function emits (`_view`, since 1.2.0), or those that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which an empty line is sent while no change comes; `true` selects the default of 60000. It keeps the feed alive indefinitely, whatever `timeout` says. Without it there is no heartbeat. For longpoll, continuous and eventsource. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document with each row; of a document in conflict the winning revision only. Since 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which is a third larger. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['Attachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /**
         * @description The same as the header `Last-Event-ID`, for clients that cannot set it: a number, or any sequence.
         * @example 5-g1AAAACbeJzLYWBh
         */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Greatest number of rows to give. Without it, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Begin with the change right after this update sequence, or with `now` after the latest (since 1.3.0). A sequence that is no string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions that a row lists: `main_only` the winning one, `all_docs` all leaves, with conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Milliseconds to wait for a change before the answer ends, even without a row. The default is the setting chttpd/changes_timeout; a value above the maximum, 60000 unless configured otherwise, counts as the maximum. For longpoll, continuous and eventsource.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function is the filter `_view`. Since 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence for every Nth row only; the others may have null. As large as the batch, it takes load off a database of many shards. Since 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Wanted media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not choose the mode: `feed` does. */
        Accept?: components['parameters']['Accept'];
        /**
         * @description Identifier of the last event that the client got on an earlier connection: the feed goes on after it. It overrides `since`. Since 1.4.0.
         * @example "5-g1AAAACbeJzLYWBh"
         */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Changes'];
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
      default: components['responses']['Error'];
    };
  };
  postChanges: {
    parameters: {
      query?: {
        /** @description JSON array of document identifiers, for the filter `_doc_ids`. The length of a URL is limited: send a long list in the body of a POST. */
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
         * @description Mode of the feed. `normal` gives all past changes at once; `longpoll` waits for one change, then ends; `continuous` stays open and gives a row a line; `eventsource` does so as an event stream (since 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Which changes to give: those of the listed documents (`_doc_ids`), those that match a selector (`_selector`, since 2.0.0), those of design documents (`_design`), those for which a map function emits (`_view`, since 1.2.0), or those that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which an empty line is sent while no change comes; `true` selects the default of 60000. It keeps the feed alive indefinitely, whatever `timeout` says. Without it there is no heartbeat. For longpoll, continuous and eventsource. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document with each row; of a document in conflict the winning revision only. Since 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which is a third larger. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['Attachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /**
         * @description The same as the header `Last-Event-ID`, for clients that cannot set it: a number, or any sequence.
         * @example 5-g1AAAACbeJzLYWBh
         */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Greatest number of rows to give. Without it, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Begin with the change right after this update sequence, or with `now` after the latest (since 1.3.0). A sequence that is no string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions that a row lists: `main_only` the winning one, `all_docs` all leaves, with conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Milliseconds to wait for a change before the answer ends, even without a row. The default is the setting chttpd/changes_timeout; a value above the maximum, 60000 unless configured otherwise, counts as the maximum. For longpoll, continuous and eventsource.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function is the filter `_view`. Since 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence for every Nth row only; the others may have null. As large as the batch, it takes load off a database of many shards. Since 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Wanted media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not choose the mode: `feed` does. */
        Accept?: components['parameters']['Accept'];
        /**
         * @description Identifier of the last event that the client got on an earlier connection: the feed goes on after it. It overrides `since`. Since 1.4.0.
         * @example "5-g1AAAACbeJzLYWBh"
         */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /**
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description Input of a filter; an empty object without one. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangesRequest'];
      };
    };
    responses: {
      200: components['responses']['Changes'];
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
      default: components['responses']['Error'];
    };
  };
  headChanges: {
    parameters: {
      query?: {
        /** @description JSON array of document identifiers, for the filter `_doc_ids`. The length of a URL is limited: send a long list in the body of a POST. */
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
         * @description Mode of the feed. `normal` gives all past changes at once; `longpoll` waits for one change, then ends; `continuous` stays open and gives a row a line; `eventsource` does so as an event stream (since 1.3.0).
         * @example longpoll
         */
        feed?: components['parameters']['Feed'];
        /** @description Which changes to give: those of the listed documents (`_doc_ids`), those that match a selector (`_selector`, since 2.0.0), those of design documents (`_design`), those for which a map function emits (`_view`, since 1.2.0), or those that the filter function `<design_doc>/<filter_name>` accepts. */
        filter?: components['parameters']['Filter'];
        /** @description Period in milliseconds after which an empty line is sent while no change comes; `true` selects the default of 60000. It keeps the feed alive indefinitely, whatever `timeout` says. Without it there is no heartbeat. For longpoll, continuous and eventsource. */
        heartbeat?: components['parameters']['Heartbeat'];
        /**
         * @description Include the document with each row; of a document in conflict the winning revision only. Since 0.11.0.
         * @example true
         */
        include_docs?: components['parameters']['IncludeDocs'];
        /**
         * @description Include the content of attachments as Base64, which is a third larger. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        attachments?: components['parameters']['Attachments'];
        /**
         * @description Include `encoding` and `encoded_length` in the stubs of compressed attachments. Ignored without `include_docs=true`. Since 1.6.0.
         * @example true
         */
        att_encoding_info?: components['parameters']['AttEncodingInfo'];
        /**
         * @description The same as the header `Last-Event-ID`, for clients that cannot set it: a number, or any sequence.
         * @example 5-g1AAAACbeJzLYWBh
         */
        'last-event-id'?: components['parameters']['LastEventId'];
        /**
         * @description Greatest number of rows to give. Without it, or with -1, there is no limit.
         * @example 100
         */
        limit?: components['parameters']['Limit'];
        /** @description Begin with the change right after this update sequence, or with `now` after the latest (since 1.3.0). A sequence that is no string is sent as JSON. */
        since?: components['parameters']['Since'];
        /**
         * @description Revisions that a row lists: `main_only` the winning one, `all_docs` all leaves, with conflicts and deleted former conflicts.
         * @example all_docs
         */
        style?: components['parameters']['Style'];
        /**
         * @description Milliseconds to wait for a change before the answer ends, even without a row. The default is the setting chttpd/changes_timeout; a value above the maximum, 60000 unless configured otherwise, counts as the maximum. For longpoll, continuous and eventsource.
         * @example 30000
         */
        timeout?: components['parameters']['Timeout'];
        /**
         * @description The view `<design_doc>/<view_name>` whose map function is the filter `_view`. Since 1.2.0.
         * @example lists/by_title
         */
        view?: components['parameters']['View'];
        /**
         * @description Compute the sequence for every Nth row only; the others may have null. As large as the batch, it takes load off a database of many shards. Since 2.0.0.
         * @example 100
         */
        seq_interval?: components['parameters']['SeqInterval'];
      };
      header?: {
        /** @description Wanted media type: `application/json` for an object, `text/plain` for lines, `text/event-stream` for events. It does not choose the mode: `feed` does. */
        Accept?: components['parameters']['Accept'];
        /**
         * @description Identifier of the last event that the client got on an earlier connection: the feed goes on after it. It overrides `since`. Since 1.4.0.
         * @example "5-g1AAAACbeJzLYWBh"
         */
        'Last-Event-ID'?: components['parameters']['LastEventIdHeader'];
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The feed can be read. */
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
         * @description Include how attachments are compressed in the store.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Reverse the order.
         * @example true
         */
        descending?: components['parameters']['ListDescending'];
        /** @description Only this identifier; JSON. */
        key?: components['parameters']['Key'];
        /** @description These identifiers, in this order; a JSON array. */
        keys?: components['parameters']['Keys'];
        /** @description Begin with this name or identifier; JSON. */
        startkey?: components['parameters']['StartKey'];
        /** @description The same as `startkey`. */
        start_key?: components['parameters']['StartKeyAlias'];
        /** @description End with this name or identifier; JSON. */
        endkey?: components['parameters']['EndKey'];
        /** @description The same as `endkey`. */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether `endkey` belongs to the list.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Greatest number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Leave out so many entries first.
         * @example 10
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence that the list stands for.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
      default: components['responses']['Error'];
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
         * @description Include how attachments are compressed in the store.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /**
         * @description Reverse the order.
         * @example true
         */
        descending?: components['parameters']['ListDescending'];
        /** @description Only this identifier; JSON. */
        key?: components['parameters']['Key'];
        /** @description These identifiers, in this order; a JSON array. */
        keys?: components['parameters']['Keys'];
        /** @description Begin with this name or identifier; JSON. */
        startkey?: components['parameters']['StartKey'];
        /** @description The same as `startkey`. */
        start_key?: components['parameters']['StartKeyAlias'];
        /** @description End with this name or identifier; JSON. */
        endkey?: components['parameters']['EndKey'];
        /** @description The same as `endkey`. */
        end_key?: components['parameters']['EndKeyAlias'];
        /**
         * @description Whether `endkey` belongs to the list.
         * @example false
         */
        inclusive_end?: components['parameters']['InclusiveEnd'];
        /**
         * @description Greatest number of entries.
         * @example 10
         */
        limit?: components['parameters']['ListLimit'];
        /**
         * @description Leave out so many entries first.
         * @example 10
         */
        skip?: components['parameters']['Skip'];
        /**
         * @description Include the update sequence that the list stands for.
         * @example true
         */
        update_seq?: components['parameters']['UpdateSeq'];
      };
      header?: {
        /**
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description The identifiers, or other options of the list. */
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
      default: components['responses']['Error'];
    };
  };
  bulkDocs: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
      default: components['responses']['Error'];
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
         * @description Give the leaves that descend from the revisions asked for, not these themselves.
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
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description What to read. */
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkGetRequest'];
      };
    };
    responses: {
      /** @description What was read. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkGetResult'];
          'multipart/mixed': string;
          'multipart/related': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['Error'];
    };
  };
  revsDiff: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description How the body is compressed; some clients send `gzip`.
         * @example gzip
         */
        'Content-Encoding'?: components['parameters']['ContentEncoding'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
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
      /** @description The missing ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RevsDiffResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      default: components['responses']['Error'];
    };
  };
  getSecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Who may use it. */
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
      default: components['responses']['Error'];
    };
  };
  putSecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
      };
      cookie?: never;
    };
    /** @description Who may use it. */
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
      default: components['responses']['Error'];
    };
  };
  getDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
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
        /** @description Give these revisions instead of the document: a JSON array, or `all` for every leaf. */
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
         * @description The same as `conflicts`, `deleted_conflicts` and `revs_info` together.
         * @example true
         */
        meta?: components['parameters']['Meta'];
        /**
         * @description Give the leaves that descend from the revisions asked for, not these themselves.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include how attachments are compressed in the store.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /** @description Include the content of attachments that came after these revisions. */
        atts_since?: components['parameters']['AttsSince'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document, its identifier without `_design/`.
         * @example lists
         */
        ddoc: components['parameters']['DesignDocName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Document'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['Error'];
    };
  };
  putDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description False to store the revision as it is, as a replicator does.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
        /**
         * @description `ok` to have the answer before the write is on disk.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document, its identifier without `_design/`.
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
      default: components['responses']['Error'];
    };
  };
  deleteDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description `ok` to have the answer before the write is on disk.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document, its identifier without `_design/`.
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
      default: components['responses']['Error'];
    };
  };
  headDesignDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Give the leaves that descend from the revisions asked for, not these themselves.
         * @example true
         */
        latest?: components['parameters']['Latest'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Name of the design document, its identifier without `_design/`.
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
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the local document without `_local/`.
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
      default: components['responses']['Error'];
    };
  };
  putLocalDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the local document without `_local/`.
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
      default: components['responses']['Error'];
    };
  };
  deleteLocalDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: never;
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the local document without `_local/`.
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
      default: components['responses']['Error'];
    };
  };
  getDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
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
        /** @description Give these revisions instead of the document: a JSON array, or `all` for every leaf. */
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
         * @description The same as `conflicts`, `deleted_conflicts` and `revs_info` together.
         * @example true
         */
        meta?: components['parameters']['Meta'];
        /**
         * @description Give the leaves that descend from the revisions asked for, not these themselves.
         * @example true
         */
        latest?: components['parameters']['Latest'];
        /**
         * @description Include the content of attachments.
         * @example true
         */
        attachments?: components['parameters']['DocumentAttachments'];
        /**
         * @description Include how attachments are compressed in the store.
         * @example true
         */
        att_encoding_info?: components['parameters']['DocumentAttEncodingInfo'];
        /** @description Include the content of attachments that came after these revisions. */
        atts_since?: components['parameters']['AttsSince'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Document'];
      304: components['responses']['NotModified'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['Error'];
    };
  };
  putDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description False to store the revision as it is, as a replicator does.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
        /**
         * @description `ok` to have the answer before the write is on disk.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['Document'];
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
      default: components['responses']['Error'];
    };
  };
  deleteDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description `ok` to have the answer before the write is on disk.
         * @example ok
         */
        batch?: components['parameters']['Batch'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
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
      default: components['responses']['Error'];
    };
  };
  headDocument: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description Include the conflicting revisions.
         * @example true
         */
        conflicts?: components['parameters']['DocumentConflicts'];
        /**
         * @description Give the leaves that descend from the revisions asked for, not these themselves.
         * @example true
         */
        latest?: components['parameters']['Latest'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
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
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /**
         * @description The part of the content that is wanted.
         * @example bytes=0-4
         */
        Range?: components['parameters']['Range'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment; it may hold slashes.
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
      default: components['responses']['Error'];
    };
  };
  putAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment; it may hold slashes.
         * @example note.txt
         */
        attname: components['parameters']['AttachmentName'];
      };
      cookie?: never;
    };
    /** @description The content. */
    requestBody: {
      content: {
        '*/*': string;
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
      default: components['responses']['Error'];
    };
  };
  deleteAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment; it may hold slashes.
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
      default: components['responses']['Error'];
    };
  };
  headAttachment: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
      };
      header?: {
        /**
         * @description ETag of the answer that the client has; when it is still good the answer is 304.
         * @example "1-967a00dff5e02add41819138abb3284d"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description Name of the database: it begins with a lower-case letter, goes on with lower-case letters, digits and `_$()+-/` (a slash as `%2F`); a few names that begin with an underscore, such as `_users`, are the server's own.
         * @example recipes
         */
        db: components['parameters']['Db'];
        /**
         * @description Identifier of the document.
         * @example pancakes
         */
        docid: components['parameters']['DocId'];
        /**
         * @description Name of the attachment; it may hold slashes.
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
  putUser: {
    parameters: {
      query?: {
        /**
         * @description The revision that is meant.
         * @example 2-7051cbe5c8faecd085a3fa619e6e6337
         */
        rev?: components['parameters']['Rev'];
        /**
         * @description False to store the revision as it is, as a replicator does.
         * @example false
         */
        new_edits?: components['parameters']['NewEdits'];
      };
      header?: {
        /**
         * @description The revision that the write is based on, in place of `rev`; quotes are allowed.
         * @example 1-967a00dff5e02add41819138abb3284d
         */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description Name of the user; the same as `name` in the body.
         * @example alice
         */
        username: components['parameters']['Username'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['User'];
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
      default: components['responses']['Error'];
    };
  };
}
