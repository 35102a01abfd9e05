/**
 * The part of PouchDB that its test uses. The packages ship no types, and those that others have published for them
 * declare a `Buffer` that contradicts Node's.
 */
declare module 'pouchdb-core' {
  import type { EventEmitter } from 'node:events';

  export type Document = Record<string, unknown> & {
    _id: string;
    _rev: string;
    _conflicts?: string[];
    _attachments?: Record<string, { content_type: string; digest: string; data?: string; stub?: true }>;
  };

  interface Written {
    id: string;
    rev: string;
  }

  export interface Change {
    id: string;
    seq: unknown;
    changes: { rev: string }[];
    deleted?: true;
    doc?: Document;
  }

  interface Changes {
    results: Change[];
    last_seq: unknown;
  }

  /** Emits `change`, and `complete` at the end. Resolves at the end. */
  interface Work<Result> extends EventEmitter, Promise<Result> {
    cancel(): void;
  }

  interface LiveOptions {
    live?: boolean;
    /** Whether to continue after a broken connection. */
    retry?: boolean;
    back_off_function?: (delay: number) => number;
  }

  export interface Replicated {
    ok: boolean;
    status?: 'cancelled' | 'complete';
    docs_read: number;
    docs_written: number;
    doc_write_failures: number;
    errors: unknown[];
  }

  export default class PouchDB {
    constructor(name: string, options: { adapter?: string; auth?: { username: string; password: string } });
    static plugin(plugin: unknown): typeof PouchDB;
    static replicate(source: PouchDB, target: PouchDB, options?: LiveOptions): Work<Replicated>;
    static sync(one: PouchDB, other: PouchDB, options?: LiveOptions): Work<unknown>;
    get(id: string, options?: object): Promise<Document>;
    put(document: object): Promise<Written>;
    remove(document: Document): Promise<Written>;
    remove(id: string, rev: string): Promise<Written>;
    bulkDocs(documents: object[], options?: { new_edits: boolean }): Promise<object[]>;
    putAttachment(id: string, name: string, rev: string, content: Buffer, type: string): Promise<Written>;
    removeAttachment(id: string, name: string, rev: string): Promise<Written>;
    changes(options: object): Work<Changes>;
    allDocs(): Promise<{ rows: { id: string }[] }>;
    destroy(): Promise<void>;
  }
}

declare module 'pouchdb-adapter-http' {
  const plugin: unknown;
  export default plugin;
}

declare module 'pouchdb-adapter-memory' {
  const plugin: unknown;
  export default plugin;
}

declare module 'pouchdb-replication' {
  const plugin: unknown;
  export default plugin;
}
