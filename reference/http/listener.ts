/** The HTTP listener below hapi: has it answer in JSON also what never becomes a request. */
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const statusOfCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Idle connections stay open for a minute: one that closes sooner races with clients that use it again. */
const keepAliveMs = 60_000;

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** To be called after hapi has set up the listener: its own answers to broken requests have no body. */
export function answerBrokenRequests(listener: Server, answerOf: (status: number) => Answer): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  listener.keepAliveTimeout = keepAliveMs;
  listener.on('request', (request, response) => responses.set(request.socket, response));
  listener.on('checkExpectation', (_request, response) => {
    const { headers, body } = answerOf(417);
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
  });
  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const response = responses.get(socket);
    const answering = response !== undefined && response.headersSent && !response.writableFinished;
    if (answering || !socket.writable) socket.destroy();
    else socket.end(rawResponse(statusOfCode[error.code ?? ''] ?? 400, answerOf), () => socket.destroy());
  });
}

function rawResponse(status: number, answerOf: (status: number) => Answer): string {
  const { headers, body } = answerOf(status);
  const lines = Object.entries({ ...headers, connection: 'close' }).map((header) => header.join(': '));
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
