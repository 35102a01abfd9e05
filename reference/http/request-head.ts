import type { IncomingHttpHeaders } from 'node:http';

/** The parts of the HTTP request that the generated request types leave out. */
export interface RequestHead {
  readonly method: string;
  /** Path and query string as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client; empty if the client has already disconnected. */
  readonly address: string;
}
