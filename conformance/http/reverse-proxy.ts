/**
 * Passes requests on to a target, and its responses back: the method, the path, headers in their order and case, the status,
 * the bytes of bodies and trailers. What one side does the other side sees: that it reads slowly, that it aborts, that it
 * answers before the request has ended, or that it waits for `100 Continue`. Only the borders of chunks may differ, and the
 * headers that are about one connection only.
 */
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import { request as sendSecurely } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { namesAndValues } from './exchange.js';

/** Headers of one connection (RFC 9110, section 7.6.1). Node.js frames the message anew. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'upgrade',
]);

/** In bytes, the longest head of a message. Servers accept less. */
export const maxHeaderSize = 64 * 1024;

/** What the client gets in place of a part of the response. */
export interface Treatment {
  readonly status?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Headers that the client does not get, with their names in lower case. */
  readonly without?: readonly string[];
  readonly body?: AsyncIterable<Uint8Array | string>;
  /** Whether the body has the length that the head says, unless the connection breaks. */
  readonly keepsLength?: boolean;
}

export interface Forwarding {
  /** Its path is a prefix of all paths. */
  readonly target: URL;
  /** The path and the query for the target. Default: those of the request. */
  readonly path?: string;
  /** The body, if it was read before. */
  readonly body?: Uint8Array;
  /** Headers that the target does not get, with their names in lower case. */
  readonly without?: readonly string[];
  /** Keeps connections to the target. Default: each request has its own, which is closed afterwards. */
  readonly agent?: Agent;
  /** Sees the request before the target gets it. It is not called if the request is refused. */
  readonly onRequest?: (request: ClientRequest) => void;
  /** Sees the head of the response before the client gets it, and may treat the response. */
  readonly onResponse?: (response: IncomingMessage) => Treatment | void | Promise<Treatment | void>;
}

/**
 * Forwards one request. If a connection breaks, it breaks the other one. It refuses a request for another host.
 *
 * @throws the error of the connection that broke, of which both sides then know
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  forwarding: Forwarding,
): Promise<void> {
  const problem = problemOf(incoming);
  if (problem !== undefined) return refuse(outgoing, problem);
  try {
    const request = send(incoming, outgoing, forwarding);
    await pass(await responseTo(request), outgoing, forwarding.onResponse);
    // The target has said what it wants to say. The client of Node.js could not go on: it writes no more after a response.
    if (!incoming.complete) request.destroy();
  } catch (error) {
    // HTTP/1.0 has no chunks: there, the end of the connection could be that of the body.
    if (incoming.httpVersion === '1.0') incoming.socket.resetAndDestroy();
    outgoing.destroy();
    throw error;
  }
}

/** Why a request must not reach the target, which could take it for another one. */
function problemOf({ url = '', method, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    return 'this proxy serves its target only: a request must have a path, not a URL';
  }
  if (!/^(chunked)?$/i.test(headers['transfer-encoding'] ?? ''))
    return 'the Transfer-Encoding is not chunked';
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1 ? 'a request has several Host headers' : undefined;
}

function refuse(outgoing: ServerResponse, reason: string): void {
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  outgoing.writeHead(400, headers).end(refusalBody(reason));
}

export const refusalBody = (reason: string): string =>
  `${JSON.stringify({ error: 'bad_request', reason })}\n`;

function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, path = incoming.url!, body, without = [], agent, onRequest }: Forwarding,
): ClientRequest {
  const { method, url } = incoming;
  const request = (target.protocol === 'https:' ? sendSecurely : sendRequest)({
    ...addressOf(target),
    // Without one, whatever ends the connection of the target ends one request only.
    agent: agent ?? false,
    method,
    path: url === '*' ? url : target.pathname.replace(/\/$/, '') + path,
    headers: requestHeaders(incoming, target, without),
    maxHeaderSize,
  });
  request.maxHeadersCount = 0;
  const leave = (): void => void request.destroy();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) leave();
  });
  incoming.once('error', leave);
  request.on('continue', () => outgoing.writeContinue());
  onRequest?.(request);
  if (body) return request.end(body);
  if (!hasBody(incoming)) {
    incoming.resume();
    return request.end();
  }
  gather(request).flushHeaders();
  incoming.once('end', () => addTrailers(request, incoming));
  // Not by a pipeline, which would end the client's connection when a target answers early and reads no further.
  incoming.pipe(request);
  // After the pipe, which stops then. The client may go on to send what nobody wants any more.
  return request.once('close', () => incoming.resume());
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** What arrives together goes on together: each packet takes time of both sides. */
function gather<Message extends ClientRequest | ServerResponse>(message: Message): Message {
  // The socket and not the message: in Node.js 24, one that ends while it is corked loses its chunks.
  const cork = (socket: Socket): void => {
    socket.cork();
    setImmediate(() => socket.uncork());
  };
  if (message.socket) cork(message.socket);
  else message.once('socket', cork);
  return message;
}

const addressOf = ({ hostname, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  ...(port !== '' && { port }),
});

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('close', () => reject(new Error('The connection has ended before a response.')));
    // Also after the response, which tells its end itself.
    request.on('error', reject);
  });
}

/** As names and values in turn. */
function requestHeaders(
  { rawHeaders, httpVersion, method = 'GET' }: IncomingMessage,
  { host }: URL,
  without: readonly string[],
): string[] {
  const sent = namesAndValues(rawHeaders);
  const names = sent.map(([name]) => name.toLowerCase());
  const kept = sent.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (ofConnection.has(lower) || without.includes(lower)) return [];
    return [name, lower === 'host' ? host : value];
  });
  // The target gets HTTP/1.1, which demands it.
  if (httpVersion === '1.0' && !names.includes('host')) kept.push('Host', host);
  if (names.includes('transfer-encoding')) return [...kept, 'Transfer-Encoding', 'chunked'];
  // Node.js would send chunks for a method that usually has a body.
  return names.includes('content-length') || ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
    ? kept
    : [...kept, 'Content-Length', '0'];
}

async function pass(
  response: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: Forwarding['onResponse'] = () => {},
): Promise<void> {
  const treatment = (await onResponse(response)) ?? {};
  const { status = response.statusCode!, headers = namesAndValues(response.rawHeaders) } = treatment;
  const { without = [], body, keepsLength = !body } = treatment;
  const passed = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return (
      !ofConnection.has(lower) && !without.includes(lower) && (keepsLength || lower !== 'content-length')
    );
  });
  outgoing.sendDate = false;
  gather(outgoing).writeHead(status, response.statusMessage, passed.flat()).flushHeaders();
  if (!body) return passBody(response, outgoing);
  await pipeline(Readable.from(body), outgoing);
  response.destroy();
}

/** As a pipeline, which would take a tenth of the time of a short exchange. */
function passBody(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('error', reject).once('end', () => addTrailers(outgoing, response));
    outgoing.once('finish', resolve).once('error', reject);
    outgoing.once('close', () => reject(new Error('The client has left.')));
    response.pipe(outgoing);
  });
}

function addTrailers(to: ClientRequest | ServerResponse, { rawTrailers }: IncomingMessage): void {
  const trailers = namesAndValues(rawTrailers).map(([name, value]): [string, string] => [name, value]);
  if (trailers.length > 0) to.addTrailers(trailers);
}
