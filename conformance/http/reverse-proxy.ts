/**
 * Passes requests on to a target, and its responses back: the method, the path, headers in their order and case, the status,
 * the bytes of bodies and trailers. What one side does the other side sees: that it reads slowly, that it aborts, that it
 * answers before the request has ended, or that it waits for `100 Continue`. Only the borders of chunks may differ, and the
 * headers that are about one connection only.
 */
import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import { request as sendSecurely } from 'node:https';
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

/** What the client gets in place of a part of the response. */
export interface Treatment {
  readonly status?: number;
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
  /** Sees the head of the response before the client gets it, and may treat the response. */
  readonly onResponse?: (response: IncomingMessage) => Treatment | void | Promise<Treatment | void>;
}

/**
 * Forwards one request. If a connection breaks, it breaks the other one.
 *
 * @throws the error of the connection that broke, of which both sides then know
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, path = incoming.url!, body, without = [], onResponse = () => {} }: Forwarding,
): Promise<void> {
  const send = target.protocol === 'https:' ? sendSecurely : sendRequest;
  const request = send({
    ...addressOf(target),
    // Whatever ends the connection of the target then ends one request only.
    agent: false,
    method: incoming.method,
    path: target.pathname.replace(/\/$/, '') + path,
    headers: requestHeaders(incoming, target, without),
  });
  const leave = (): void => void request.destroy();
  outgoing.once('close', leave);
  try {
    request.on('continue', () => outgoing.writeContinue());
    const response = responseTo(request);
    request.flushHeaders();
    // Not by a pipeline, which would end the client's connection when a target answers early and reads no further.
    if (body) request.end(body);
    else incoming.pipe(request);
    await pass(await response, outgoing, onResponse);
  } catch (error) {
    outgoing.destroy();
    throw error;
  } finally {
    outgoing.off('close', leave);
  }
}

const addressOf = ({ hostname, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  ...(port !== '' && { port }),
});

function responseTo(request: ReturnType<typeof sendRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('close', () => reject(new Error('The connection has ended before a response.')));
    // Also after the response, which tells its end itself.
    request.on('error', reject);
  });
}

/** As names and values in turn. */
function requestHeaders(
  { rawHeaders, method = 'GET' }: IncomingMessage,
  { host }: URL,
  without: readonly string[],
): string[] {
  const sent = namesAndValues(rawHeaders);
  const isChunked = sent.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const hasLength = sent.some(([name]) => name.toLowerCase() === 'content-length');
  const kept = sent.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (ofConnection.has(lower) || without.includes(lower)) return [];
    return [name, lower === 'host' ? host : value];
  });
  if (isChunked) return [...kept, 'Transfer-Encoding', 'chunked'];
  // Node.js would send chunks for a method that usually has a body.
  return hasLength || ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
    ? kept
    : [...kept, 'Content-Length', '0'];
}

async function pass(
  response: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: NonNullable<Forwarding['onResponse']>,
): Promise<void> {
  const { status = response.statusCode!, body, keepsLength = !body } = (await onResponse(response)) ?? {};
  const headers = namesAndValues(response.rawHeaders).filter(
    ([name]) =>
      !ofConnection.has(name.toLowerCase()) && (keepsLength || name.toLowerCase() !== 'content-length'),
  );
  outgoing.sendDate = false;
  outgoing.writeHead(status, response.statusMessage, headers.flat()).flushHeaders();
  if (!body) {
    response.once('end', () => {
      const trailers = namesAndValues(response.rawTrailers).map(([name, value]): [string, string] => [
        name,
        value,
      ]);
      if (trailers.length > 0) outgoing.addTrailers(trailers);
    });
    return pipeline(response, outgoing);
  }
  await pipeline(Readable.from(body), outgoing);
  response.destroy();
}
