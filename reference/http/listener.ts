/** JSON error responses for input that Node's HTTP parser rejects before hapi sees a request. */
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const statusOfCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Node's default of 5 s is so short that clients often reuse a connection just as the server closes it. */
const keepAliveMs = 60_000;

interface ErrorResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Call this after hapi has set up the listener. It replaces hapi's responses, which have no body. */
export function handleMalformedRequests(
  listener: Server,
  errorResponse: (status: number) => ErrorResponse,
): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  listener.keepAliveTimeout = keepAliveMs;
  listener.on('request', (request, response) => responses.set(request.socket, response));
  listener.on('checkExpectation', (_request, response) => {
    const { headers, body } = errorResponse(417);
    response.writeHead(417, { ...headers, Connection: 'close' }).end(body);
  });
  const refuse = (socket: Socket, status: number) => {
    const response = responses.get(socket);
    // An earlier response may be on its way, or may have ended the connection.
    const isResponding = response !== undefined && response.headersSent && !response.writableFinished;
    if (isResponding || !socket.writable) socket.destroy();
    else socket.end(rawResponse(status, errorResponse), () => socket.destroy());
  };
  // Without a listener, Node closes the connection. With one, it leaves errors of the connection to it.
  listener.on('connect', (_request, stream) => {
    stream.on('error', () => stream.destroy());
    refuse(stream as Socket, 405);
  });
  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: NodeJS.ErrnoException, stream) =>
    refuse(stream as Socket, statusOfCode[error.code ?? ''] ?? 400),
  );
}

function rawResponse(status: number, errorResponse: (status: number) => ErrorResponse): string {
  const { headers, body } = errorResponse(status);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map((header) => header.join(': '));
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
