/** Types of the members of cloudant-follow that the test uses. */
declare module 'cloudant-follow' {
  import { EventEmitter } from 'node:events';

  export interface Options {
    db: string;
    /** A sequence or `now`. Default 0. */
    since?: string | number;
    include_docs?: boolean;
    /** Client-side filter. */
    filter?: (document: Record<string, unknown>) => boolean;
    /** In milliseconds. Doubled after each failure. */
    initial_retry_delay?: number;
  }

  export class Feed extends EventEmitter {
    constructor(options: Options);
    /** In milliseconds. Default 30,000. */
    heartbeat: number;
    follow(): void;
    stop(): void;
  }
}

declare module 'cloudant-follow/lib/index.js' {
  /** Replaces the timer functions of the package. */
  export function timeouts(
    set: (callback: () => void, ms: number) => NodeJS.Timeout,
    clear: (timer: NodeJS.Timeout | undefined) => void,
  ): void;
}
