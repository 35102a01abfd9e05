/**
 * The log: JSON lines. Of a request it has what says where it came from and what became of it; never a query string, a
 * header or a body, which may hold passwords, tokens and cookies.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { isBoom } from '@hapi/boom';
import type { Request, Server } from '@hapi/hapi';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** `info` has a line for each request. */
export type LogLevel = 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  /** Default `warn`. */
  readonly level?: LogLevel;
  /** Takes the lines, each with its end. Default: standard error. */
  readonly to?: DestinationStream;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** In the response and in the log. */
    requestId?: string;
  }
}

export function createLog({ level = 'warn', to = destination({ dest: 2, sync: true }) }: LogOptions): Logger {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  return pino({ ...options, formatters: { level: (label) => ({ level: label }) } }, to);
}

/** Ten digits at random. Those of a UUID are drawn in advance, many at once: they cost next to nothing. */
export const newRequestId = (): string => randomUUID().slice(-10);

/** What the log tells of a request. */
export function describe({ app, method, path, raw }: Request): object {
  return {
    requestId: app.requestId,
    address: raw.req.socket.remoteAddress,
    user: app.identity?.user.name ?? undefined,
    method: method.toUpperCase(),
    path,
  };
}

/** Of an error that would be told in a response that name, without the reason: it may quote a document. */
function nameOf(error: Error): string {
  return isBoom(error) ? String((error.output.payload as { error?: unknown }).error) : error.message;
}

/** Gives each request an identifier, and the log a line for it when it has been answered. */
export function logRequests(server: Server, log: Logger): void {
  server.ext('onRequest', ({ app }, h) => {
    app.requestId = newRequestId();
    return h.continue;
  });
  server.ext('onPreResponse', (request, h) => {
    const { response } = request;
    // The client only sees that the body breaks off.
    if (!isBoom(response) && response.source instanceof Readable)
      response.source.once('error', (error) => {
        log.warn({ ...describe(request), error: nameOf(error) }, 'a response broke off');
      });
    return h.continue;
  });
  server.events.on('response', (request) => {
    const ms = Date.now() - request.info.received;
    log.info({ ...describe(request), status: request.raw.res.statusCode, ms }, 'request');
  });
}
