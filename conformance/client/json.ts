/** Converts JSON, which may be malformed since a target can send anything. */
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * What a target may send at most, far more than a conforming one does. Code that walks through a value calls itself for
 * each level, and a body of empty arrays would block this process for many seconds.
 */
const maxLevels = 500;
const maxValues = 200_000;

/** @returns the value, or `undefined` if the text is not JSON, or has too many levels or values. */
export function parseJson(text: string): unknown {
  if (isTooLarge(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What a text that {@link parseJson} refuses should have been. */
export const readableJson = (text: string): string =>
  isTooLarge(text) ? `JSON with at most ${maxLevels} levels and ${maxValues} values` : 'JSON';

function isTooLarge(text: string): boolean {
  if (text.length < 2 * maxLevels) return false;
  let levels = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === ',') values += 1;
    else if (character === ']' || character === '}') levels -= 1;
    else if (character === '[' || character === '{') {
      levels += 1;
      values += 1;
    }
    if (levels > maxLevels || values > maxValues) return true;
  }
  return false;
}

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
  if (text.length > maxExactLength || isTooLarge(text) || !longNumber.test(text)) return parseJson(text);
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

/** How much of a value a report keeps, in characters. */
const maxKeptLength = 65_536;

/** @returns the value, or its beginning if it is too long for a report. Texts that are cut end with an ellipsis. */
export function limitSize(value: unknown): unknown {
  let left = maxKeptLength;
  const cut = (part: unknown): unknown => {
    const room = Math.max(left, 0);
    if (typeof part === 'string') {
      left -= part.length;
      return part.length > room ? `${part.slice(0, room)}…` : part;
    }
    left -= 1;
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.slice(0, room).map(cut);
    const members = Object.entries(part).slice(0, room);
    return Object.fromEntries(members.map(([name, member]) => [cut(name), cut(member)]));
  };
  return cut(value);
}

/** Converts a generated input to JSON data, with byte arrays in base64. */
export function jsonOf(input: unknown): unknown {
  const json = JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return JSON.parse(json ?? 'null');
}
