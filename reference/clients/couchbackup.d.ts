/** Types of the members of couchbackup that the test uses. */
declare module '@cloudant/couchbackup' {
  import type { Readable, Writable } from 'node:stream';

  interface Options {
    parallelism?: number;
    /** Number of documents per request. */
    bufferSize?: number;
    mode?: 'full' | 'shallow';
    attachments?: boolean;
    quiet?: boolean;
  }

  type Done = (error: Error | null, data?: { total: number }) => void;

  const couchbackup: {
    backup(source: string, target: Writable, options: Options, done: Done): void;
    restore(source: Readable, target: string, options: Options, done: Done): void;
  };
  export default couchbackup;
}
