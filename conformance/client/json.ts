/** Converts JSON, which may be malformed since a target can send anything. */
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** @returns the value, or `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A number that may have more digits than JavaScript keeps. */
const longNumber = /[[:,\s]-?\d[\d.]{15}/;

/**
 * Like {@link parseJson}, for a feed or a part of one. A client must send a seq back as it received it (SERVICE 2.6), so
 * a number that JavaScript would round becomes an object with its digits; {@link toJson} writes it. Only in documents
 * numbers stay numbers, since a server may write theirs with more digits than they have.
 */
export function parseFeed(text: string): unknown {
  // The library is many times slower.
  if (!longNumber.test(text)) return parseJson(text);
  try {
    return parse(
      text,
      (key, value) => (key === 'doc' ? parseJson(toJson(value)) : value),
      (number) => (isSafeNumber(number) ? Number(number) : new LosslessNumber(number)),
    );
  } catch {
    // The library refuses repeated names of members.
    return parseJson(text);
  }
}

/** Like `JSON.stringify`, also for what {@link parseFeed} returns. */
export const toJson = (value: unknown): string => stringify(value)!;

/** @returns the value itself if it is an object or array, otherwise an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Converts a generated input to JSON data, with byte arrays in base64. */
export function jsonOf(input: unknown): unknown {
  const json = JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return JSON.parse(json ?? 'null');
}
