/** Removes the content codings of bodies (RFC 9110, section 8.4.1). */
import { brotliDecompressSync, constants, inflateRawSync, unzipSync, type ZlibOptions } from 'node:zlib';

type Decoder = (bytes: Uint8Array, options: ZlibOptions) => Buffer;

// A feed that was closed ends in the middle.
const finishFlush = constants.Z_SYNC_FLUSH;
const unzip: Decoder = (bytes, options) => unzipSync(bytes, { ...options, finishFlush });

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzip,
  'x-gzip': unzip,
  deflate: (bytes, options) => {
    try {
      return unzip(bytes, options);
    } catch {
      // Some clients send no header before the data.
      return inflateRawSync(bytes, { ...options, finishFlush });
    }
  },
  br: (bytes, { maxOutputLength }) =>
    brotliDecompressSync(bytes, maxOutputLength === undefined ? {} : { maxOutputLength }),
};

/**
 * @param encoding the value of `Content-Encoding`; the coding that was applied last comes last
 * @param options.maxOutputLength a longer body cannot be decoded
 * @returns undefined if the body cannot be decoded
 */
export function decodeContent(
  bytes: Uint8Array,
  encoding: string,
  options: Pick<ZlibOptions, 'maxOutputLength'> = {},
): Uint8Array | undefined {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'identity' && coding !== '');
  try {
    return codings.reduceRight((encoded, coding) => decoders[coding]!(encoded, options), bytes);
  } catch {
    return undefined;
  }
}
