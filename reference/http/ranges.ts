/** Requests for a part of a content (RFC 9110, section 14). */
import { httpError } from './errors.js';

/** The positions of the first and last byte of a part. */
export interface BytePart {
  readonly first: number;
  readonly last: number;
}

export interface RangeHeaders {
  readonly range?: string;
  readonly 'if-range'?: string;
}

/**
 * Reads the header `Range`. Several ranges, and what is not a range of bytes, count as no range, as RFC 9110 allows.
 *
 * @returns undefined if the response is the whole content: as in CouchDB, also for a range from the start without end
 * @throws 416 if no byte of the content is in the range
 */
export function requestedPart(
  { range = '', 'if-range': ifRange }: RangeHeaders,
  { etag, length }: { readonly etag: string; readonly length: number },
): BytePart | undefined {
  const [whole, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (whole === undefined || whole === 'bytes=-' || whole === 'bytes=0-') return undefined;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const part =
    from === ''
      ? { first: Math.max(length - Number(to), 0), last: length - 1 }
      : { first: Number(from), last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
  if (part.first <= part.last) return part;
  const error = httpError(
    416,
    'requested_range_not_satisfiable',
    `The content has no bytes in the range ${range}`,
  );
  error.output.headers['content-range'] = `bytes */${length}`;
  throw error;
}
