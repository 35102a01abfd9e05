/** The part of cloudant-follow that its test uses; the package ships no types. */
declare module 'cloudant-follow' {
  import { EventEmitter } from 'node:events';

  export interface Options {
    db: string;
    /** A seq, `now`, or 0, the default. */
    since?: string | number;
    include_docs?: boolean;
    /** Of the server by its name, or of the client. */
    filter?: string | ((document: Record<string, unknown>) => boolean);
    /** In milliseconds. */
    heartbeat?: number;
    /** In milliseconds; doubled at each failure. */
    initial_retry_delay?: number;
  }

  export class Feed extends EventEmitter {
    constructor(options: Options);
    follow(): void;
    stop(): void;
  }
}
