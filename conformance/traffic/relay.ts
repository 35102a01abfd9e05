/**
 * Passes connections on to a target. Responses pass byte by byte. Of a request, only two things change: `Host` names the
 * target, and the path gets the prefix of its URL.
 *
 * Each connection of a client has one to the target, so that what one side does the other side sees: the end of its
 * half, an abort, or that it reads slowly.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import {
  MalformedMessage,
  type MessageHead,
  MessageReader,
  parseRequestLine,
  requestFraming,
} from './message-reader.js';

/** The direction of bytes: from the client or from the target. */
export type Side = 'client' | 'target';

/** Something that happens on a connection. */
export interface WireEvent {
  /**
   * `bytes`: the side sends them. `end`: it sends nothing more. `break`: it has reset the connection. `slow`: it reads
   * more slowly than the other side sends, so that the proxy has stopped to read from that one. `close`: the connection
   * is closed on both sides.
   */
  readonly kind: 'bytes' | 'end' | 'break' | 'slow' | 'close';
  readonly connection: number;
  readonly side: Side;
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Sees what passes. */
export interface Tap {
  onEvent(event: WireEvent): void;
  /** The target accepts no connection. */
  onRefused(error: Error): void;
}

export interface RelayOptions {
  readonly target: URL;
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly tap: Tap;
}

export interface Relay {
  /** Where it listens, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Resolves when it accepts connections. Rejects if it cannot listen. */
export async function startRelay({ target, host, port, tap }: RelayOptions): Promise<Relay> {
  const open = new Set<Socket>();
  let count = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    count += 1;
    const upstream = connectTo(target);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    join(count, client, upstream, { target, tap });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`,
    get connections() {
      return open.size / 2;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const options = { host, port: Number(port) || (isSecure ? 443 : 80), allowHalfOpen: true, noDelay: true };
  return isSecure
    ? connectSecurely({
        ...options,
        ALPNProtocols: ['http/1.1'],
        ...(isIP(host) === 0 && { servername: host }),
      })
    : connect(options);
}

const nothing = Buffer.alloc(0);

function join(
  id: number,
  client: Socket,
  upstream: Socket,
  { target, tap }: Pick<RelayOptions, 'target' | 'tap'>,
): void {
  let isTunnel = false;
  let isConnected = false;
  let hasRequest = false;
  let hasResponse = false;
  let isRefused = false;
  const tell = (kind: WireEvent['kind'], side: Side, bytes: Buffer = nothing): void =>
    tap.onEvent({ kind, connection: id, side, at: performance.now(), bytes });
  const send = (from: Socket, to: Socket, bytes: Buffer): void => {
    tell('bytes', from === client ? 'client' : 'target', bytes);
    if (to.write(bytes)) return;
    from.pause();
    if (to === client) tell('slow', 'client');
    to.once('drain', () => from.resume());
  };

  let accepted: Buffer[] = [];
  const requests = new MessageReader({
    onHead(head) {
      const framing = requestFraming(head);
      accepted.push(rewritten(head, target));
      return framing;
    },
    onWire: (bytes) => void accepted.push(bytes),
  });
  /** What may pass of these bytes, in one piece as they arrived. */
  const acceptable = (bytes: Buffer): Buffer => {
    accepted = [];
    try {
      if (isTunnel) return bytes;
      requests.read(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      refuse(error);
    }
    return accepted.length === 1 ? accepted[0]! : Buffer.concat(accepted);
  };
  const refuse = ({ message, status }: MalformedMessage): void => {
    client.removeAllListeners('data').resume();
    // The response to an earlier request may be on its way, and this one must not get into it.
    if (hasRequest || accepted.length > 0) return abort(client);
    isRefused = true;
    upstream.destroy();
    const body = `${JSON.stringify({ error: 'bad_request', reason: message })}\n`;
    const phrase = status === 400 ? 'Bad Request' : 'Request Header Fields Too Large';
    client.end(
      `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    client.setTimeout(refusalMs, () => client.destroy());
  };

  client.on('data', (bytes) => {
    const passed = acceptable(bytes);
    if (passed.length === 0) return;
    hasRequest = true;
    send(client, upstream, passed);
  });
  upstream.on('data', (bytes) => {
    // After 101, the client speaks another protocol.
    isTunnel ||= !hasResponse && bytes.subarray(9, 12).toString('latin1') === '101';
    hasResponse = true;
    send(upstream, client, bytes);
  });
  upstream.once('encrypted' in upstream ? 'secureConnect' : 'connect', () => (isConnected = true));
  for (const [side, from, to] of [
    ['client', client, upstream],
    ['target', upstream, client],
  ] as const) {
    from.on('end', () => {
      tell('end', side);
      to.end();
    });
    from.on('error', (error) => {
      if (side === 'target' && !isConnected) tap.onRefused(error);
      else tell('break', side);
    });
    from.on('close', () => {
      const isFinished = from.readableEnded && from.writableFinished;
      if (!isFinished && !isRefused) abort(to);
      if (to.closed || isRefused) tell('close', side);
    });
  }
}

/** How long a client has to read why its request is refused. */
const refusalMs = 1000;

/** Lets the other side see that the connection is broken, and not that it has ended. */
function abort(socket: Socket): void {
  if (socket.destroyed) return;
  // A connection with TLS, or one that is not open yet, cannot be reset.
  if ('encrypted' in socket || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}

/** The head for the target. @throws MalformedMessage */
function rewritten(head: MessageHead, { host, pathname }: URL): Buffer {
  const { method, target, version } = parseRequestLine(head);
  const hosts = head.valuesOf('host');
  if (hosts.length > 1) throw new MalformedMessage('a request has several Host headers');
  const prefix = target === '*' ? '' : pathname.replace(/\/$/, '');
  if (prefix === '' && hosts.every((value) => value === host)) return head.bytes;
  const text = head.bytes.toString('latin1');
  const rest = text
    .slice(head.startLine.length)
    .replace(/(\r\nhost:[\t ]*)[^\r]*/i, (_, name: string) => name + host);
  return Buffer.from(`${method} ${prefix}${target} ${version}${rest}`, 'latin1');
}
