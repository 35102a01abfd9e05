/** Converts JSON, which may be malformed since a target can send anything. */
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { parseBody as parseJson, readableBody } from '../../reports/read-json.js';

export { parseJson, readableBody };

/** In characters. The feeds of a conforming target are much shorter. */
const maxExactLength = 4 * 1024 * 1024;

/** A number that may have more digits than JavaScript keeps. */
const longNumber = /[[:,\s]-?\d[\d.]{15}/;

/**
 * Like {@link parseJson}, for a feed or a part of one. A client must send a seq back as it received it (SERVICE 2.6), so
 * a number that JavaScript would round becomes an object with its digits; {@link toJson} writes it. Only in documents
 * numbers stay numbers, since a server may write theirs with more digits than they have.
 */
export function parseFeed(text: string): unknown {
  // The library is many times slower.
  const value = parseJson(text);
  if (value === undefined || text.length > maxExactLength || !longNumber.test(text)) return value;
  try {
    return parse(
      text,
      (key, value) => (key === 'doc' ? parseJson(toJson(value)) : value),
      (number) => (isSafeNumber(number) ? Number(number) : new LosslessNumber(number)),
    );
  } catch {
    // The library refuses repeated names of members.
    return value;
  }
}

/** Like `JSON.stringify`, also for what {@link parseFeed} returns. */
export const toJson = (value: unknown): string => stringify(value)!;

/** The body of a feed in normal mode or of a long poll, or the object at the end of another feed: what it has of these. */
export interface FeedObject {
  readonly results: readonly unknown[] | undefined;
  readonly lastSeq: unknown;
  readonly pending: unknown;
}

/** @param value a body or a part of one, which {@link parseFeed} has parsed */
export function feedObject(value: unknown): FeedObject {
  const { results, last_seq: lastSeq, pending } = asObject(value);
  return { results: Array.isArray(results) ? (results as unknown[]) : undefined, lastSeq, pending };
}

/** @returns the value itself if it is an object or array, otherwise an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
