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
 * @param options encoding of the body, and the time for it to arrive, in milliseconds
 * @returns the decompressed body
 * @throws 400, 408, 413 or 415
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  { encoding = request.headers['content-encoding'] ?? 'identity', timeoutMs = 10_000 } = {},
): Promise<Buffer> {
  const { 'content-length': announced = '0' } = request.headers;
  if (Number(announced) === 0 && request.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
  const createDecoder = decoders.get(encoding);
  const decoder = createDecoder?.();
  const chunks: Buffer[] = [];
  let length = 0;
  let refusal: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = (error: Error, when: 'now' | 'at the end'): void => {
        refusal ??= error;
        chunks.length = 0;
        if (decoder) request.unpipe(decoder);
        decoder?.destroy();
        request.resume();
        // The decoder may find its error after the end of the request.
        if (when === 'now' || request.readableEnded) reject(refusal);
      };
      timer = setTimeout(() => {
        // What has arrived may still have to be decompressed.
        if (!request.complete) refuse(commonError(408), 'now');
      }, timeoutMs);
      finished(request, { writable: false }, (error) => {
        if (error) refuse(httpError(408, 'request_timeout', 'The client has disconnected.'), 'now');
        else if (refusal) reject(refusal);
        else if (!decoder) resolve();
      });
      decoder?.on('end', resolve).on('error', () => {
        refuse(httpError(400, 'bad_request', 'Invalid compressed payload'), 'at the end');
      });
      if (!createDecoder) {
        const reason = 'Content-Encoding must be gzip or deflate';
        refuse(httpError(415, 'bad_content_encoding', reason), 'at the end');
      } else if (Number(announced) > maxBytes) refuse(commonError(413), 'at the end');
      else
        (decoder ? request.pipe(decoder) : request).on('data', (chunk: Buffer) => {
          if (refusal) return;
          length += chunk.length;
          if (length > maxBytes) refuse(commonError(413), 'at the end');
          else chunks.push(chunk);
        });
    });
  } finally {
    clearTimeout(timer);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
}
