/** Messages of several parts: parses those of requests, and writes those of responses (RFC 2046). */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { mediaType, mediaTypes } from '@hapi/accept';
import { getMultipartBoundary, parseMultipart } from '@remix-run/multipart-parser';
import { httpError } from './errors.js';
import { Turn } from './turns.js';

/** A part of a message. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A part of a request. */
export interface ParsedPart {
  readonly contentType: string | undefined;
  /** The field of a form. */
  readonly name: string | undefined;
  /** As `Content-Disposition` has it. */
  readonly filename: string | undefined;
  readonly body: Buffer;
}

/** A message of a response. */
export interface Message<Type, Body = Buffer> {
  /** Has the boundary as well. */
  readonly type: Type;
  readonly body: Body;
}

/** Bounds the time and memory for a message of many empty parts. */
const maxParts = 10_000;

/** @throws 400 if the message is malformed */
export function parseMessage(contentType: string, body: Buffer): ParsedPart[] {
  const boundary = getMultipartBoundary(contentType);
  if (boundary === null) throw malformed('Content-Type has no boundary');
  // Anything may stand before the first part.
  const start = body.indexOf(`--${boundary}`);
  const options = { boundary, maxParts, maxFileSize: body.length, maxTotalSize: body.length };
  try {
    const parts = parseMultipart(withHeaders(body.subarray(Math.max(start, 0)), boundary), options);
    return Array.from(parts, ({ headers, name, filename, bytes }) => ({
      contentType: headers['content-type'],
      name,
      filename,
      body: Buffer.from(bytes.buffer),
    }));
  } catch (error) {
    throw malformed((error as Error).message);
  }
}

/** The parser needs a header in each part. RFC 2046 does not: this one means nothing. */
const emptyHeader = Buffer.from('X-None: \r\n');

function withHeaders(message: Buffer, boundary: string): Buffer {
  const lineEnd = '\r\n';
  const bare = `--${boundary}${lineEnd}${lineEnd}`;
  const pieces: Buffer[] = [];
  let done = 0;
  for (let at = message.indexOf(bare); at >= 0; at = message.indexOf(bare, at + 1)) {
    // In the middle of a line, it is content.
    if (at > 0 && message.toString('latin1', at - lineEnd.length, at) !== lineEnd) continue;
    const header = at + bare.length - lineEnd.length;
    pieces.push(message.subarray(done, header), emptyHeader);
    done = header;
  }
  return pieces.length === 0 ? message : Buffer.concat([...pieces, message.subarray(done)]);
}

export const malformed = (detail: string) =>
  httpError(400, 'bad_request', `invalid multipart body: ${detail}`);

/** Types of messages. */
export type MultipartType = 'multipart/mixed' | 'multipart/related';

/** RFC 9110: a parameter can be empty, as in `text/plain;`. The library refuses that. */
const withoutEmptyParameters = (accept: string | undefined) => accept?.replace(/;[\t ]*(?=[;,]|$)/g, '');

/**
 * Decides how to answer a client: with a message only if it does not read JSON.
 *
 * @param accept the header of the request
 * @returns undefined for JSON
 * @throws 400 if the header is malformed
 */
export function acceptedMultipart<Type extends MultipartType>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const type = mediaType(withoutEmptyParameters(accept), ['application/json', ...types]);
  return types.find((one) => one === type);
}

/**
 * As `acceptedMultipart`, but a client that names a type of messages and accepts this one gets it, even if it also reads
 * JSON: CouchDB does so.
 */
export function requestedMultipart<Type extends MultipartType>(
  accept: string | undefined,
  type: Type,
): Type | undefined {
  const accepted = mediaTypes(withoutEmptyParameters(accept));
  const acceptsType = [type, 'multipart/*', '*/*'].some((one) => accepted.includes(one));
  const namesMessages = accepted.some((one) => one.startsWith('multipart/'));
  return acceptsType && namesMessages ? type : acceptedMultipart(accept, [type]);
}

/** The type of a message, with its boundary. */
const contentTypeOf = <Type extends MultipartType>(type: Type, boundary: string) =>
  `${type}; boundary="${boundary}"` as Type;

export function writeMessage<Type extends MultipartType>(type: Type, parts: readonly Part[]): Message<Type> {
  const boundary = newBoundary();
  const body = Buffer.concat([...parts.flatMap((part) => partBytes(boundary, part)), end(boundary)]);
  return { type: contentTypeOf(type, boundary), body };
}

/**
 * Writes a message as the client reads it.
 *
 * @param parts are taken when the client has received the previous ones
 * @param flushed resolves when all changes so far are on disk. The response only has changes that are.
 */
export function streamMessage<Type extends MultipartType>(
  type: Type,
  parts: Iterable<Part>,
  flushed: () => Promise<void>,
): Message<Type, Readable> {
  const boundary = newBoundary();
  const body = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
  return { type: contentTypeOf(type, boundary), body };

  async function* pieces(): AsyncGenerator<Buffer, void, void> {
    const turn = new Turn();
    for (const part of parts) {
      await flushed();
      yield Buffer.concat(partBytes(boundary, part));
      await turn.next();
    }
    yield end(boundary);
  }
}

function partBytes(boundary: string, { headers, body }: Part): Buffer[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return [Buffer.from(`--${boundary}\r\n${lines.join('')}\r\n`), body, Buffer.from('\r\n')];
}

const newBoundary = (): string => randomBytes(16).toString('hex');

/** The replicator of CouchDB rejects a message that has a line end after this. */
const end = (boundary: string): Buffer => Buffer.from(`--${boundary}--`);

/** A text in a header of a part. As in forms of browsers, it cannot end the text or the header. */
export const headerText = (text: string): string =>
  text.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
