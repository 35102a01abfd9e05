/** The part of cloudant-follow that its test uses; the package ships no types. */
declare module 'cloudant-follow' {
  import { EventEmitter } from 'node:events';

  export interface Options {
    db: string;
    /** A seq, `now`, or 0, the default. */
    since?: string | number;
    include_docs?: boolean;
    /** Decides in the client. */
    filter?: (document: Record<string, unknown>) => boolean;
    /** In milliseconds; doubled at each failure. */
    initial_retry_delay?: number;
  }

  export class Feed extends EventEmitter {
    constructor(options: Options);
    /** In milliseconds; 30,000 unless set. */
    heartbeat: number;
    follow(): void;
    stop(): void;
  }
}
