/**
 * The reverse proxy of `docfeed proxy`, which tells what passes. Each connection of a client has one to the target, so that
 * what a target knows of a connection is about one client.
 */
import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { forward, maxHeaderSize, refusalBody } from '../http/reverse-proxy.js';

/**
 * What happens to an exchange, each of these at most once unless it is a part of a body:
 * `request` begins it, `upload` is a part of the body of the request, and with `sent` that is whole. `response` and `chunk`
 * are the head of the response and a part of its body. `slow`: the client reads more slowly than the target sends, so that
 * the target must wait. `end`: the response is whole. `break`: nothing more of it comes.
 */
export const eventKinds = ['request', 'upload', 'sent', 'response', 'chunk', 'slow', 'end', 'break'] as const;

export interface PassingEvent {
  readonly kind: (typeof eventKinds)[number];
  /** Its number. */
  readonly exchange: number;
  /** On the clock of `performance.now()`. */
  readonly at: number;
  /** A part of a body, or a head in JSON. */
  readonly bytes: Buffer;
}

/** In an event `request`. */
export interface RequestHead {
  /** The number of the client's connection. */
  readonly connection: number;
  readonly method: string;
  /** Below the base URL of the target, with the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** In an event `response`. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** Sees what passes. */
export interface Tap {
  onEvent(event: PassingEvent): void;
  /** One sentence about the target. */
  onNotice(notice: string): void;
}

export interface TappedProxyOptions {
  readonly target: URL;
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly tap: Tap;
}

export interface TappedProxy {
  /** Where it listens, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  /** The number of open connections of clients. */
  readonly connections: number;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** A connection of a client. */
interface Client {
  readonly id: number;
  /** Has its connection to the target. */
  readonly agent: Agent;
  /** The number of its requests that wait for the end of their response. */
  open: number;
}

/** After how long an idle connection to the target is closed, in milliseconds. A shorter time that the target says counts. */
const idleMs = 300_000;

/** Resolves when it accepts connections. Rejects if it cannot listen. */
export async function startTappedProxy(options: TappedProxyOptions): Promise<TappedProxy> {
  const { target, host, port } = options;
  const AgentOfTarget = target.protocol === 'https:' ? SecureAgent : Agent;
  const clients = new Map<Duplex, Client>();
  let clientCount = 0;
  let exchangeCount = 0;
  // Only the target has limits of time and of the number of headers.
  const server = createServer({
    maxHeaderSize,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    const agent = new AgentOfTarget({ keepAlive: true, maxSockets: 1, timeout: idleMs });
    clients.set(socket, { id: (clientCount += 1), agent, open: 0 });
    socket.once('close', () => {
      clients.delete(socket);
      agent.destroy();
    });
  });
  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const client = clients.get(incoming.socket)!;
    client.open += 1;
    await pass(incoming, outgoing, client, (exchangeCount += 1), options);
    client.open -= 1;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void onRequest(incoming, outgoing);
    });
  }
  const answer = (socket: Duplex, status: 400 | 431, reason: string): void => {
    // The response to an earlier request may be on its way, and this one must not get into it.
    if (socket.writable && clients.get(socket)!.open === 0) refuse(socket, status, reason);
    else socket.destroy();
  };
  server.on('connect', (_, socket) => {
    // Node leaves errors of the connection to this listener.
    socket.on('error', () => socket.destroy());
    answer(socket, 400, 'this proxy serves its target only');
  });
  server.on('clientError', ({ code, message }: NodeJS.ErrnoException, socket) => {
    if (socket.writable) answer(socket, code === 'HPE_HEADER_OVERFLOW' ? 431 : 400, message);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`,
    get connections() {
      return clients.size;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** How long a client has to read why its request is refused. */
const refusalMs = 1000;

/** Answers what is no request. */
function refuse(socket: Duplex, status: 400 | 431, reason: string): void {
  const body = refusalBody(reason);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), refusalMs).unref();
}

const nothing = Buffer.alloc(0);

/** Passes one exchange, and tells what happens to it. */
async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { id: connection, agent }: Client,
  exchange: number,
  { target, tap }: TappedProxyOptions,
): Promise<void> {
  const { method = 'GET', url: path = '/', socket: client } = incoming;
  let isReused = false;
  let isConnected = false;
  let hasResponse = false;
  let isOpen = false;
  const tell = (kind: PassingEvent['kind'], bytes: Buffer = nothing): void => {
    if (isOpen) tap.onEvent({ kind, exchange, at: performance.now(), bytes });
    isOpen &&= kind !== 'end' && kind !== 'break';
  };
  const tellHead = (kind: 'request' | 'response', head: RequestHead | ResponseHead): void =>
    tell(kind, Buffer.from(JSON.stringify(head)));

  const onRequest = (request: ClientRequest): void => {
    const rawHeaders = incoming.rawHeaders.map((text, index, all) =>
      index % 2 === 1 && all[index - 1]!.toLowerCase() === 'host' ? target.host : text,
    );
    isOpen = true;
    tellHead('request', { connection, method, path, rawHeaders });
    incoming.on('data', (bytes: Buffer) => tell('upload', bytes)).once('end', () => tell('sent'));
    request.once('socket', (socket) => {
      isReused = !socket.connecting;
      isConnected = isReused;
      if (isReused) return;
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    request.on('error', onFailure);
  };
  const onResponse = (response: IncomingMessage): void => {
    hasResponse = true;
    const { statusCode: status = 0, rawHeaders } = response;
    tellHead('response', { status, rawHeaders });
    response.on('data', (bytes: Buffer) => tell('chunk', bytes));
    // It also pauses when the client has left.
    response.on('pause', () => outgoing.writableNeedDrain && tell('slow'));
    response.once('end', () => tell('end'));
    response.on('error', onFailure);
  };
  /** A server may end an idle connection at any time, also while the next request is on its way. */
  const onFailure = ({ code = '', message }: NodeJS.ErrnoException): void => {
    const isOfTarget = isOpen && client.writable && (hasResponse || !isReused);
    tell('break');
    if (!isOfTarget) return;
    const what = `${method} ${path.split('?')[0]}`;
    if (!isConnected) tap.onNotice(`The target accepts no connection: ${message || code}`);
    else if (code.startsWith('HPE_'))
      tap.onNotice(`The response of the target to ${what} is not HTTP: ${message}`);
    else
      tap.onNotice(
        `The target ends a connection ${hasResponse ? 'in the middle of the response' : 'without a response'} to ${what}`,
      );
  };
  // Both sides know of an error, and the tap.
  await forward(incoming, outgoing, { target, agent, onRequest, onResponse }).catch(() => {});
  tell('break');
}
