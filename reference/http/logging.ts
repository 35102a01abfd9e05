/**
 * The log, in JSON lines. A request line has the client, the user, the path and the status. The log never contains
 * query strings, headers or bodies, because they may hold passwords, tokens and cookies.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isBoom } from '@hapi/boom';
import type { Request, Server } from '@hapi/hapi';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** `info` logs every request. */
export type LogLevel = 'info' | 'warn' | 'error' | 'silent';

/** Where the log goes, and how much of it. */
export interface LogOptions {
  /** Default `warn`. */
  readonly level?: LogLevel;
  /** Receives the lines, each with its line break. Default: standard error. */
  readonly to?: DestinationStream;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Appears in the response and in the log. */
    requestId?: string;
  }
}

export function createLog({ level = 'warn', to = destination({ dest: 2, sync: true }) }: LogOptions): Logger {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  return pino({ ...options, formatters: { level: (label) => ({ level: label }) } }, to);
}

/** Ten random hexadecimal digits. `randomUUID` is faster than `randomBytes`, because Node caches its random data. */
export const newRequestId = (): string => randomUUID().slice(-10);

/** @returns undefined unless the client sent an ID that can stand in a header and a line of the log */
export function sentRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{1,36}$/.test(header) ? header : undefined;
}

/** Log fields that identify a request. */
export function requestFields({ app, method, path, raw }: Request): object {
  return {
    requestId: app.requestId,
    address: raw.req.socket.remoteAddress,
    user: app.identity?.user.name ?? undefined,
    method: method.toUpperCase(),
    path,
  };
}

/** The log omits the reason of an `httpError`, because it may quote a document. */
function nameOf(error: Error): string {
  return isBoom(error) ? String((error.output.payload as { error?: unknown }).error) : error.message;
}

/** Logs each request after its response. */
export function logRequests(server: Server, log: Logger): void {
  // Listening costs time, and the level never changes.
  if (!log.isLevelEnabled('info')) return;
  server.events.on('response', (request) => {
    const ms = Date.now() - request.info.received;
    log.info({ ...requestFields(request), status: request.raw.res.statusCode, ms }, 'request');
  });
}

/** Logs an error in the middle of a response. The client only sees an incomplete body. */
export function logAbort(request: Request, body: Readable, log: Logger): void {
  body.once('error', (error) => {
    log.warn({ ...requestFields(request), error: nameOf(error) }, 'the response was aborted');
  });
}
