/**
 * The part of PouchDB that its test uses. The packages ship no types, and those that others have published for them
 * declare a `Buffer` that contradicts Node's.
 */
declare module 'pouchdb-core' {
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

  interface Changes {
    results: { id: string; seq: unknown; changes: { rev: string }[]; deleted?: true; doc?: Document }[];
    last_seq: unknown;
  }

  export interface Replicated {
    ok: boolean;
    docs_read: number;
    docs_written: number;
    doc_write_failures: number;
    errors: unknown[];
  }

  export default class PouchDB {
    constructor(name: string, options: { adapter?: string; auth?: { username: string; password: string } });
    static plugin(plugin: unknown): typeof PouchDB;
    static replicate(source: PouchDB, target: PouchDB): Promise<Replicated>;
    static sync(one: PouchDB, other: PouchDB): Promise<unknown>;
    get(id: string, options?: object): Promise<Document>;
    put(document: object): Promise<Written>;
    remove(document: Document): Promise<Written>;
    remove(id: string, rev: string): Promise<Written>;
    bulkDocs(documents: object[], options?: { new_edits: boolean }): Promise<object[]>;
    putAttachment(id: string, name: string, rev: string, content: Buffer, type: string): Promise<Written>;
    removeAttachment(id: string, name: string, rev: string): Promise<Written>;
    changes(options: object): Promise<Changes>;
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
