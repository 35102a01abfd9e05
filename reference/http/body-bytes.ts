/** Reads and decompresses the bodies of requests. */
import type { IncomingMessage } from 'node:http';
import { finished, type Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { commonError } from './error-body.js';
import { httpError } from './errors.js';

const decoders = new Map<string, () => Transform | undefined>([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['identity', () => undefined],
]);

/**
 * Reads a body, also one that is too large or malformed, to its end: a client that is still sending might not see the
 * response.
 *
 * @param maxBytes maximum size of the decompressed body
 * @param timeoutMs time for the body to arrive, in milliseconds
 * @returns the decompressed body
 * @throws 400, 408, 413 or 415
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs = 10_000,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': announced = '0' } = request.headers;
  if (Number(announced) === 0 && request.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
  const createDecoder = decoders.get(encoding);
  const decoder = createDecoder?.();
  const chunks: Buffer[] = [];
  let length = 0;
  let refusal: Error | undefined;
  const refuse = (error: Error): void => {
    refusal ??= error;
    chunks.length = 0;
    if (decoder) request.unpipe(decoder);
    decoder?.destroy();
    request.resume();
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        refuse(error);
        reject(refusal!);
      };
      const refuseAtEnd = (error: Error): void => {
        refuse(error);
        // The decoder may find it after the end of the request.
        if (request.readableEnded) reject(refusal!);
      };
      timer = setTimeout(() => fail(commonError(408)), timeoutMs);
      finished(request, { writable: false }, (error) => {
        if (error) fail(httpError(408, 'request_timeout', 'The client has disconnected.'));
        else if (refusal) reject(refusal);
        else if (!decoder) resolve();
      });
      decoder?.on('end', resolve).on('error', () => {
        refuseAtEnd(httpError(400, 'bad_request', 'Invalid compressed payload'));
      });
      if (!createDecoder) {
        refuseAtEnd(httpError(415, 'bad_content_encoding', 'Content-Encoding must be gzip or deflate'));
      } else if (Number(announced) > maxBytes) refuseAtEnd(commonError(413));
      else
        (decoder ? request.pipe(decoder) : request).on('data', (chunk: Buffer) => {
          if (refusal) return;
          length += chunk.length;
          if (length > maxBytes) refuseAtEnd(commonError(413));
          else chunks.push(chunk);
        });
    });
  } finally {
    clearTimeout(timer);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
}
